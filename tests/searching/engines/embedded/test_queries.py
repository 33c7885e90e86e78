"""Random queries over random papers match what plain Python says, in any division into passages and commits."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.searching.engines import scan
from tests.searching.engines.contract_trial import abstract, stored

from anagnosis.documents.document import Document, Section
from anagnosis.searching.engines import Engine, embedded
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.papers.joined import ShownPaper, shown
from anagnosis.searching.queries.tree import (
    AllOf,
    AnyOf,
    Dates,
    InField,
    Not,
    Part,
    Phrase,
    Prefix,
    Query,
    Synonyms,
    Word,
)

LETTERS = "abc"
WORDS = st.sampled_from(LETTERS)
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
DATES = st.sampled_from(("", "2019", "2020-01", "2020-01-02", "2021"))
TYPES = st.sampled_from(("", "Review", "Clinical Trial; Review"))
JOURNALS = st.sampled_from(("", "Journal A", "Journal B"))
LABELS = st.sampled_from(("abstract", "results", "conclusion"))
PIECES = st.lists(st.tuples(LABELS, TEXTS), min_size=1, max_size=3)
PAPERS = st.tuples(PIECES, TEXTS, DATES, JOURNALS, TYPES, st.booleans())
LEAVES = (
    WORDS.map(Word)
    | st.lists(WORDS, min_size=2, max_size=3).map(lambda words: Phrase(tuple(words)))
    | st.lists(WORDS.map(Word), min_size=1, max_size=2).map(lambda words: Synonyms(tuple(words)))
)
NAMES = st.sampled_from(
    (
        InField("author", Prefix("smith, j")),
        InField("journal", Word("journal a")),
        InField("type", Word("review")),
        Dates("2020"),
        Dates("", "2020-01"),
    )
)
IN_FIELDS = st.builds(InField, st.sampled_from(("title", "abstract")), LEAVES | WORDS.map(Prefix))


def joined(parts: st.SearchStrategy[Part]) -> st.SearchStrategy[Part]:
    several = st.lists(parts | parts.map(Not), min_size=2, max_size=3).map(tuple)
    return several.map(AnyOf) | several.map(AllOf)


PARTS: st.SearchStrategy[Part] = st.recursive(LEAVES | NAMES | IN_FIELDS, joined, max_leaves=5)
QUERIES = st.builds(
    Query,
    st.lists(LEAVES, max_size=3).map(tuple),
    st.lists(PARTS, max_size=2).map(tuple),
    st.lists(PARTS, max_size=1).map(tuple),
)


FILTERS = st.sampled_from(
    (Filters(), Filters(sections=("results",)), Filters(journals=("JOURNAL A",)), Filters(since="2020"))
)


def put_all(
    engine: Engine, papers: list[tuple[list[tuple[str, str]], str, str, str, str, bool]]
) -> list[ShownPaper]:
    """Put papers, those of each third commit by themselves, and some twice; returns what is there."""
    there: list[ShownPaper] = []
    for number, (pieces, title, date, journal, types, has_author) in enumerate(papers):
        known = {
            "date": date,
            "journal": journal,
            "types": types,
            "authors": "Smith, Jane" if has_author else "",
        }
        sections = (Section("title", title), *(Section(label, text) for label, text in pieces))
        paper = stored(Document(f"p{number}", sections, facts={k: v for k, v in known.items() if v}))
        if has_author:
            engine.put(abstract(paper.name, "a b c"))
        engine.put(paper)
        there.append(shown(paper))
        if number % 3 == 2:
            engine.commit()
    engine.commit()
    return there


@settings(max_examples=25, deadline=None)
@given(
    st.lists(PAPERS, min_size=1, max_size=8),
    st.lists(st.tuples(QUERIES, FILTERS), min_size=1, max_size=6),
)
def test_queries_match_what_plain_python_does(
    papers: list[tuple[list[tuple[str, str]], str, str, str, str, bool]], queries: list[tuple[Query, Filters]]
) -> None:
    with TemporaryDirectory() as folder:
        engine = embedded.create(Path(folder) / "engine")
        there = put_all(engine, papers)
        names = [one.passages[0].document for one in there]
        for query, filters in queries:
            wanted = [one for one in there if scan.finds(query, filters, one)]
            expected = {one.passages[0].document: one.passages[0].date for one in wanted}
            for sort in ("score", "date"):
                found = [one.stored.name for one in engine.search(query, filters, 100, sort=sort)]
                assert sorted(found) == sorted(expected), query
            days = [date_number(expected[name]) for name in found]
            assert days == sorted(days, reverse=True)
            few = engine.search(query, filters, 2, sort="date")
            assert [one.stored.name for one in few] == found[:2]
            for limit in (0, 10):
                assert engine.facets(query, filters, limit).matches == len(wanted), query
            meeting = {one.passages[0].document for one in there if scan.meets(query, filters, one)}
            assert engine.meeting(names, query, filters) == meeting, query
        engine.close()
