"""Table 3, Figure 4 and samples as blocks of a report."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.rows import each_row

from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance, Subset
from anagnosis.datasets.label_file import LabelFile
from anagnosis.datasets.pubmedqa.characteristics import OTHERS, SHOWN_LABELS, Characteristics
from anagnosis.datasets.pubmedqa.statistics import SubsetStatistics, statistics
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.datasets.kinds.decision import CUT, LONGEST_SAMPLE, cut, sample_blocks
from anagnosis.reports.datasets.question_types import label_blocks, type_blocks
from anagnosis.reports.renderers.picture import draw
from anagnosis.reports.report import Listing, Plot, Report, Table

QUESTIONS = ("Does tea reduce fever?", "Is tea safe?", "Does salt change sleep?", "Is tea old?")
INSTANCES = [
    DecisionInstance(str(number), question, (), None, ("yes", "no")[number % 2])
    for number, question in enumerate(QUESTIONS)
]


def subsets(instances: list[DecisionInstance]) -> dict[Subset, SubsetStatistics]:
    return {name: sums.subset(name) for name, sums in statistics(instances, len).items()}


def characteristics(**columns: dict[str, str]) -> Characteristics:
    each = {name: {ident: (label,) for ident, label in of.items()} for name, of in columns.items()}
    found = Characteristics(LabelFile("labels.csv", each))
    for instance in INSTANCES:
        found.add(instance)
    return found


def test_types_stand_beside_the_published_shares_with_their_answers() -> None:
    _, table = type_blocks(subsets(INSTANCES))
    assert isinstance(table, Table)
    assert table.rows[:2] == (
        ("Does a factor influence the output?", 2, 0.5, 0.365, 1.0, 0.0, 0.0),
        ("Is a therapy good/necessary?", 1, 0.25, 0.26, 0.0, 1.0, 0.0),
    )
    assert table.rows[3] == ("Is a factor related to the output?", 0, 0.0, 0.18, None, None, None)


def test_unlabelled_questions_have_neither_answers_nor_published_shares() -> None:
    plain = [DecisionInstance("1", "Is tea safe?", (), None, None, subset="U")]
    _, table = type_blocks(subsets(plain))
    assert isinstance(table, Table)
    assert [column.name for column in table.columns] == ["question type", "instances", "share (%)"]
    assert table.caption == "Question types of PQA-U"


def test_a_reader_is_told_whose_types_these_are() -> None:
    _, table = type_blocks(subsets(INSTANCES))
    assert isinstance(table, Table)
    assert table.caption == "Table 3 of PubMedQA: question types of PQA-L"
    assert "with a person, who also wrote the rules" in table.notes[0]
    assert "26 against 36.5 %" in table.notes[0]


def test_types_of_a_file_stand_beside_the_published_shares() -> None:
    found = characteristics(**{"question type": {"0": "therapy", "1": "relation"}})
    _, table, plot = label_blocks(found.statistics())
    assert isinstance(table, Table)
    assert table.rows[:2] == (("influence", 0, 0.0, 0.365), ("therapy", 1, 0.5, 0.26))
    assert isinstance(plot, Plot)
    assert plot.data.rows == ()


def test_labels_have_a_table_each_and_one_picture_of_three_columns() -> None:
    found = characteristics(
        extra={"0": "x"},
        numbers={"0": "texts only", "1": "interpreted"},
        reasoning={"0": "group", "1": "group", "2": "odd"},
    )
    blocks = list(label_blocks(found.statistics()))
    captions = [block.caption for block in blocks if isinstance(block, Table)]
    assert captions == [
        "Labels: extra",
        "Table 3 of PubMedQA for these labels: numbers",
        "Table 3 of PubMedQA for these labels: reasoning",
    ]
    (plot,) = (block for block in blocks if isinstance(block, Plot))
    assert plot.data.rows == (
        ("question type", "influence", "reasoning", "group", 1, 1 / 3),
        ("question type", "influence", "reasoning", "odd", 1, 1 / 3),
        ("question type", "therapy", "reasoning", "group", 1, 1 / 3),
        ("reasoning", "group", "numbers", "interpreted", 1, 1 / 2),
        ("reasoning", "group", "numbers", "texts only", 1, 1 / 2),
    )
    ElementTree.fromstring(draw(plot, "p"))


def test_a_column_of_many_labels_has_others_in_its_picture() -> None:
    instances = [DecisionInstance(str(number), "Is tea safe?", (), None, None) for number in range(20)]
    found = Characteristics(LabelFile("l", {"kind": {i.id: (f"kind {i.id}",) for i in instances}}))
    for instance in instances:
        found.add(instance)
    (plot,) = (block for block in label_blocks(found.statistics()) if isinstance(block, Plot))
    labels = [row[3] for row in plot.data.rows]
    assert len(labels) == SHOWN_LABELS
    assert (labels[-1], plot.data.rows[-1][4]) == (OTHERS, 20 - SHOWN_LABELS + 1)
    ElementTree.fromstring(draw(plot, "p"))


def test_labels_that_never_meet_leave_an_empty_picture() -> None:
    found = characteristics(reasoning={"0": "group"}, numbers={"1": "interpreted"})
    (plot,) = (block for block in label_blocks(found.statistics()) if isinstance(block, Plot))
    assert [row[2] for row in plot.data.rows] == ["reasoning"]
    ElementTree.fromstring(draw(plot, "p"))


@pytest.mark.parametrize("length", [0, LONGEST_SAMPLE, LONGEST_SAMPLE + 1, 5_000])
def test_a_long_section_ends_in_a_mark(length: int) -> None:
    text = ("word " * length)[:length].rstrip()
    shown = cut(text)
    assert len(shown) <= LONGEST_SAMPLE + len(CUT)
    assert shown.endswith(CUT) == (len(text) > LONGEST_SAMPLE)
    assert text.startswith(shown.removesuffix(CUT))


def test_a_word_longer_than_a_section_is_cut_too() -> None:
    assert len(cut("x" * 5_000)) == LONGEST_SAMPLE + len(CUT)


@each_row("name", sorted(RENDERERS))
def test_samples_are_shown_everywhere_and_run_nowhere(name: str, tmp_path: Path) -> None:
    odd = DecisionInstance(
        "<b>9</b>",
        "Is <script>alert(1)</script> safe?",
        (ContextSection("", "It was \x1b[31m5 < 6."), ContextSection("RESULTS", "None | at all.")),
        None,
        None,
        subset="U",
    )
    blocks = tuple(sample_blocks({"U": [odd]}))
    listing = blocks[-1]
    assert isinstance(listing, Listing)
    assert [item.label for item in listing.items] == [
        "question",
        "context",
        "RESULTS",
        "long answer",
        "label",
    ]
    text = render(Report("Samples", blocks), name)
    assert "withheld" in text
    if name == ".txt":
        assert "\x1b" not in text
    if name == ".html":
        assert "<script" not in text
        assert "&lt;script&gt;" in text


def test_a_sample_shows_the_statement_that_its_question_was_made_of() -> None:
    made = DecisionInstance("1", "Does tea help?", (), None, "no", subset="A", title="Tea does not help")
    listing = list(sample_blocks({"A": [made]}))[-1]
    assert isinstance(listing, Listing)
    assert [(item.label, item.runs[0].text) for item in listing.items[:2]] == [
        ("title", "Tea does not help"),
        ("question", "Does tea help?"),
    ]


def test_no_samples_are_no_section() -> None:
    assert list(sample_blocks({})) == []
