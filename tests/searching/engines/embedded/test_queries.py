"""Random queries over random papers match what plain Python says, in any division into passages and commits."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.searching.engines.contract_trial import met
from tests.searching.engines.matching import StoredPassage, conditions_met, count_facets, date_of, matches

from anagnosis.searching.engines import APART, Engine, embedded
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.meaning import words_query
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
    Together,
    Word,
)
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage

LETTERS = "abc"
WORDS = st.sampled_from(LETTERS)
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
DATES = st.sampled_from(("", "2019", "2020-01", "2020-01-02", "2021"))
TYPES = st.sampled_from(("", "Review", "Clinical Trial; Review"))
JOURNALS = st.sampled_from(("", "Journal A", "Journal B"))
SECTIONS = st.sampled_from(("abstract", "results", "conclusion"))
PIECES = st.lists(st.tuples(SECTIONS, TEXTS, st.booleans()), min_size=1, max_size=3)
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
    together = st.lists(LEAVES, min_size=2, max_size=3).map(lambda leaves: Together(tuple(leaves)))
    return several.map(AnyOf) | several.map(AllOf) | together


PARTS: st.SearchStrategy[Part] = st.recursive(LEAVES | NAMES | IN_FIELDS, joined, max_leaves=5)
QUERIES = st.builds(
    Query,
    st.lists(LEAVES, max_size=3).map(tuple),
    st.lists(PARTS, max_size=2).map(tuple),
    st.lists(PARTS, max_size=1).map(tuple),
)


def add_all(engine: Engine, papers: list[tuple[object, ...]]) -> list[StoredPassage]:
    """Add papers, those of each third commit by themselves, and return their passages."""
    stored: list[StoredPassage] = []
    for number, (pieces, title, date, journal, types, has_author) in enumerate(papers):
        known = {"date": date, "journal": journal, "types": types}
        facts = {name: str(value) for name, value in known.items() if value}
        paper = Paper(("Smith, Jane",) if has_author else ())
        passages = [
            Passage(str(number), at, section, "", str(title), text, facts, full_text=full_text)
            for at, (section, text, full_text) in enumerate(pieces)  # pyright: ignore
        ]
        engine.add(passages, "", paper)
        stored += [StoredPassage(one, paper) for one in passages]
        if number % 3 == 2:
            engine.commit()
    engine.commit()
    return stored


@settings(max_examples=25, deadline=None)
@given(st.lists(PAPERS, min_size=1, max_size=8), st.lists(QUERIES, min_size=1, max_size=6))
def test_queries_match_and_count_what_plain_python_does(
    papers: list[tuple[object, ...]], queries: list[Query]
) -> None:
    with TemporaryDirectory() as folder:
        engine = embedded.create(Path(folder) / "engine")
        stored = add_all(engine, papers)
        papers_of = {
            one.passage.document: [each for each in stored if each.passage.document == one.passage.document]
            for one in stored
        }
        for query in queries:
            expected = [one.passage for one in stored if matches(query, one, papers_of[one.passage.document])]
            for sort in ("score", "date"):
                hits = [hit.passage for hit in engine.search(query, Filters(), 100, sort=sort)]
                assert {one.id for one in hits} == {one.id for one in expected}, query
            days = [date_of(one) for one in hits]
            assert days == sorted(days, reverse=True)
            counted = count_facets(expected, 10)
            assert engine.facets(query, Filters(), 0).matches == counted.matches, query
            assert engine.facets(query, Filters(), 10) == counted, query
            places = [(one.passage.document, one.passage.number) for one in stored]
            assert met(engine, places, query) == conditions_met(query, stored, places), query
            few = engine.search(query, Filters(), 2, sort="date")
            assert [hit.passage for hit in few] == hits[:2]
        engine.close()


def explained(engine: Engine, query: Query, document: str) -> float:
    return {hit.passage.document: hit.score for hit in engine.search(query, Filters(), 100)}[document]


@pytest.fixture
def teas(tmp_path: Path) -> Engine:
    """Twenty passages of six words: "brew" in five, "infus" in two, "cold tea" in three, "cold" in four."""
    engine = embedded.create(tmp_path / "engine")
    words = ["brew"] * 5 + ["infus"] * 2 + ["cold tea"] * 3 + ["cold"] + ["leaf"] * 9
    for number, word in enumerate(words):
        text = " ".join([word, *("zinc" for _ in range(6 - len(word.split())))])
        engine.add([Passage(f"{number:02}", 0, "abstract", "", "", text)], "")
    engine.commit()
    return engine


def test_the_best_of_a_group_counts(teas: Engine) -> None:
    """By hand: every passage has six words, so that BM25 is the IDF times one factor."""
    brew, infusion = (
        explained(teas, words_query(word), place) for word, place in (("brew", "00"), ("infus", "05"))
    )
    cold, tea = (explained(teas, words_query(word), "07") for word in ("cold", "tea"))
    group = Query((Synonyms((Word("brew"), Word("infus"), Phrase(("cold", "tea")))),))
    for document, score in (("00", brew), ("05", infusion), ("07", cold + tea)):
        assert explained(teas, group, document) == pytest.approx(score, rel=1e-3)
    apart = Query((Synonyms((Word("infus"),), (Word("cold"), Word("tea")), (0.5,)),))
    for document, score in (("05", infusion / 2), ("07", APART * (cold + tea)), ("10", APART * cold)):
        assert explained(teas, apart, document) == pytest.approx(score, rel=1e-3)
