"""What an index holds of papers, and the papers that are related to one of them, as reports."""

from __future__ import annotations

from anagnosis.reports.report import Block, Listing, Report, Text, item
from anagnosis.searching.records.hits import RelatedAnswer
from anagnosis.searching.records.paper import IndexPapers

_SHOWN = 100
_BY = {
    "words": "Related by the rare words that they share.",
    "vectors": "Related by meaning (dense vectors).",
}


def index_papers(papers: IndexPapers) -> Report:
    """Its numbers, and the papers that stand alone."""
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
    return Report("What the index holds", tuple(blocks))


def related_papers(answer: RelatedAnswer) -> Report:
    """Each paper with its place and date."""
    blocks: list[Block] = [Text(_BY[answer.by] if answer.related else "Nothing here is related to it.")]
    for rank, one in enumerate(answer.related, 1):
        items = [
            *(item(notice.kind, f"{notice.says} {notice.about}".strip()) for notice in one.notices),
            item("title", one.title),
            *(
                [item("in", ", ".join(filter(None, (one.journal, one.date))))]
                if one.journal or one.date
                else []
            ),
            *(item(link.name, link.address) for link in one.links),
        ]
        blocks.append(Listing(tuple(items), f"{rank}. {one.document}"))
    return Report(f"Related to: {answer.title}", tuple(blocks))
