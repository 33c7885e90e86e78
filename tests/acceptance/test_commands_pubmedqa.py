"""PubMedQA as its users drive it: import, look, export, score under both protocols, set people beside systems."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.decisions import LABELS, answers, rows, written
from tests.recipes import people_cells
from tests.typed import Said

from anagnosis.cli import run


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pqa")
    source = written(folder / "ori_pqal.json", rows())
    assert run(["import", str(source), "--layout", "pubmedqa", "--out", str(folder / "built")]) == 0
    return folder / "built"


@pytest.fixture(scope="module")
def test_ids(built: Path) -> list[str]:
    from anagnosis.datasets.folder import store

    return [instance.id for instance in store.instances(store.load(built), "test")]


def label(ident: str) -> str:
    return str(rows()[ident]["final_decision"])


def test_show_has_table_1_topics_and_one_instance(said: Said, built: Path, test_ids: list[str]) -> None:
    out = said("show", built)
    assert "Number of QA pairs" in out
    assert re.search(r"Prop. of yes \(%\) +55.00 +55.20", out)
    assert "Humans" in out
    assert "dates, PQA-L: 1990 to 2014" in out
    one = said("show", built, "--instance", test_ids[0])
    assert f"label: {label(test_ids[0])}" in one
    assert "reasoning_free (with the long answer)" in one


def test_check_finds_it_sound(said: Said, built: Path) -> None:
    assert "sound: 4 files and 40 instances looked at" in said("check", built)


def test_majority_says_yes(said: Said, built: Path, tmp_path: Path) -> None:
    said("predict", "majority", built, "--out", tmp_path / "m.jsonl")
    out = said("score", built, tmp_path / "m.jsonl")
    assert re.search(r"\nm +60.00 \[.*\] +25.00 \[", out.split("macro-F1 (%)")[1])
    assert "m       yes" in out


def test_all_splits_are_scored_as_one(said: Said, built: Path, tmp_path: Path) -> None:
    said("predict", "majority", built, "--split", "all", "--out", tmp_path / "m.jsonl")
    out = said("score", built, tmp_path / "m.jsonl", "--split", "all")
    assert "all accuracy (%)" in out
    assert re.search(r"\nm +55.00 \[", out)
    assert "split:all" in out
    assert "n:40" in out
    people = said("agreement", built, "--people", "--split", "all")
    assert "40 instances were asked of people" in people


def test_both_protocols_on_a_stray_word(
    built: Path, tmp_path: Path, said: Said, test_ids: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = [(ident, "perhaps" if not n else label(ident)) for n, ident in enumerate(test_ids)]
    path = answers(tmp_path / "p.jsonl", found)
    out = said("score", built, path, "--protocol", "official")
    assert "p has answers that are not labels: 'perhaps' 1" in out
    assert "protocol:official" in out
    assert run(["score", str(built), str(path)]) == 2
    error = capsys.readouterr().err
    assert "p: answers that are none of yes, no, maybe: 'perhaps', 1 in all" in error
    assert error.count("\n") == 1


def test_the_authors_form_of_predictions_is_read(
    built: Path, tmp_path: Path, said: Said, test_ids: list[str]
) -> None:
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps({ident: label(ident) for ident in test_ids}))
    assert "100.00 [" in said("score", built, path, "--protocol", "official")


def test_systems_are_compared_by_macro_f1_too(
    built: Path, tmp_path: Path, said: Said, test_ids: list[str]
) -> None:
    good = answers(tmp_path / "good.jsonl", [(ident, label(ident)) for ident in test_ids])
    poor = answers(tmp_path / "poor.jsonl", [(ident, "yes") for ident in test_ids])
    out = said("compare", built, good, poor)
    assert "Which is better by macro-F1" in out
    assert out.count("good over poor") == 2 * 3, "by either measure, in three tables"


def test_people_in_the_dataset_stand_beside_a_system(
    built: Path, tmp_path: Path, said: Said, test_ids: list[str]
) -> None:
    poor = answers(tmp_path / "poor.jsonl", [(ident, "yes") for ident in test_ids])
    out = said("agreement", built, "--people", "--systems", poor)
    table = out.split("Macro-F1 of people and systems")[1]
    assert "reasoning_free      100.00 [" in table
    assert "poor" in table


def people_row(said: Said, folder: Path) -> dict[str, tuple[float, float]]:
    """Annotator → accuracy and macro-F1 on test, in percent with the two decimals of the paper."""
    found = json.loads(said("agreement", folder, "--people", "--split", "test", "--json"))
    return {
        each["name"]: (
            round(100 * each["accuracy"]["wrong"]["value"], 2),
            round(100 * each["macro_f1"]["value"], 2),
        )
        for each in found["people"]
    }


@pytest.mark.shared
def test_the_paper_s_row_of_people_is_recomputed(said: Said, shared: Path, tmp_path: Path) -> None:
    """Table 4 of the paper: only these people's labels are published."""
    said(
        "import",
        shared / "data/pubmedqa/ori_pqal.json.gz",
        "--layout",
        "pubmedqa",
        "--out",
        tmp_path / "pqal",
    )
    published = {
        row.at.replace("-", "_"): (row.values["accuracy"], row.values["macro_f1"])
        for row in people_cells.ROWS
        if row.paper == "PubMedQA"
    }
    assert published == {"reasoning_required": (78.00, 72.19), "reasoning_free": (90.40, 84.18)}
    assert people_row(said, tmp_path / "pqal") == published


def test_the_row_of_people_is_that_of_their_labels_and_the_final_ones(
    said: Said, built: Path, test_ids: list[str]
) -> None:
    final = [label(ident) for ident in test_ids]
    given = [str(rows()[ident]["reasoning_required_pred"]) for ident in test_ids]
    right = {each: sum(a == b == each for a, b in zip(given, final, strict=True)) for each in LABELS}
    # F1 is twice the right ones over all that either says.
    f1 = [2 * right[each] / (given.count(each) + final.count(each)) for each in LABELS]
    accuracy, macro_f1 = sum(right.values()) / len(final), sum(f1) / 3
    assert accuracy != pytest.approx(macro_f1)
    assert people_row(said, built) == {
        "reasoning_required": (round(100 * accuracy, 2), round(100 * macro_f1, 2)),
        "reasoning_free": (100, 100),
    }


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "table3.csv"
    kinds = ("inter-group", "subgroup", "group", "")
    lines = [f"{ident},{kinds[number % 4]}" for number, ident in enumerate(rows())]
    path.write_text("\n".join(["id,reasoning", *lines, "12,group"]))
    return path


def test_show_tells_question_types_and_those_of_a_label_file(said: Said, built: Path, labels: Path) -> None:
    out = said("show", built)
    assert re.search(r"Does a factor influence the output\? +40 +100.00 +36.50 +55.00", out)
    assert "Samples" not in out
    told = said("show", built, "--labels", labels)
    assert "labels: table3.csv, 30 instances labelled; 1 id is not in the dataset (12)" in told
    assert re.search(r"inter-group +10 +33.33 +57.50", told)
    assert re.search(r"question type +influence +reasoning +inter-group +10 +33.33", told)


def test_question_types_of_a_label_file_take_the_rules_place(said: Said, built: Path, tmp_path: Path) -> None:
    labels = tmp_path / "types.csv"
    labels.write_text("\n".join(["id;question type", *(f"{ident};Is a statement true?" for ident in rows())]))
    out = said("show", built, "--labels", labels)
    assert "Told by rules" not in out
    assert re.search(r"statement +40 +100.00 +18.00", out)
    assert re.search(r"influence +0 +0.00 +36.50", out)


def test_show_draws_samples_by_a_seed(said: Said, built: Path, tmp_path: Path) -> None:
    two = said("show", built, "--samples", "2")
    assert two.count("PQA-L: 300000") == 2
    assert two == said("show", built, "--samples", "2", "--seed", "0")
    assert two != said("show", built, "--samples", "2", "--seed", "1")
    said("show", built, "--out", tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text().count(
        "PQA-L: 300000"
    ) == 2 * 3  # a caption and what it is called
    said("show", built, "--out", tmp_path / "a.md")
    assert "Samples" not in (tmp_path / "a.md").read_text()


def test_scores_are_taken_apart_by_type_and_by_a_label_file(
    said: Said, built: Path, labels: Path, tmp_path: Path, test_ids: list[str]
) -> None:
    path = answers(tmp_path / "p.jsonl", [(ident, label(ident)) for ident in test_ids])
    plain = said("score", built, path)
    assert "Macro-F1 by question type on test" in plain
    out = said("score", built, path, "--labels", labels)
    assert re.search(r"Macro-F1 by reasoning on test\nreasoning +instances +yes +no +maybe", out)
    assert "Accuracy by reasoning." in out
    own = [ident for ident in test_ids if [*rows()].index(ident) % 4 == 1]
    assert re.search(rf"\nsubgroup +{len(own)} +100.00 \[", out)


def test_stray_words_leave_the_macro_f1_of_parts_out(
    said: Said, built: Path, tmp_path: Path, test_ids: list[str]
) -> None:
    path = answers(tmp_path / "p.jsonl", [(ident, "perhaps") for ident in test_ids])
    out = said("score", built, path, "--protocol", "official")
    assert "Accuracy by question type" in out
    assert "Macro-F1 by question type" not in out


def test_plain_rows_and_tasks_hold_what_the_view_shows(said: Said, built: Path, tmp_path: Path) -> None:
    said("export", built, "--layout", "jsonl", "--out", tmp_path / "rows")
    row = json.loads((tmp_path / "rows" / "test.jsonl").read_text().partition("\n")[0])
    gold = rows()[row["id"]]
    assert row["passage"].split("\n") == gold["CONTEXTS"]
    assert (row["sections"], row["answer"]) == (gold["LABELS"], gold["final_decision"])
    assert row["long_answer"] == gold["LONG_ANSWER"]
    out = said("export", built, "--layout", "lm-eval", "--view", "question-only", "--out", tmp_path / "tasks")
    assert "--tasks anagnosis_pubmedqa_question-only_test" in out
    task = (tmp_path / "tasks" / "anagnosis_pubmedqa_question-only_test.yaml").read_text()
    assert "doc_to_text: |-\n  Question: {{question}}\n  Answer:\n" in task
    asked = json.loads((tmp_path / "tasks" / "anagnosis_pubmedqa_question-only_test.jsonl").open().readline())
    assert (asked["passage"], asked["keys"]) == ("", ["yes", "no", "maybe"])


BAD = [
    (["score", "BUILT", "x.jsonl", "--protocol", "expected"], "unknown protocol 'expected'"),
    (["agreement", "BUILT"], "Name predictions files of people, or give --people"),
    (["predict", "BASE1", "BUILT", "--out", "o.jsonl"], "and cloze questions are needed here"),
    (
        ["train", "biomrc-attention-sum-local", "--data", "BUILT", "--out", "r"],
        "and cloze questions are needed here",
    ),
    (["import", "none.json", "--layout", "pubmedqa", "--out", "o"], "no such file"),
    (
        ["export", "BUILT", "--layout", "parquet", "--view", "names", "--out", "o"],
        "unknown view 'names'",
    ),
    (["show", "BUILT", "--labels", "none.csv"], "none.csv: no such file"),
    (
        ["show", "BUILT", "--instance", "1", "--samples", "2"],
        "are of the whole dataset, not of one --instance",
    ),
    (["show", "BUILT", "--labels", "x.jsonl"], "x.jsonl: none of its 1 ids is in the dataset (1)"),
    (["score", "BUILT", "x.jsonl", "--labels", "none.csv"], "none.csv: no such file"),
    (["export", "BUILT", "--layout", "pubmedqa", "--setting", "Q", "--out", "o"], "unknown subset 'Q'"),
    (
        ["sample", "BUILT", "--out", "o", "--set", "groups={a=1}"],
        "which have no labels, by which groups are kept apart",
    ),
]


@pytest.mark.parametrize(("typed", "what"), BAD)
def test_what_cannot_be_done_is_one_line(
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: list[str],
    what: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    answers(tmp_path / "x.jsonl", [("1", "yes")])
    assert run([str(built) if word == "BUILT" else word for word in typed]) == 2
    error = capsys.readouterr().err
    assert what in error
    assert error.count("\n") == 1
