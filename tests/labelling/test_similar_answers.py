"""Judging answers that are right by similarity alone: what a person sees, shares, agreement with the rule, faults."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import wilson
from anagnosis.labelling.similar_answers import SIMILAR_ANSWERS
from tests.golden_files import ident
from tests.labelling.similar_answers import record

ROOT = Path(__file__).resolve().parents[2]
JUDGED = ROOT / "design" / "bioasq_similar_answers.tsv"
RESULTS = ROOT / "docs" / "results_bioasq.md"
WRONG = "wrongly accepted"
KIND = "similar-answers"


def rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text("utf-8-sig").splitlines(keepends=True)
    return list(csv.DictReader(line for line in lines if not line.lstrip('"').startswith("#")))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return record(tmp_path)


@pytest.fixture
def sheets(source: Path, tmp_path: Path) -> Path:
    assert api.label(source, tmp_path / "sheets", kind=KIND, draw=4, seed=1).drawn == 4
    return tmp_path / "sheets"


def judged(sheets: Path, *classes: str) -> Path:
    """Fill in the sheet's first rows, by id."""
    given = sorted(rows(sheets / "similar-answers.csv"), key=lambda row: row["id"])
    with (sheets / "similar-answers.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list[str](SIMILAR_ANSWERS.HEADER))
        writer.writeheader()
        for row, name in zip(given, (*classes, *[""] * len(given)), strict=False):
            writer.writerow({**row, "class": name})
    return sheets


def test_a_person_sees_question_prediction_gold_and_the_rules_class_and_no_formula(sheets: Path) -> None:
    shown = {row["id"].partition(":")[0]: row for row in rows(sheets / "similar-answers.csv")}
    assert list(shown[ident(0)].items())[1:] == [
        ("question", "'+Which = 0?"),
        ("prediction", "'=salinol gene"),
        ("gold", "'=salinol"),
        ("similarity", "90"),
        ("rule", "same"),
        ("class", ""),
    ]
    assert [shown[ident(n)]["rule"] for n in range(4)] == ["same", "better", WRONG, "same"]


def test_shares_have_wilsons_intervals_and_the_rule_stands_beside_the_person(
    source: Path, sheets: Path
) -> None:
    judged(sheets, "same", f" {WRONG.upper()} ", WRONG)
    record = api.label(source, sheets, kind=KIND)
    (found,) = record.judges
    assert (record.drawn, record.kappas, found.name, found.judged) == (4, {}, "similar-answers.csv", 3)
    assert {name: share.value for name, share in found.shares.items()} == {
        "long answer": 0,
        "same": pytest.approx(1 / 3),
        "better": 0,
        WRONG: pytest.approx(2 / 3),
        "the rule's class": pytest.approx(2 / 3),
        "the rule on wrong": pytest.approx(2 / 3),
    }
    assert found.shares[WRONG].interval == wilson(2 / 3, 3)
    assert found.by_rule == {"same": {"same": 1}, "better": {WRONG: 1}, WRONG: {WRONG: 1}}
    assert found.systems == {"one": {"judged": 3, "wrong": 2}, "two": {"judged": 2, "wrong": 2}}


def test_the_command_prints_the_share_that_is_accepted_wrongly(
    source: Path, sheets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["label", "read", str(source), "--kind", KIND, "--sheets", str(sheets)]
    assert run(words) == 0
    assert "4 answers\nsimilar-answers.csv: 0 judged" in capsys.readouterr().out
    judged(sheets, "same", WRONG, WRONG, "same")
    assert run(words) == 0
    printed = capsys.readouterr().out
    assert "4 answers\nsimilar-answers.csv: 4 judged" in printed
    assert "wrongly accepted  50.0%  [" in printed
    assert "the rule's class  75.0%  [" in printed
    assert "rule better: 1 wrongly accepted" in printed
    assert "two: 2 of 3 accepted wrongly" in printed
    assert "not judged" not in printed
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judges"][0]["systems"]["two"] == {"judged": 3, "wrong": 2}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", r"bad.json: is no record with answers right by similarity .*name the file that"),
        ('{"record": "everyprotocol", "similar": [{"id": 1}]}', "id: text is wanted"),
        ('{"record": "everyprotocol", "similar": []}', "bad.json: no answer is right by similarity alone"),
    ],
)
def test_what_is_no_record_is_one_line(text: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(InputError, match=what):
        api.label(tmp_path / "bad.json", tmp_path / "sheets", kind=KIND, draw=1)


def test_the_results_are_those_of_the_judgements_that_are_kept() -> None:
    with JUDGED.open(encoding="utf-8", newline="") as stream:
        kept = list(csv.DictReader(stream, delimiter="\t"))
    first = [row for row in kept if row["seed"] == "33"]
    further = [row for row in kept if row["seed"] == "34"]
    assert (len(first), len(further), len({row["id"] for row in kept})) == (100, 48, 148)
    page = RESULTS.read_text("utf-8").partition("## Wrongly accepted by similarity")[2].partition("\n## ")[0]
    for name in ("long answer", "same", "better", WRONG):
        assert f"| {name} | {share([row['class'] == name for row in first])} |" in page
    for given in (first, further):
        same = share([row["rule"] == row["class"] for row in given])
        wrong = share([(row["rule"] == WRONG) == (row["class"] == WRONG) for row in given])
        assert f"{same} | {wrong} |" in page


def share(verdicts: list[bool]) -> str:
    value = sum(verdicts) / len(verdicts)
    interval = wilson(value, len(verdicts))
    return f"{sum(verdicts)} of {len(verdicts)} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
