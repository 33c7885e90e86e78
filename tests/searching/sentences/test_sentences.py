"""The sentences that an index's passages are cut into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis import api
from anagnosis.reports.search.results import quotation
from anagnosis.searching.index.index import open_index
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.sentences import LONGEST, chosen, cut, quoted

# Texts and their numbers of sentences.
TEXTS = {
    "Nuclei took up NF-kappa B. Levels fell in B cells.": 2,
    "Serum was rich in vitamin D. Moreover, calcium rose. None died of it.": 3,
    "Xanthomonas oryzae pv. oryzae, Strep. mutans and S. pombe grew at 30 degrees.": 1,
    "Mice had 2 mg/kg i.p. t.i.d. for 4 d. None died.": 2,
    "It was cooled to 4 °C.3,4 We weighed it.[5] Mass fell.": 3,
    "Roe et al. (1998) saw it in the U.K. and in the U.S. by day 3.": 1,
    "Milk fell (P > .05; 95% C.I., .8-1.1; vs. water; cf. Fig. 1B). Did it matter? See www.example.com. No.": 4,
}


def numbers(source: Path, folder: Path) -> dict[str, int]:
    """document → sentences of its text in a new index."""
    api.index([source], folder)
    index = open_index(folder)
    names = [one.name for one in index.engine.every()]
    found = {name: sum(map(len, map(cut, index.stored(name).passages))) for name in names}
    index.close()
    return found


def test_names_abbreviations_and_citations_end_sentences_as_people_read_them(tmp_path: Path) -> None:
    source = tmp_path / "texts.jsonl"
    rows = [{"id": str(place), "title": "A title", "text": text} for place, text in enumerate(TEXTS)]
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    expected = {str(place): number for place, number in enumerate(TEXTS.values())}
    assert numbers(source, tmp_path / "index") == expected


def test_a_long_sentence_is_cut_at_clauses_and_says_so() -> None:
    text = f"Tea {'helped them; it ' * 60}ended. Sleep came."
    passage = Passage("1", 0, "abstract", "", "", text)
    places = cut(passage)
    assert max(end - begin for begin, end in places) <= LONGEST
    every = [quoted(Sentence(begin, end, 1.0), passage, 1) for begin, end in places]
    assert " ".join(one.text for one in every) == text
    shown = [quotation(one) for one in every]
    assert [one.startswith("[…] ") for one in shown] == [False, True, False]
    assert [one.endswith(" […]") for one in shown] == [True, False, False]


@each_row(
    ("text", "ends"),
    [
        # without a clause, in lines, in Chinese
        (f"Tea {'helped ' * 100}them.", [" helped", " them."]),
        (f"{'Tea helps ' * 50}them\n{'more ' * 60}", ["helps them", "more more"]),
        (f"{'茶' * 400}。{'茶' * 300}。", ["茶茶。", "茶茶。"]),
    ],
)
def test_where_a_long_sentence_is_cut(text: str, ends: list[str]) -> None:
    passage = Passage("1", 0, "abstract", "", "", text)
    every = [quoted(Sentence(begin, end, 1.0), passage, 1) for begin, end in cut(passage)]
    assert [one.text.endswith(end) for one, end in zip(every, ends, strict=True)] == [True, True]
    assert [quotation(one).count("[…]") for one in every] == [1, 1]


def test_a_whole_sentence_that_ends_with_a_comma_or_stands_behind_one_is_no_part() -> None:
    passage = Passage("1", 0, "other", "", "", "He said, “Tea.” Recently,\nSleep came;\nTea helped.")
    every = [quoted(Sentence(begin, end, 1.0), passage, 1) for begin, end in cut(passage)]
    assert [quotation(one) for one in every] == [one.text for one in every]


@each_row(
    ("section", "title", "text", "is_quoted"),
    [
        ("table", "", "Sleep after tea.", False),
        ("other", "", "Sleep\tTea", False),
        ("other", "Tea and sleep", "BACKGROUND Tea and  Sleep", False),
        ("other", "Tea and sleep", "Tea and sleep were related in all 40 women of the study.", True),
        ("other", "Tea cures baldness", "Tea cures baldness in all mice.", True),
        ("other", "Tea cures baldness", "Aims and Methods: Tea cures baldness", False),
        ("conclusion", "Tea prevents gout", "Tea prevents gout.", True),
        ("conclusion", "Tea and sleep", "Tea and sleep.", False),
        ("conclusion", "Tea cures baldness", "Here, tea cures baldness.", True),
        ("conclusion", "Tea cures baldness", "We found that tea cures baldness.", True),
        ("title", "Tea and sleep", "Tea and sleep", True),
        ("other", "", "Department of Tea, University of Oslo, Norway", False),
    ],
)
def test_what_is_never_a_sentence(section: str, title: str, text: str, is_quoted: bool) -> None:
    one = quoted(Sentence(0, len(text), 1.0), Passage("1", 0, section, "", title, text), 1)
    assert bool(chosen([one], 1)) == is_quoted


def test_a_note_s_paragraphs_and_a_table_s_rows_end_sentences() -> None:
    text = "Check the dose\nask Ana. See p. 3.\n\nOrder tea"
    rows = {"note": ["Check the dose", "ask Ana.", "See p. 3.", "Order tea"]}
    rows["table"] = [each for each in text.split("\n") if each]
    rows["results"] = ["Check the dose\nask Ana.", "See p. 3.", "Order tea"]
    for section, sentences in rows.items():
        passage = Passage("1", 0, section, "", "Salt", text)
        assert [text[begin:end] for begin, end in cut(passage)] == sentences


@pytest.mark.shared
def test_sentences_of_the_shared_case(shared: Path, tmp_path: Path) -> None:
    case = shared / "cases/20-sentences"
    found = numbers(case / "s.jsonl", tmp_path / "index")
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    assert [found[f"s{place}"] for place in range(len(found))] == expected
