"""Every engine keeps the contract: what it stores, finds, counts, commits and refuses."""

from __future__ import annotations

import pytest
from msgspec.structs import astuple
from tests.searching.engines.contract_trial import PAPERS, EngineTrial, mark_of, paper_of, texts

from anagnosis.errors import InputError
from anagnosis.searching.engines import Marked, PassageKey, stored_mark, stored_passages
from anagnosis.searching.filters import Filters
from anagnosis.searching.passages import passages
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import InField, Phrase, Prefix, Query, Word
from anagnosis.searching.records.expansion import Defined, Definition
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.names import key
from anagnosis.searching.words import words_of

NEW = Passage("9", 0, "abstract", "", "New", "Cold tea again.")
FILTERED = (
    ("tea", Filters(sections=("conclusion",)), {"1#1"}),
    ("tea", Filters(sections=("results", "conclusion")), {"1#0", "1#1"}),
    ("sleep", Filters(journals=("journal of tea",)), {"1#0", "1#1"}),
    ("sleep", Filters(types=("Clinical trial",)), {"1#0", "1#1"}),
    ("sleep", Filters(since="2019-06"), set[str]()),
    ("sleep fever", Filters(collections=("drinks",)), {"1#0", "1#1", "2#0"}),
    ("sleep fever", Filters(collections=("Drinks > tea",)), {"1#0", "1#1"}),
    ("sleep fever", Filters(collections=("Tea",)), set[str]()),
    ("sleep fever", Filters(tags=("nothing", "to read")), {"1#0", "1#1"}),
    ("sleep fever", Filters(tags=("Reseau",), collections=("Drinks",)), {"1#0", "1#1"}),
    ("sleep fever", Filters(tags=("to",)), set[str]()),
    ("sleep fever", Filters(added_since="2026"), {"1#0", "1#1", "2#0"}),
    ("sleep fever", Filters(added_since="2026-03"), {"1#0", "1#1"}),
    ("fever", Filters(since="2020-03"), {"2#0"}),
    ("fever", Filters(since="2020", until="2020"), {"2#0"}),
    ("fever", Filters(until="2020-02"), set[str]()),
    ("salt", Filters(until="2021"), {"3#0"}),
    # A date without a month or a day is an interval.
    ("salt", Filters(since="2021-06-01", until="2021-06-30"), {"3#0"}),
    ("salt", Filters(since="2021-06", until="2021-06"), {"3#0"}),
    ("salt fever", Filters(since="2020-03-31", until="2021-01-01"), {"2#0", "3#0"}),
    ("salt fever sleep", Filters(since="2020-04", until="2020-12-31"), set[str]()),
    ("sleep", Filters(since="1900"), {"1#0", "1#1"}),
    ("sleep", Filters(documents=("4",)), {"4#0"}),
    ("sleep", Filters(sections=("results",), documents=("4",)), set[str]()),
)
# Characters with a meaning in the query language of some library.
SIGNS = ("", "]} AND (", '"', "\x00", "* ? ~", "title:tea AND NOT", "-", "zzzz")
NAMED = ("IL-2", "IL2", "TGF-beta1", "TGF-β1", "0.5 mg", "FEVERS")
JOURNALS = (
    ("journal of TEA", ["Journal of Tea"]),
    ("Journal of Teas", ["Journal of Tea"]),
    ("fever", ["Fever Letters"]),
    ("zzz", list[str]()),
    ("", list[str]()),
)
TYPES = (
    ("clinical TRIAL", ["Clinical Trial"]),
    ("Clinical Trials", ["Clinical Trial"]),
    ("review", list[str]()),
)


def test_passages_come_back_as_they_were(trial: EngineTrial) -> None:
    engine = trial.engine
    for paper in PAPERS:
        assert stored_passages(engine, paper.id) == passages(paper), f"document({paper.id!r})"
        assert stored_mark(engine, paper.id) == mark_of(paper), f"mark({paper.id!r})"
    assert (stored_passages(engine, "5"), stored_mark(engine, "5")) == ([], None)
    (first, second), (salt,) = passages(PAPERS[0]), passages(PAPERS[2])
    places = [("1", 1), ("3", 0), ("1", 0), ("1", 2), ("9", 0), ("1", -1)]
    assert engine.passages(places) == [second, salt, first, None, None, None]
    marks = [Marked(paper.id, mark_of(paper), paper_of(paper).aliases) for paper in PAPERS]
    assert sorted((*one[:2], tuple(one.aliases)) for one in engine.marks()) == sorted(marks)


def test_a_paper_of_many_passages_is_of_one_commit(
    trial: EngineTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process commits while the passages are read in parts."""

    def long(text: str, count: int) -> list[Passage]:
        return [Passage("9", number, "abstract", "", "", f"{text} {number}.") for number in range(count)]

    def replaced() -> None:
        trial.engine.delete("9")
        trial.engine.add(long("New", 100), "")
        trial.engine.commit()

    trial.engine.add(long("Old", 97), "")
    trial.engine.commit()
    assert stored_passages(trial.engine, "9") == long("Old", 97)
    read, calls = trial.engine.passages, iter([*[lambda: None] * 2, replaced, *[lambda: None] * 20])

    def passages(places: list[PassageKey]) -> list[Passage | None]:
        next(calls)()
        return read(places)

    monkeypatch.setattr(trial.engine, "passages", passages)
    assert stored_passages(trial.engine, "9") == long("New", 100)


def test_counts_are_of_what_is_there(trial: EngineTrial) -> None:
    engine = trial.engine
    assert astuple(engine.committed().counts) == (4, 5)
    assert engine.frequency([*words_of("sleep TGF-β1"), "unknown"]) == [3, 1, 1, 1, 0]
    engine.delete("4")
    engine.commit()
    assert astuple(engine.committed().counts) == (3, 4)


def test_the_best_come_first_and_no_more_than_asked(trial: EngineTrial) -> None:
    words = words_query("Does cold tea change sleep?")
    hits = trial.engine.search(words, Filters(), 10)
    assert {hit.passage.id for hit in hits} == {"1#0", "1#1", "4#0"}
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))
    assert hits[0].passage.document == "1"
    assert trial.engine.search(words, Filters(), 1) == hits[:1]
    assert trial.engine.search(words, Filters(), 0) == []


def test_equal_scores_are_in_the_order_of_ids(trial: EngineTrial) -> None:
    for ident in ("c", "a", "b"):
        trial.engine.add([Passage(ident, 0, "abstract", "", "", "A kettle.")], "")
    trial.engine.commit()
    assert trial.ids("kettle") == ["a#0", "b#0", "c#0"]
    assert trial.ids("kettle", 2) == ["a#0", "b#0"]


def test_filters_let_through_what_they_say(trial: EngineTrial) -> None:
    for question, filters, expected in FILTERED:
        assert set(trial.ids(question, filters=filters)) == expected, f"{question} under {filters}"


def test_a_filter_changes_no_score(trial: EngineTrial) -> None:
    words = words_query("cold tea")
    every = {hit.passage.id: hit.score for hit in trial.engine.search(words, Filters(), 10)}
    (one,) = trial.engine.search(words, Filters(sections=("conclusion",)), 10)
    assert one.score == pytest.approx(every["1#1"], rel=1e-3)


def test_any_words_can_be_searched(trial: EngineTrial) -> None:
    for text in SIGNS:
        parts = Word(text), Prefix(text), Phrase((text, text)), InField("title", Prefix(text))
        for words in (words_query(text), *(Query((), (part,)) for part in parts)):
            ids = {hit.passage.id for hit in trial.engine.search(words, Filters(), 10)}
            assert ids <= {"1#0", "1#1", "2#0", "3#0", "4#0"}, text
    many = "cold tea " + " ".join(f"word{number}" for number in range(5_000))
    assert len(trial.ids(many, 1)) == 1


def test_names_are_found_however_they_are_written(trial: EngineTrial) -> None:
    for name in NAMED:
        assert trial.ids(name, 1) == ["2#0"], f"hits for {name}"


def test_nothing_is_seen_before_a_commit_and_all_of_it_after(trial: EngineTrial) -> None:
    before = trial.engine.committed().version
    trial.engine.delete("1")
    trial.engine.add([NEW], "m")
    assert set(trial.ids("cold tea")) == {"1#0", "1#1"}
    assert trial.engine.committed().version == before
    trial.engine.commit()
    assert trial.ids("cold tea") == ["9#0"]
    assert astuple(trial.engine.committed().counts) == (4, 4)
    assert trial.engine.committed().version != before


def test_what_was_not_committed_is_lost(trial: EngineTrial) -> None:
    trial.engine.delete("1")
    trial.engine.close()
    assert set(trial.ids("cold tea")) == {"1#0", "1#1"}
    trial.engine.delete("1")
    trial.engine.commit()
    assert trial.ids("cold tea") == []


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


def test_names_are_there_or_others_near_them(trial: EngineTrial) -> None:
    for name, expected in JOURNALS:
        assert texts(trial.engine.terms("journal", name, 1, near=True)) == expected, name
    for name, expected in TYPES:
        assert texts(trial.engine.terms("type", name, 1, near=True)) == expected, name
    for paper in ("1", "2"):
        trial.engine.delete(paper)
    trial.engine.commit()
    assert trial.engine.terms("journal", "journal of tea", 3, near=True) == []


def test_definitions_come_and_go_with_their_papers(trial: EngineTrial) -> None:
    engine = trial.engine
    defining = {
        "5": "Chronic heart failure (CHF) and heart failures (HF).",
        "6": "In chronic heart failure (CHF) …",
        "7": "Congestive heart failure (CHF). Chronic heart  failure (CHF), again CHF.",
        "8": "Chronic  Heart Failure (CHF-1)",
    }
    for ident, text in defining.items():
        engine.add([Passage(ident, 0, "abstract", "", "Hearts", text)], "a mark")
    engine.commit()
    chronic, congestive = (
        Definition("CHF", "chronic heart failure", 3),
        Definition("CHF", "congestive heart failure", 1),
    )
    assert engine.definitions([Defined("CHF")])[0] == [chronic, congestive]
    assert engine.definitions([Defined(long=key("chronic heart failures"))])[0][:1] == [chronic]
    assert engine.definitions([Defined(long=key("Heart failure"))])[0] == [
        Definition("HF", "heart failures", 1)
    ]
    for absent in ("chf", "CH", "", "zzz"):
        both = [Defined(absent), Defined(long=absent)]
        assert engine.definitions(both) == [[], []], f"definitions and abbreviations of {absent!r}"
    many = [Defined(f"NO{number}") for number in range(1_500)]  # more than a search of a cluster takes
    assert engine.definitions([*many, Defined("HF")])[-1] == [Definition("HF", "heart failures", 1)]
    engine.delete("7")
    engine.delete("6")
    engine.commit()
    assert engine.definitions([Defined("CHF")])[0] == [chronic._replace(papers=1)]


def test_the_module_knows_what_is_there(trial: EngineTrial) -> None:
    assert not trial.module.is_empty(trial.place)
    faults = {name: fault for name, fault in trial.module.check(trial.place) if fault}
    assert faults == {}
    trial.engine.close()
    trial.module.remove(trial.place)
    assert not trial.place.exists()
    assert trial.module.is_empty(trial.place)
