"""Algorithm 1 on sheets: what each annotator sees, what is discussed, what is removed, what becomes of the rest."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.datasets import sheets as sheets_of
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.errors import InputError

N = 8
FIRST, SECOND, DISCUSSION = "annotator-1.csv", "annotator-2.csv", "discussion.csv"


@pytest.fixture
def asked(tmp_path: Path) -> store.Dataset:
    made = [
        DecisionInstance(
            str(number),
            f"=Does {number} help?",
            (ContextSection("RESULTS", 'It "did",\nperhaps.'), ContextSection("", "No label.")),
            f"Answer {number}.",
            None,
            subset="U",
        )
        for number in range(20)
    ]
    made.append(DecisionInstance("99", "Does it help?", (), "It does.", "yes"))
    return writing.write(tmp_path / "u", {"train": made}, {"dataset": "pubmedqa", "kind": "decision"})


@pytest.fixture
def sheets(asked: store.Dataset, tmp_path: Path) -> Path:
    api.label(asked, tmp_path / "sheets", draw=N, seed=1)
    return tmp_path / "sheets"


def table(path: Path) -> list[dict[str, str]]:
    lines = path.read_text("utf-8-sig").splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("id,"))
    return list(csv.DictReader(lines[first:]))


def filled(path: Path, column: str, label: Callable[[str, int], str] | Mapping[str, str]) -> None:
    """Fill in a sheet as a spreadsheet would save it."""
    found = table(path)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(found[0]))
        writer.writeheader()
        for number, row in enumerate(found):
            row[column] = label(row["id"], number) if callable(label) else label.get(row["id"], "")
            writer.writerow(row)


def test_the_first_sees_the_long_answer_and_the_second_does_not(sheets: Path) -> None:
    first, second = table(sheets / FIRST), table(sheets / SECOND)
    assert [row["id"] for row in first] == [row["id"] for row in second]
    assert first[0]["long answer"] == f"Answer {first[0]['id']}."
    assert "long answer" not in second[0]
    assert second[0]["context"] == 'RESULTS: It "did",\nperhaps.\nNo label.'
    for name in (FIRST, SECOND):
        assert (sheets / name).read_text("utf-8-sig").lstrip('"').startswith("# Read the question")


def test_no_cell_is_a_formula(sheets: Path) -> None:
    assert all(row["question"].startswith("'=Does") for row in table(sheets / FIRST))


def test_the_whole_way(asked: store.Dataset, sheets: Path, tmp_path: Path) -> None:
    filled(
        sheets / FIRST,
        "label",
        lambda _, number: ["yes", " No ", "maybe", "yes", "unfit", "no", "yes", "yes"][number],
    )
    filled(
        sheets / SECOND,
        "label",
        lambda _, number: ["yes", "no", "maybe", "no", "yes", "yes", "maybe", "yes"][number],
    )
    ids = [row["id"] for row in table(sheets / FIRST)]
    found = api.label(asked, sheets)
    assert (found.labels, found.to_discuss, found.unfit) == ({"maybe": 1, "no": 1, "yes": 2}, 3, 1)
    open_ = table(sheets / DISCUSSION)
    assert list(open_[0]) == ["id", "question", "context", "annotator 1", "annotator 2", "agreed"]
    assert [(row["id"], row["annotator 1"], row["annotator 2"]) for row in open_] == [
        (ids[3], "yes", "no"),
        (ids[5], "no", "yes"),
        (ids[6], "yes", "maybe"),
    ]
    with pytest.raises(InputError, match="0 questions are not labelled by both, 3 not discussed"):
        api.label(asked, sheets, out=tmp_path / "l")
    filled(sheets / DISCUSSION, "agreed", {ids[3]: "no", ids[5]: "none", ids[6]: "maybe"})
    made = api.label(asked, sheets, out=tmp_path / "l").dataset
    assert made is not None
    assert made.receipt.instances.dropped == {"not_answerable": 1, "no_agreement": 1}
    labelled = {i.id: (i.label, dict(i.annotators), i.subset) for i in store.instances(made, "train")}
    assert labelled[ids[3]] == ("no", {"reasoning_required": "no", "reasoning_free": "yes"}, "L")
    assert labelled.keys() == set(ids) - {ids[4], ids[5]}
    (written,) = api.export(made, tmp_path / "out")
    assert written.path.name == "ori_pqal.json"


def test_what_was_agreed_on_stays_when_the_sheets_are_read_again(asked: store.Dataset, sheets: Path) -> None:
    filled(sheets / FIRST, "label", lambda _, number: "yes")
    filled(sheets / SECOND, "label", lambda _, number: "no" if number < 2 else "yes")
    api.label(asked, sheets)
    first = table(sheets / DISCUSSION)[0]["id"]
    filled(sheets / DISCUSSION, "agreed", {first: "maybe"})
    assert api.label(asked, sheets).to_discuss == 1
    assert [row["agreed"] for row in table(sheets / DISCUSSION)] == ["maybe", ""]


def test_what_people_wrote_into_the_discussion_stays_to_the_byte(asked: store.Dataset, sheets: Path) -> None:
    filled(sheets / FIRST, "label", lambda _, number: "yes")
    filled(sheets / SECOND, "label", lambda _, number: "no" if number < 2 else "yes")
    api.label(asked, sheets)
    first, second = (row["id"] for row in table(sheets / DISCUSSION))
    ours = f"id;notes;agreed;question\n{first};as Ann said, no;no;?\n{second};;;?"
    (sheets / DISCUSSION).write_text(ours)
    assert api.label(asked, sheets).to_discuss == 1
    assert (sheets / DISCUSSION).read_text() == ours
    filled(sheets / SECOND, "label", lambda _, number: "no" if number < 3 else "yes")
    third = table(sheets / FIRST)[2]["id"]
    with pytest.raises(
        InputError, match=rf"lacks 1 questions that are labelled differently \({third}\); take"
    ):
        api.label(asked, sheets)
    assert (sheets / DISCUSSION).read_text() == ours


def test_the_discussion_waits_until_both_have_labelled_everything(asked: store.Dataset, sheets: Path) -> None:
    filled(sheets / FIRST, "label", lambda _, number: "yes")
    filled(sheets / SECOND, "label", lambda _, number: "no" if number else "")
    assert (api.label(asked, sheets).to_discuss, (sheets / DISCUSSION).exists()) == (N - 1, False)


BAD = {
    "another word": (lambda path: filled(path, "label", lambda _, n: "perhaps"), "'perhaps' is no answer"),
    "no header": (lambda path: path.write_text("1,2,3\n"), "the header needs a column id"),
    "gone": (lambda path: path.unlink(), "no such sheet"),
    "not UTF-8": (lambda path: path.write_bytes(b"id,label\n\xff,yes\n"), "cannot be read as UTF-8"),
    "twice": (lambda path: path.write_text("id,label\n1,yes\n1,no\n"), "the id 1 stands twice"),
    "other questions": (
        lambda path: path.write_text("id,label\n99,yes\n"),
        "the two sheets hold different questions",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_sheet_that_cannot_be_read_is_one_line(asked: store.Dataset, sheets: Path, case: str) -> None:
    spoil, what = BAD[case]
    spoil(sheets / SECOND)
    with pytest.raises(InputError, match=what):
        api.label(asked, sheets)


def test_sheets_are_not_drawn_over_others(asked: store.Dataset, sheets: Path) -> None:
    with pytest.raises(InputError, match="there are sheets already"):
        api.label(asked, sheets, draw=2)


def test_more_than_there_are(asked: store.Dataset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="21 questions are asked for, 20 have no label"):
        api.label(asked, tmp_path / "s", draw=21)


def test_another_dataset_is_refused_and_nothing_is_lost(
    asked: store.Dataset, sheets: Path, tmp_path: Path
) -> None:
    filled(sheets / FIRST, "label", lambda _, number: "yes")
    filled(sheets / SECOND, "label", lambda _, number: "no")
    api.label(asked, sheets)
    before = (sheets / DISCUSSION).read_bytes()
    other = writing.write(
        tmp_path / "o",
        {"train": [DecisionInstance("z", "?", (), None, None)]},
        {"dataset": "pubmedqa", "kind": "decision"},
    )
    with pytest.raises(InputError, match="8 questions of the sheets are not in this dataset"):
        api.label(other, sheets, out=tmp_path / "l")
    assert (sheets / DISCUSSION).read_bytes() == before


def test_the_apostrophe_that_some_spreadsheets_save_is_no_part_of_an_id(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("id;label\n'=1; Yes \n'2;\n")
    assert sheets_of.labels(tmp_path / "s.csv", ("yes", "no"), "label") == {"=1": "yes", "'2": ""}
