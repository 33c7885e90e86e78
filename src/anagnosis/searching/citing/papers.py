"""The reference of a paper in an index, from its passages and the facts that are stored once a paper."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.citing.reference import BestPassage, Reference, in_one_line
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Notice, Passage


def reference(passages: Sequence[Passage], paper: Paper, best: BestPassage | None = None) -> Reference:
    """passages: of one document, in its order; at least one."""
    first = passages[0]
    facts, identifiers, links = first.facts, first.identifiers, first.links
    return Reference(
        id=in_one_line(first.document),
        title=in_one_line(first.title),
        authors=_each_in_one_line(paper.authors),
        journal=in_one_line(first.journal),
        date=in_one_line(first.date),
        volume=in_one_line(paper.volume),
        issue=in_one_line(paper.issue),
        pages=in_one_line(paper.pages),
        doi=in_one_line(identifiers.get("doi", "")),
        pmid=in_one_line(identifiers.get("pmid", "")),
        pmcid=in_one_line(identifiers.get("pmcid", "")),
        language=in_one_line(facts.get("language", "")),
        licence=in_one_line(facts.get("licence", "")),
        types=_each_in_one_line(first.types),
        keywords=_each_in_one_line(paper.keywords),
        mesh=_each_in_one_line(paper.mesh),
        abstract=abstract(passages),
        notices=tuple(Notice(one.kind, one.says, in_one_line(one.about)) for one in first.notices),
        address=links[0].address if links else "",
        best=best,
    )


def abstract(passages: Sequence[Passage]) -> str:
    """The abstract of a document in one line, each of its parts behind its heading."""
    parts = (one for one in passages if not one.full_text and one.section != "title")
    return " ".join(in_one_line(f"{one.heading}: {one.text}" if one.heading else one.text) for one in parts)


def best_passage(passage: Passage, score: float, rank: int) -> BestPassage:
    """The passage by which a paper was retrieved. rank: of the paper."""
    return BestPassage(rank, score, passage.section, in_one_line(passage.heading), in_one_line(passage.text))


def _each_in_one_line(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(in_one_line, values)))
