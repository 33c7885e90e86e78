"""Every engine keeps the contract about queries: what matches, scores, order, counts, papers and printed words."""

from __future__ import annotations

import pytest
from tests.searching.engines.contract_trial import PAPERS, EngineTrial, met, paper_of, texts

from anagnosis.searching.engines import BY_DATE, documents_with
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import (
    NOTHING,
    TITLE,
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
from anagnosis.searching.records.hits import Facet, Facets, Matches
from anagnosis.searching.records.passage import Passage

_OF_1, _EVERY = {"1#0", "1#1"}, {"1#0", "1#1", "2#0", "3#0", "4#0"}
_TEA, _SLEEP, _SALT, _WALK = Word("tea"), Word("sleep"), Word("salt"), Word("walk")
_ADULTS, _CHANGE = Word("adult"), Word("chang")  # each in one passage of paper 1
_COLD_TEA = Phrase(("cold", "tea"))
REQUIRED: tuple[tuple[Part, set[str]], ...] = (
    (_SLEEP, {*_OF_1, "4#0"}),
    (_COLD_TEA, _OF_1),
    (Phrase(("tea", "cold")), set()),
    (Phrase(("cold", "sleep")), set()),
    (Phrase(("tea", "and", "sleep")), _OF_1),
    (Phrase(("tea", "doe", "not", "chang", "sleep")), {"1#1"}),
    *((Phrase(pair, between=1), _OF_1) for pair in (("tea", "sleep"), ("sleep", "tea"))),
    *((Phrase(pair, between=0), set()) for pair in (("tea", "sleep"), ("sleep", "tea"))),
    (Phrase(("tea", "cold"), between=0), _OF_1),
    (Phrase(("sleep", "cold"), between=2), _OF_1),
    # From the title to the heading, and from the heading to the text.
    (Phrase(("sleep", "result")), set()),
    (Phrase(("result", "cold")), set()),
    (Prefix("breakf"), {"4#0"}),
    (Prefix("s"), {*_OF_1, "3#0", "4#0"}),
    (Prefix("titles"), {"3#0"}),  # whose stem has fewer letters
    (Prefix("zzz"), set()),
    (InField("title", _SLEEP), _OF_1),
    (InField("title", _COLD_TEA), _OF_1),
    (InField("title", Prefix("sle")), _OF_1),
    (InField("title", Synonyms((_SALT, _WALK))), {"3#0", "4#0"}),
    (InField("abstract", _SLEEP), {*_OF_1, "4#0"}),
    (InField("abstract", _SALT), set()),
    (InField("abstract", Phrase(("help", "sleep"))), {"4#0"}),
    (InField("author", Word("smith, john")), _OF_1),
    (InField("author", Prefix("smith, j")), {*_OF_1, "2#0"}),
    (InField("author", Prefix("smith, jane")), {"2#0"}),
    (InField("author", Prefix("garcia lopez, ja")), _OF_1),
    (InField("author", Word("smith")), set()),
    (InField("journal", Word("fever letters")), {"2#0"}),
    (InField("journal", Prefix("journal")), _OF_1),
    (InField("type", Word("clinical trial")), _OF_1),
    (InField("type", Word("trial")), set()),
    (InField("mesh", Word("sleep")), _OF_1),
    (InField("keyword", Word("cold tea")), _OF_1),
    (InField("keyword", Word("tea")), set()),
    (Dates("2020"), {"2#0", "3#0"}),
    (Dates("2019-05", "2020-03"), {*_OF_1, "2#0"}),
    (Dates("", "2019"), _OF_1),
    (Dates("2020-03-31", "2021-01-01"), {"2#0", "3#0"}),
    (Dates("2020-03", "2020-03"), {"2#0"}),
    (Dates("2021-06", "2021-06"), set()),  # one month is that of papers that state it
    (InField("first_author", Prefix("smith,")), {"2#0"}),
    (InField("last_author", Word("smith, j")), {*_OF_1, "2#0"}),
    (InField("language", Word("eng")), _OF_1),
    (InField("language", Word("ger")), {"2#0"}),
    (InField("filter", Word("hasabstract")), {*_OF_1, "2#0", "4#0"}),
    (AnyOf((_SALT, _WALK)), {"3#0", "4#0"}),
    (AllOf((_SLEEP, _TEA)), _OF_1),
    (AllOf((_SLEEP, Not(_TEA))), {"4#0"}),
    # In any passages of a paper; results are those with one of the words.
    (AllOf((_ADULTS, _CHANGE)), _OF_1),
    (AllOf((_SLEEP, _ADULTS, Dates("", "2019"))), _OF_1),
    (AllOf((_ADULTS, Not(_CHANGE))), set()),
    (AllOf((Dates("2019"), Not(_CHANGE))), {"2#0", "3#0"}),
    (AnyOf((AllOf((_ADULTS, _CHANGE)), _WALK)), {*_OF_1, "4#0"}),
    (AnyOf((_ADULTS, _WALK)), {"1#0", "4#0"}),
    (Together((_ADULTS, _CHANGE)), set()),
    (Together((_ADULTS, _TEA)), {"1#0"}),
    (AllOf((Dates("2019"), AnyOf((_SALT, Word("fever"))), Not(Prefix("tit")))), {"2#0"}),
    (AnyOf((Not(_SLEEP), _WALK)), {"2#0", "3#0", "4#0"}),
    (Synonyms((_SALT, Phrase(("befor", "breakfast")))), {"3#0", "4#0"}),
    (Synonyms((Phrase(("befor", "tea")),), (_SALT, _WALK)), {"3#0", "4#0"}),
)
MATCHED: tuple[tuple[Query, set[str]], ...] = (
    (NOTHING, set()),
    (Query((), (), (_TEA,)), set()),
    (Query((_SLEEP,)), {*_OF_1, "4#0"}),
    (Query((_SLEEP,), (), (_TEA,)), {"4#0"}),
    (Query((_SLEEP, _SALT), (), (_TEA, _WALK)), {"3#0"}),
    # With something required, no ranked part has to stand there.
    (Query((_SLEEP,), (_SALT,)), {"3#0"}),
    (Query((_SLEEP,), (_SLEEP, _TEA), (InField("abstract", Word("forti")),)), set()),
    (Query((_SLEEP,), (_ADULTS, _CHANGE)), _OF_1),
    (Query((_SLEEP,), (_CHANGE,), (_ADULTS,)), set()),
    (Query((_SLEEP,), (), (AllOf((_ADULTS, Not(_CHANGE))),)), {*_OF_1, "4#0"}),
    (Query((_SLEEP,), (), (AllOf((_SALT, Not(_WALK))), _CHANGE)), {"4#0"}),
    (Query((_COLD_TEA,)), _OF_1),
    (Query((Synonyms((_SALT, _COLD_TEA)),)), {*_OF_1, "3#0"}),
)


def test_parts_match_what_they_say(trial: EngineTrial) -> None:
    for part, expected in REQUIRED:
        assert _ids(trial, Query((), (part,))) == expected, f"passages with {part}"
        assert _ids(trial, Query((_SLEEP,), (part,))) == expected, f"passages with {part}, ranked by a word"
        # An excluded part leaves out the papers that have it.
        every, papers = Query((), (AnyOf((Dates("1900"), _WALK)),), (part,)), set(map(_document, expected))
        others = {ident for ident in _EVERY if _document(ident) not in papers}
        assert _ids(trial, every) == others, f"passages without {part}"


def test_passages_meet_conditions(trial: EngineTrial) -> None:
    places = [("4", 0), ("1", 0), ("1", 1), ("1", 2), ("3", 0), ("9", 0)]
    for part, expected in REQUIRED:
        papers = set(map(_document, expected))
        meeting = met(trial.engine, places, Query((_SLEEP,), (part,)))
        found = [place for place in places if f"{place[0]}#{place[1]}" in expected]
        assert meeting == found, f"passages with {part}"
        others = met(trial.engine, places, Query((_SLEEP,), (), (part,)))
        assert {ident for ident, _ in others} == {*"134"} - papers, f"documents without {part}"
    assert trial.engine.passages([], Query((), (_SLEEP,))) == []


def test_queries_match_what_they_say(trial: EngineTrial) -> None:
    for query, expected in MATCHED:
        assert _ids(trial, query) == expected, f"passages of {query}"
        wanted = Filters(sections=("conclusion", "title"))
        assert _ids(trial, query, wanted) == expected & {"1#1", "3#0"}, f"passages of {query} under a filter"


def test_conditions_change_no_score(trial: EngineTrial) -> None:
    ranked = words_query("cold tea sleep").ranked
    every = {hit.passage.id: hit.score for hit in trial.engine.search(Query(ranked), Filters(), 10)}
    conditions = (
        Query(ranked, (_COLD_TEA,), (_SALT,)),
        Query(ranked, (AnyOf((InField("author", Prefix("smith")), Dates("2020"))), Prefix("sle"))),
        Query(ranked, (), (InField("title", _WALK),)),
    )
    for query in conditions:
        hits = trial.engine.search(query, Filters(), 10)
        assert {hit.passage.id for hit in hits} == _OF_1, f"passages of {query}"
        for hit in hits:
            assert hit.score == pytest.approx(every[hit.passage.id], rel=1e-3), (
                f"score of {hit.passage.id} for {query}"
            )


def test_the_best_of_synonyms_counts(trial: EngineTrial) -> None:
    texts = {"a": "A kettle.", "b": "A kettle.", "c": "A samovar.", "d": "A teapot."}
    for ident, text in texts.items():
        trial.engine.add([Passage(ident, 0, "abstract", "", "", text)], "")
    trial.engine.commit()
    group = Synonyms((Word("kettl"), Word("samovar"), Word("unknownword")))
    hits = trial.engine.search(Query((group,)), Filters(), 10)
    assert [hit.passage.id for hit in hits] == ["c#0", "a#0", "b#0"]
    alone = [trial.engine.search(Query((Word(word),)), Filters(), 1)[0] for word in ("samovar", "kettl")]
    for hit, as_of in zip(hits, (alone[0], alone[1], alone[1]), strict=True):
        assert hit.score == pytest.approx(as_of.score, rel=1e-3), f"score of {hit.passage.id}"


def test_the_latest_come_first_when_sorted_by_date(trial: EngineTrial) -> None:
    query = words_query("sleep tea fever salt")
    for query_by_date in (query, Query((), (AnyOf(query.ranked),))):
        hits = trial.engine.search(query_by_date, Filters(), 10, sort=BY_DATE)
        days = [hit.passage.date for hit in hits]
        assert days == ["2021", "2020-03", "2019-05-02", "2019-05-02", ""]
        for limit in range(1, 6):
            first = trial.engine.search(query_by_date, Filters(), limit, sort=BY_DATE)
            assert first == hits[:limit], f"the {limit} latest"
    by_score = {hit.passage.id: hit.score for hit in trial.engine.search(query, Filters(), 10)}
    for hit in trial.engine.search(query, Filters(), 10, sort=BY_DATE):
        assert hit.score == pytest.approx(by_score[hit.passage.id], rel=1e-3), (
            f"score of {hit.passage.id}, sorted by date"
        )


def test_a_query_without_ranked_parts_comes_by_date(trial: EngineTrial) -> None:
    for ident in "abcdefgh":
        trial.engine.add([Passage(ident, 0, "abstract", "", "", "Tea.", {"date": "2020"})], "")
    trial.engine.commit()
    query = Query((), (_TEA,))
    hits = trial.engine.search(query, Filters(), 10)
    assert {hit.score for hit in hits} == {0.0}
    assert [hit.passage.date for hit in hits] == ["2020"] * 8 + ["2019-05-02"] * 2
    for limit in range(1, 10):
        assert trial.engine.search(query, Filters(), limit) == hits[:limit], f"the first {limit}"


def test_papers_and_passages_are_counted(trial: EngineTrial) -> None:
    engine, query = trial.engine, words_query("sleep tea salt")
    expected = Facets(
        Matches(3, 4),
        (Facet("2019", 1), Facet("2021", 1)),
        (Facet("Journal of Tea", 1),),
        (Facet("Clinical Trial", 1), Facet("Journal Article", 1)),
        (Facet("abstract", 1), Facet("conclusion", 1), Facet("results", 1), Facet("title", 1)),
        (Facet("Drinks", 1), Facet("Drinks › Tea", 1)),
        (Facet("réseau", 1), Facet("To Read", 1)),
    )
    assert engine.facets(query, Filters(), 10) == expected
    assert engine.facets(query, Filters(), 0).matches == Matches(3, 4)
    found = engine.facets(query, Filters(since="2019", until="2019"), 1)
    assert (found and found.matches, found and found.types) == (Matches(1, 2), expected.types[:1])
    for part, ids in REQUIRED:
        papers = set(map(_document, ids))
        found = engine.facets(Query((), (part,)), Filters(), 0).matches
        assert found == Matches(len(papers), len(ids)), f"matches of {part}"
    assert engine.facets(NOTHING, Filters(), 0).matches == Matches(0, 0)
    nothing = engine.facets(NOTHING, Filters(), 3)
    assert (nothing and (nothing.matches, [*nothing.years, *nothing.sections])) == (Matches(0, 0), [])
    engine.delete("1")
    engine.commit()
    assert engine.facets(query, Filters(), 0).matches == Matches(2, 2)
    found = engine.facets(query, Filters(), 10)
    assert (found and [*found.years, *found.journals, *found.types]) == [Facet("2021", 1)]


def test_papers_are_there_by_document_and_alias(trial: EngineTrial) -> None:
    engine = trial.engine
    documents = [paper.id for paper in PAPERS]
    assert engine.papers([*documents, "9"]) == [*map(paper_of, PAPERS), None]
    assert documents_with(engine, ["pmid:2", "pmid:1", "doi:10.1000/none"]) == ["1", "2"]
    assert (documents_with(engine, []), documents_with(engine, ["2"])) == ([], [])
    paper = paper_of(PAPERS[1])
    engine.delete("2")
    engine.add([Passage("9", 0, "abstract", "", "", "Fever.")], "", paper)
    engine.commit()
    assert documents_with(engine, ["pmid:2"]) == ["9"]
    assert engine.papers(["2", "9"]) == [None, paper]


def test_words_and_names_are_there_as_printed(trial: EngineTrial) -> None:
    engine = trial.engine
    assert texts(engine.terms(TITLE, "S", 9)) == ["salt", "sleep"]
    assert engine.terms(TITLE, "", 9) == []
    for misspelt, near in (
        ("slep", "sleep"),
        ("brekfast", "breakfast"),
        ("Fevre", "fever"),
        ("adlts", "adults"),
    ):
        words = texts(engine.terms(TITLE, misspelt, 3, near=True))
        assert words[:1] == [near], f"words near {misspelt}"
    assert engine.terms(TITLE, "sleep", 3, near=True) == []
    assert engine.terms(TITLE, "zzzzzz", 3, near=True) == engine.terms(TITLE, "slxyzw", 3, near=True) == []
    assert texts(engine.terms("journal", "jOUR", 3)) == ["Journal of Tea"]
    assert texts(engine.terms("author", "garcia", 3)) == ["García-López, José A."]
    assert set(texts(engine.terms("author", "Smith", 3))) == {"Smith, John", "Smith, Jane"}
    assert texts(engine.terms("mesh", "t", 0)) == []


def _ids(trial: EngineTrial, query: Query, filters: Filters | None = None) -> set[str]:
    return {hit.passage.id for hit in trial.engine.search(query, filters or Filters(), 10)}


def _document(ident: str) -> str:
    return ident.partition("#")[0]
