"""What the contract of engines is tried with: four invented papers, and the engine that has them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anagnosis.documents.document import Document, Section
from anagnosis.searching import papers
from anagnosis.searching.engines import Engine, EngineModule, PassageKey
from anagnosis.searching.filters import Filters
from anagnosis.searching.passages import passages
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import Query
from anagnosis.searching.records.hits import PrintedTerm
from anagnosis.searching.records.paper import Paper

PAPERS = (
    Document(
        "1",
        (
            Section("title", "Cold tea and sleep"),
            Section("abstract", "Cold tea was given to forty adults. Sleep was not longer.", "RESULTS", "RESULTS"),
            Section("abstract", "Cold tea does not change sleep.", "CONCLUSION", "CONCLUSIONS"),
        ),
        facts={
            "date": "2019-05-02",
            "journal": "Journal of Tea",
            "types": "Journal Article; Clinical Trial",
            "authors": "García-López, José A.; Smith, John",
            "mesh": "Tea; Sleep",
            "keywords": "Cold tea",
            "pages": "1-9",
            "language": "eng",
            "collections": "Drinks; Drinks › Tea",
            "tags": "To Read; réseau",
            "added": "2026-03-01",
        },
    ),
    Document(
        "2",
        (
            Section("title", "TGF-β1 and IL-2 in fever"),
            Section("abstract", "TGF-β1 rose to 0.5 mg in fever. IL2 did not."),
        ),
        facts={"date": "2020-03", "journal": "Fever Letters", "retracted": "9", "authors": "Smith, Jane",
               "collections": "Drinks", "added": "2026-02", "language": "French; de-AT"},
    ),
    Document("3", (Section("title", "A title and nothing else about salt"),), facts={"date": "2021"}),
    Document("4", (Section("title", "Undated walks"), Section("abstract", "A walk before breakfast helps sleep."))),
)  # fmt: skip


def texts(terms: Iterable[PrintedTerm]) -> list[str]:
    """The terms as printed."""
    return [one.text for one in terms]


def met(engine: Engine, places: list[PassageKey], query: Query) -> list[PassageKey]:
    """The places of the passages that meet a query's conditions."""
    found = zip(places, engine.passages(places, query), strict=True)
    there = [place for place, one in found if one is not None]
    assert [(one.document, one.number) for one in engine.passages(places, query) if one is not None] == there
    return there


def paper_of(document: Document) -> Paper:
    """The paper of a document of one record."""
    return papers.paper_of(document.facts, papers.aliases_of(document.id, document.facts))


def mark_of(document: Document) -> str:
    """A mark, of another length for each."""
    return "".join(["mark of ", *[document.id] * int(document.id)])


@dataclass(frozen=True, slots=True)
class EngineTrial:
    """An engine under test, with all PAPERS committed. place: of its files."""

    module: EngineModule
    place: Path
    engine: Engine

    def ids(self, question: str, limit: int = 10, filters: Filters | None = None) -> list[str]:
        """Ids of the passages for a question."""
        hits = self.engine.search(words_query(question), filters or Filters(), limit)
        return [hit.passage.id for hit in hits]


@contextmanager
def trial(module: EngineModule, place: Path, settings: Path | None = None) -> Generator[EngineTrial]:
    """A new engine with all PAPERS, closed at the end."""
    engine = module.create(place, settings)
    try:
        for paper in PAPERS:
            engine.add(passages(paper), mark_of(paper), paper_of(paper))
        engine.commit()
        yield EngineTrial(module, place, engine)
    finally:
        engine.close()
