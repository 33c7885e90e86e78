"""The papers related to a paper, as blocks of a report."""

from __future__ import annotations

from anagnosis.reports.report import Block, Listing, Report, Text, item
from anagnosis.searching.records.related import RelatedAnswer

_BY = {
    "words": "Related by the rare words that they share.",
    "vectors": "Related by meaning (dense vectors).",
}


def report(answer: RelatedAnswer) -> Report:
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
