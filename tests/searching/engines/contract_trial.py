"""What the contract of engines is tried with: four invented papers, and the engine that has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anagnosis.documents.document import Document, Section
from anagnosis.searching.engines import BY_SCORE, Engine, EngineModule
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.papers.records import StoredPaper, record_of
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import Query

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


def stored(*documents: Document) -> StoredPaper:
    """A paper of these records, with the id of the first."""
    return StoredPaper(documents[0].id, tuple(record_of(one, "", 1) for one in documents))


def index_of(folder: Path, *papers: Document) -> Index:
    """A new index with these papers, committed."""
    made = create_index(folder)
    for paper in papers:
        made.add(paper, Counter())
    made.commit()
    return made


def abstract(ident: str, text: str, title: str = "") -> StoredPaper:
    """A paper with an abstract."""
    return stored(Document(ident, (Section("title", title), Section("abstract", text))))


@dataclass(frozen=True, slots=True)
class EngineTrial:
    """An engine under test, with all PAPERS committed. place: of its files."""

    module: EngineModule
    place: Path
    engine: Engine

    def names(
        self,
        question: str | Query,
        limit: int = 10,
        filters: Filters | None = None,
        sort: str = BY_SCORE,
    ) -> list[str]:
        """The papers for the words of a question, or for a query."""
        query = words_query(question) if isinstance(question, str) else question
        found = self.engine.search(query, filters or Filters(), limit, sort=sort)
        return [one.stored.name for one in found]


@contextmanager
def trial(module: EngineModule, place: Path, settings: Path | None = None) -> Generator[EngineTrial]:
    """A new engine with all PAPERS, closed at the end."""
    engine = module.create(place, settings)
    try:
        for paper in PAPERS:
            engine.put(stored(paper))
        engine.commit()
        yield EngineTrial(module, place, engine)
    finally:
        engine.close()
