"""The contents list of a paper."""

from __future__ import annotations

from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.web.contents import Entry, contents, passage_name


def passage(number: int, section: str, heading: str, full_text: bool = True) -> Passage:
    return Passage("d", number, section, heading, "A title", "Text.", {}, full_text=full_text)


def rows(entries: list[Entry]) -> list[tuple[str, int, int]]:
    return [(one.name, one.level, one.passage) for one in entries]


def test_headings_nest_and_each_leads_to_its_first_passage() -> None:
    passages = [
        passage(0, "background", "Background", False),
        passage(1, "methods", "Methods › People › Age"),
        passage(2, "methods", "Methods › People › Sex"),
        passage(3, "methods", "Methods › Tests"),
        passage(4, "results", "Results"),
    ]
    abstract, rest = contents(passages, [])
    assert (abstract.name, rows(abstract.entries)) == ("Abstract", [("Background", 0, 0)])
    assert rest.name == "Full text"
    assert rows(rest.entries) == [
        ("Methods", 0, 1),
        ("People", 1, 1),
        ("Age", 2, 1),
        ("Sex", 2, 2),
        ("Tests", 1, 3),
        ("Results", 0, 4),
    ]
    assert [one.place for one in rest.entries] == [1, 1, 1, 2, 3, 4]


def test_a_long_section_is_listed_once_and_figures_interrupt_nothing() -> None:
    passages = [
        passage(0, "results", "Results › Mice"),
        passage(1, "figure", "Fig. 1"),
        passage(2, "results", "Results › Men"),
        passage(3, "results", "Results › Men"),
        passage(4, "table", "Table 1"),
    ]
    (part,) = contents(passages, [])
    assert rows(part.entries) == [
        ("Results", 0, 0),
        ("Mice", 1, 0),
        ("Fig. 1", 2, 1),
        ("Men", 1, 2),
        ("Table 1", 2, 4),
    ]


def test_a_heading_that_goes_on_after_others_keeps_its_dots() -> None:
    passages = [
        passage(0, "results", "Results"),
        passage(1, "results", "Results › Men"),
        passage(2, "table", "Table 1"),
        passage(3, "results", "Results"),
    ]
    (part,) = contents(passages, [Hit(passages[3], 1, sentences=[Sentence(0, 3, 0.9, 3)])])
    assert [(one.name, one.strength) for one in part.entries] == [("Results", 3), ("Men", 0), ("Table 1", 0)]


def test_dots_are_those_of_the_best_sentence_below_a_heading() -> None:
    passages = [passage(0, "results", "Results › Men"), passage(1, "results", "Results › Men")]
    hits = [
        Hit(passages[0], 1, sentences=[Sentence(0, 3, 0.2, 1)]),
        Hit(passages[1], 1, sentences=[Sentence(0, 3, 0.9, 3), Sentence(3, 5, 0.5, 2)]),
    ]
    (part,) = contents(passages, hits)
    assert [(one.name, one.strength) for one in part.entries] == [("Results", 0), ("Men", 3)]


def test_a_passage_without_a_heading_has_the_name_of_its_section() -> None:
    assert passage_name(passage(0, "abstract", "")) == "Abstract"
    assert passage_name(passage(0, "results", "Results › Men")) == "Men"
    assert passage_name(passage(0, "results", " › ")) == "Results"
    assert contents([passage(0, "title", "")], []) == []
