"""What an index holds, as blocks of a report."""

from __future__ import annotations

from anagnosis.reports.report import Block, Listing, Report, Text, item
from anagnosis.searching.records.index_papers import IndexPapers

_SHOWN = 100


def report(papers: IndexPapers) -> Report:
    """Its numbers, the papers that stand alone, and contradictions."""
    blocks: list[Block] = [
        Text(
            f"{papers.documents:,} documents, {papers.passages:,} passages; {papers.joined:,} joined from several"
            " records."
        )
    ]
    if papers.joins_none:
        items = [item(one.document, ", ".join(one.shared)) for one in papers.joins_none[:_SHOWN]]
        caption = f"{len(papers.joins_none):,} stand alone: their identifiers belong to several papers"
        blocks.append(Listing(tuple(items), caption))
    if papers.contradicted:
        items = [
            item(
                f"{one.document}, {conflict.fact}",
                "; ".join(f"{value.value} ({', '.join(value.records)})" for value in conflict.values),
            )
            for one in papers.contradicted[:_SHOWN]
            for conflict in one.conflicts
        ]
        blocks.append(
            Listing(tuple(items), f"{len(papers.contradicted):,} with records that contradict each other")
        )
    return Report("What the index holds", tuple(blocks))
