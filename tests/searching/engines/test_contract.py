"""Every engine keeps the contract: what it stores, finds, counts, commits and refuses."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import astuple, replace
from tests.searching.engines import scan
from tests.searching.engines.contract_trial import PAPERS, EngineTrial, abstract, stored

from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.engines import BY_DATE, Engine
from anagnosis.searching.engines.terms import beginning_with, near_names, near_words
from anagnosis.searching.filters import Filters
from anagnosis.searching.papers.bm25 import APART, CONTENT, letters_of
from anagnosis.searching.papers.bm25 import TITLE as IN_TITLE
from anagnosis.searching.papers.joined import JOINS_NONE, shown
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import (
    EVERY_PAPER,
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
    Word,
)
from anagnosis.searching.records.hits import Facet, Facets
from anagnosis.searching.words import words_of

SHOWN = {paper.id: shown(stored(paper)) for paper in PAPERS}
_TEA, _SLEEP, _SALT, _WALK = Word("tea"), Word("sleep"), Word("salt"), Word("walk")
_ADULTS, _CHANGE = Word("adult"), Word("chang")  # each in one passage of paper 1
_COLD_TEA = Phrase(("cold", "tea"))
FILTERED = (
    ("tea", Filters(sections=("conclusion",)), "1"),
    ("sleep", Filters(sections=("title",)), ""),
    ("sleep", Filters(journals=("journal of tea",)), "1"),
    ("sleep", Filters(types=("Clinical trial",)), "1"),
    ("sleep", Filters(since="2019-06"), ""),
    ("sleep fever", Filters(collections=("drinks",)), "12"),
    ("sleep fever", Filters(collections=("Drinks > tea",)), "1"),
    ("sleep fever", Filters(collections=("Tea",)), ""),
    ("sleep fever", Filters(tags=("nothing", "to read")), "1"),
    ("sleep fever", Filters(tags=("Reseau",), collections=("Drinks",)), "1"),
    ("sleep fever", Filters(tags=("to",)), ""),
    ("sleep fever", Filters(added_since="2026"), "12"),
    ("sleep fever", Filters(added_since="2026-03"), "1"),
    ("fever", Filters(since="2020-03"), "2"),
    ("fever", Filters(since="2020", until="2020"), "2"),
    ("fever", Filters(until="2020-02"), ""),
    ("salt", Filters(until="2021"), "3"),
    # A date without a month or a day is an interval.
    ("salt", Filters(since="2021-06-01", until="2021-06-30"), "3"),
    ("salt fever", Filters(since="2020-03-31", until="2021-01-01"), "23"),
    ("salt fever sleep", Filters(since="2020-04", until="2020-12-31"), ""),
    ("sleep", Filters(since="1900"), "1"),
    ("sleep", Filters(documents=("4",)), "4"),
    ("sleep", Filters(sections=("results",), documents=("4",)), ""),
)
REQUIRED: tuple[tuple[Part, str], ...] = (
    (_SLEEP, "14"),
    (_COLD_TEA, "1"),
    (Phrase(("tea", "cold")), ""),
    (Phrase(("cold", "sleep")), ""),
    (Phrase(("tea", "doe", "not", "chang", "sleep")), "1"),
    # From the title to the heading, from the heading to the text, and from one passage to the next.
    (Phrase(("sleep", "result")), ""),
    (Phrase(("result", "cold")), ""),
    (Phrase(("longer", "conclus")), ""),
    (Word("result"), "1"),  # of a heading
    (Prefix("breakf"), "4"),
    (Prefix("s"), "134"),
    (Prefix("titles"), "3"),  # whose stem has fewer letters
    (Prefix("zzz"), ""),
    (InField("title", _COLD_TEA), "1"),
    (InField("title", Prefix("sle")), "1"),
    (InField("title", Synonyms((_SALT, _WALK))), "34"),
    (InField("abstract", _SLEEP), "14"),
    (InField("abstract", _SALT), ""),
    (InField("abstract", Phrase(("help", "sleep"))), "4"),
    (InField("author", Word("smith, john")), "1"),
    (InField("author", Prefix("smith, j")), "12"),
    (InField("author", Prefix("smith, jane")), "2"),
    (InField("author", Prefix("garcia lopez, ja")), "1"),
    (InField("author", Word("smith")), ""),
    (InField("author", Prefix("smith, .*")), ""),
    (InField("first_author", Prefix("smith,")), "2"),
    (InField("last_author", Word("smith, j")), "12"),
    (InField("journal", Word("fever letters")), "2"),
    (InField("journal", Prefix("journal")), "1"),
    (InField("type", Word("clinical trial")), "1"),
    (InField("type", Word("trial")), ""),
    (InField("mesh", Word("sleep")), "1"),
    (InField("keyword", Word("cold tea")), "1"),
    (InField("keyword", Word("tea")), ""),
    (InField("language", Word("ger")), "2"),
    (InField("filter", Word("hasabstract")), "124"),
    (InField("alias", Word("pmid:3")), "3"),
    (Dates("2020"), "23"),
    (Dates("2019-05", "2020-03"), "12"),
    (Dates("", "2019"), "1"),
    (Dates("2020-03-31", "2021-01-01"), "23"),
    (Dates("2020-03", "2020-03"), "2"),
    (Dates("2021-06", "2021-06"), ""),  # one month is that of papers that state it
    (Dates("2026-03", field="added"), "1"),
    (AnyOf((_SALT, _WALK)), "34"),
    (AllOf((_SLEEP, _TEA)), "1"),
    (AllOf((_SLEEP, Not(_TEA))), "4"),
    (AllOf((_ADULTS, _CHANGE)), "1"),
    (AllOf((_ADULTS, Not(_CHANGE))), ""),
    (AnyOf((AllOf((_ADULTS, _CHANGE)), _WALK)), "14"),
    (AllOf((Dates("2019"), AnyOf((_SALT, Word("fever"))), Not(Prefix("tit")))), "2"),
    (AnyOf((Not(_SLEEP), _WALK)), "234"),
    (Synonyms((_SALT, Phrase(("befor", "breakfast")))), "34"),
    (Synonyms((Phrase(("befor", "tea")),), (_SALT, _WALK)), "34"),
)
MATCHED = (
    (NOTHING, ""),
    (EVERY_PAPER, "1234"),
    (Query((), (), (_TEA,)), ""),
    (Query((_SLEEP,), (), (_TEA,)), "4"),
    (Query((_SLEEP, _SALT), (), (_TEA, _WALK)), "3"),
    # With something required, no ranked part has to stand there.
    (Query((_SLEEP,), (_SALT,)), "3"),
    (Query((_SLEEP,), (_CHANGE,), (_ADULTS,)), ""),
    (Query((_SLEEP,), (), (AllOf((_SALT, Not(_WALK))), _CHANGE)), "4"),
    (Query((Synonyms((_SALT, _COLD_TEA)),)), "13"),
)
# Characters with a meaning in the query language of some library.
SIGNS = ("", "]} AND (", '"', "\x00", "* ? ~", "title:tea AND NOT", "-", "zzzz", "a.*|(b", "#@&<>")
NAMED = ("IL-2", "IL2", "TGF-beta1", "TGF-β1", "0.5 mg", "FEVERS")
NEAR = (
    ("journal", "journal of TEA", ["Journal of Tea"]),
    ("journal", "Journal of Teas", ["Journal of Tea"]),
    ("journal", "fever", ["Fever Letters"]),
    ("journal", "zzz", []),
    ("journal", "", []),
    ("type", "Clinical Trials", ["Clinical Trial"]),
    ("type", "review", []),
    (TITLE, "slep", ["sleep"]),
    (TITLE, "Fevre", ["fever"]),
    (TITLE, "sleep", []),
    (TITLE, "zzzzzz", []),
    (TITLE, "slxyzw", []),
    (TITLE, "tgf-beta2", []),
    (TITLE, "sal", []),
)
BEGUN = (
    (TITLE, "S", 9, ["salt", "sleep"]),
    (TITLE, "", 9, []),
    (TITLE, "sl sa", 9, []),
    ("journal", "jOUR", 3, ["Journal of Tea"]),
    ("author", "garcia", 3, ["García-López, José A."]),
    ("author", "", 3, []),
    ("mesh", "t", 0, []),
)


def test_papers_come_back_as_they_were(trial: EngineTrial) -> None:
    engine, names = trial.engine, [paper.id for paper in PAPERS]
    assert engine.papers(["3", "9", *names]) == [stored(PAPERS[2]), None, *map(stored, PAPERS)]
    assert engine.papers([]) == []
    assert sorted(one.name for one in engine.every()) == names
    several = replace(stored(PAPERS[0], PAPERS[1]), name="both", shared=("doi:10.1000/x",))
    engine.put(several)
    engine.commit()
    assert engine.papers(["both"]) == [several]


def test_papers_are_there_by_their_keys(trial: EngineTrial) -> None:
    def with_keys(*keys: str) -> list[str]:
        return sorted(one.name for one in trial.engine.with_keys(keys))

    assert with_keys("pmid:2", "pmid:1", "doi:10.1000/none", "id:1") == ["1", "2"]
    assert (with_keys(), with_keys("2")) == ([], [])
    assert with_keys(*(f"doi:10.1000/{number}" for number in range(3_000)), "id:4") == ["4"]
    trial.engine.delete("2")
    trial.engine.put(replace(stored(PAPERS[1]), name="9", shared=("doi:10.1000/x",)))
    trial.engine.commit()
    assert with_keys("pmid:2") == with_keys("id:2") == with_keys("id:9") == with_keys(JOINS_NONE) == ["9"]


def test_what_is_put_again_takes_the_place_of_its_name(trial: EngineTrial) -> None:
    trial.engine.put(abstract("1", "A kettle."))
    trial.engine.put(abstract("1", "A samovar."))
    trial.engine.commit()
    assert (trial.names("cold tea"), trial.names("kettle"), trial.names("samovar")) == ([], [], ["1"])
    assert trial.engine.committed().counts.documents == 4


def test_counts_and_rarity_are_of_what_is_there(trial: EngineTrial) -> None:
    engine, every = trial.engine, [passage for paper in SHOWN.values() for passage in paper.passages]
    assert astuple(engine.committed().counts) == (4, 5)
    words = [*words_of("sleep TGF-β1 tea"), "unknown"]
    rarity = engine.rarity(words)
    assert (rarity.papers, rarity.passages, rarity.letters) == (4, 5, sum(map(letters_of, every)))
    assert [rarity.counts[CONTENT, word] for word in words] == [2, 1, 1, 1, 1, 0]
    assert [rarity.counts[IN_TITLE, word] for word in words] == [1, 1, 1, 1, 1, 0]
    engine.delete("4")
    engine.commit()
    assert astuple(engine.committed().counts) == (3, 4)


def test_the_best_come_first_and_no_more_than_asked(trial: EngineTrial) -> None:
    words = words_query("Does cold tea change sleep?")
    best = trial.engine.search(words, Filters(), 10)
    assert [one.stored.name for one in best] == ["1", "4"]
    assert best[0].score > best[1].score > 0
    assert trial.engine.search(words, Filters(), 1) == best[:1]
    assert trial.engine.search(words, Filters(), 0) == []


def test_equal_scores_are_in_the_order_of_names(trial: EngineTrial) -> None:
    for name in ("c", "a", "b"):
        trial.engine.put(abstract(name, "A kettle."))
    trial.engine.commit()
    assert trial.names("kettle") == ["a", "b", "c"]
    assert trial.names("kettle", 2) == ["a", "b"]


def test_of_papers_with_a_word_the_shorter_comes_first(trial: EngineTrial) -> None:
    trial.engine.put(abstract("a", "A kettle stands beside the window of an old kitchen in a small town."))
    trial.engine.put(abstract("b", "A kettle."))
    trial.engine.commit()
    assert trial.names("kettle") == ["b", "a"]


def test_filters_let_through_what_they_say(trial: EngineTrial) -> None:
    for question, filters, expected in FILTERED:
        assert sorted(trial.names(question, filters=filters)) == [*expected], f"{question} under {filters}"
        meeting = trial.engine.meeting(["9", *"4321"], NOTHING, filters)
        assert (
            {*expected}
            <= meeting
            <= {name for name, one in SHOWN.items() if scan.meets(NOTHING, filters, one)}
        )


def test_conditions_and_filters_change_no_score(trial: EngineTrial) -> None:
    ranked = words_query("cold tea sleep").ranked
    (score, *_) = [one.score for one in trial.engine.search(Query(ranked), Filters(), 10)]
    conditions = (
        Query(ranked, (_COLD_TEA,), (_SALT,)),
        Query(ranked, (AnyOf((InField("author", Prefix("smith")), Dates("2020"))), Prefix("sle"))),
        Query(ranked, (), (InField("title", _WALK),)),
    )
    for query, filters in (*((one, Filters()) for one in conditions), (Query(ranked), Filters(since="2019"))):
        (one,) = trial.engine.search(query, filters, 10)
        assert (one.stored.name, one.score) == ("1", pytest.approx(score, rel=1e-3)), query


def test_any_words_can_be_searched(trial: EngineTrial) -> None:
    for text in SIGNS:
        parts = Word(text), Prefix(text), Phrase((text, text)), InField("title", Prefix(text))
        for query in (words_query(text), *(Query((), (part,)) for part in parts)):
            assert {*trial.names(query)} <= {*"1234"}, text
    many = "cold tea " + " ".join(f"word{number}" for number in range(250))
    assert trial.names(many, 1) == ["1"]


def test_names_are_found_however_they_are_written(trial: EngineTrial) -> None:
    for name in NAMED:
        assert trial.names(name, 1) == ["2"], name


def test_words_have_one_form_in_papers_and_questions(trial: EngineTrial) -> None:
    trial.engine.put(abstract("5", "NFkB of mice with metastases. Few had AIDS."))
    trial.engine.put(abstract("6", "Hearing aids."))
    trial.engine.commit()
    asked = ("mouse", "metastasis", "NF-κB", "AIDS", "aid", "aids", "mice")
    assert [trial.names(one) for one in asked] == [["5"]] * 4 + [["6"], ["6", "5"], ["5"]]
    assert trial.names(Query((), (Phrase((*words_of("mouse with metastasis"),)),))) == ["5"]


def test_parts_match_what_they_say(trial: EngineTrial) -> None:
    for part, expected in REQUIRED:
        assert sorted(trial.names(Query((), (part,)))) == [*expected], part
        assert sorted(trial.names(Query((_SLEEP,), (part,)))) == [*expected], f"{part}, ranked by a word"
        assert trial.engine.facets(Query((), (part,)), Filters(), 0).matches == len(expected), part
        every = Query((), (AnyOf((Dates("1900"), _WALK)),), (part,))
        assert sorted(trial.names(every)) == [one for one in "1234" if one not in expected], f"without {part}"
        assert trial.engine.meeting(["9", *"431"], Query((_SALT,), (part,)), Filters()) == {*expected} - {"2"}
        assert trial.engine.meeting([*"12"], Query((), (), (part,)), Filters()) == {*"12"} - {*expected}
    assert trial.engine.meeting([], Query((), (_SLEEP,)), Filters()) == set()


def test_queries_match_what_they_say(trial: EngineTrial) -> None:
    for query, expected in MATCHED:
        assert sorted(trial.names(query)) == [*expected], query


def test_the_best_of_synonyms_counts(trial: EngineTrial) -> None:
    for name, text in {"a": "A kettle.", "b": "A kettle.", "c": "A samovar.", "d": "A teapot."}.items():
        trial.engine.put(abstract(name, text))
    trial.engine.commit()
    group = Synonyms((Word("kettl"), Word("samovar"), Word("unknownword")))
    best = trial.engine.search(Query((group,)), Filters(), 10)
    assert [one.stored.name for one in best] == ["c", "a", "b"]
    alone = [trial.engine.search(Query((Word(word),)), Filters(), 1)[0] for word in ("samovar", "kettl")]
    for one, as_of in zip(best, (alone[0], alone[1], alone[1]), strict=True):
        assert one.score == pytest.approx(as_of.score, rel=1e-3), one.stored.name
    typed = Synonyms((Word("unknownword"),), (Word("samovar"), Word("kettl")))
    (apart,) = trial.engine.search(Query((typed,)), Filters(), 1)
    assert (apart.stored.name, apart.score) == ("c", pytest.approx(APART * alone[0].score, rel=1e-3))


def test_the_latest_come_first_when_sorted_by_date(trial: EngineTrial) -> None:
    query = words_query("sleep tea fever salt")
    for query_by_date in (query, Query((), (AnyOf(query.ranked),))):
        assert trial.names(query_by_date, sort=BY_DATE) == ["3", "2", "1", "4"]
        for limit in range(1, 5):
            assert trial.names(query_by_date, limit, sort=BY_DATE) == ["3", "2", "1", "4"][:limit]


def test_papers_of_one_day_come_by_name(trial: EngineTrial) -> None:
    for name, text in (("c", "Milk."), ("b", "Milk, milk."), ("d", "Milk."), ("a", "Milk.")):
        sections = Section("title", ""), Section("abstract", text)
        trial.engine.put(stored(Document(name, sections, facts={"date": "2020"})))
    trial.engine.put(abstract("e", "Milk."))
    trial.engine.commit()
    for query in (words_query("milk"), Query((), (Word("milk"),))):
        for limit in range(1, 6):
            assert trial.names(query, limit, sort=BY_DATE) == [*"abcde"[:limit]], query
        found = trial.engine.search(query, Filters(), 10, sort=BY_DATE)
        assert {one.score for one in found} == {0.0}


def test_papers_are_counted(trial: EngineTrial) -> None:
    engine, query = trial.engine, words_query("sleep tea salt")
    expected = Facets(
        3,
        (Facet("2019", 1), Facet("2021", 1)),
        (Facet("Journal of Tea", 1),),
        (Facet("Clinical Trial", 1), Facet("Journal Article", 1)),
        (Facet("abstract", 1), Facet("conclusion", 1), Facet("results", 1), Facet("title", 1)),
        (Facet("Drinks", 1), Facet("Drinks › Tea", 1)),
        (Facet("réseau", 1), Facet("To Read", 1)),
    )
    assert engine.facets(query, Filters(), 10) == expected
    found = engine.facets(query, Filters(since="2019", until="2019"), 1)
    assert (found.matches, found.types) == (1, expected.types[:1])
    assert engine.facets(NOTHING, Filters(), 3) == Facets(0)
    engine.delete("1")
    engine.commit()
    found = engine.facets(query, Filters(), 10)
    assert (found.matches, [*found.years, *found.journals, *found.types]) == (2, [Facet("2021", 1)])


def test_forms_of_a_name_are_one_name(trial: EngineTrial) -> None:
    for number, name in enumerate(("JOURNAL OF TEA", "Journal  of Tea", "Other")):
        facts = {"journal": name, "date": f"200{number}"}
        trial.engine.put(stored(Document(f"j{number}", (Section("abstract", "Sleep."),), facts=facts)))
    trial.engine.commit()
    journals = trial.engine.facets(words_query("sleep"), Filters(), 9).journals
    assert journals == (Facet("Journal of Tea", 3), Facet("Other", 1))


def test_nothing_is_seen_before_a_commit_and_all_of_it_after(trial: EngineTrial) -> None:
    before = trial.engine.committed().version
    trial.engine.delete("1")
    trial.engine.put(abstract("9", "Cold tea again."))
    assert trial.names("cold tea") == ["1"]
    assert trial.engine.committed().version == before
    trial.engine.commit()
    assert trial.names("cold tea") == ["9"]
    assert astuple(trial.engine.committed().counts) == (4, 4)
    assert trial.engine.committed().version != before


def test_what_was_not_committed_is_lost(trial: EngineTrial) -> None:
    trial.engine.delete("1")
    trial.engine.close()
    assert trial.names("cold tea") == ["1"]
    trial.engine.delete("1")
    trial.engine.commit()
    assert trial.names("cold tea") == []


def test_a_reader_sees_the_commit_of_another(trial: EngineTrial) -> None:
    reader = trial.module.open(trial.place)
    assert reader.committed().version == trial.engine.committed().version
    trial.engine.delete("1")
    trial.engine.commit()
    assert reader.search(words_query("cold tea"), Filters(), 10) == []
    assert astuple(reader.committed().counts) == (3, 3)
    reader.close()


def test_a_second_writer_is_refused(trial: EngineTrial) -> None:
    trial.engine.delete("1")
    other = trial.module.open(trial.place)
    with pytest.raises(InputError):
        other.begin()
    trial.engine.close()
    other.begin()
    other.close()


def test_names_and_words_begin_as_typed_or_are_near(trial: EngineTrial) -> None:
    engine = trial.engine
    for field, name, expected in NEAR:
        if field == TITLE:
            near = [word for word, _ in near_words(engine, name, 1)]
        else:
            near = near_names(engine, field, name, 1)
        assert near == expected, f"{name} in {field}"
    for field, letters, limit, expected in BEGUN:
        assert beginning_with(engine, field, letters, limit) == expected, f"{letters} in {field}"
    assert {*beginning_with(engine, "author", "Smith", 3)} == {"Smith, John", "Smith, Jane"}
    assert near_words(engine, "sleap", 1) == [("sleep", 2)]
    for paper in ("1", "2"):
        engine.delete(paper)
    engine.commit()
    assert near_names(engine, "journal", "journal of tea", 3) == []


def test_the_module_knows_what_is_there(trial: EngineTrial) -> None:
    assert {name: fault for name, fault in trial.module.check(trial.place) if fault} == {}
    trial.engine.close()
    trial.module.remove(trial.place)
    assert not trial.place.exists()


def test_many_long_names_are_compared_soon() -> None:
    names = [f"journal of {number} things {number * 7919} " * 30 for number in range(20_000)]
    engine = cast(Engine, SimpleNamespace(names=lambda *_: names, printed=lambda *_: []))
    begun = time.process_time()
    assert near_names(engine, "journal", "journal of " * 30, 3) == []
    assert time.process_time() - begun < 3
