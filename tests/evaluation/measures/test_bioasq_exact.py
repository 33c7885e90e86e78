"""Exact answers through the commands: what their lines hold, protocols, signatures, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from anagnosis import api
from anagnosis.cli import cli, run
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import estimate, of_f1s
from anagnosis.predictions import Answer, Prediction, write
from anagnosis.reports.systems.measured import method_of

EXACT = {"factoid": (("XYZ1", "xyz-1"),), "list": (("a",), ("b", "c")), "yesno": (("yes",),)}
GOOD: dict[str, Any] = {"factoid": ["x", "XYZ-1"], "list": ["C", "a"], "yesno": "Yes."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        QuestionInstance(f"{n:024x}", type, "What is it?", exact=EXACT.get(type))
        for n, type in enumerate(TYPES * 9)
    ]
    recipe = {"dataset": "asked", "kind": "question"}
    return writing.write(tmp_path / "made", {"test": rows}, recipe).folder


def file_of(path: Path, answers: dict[str, Any], *, but: int = 0) -> str:
    """A line for each question but the last so many; a list of answers becomes `answers`."""
    lines: list[Prediction] = []
    for n, type in [*enumerate(TYPES * 9)][: 36 - but]:
        answer = answers.get(type)
        if isinstance(answer, list):
            lines.append(Prediction(f"{n:024x}", answers=[Answer(text) for text in answer]))
        else:
            lines.append(Prediction(f"{n:024x}", answer))
    write(path, lines)
    return str(path)


def values(folder: Path, file: str, **how: Any) -> dict[str, float]:
    (system,) = api.score(folder, [file], **how).systems
    return {name: measured.value for name, measured in system.measures.items()}


def test_score_sees_that_lines_hold_exact_answers_and_says_so(folder: Path, tmp_path: Path) -> None:
    good = file_of(tmp_path / "good.jsonl", GOOD)
    ended = CliRunner().invoke(cli, ["score", str(folder), good])
    assert ended.exit_code == 0, ended.output
    assert "protocol:thesis|measure:factoid_strict" in ended.output
    assert values(folder, good) == pytest.approx(
        {
            "factoid_strict": 0.0,
            "factoid_lenient": 1.0,
            "factoid_mrr": 0.5,
            "list_precision": 1.0,
            "list_recall": 1.0,
            "list_f1": 1.0,
            "yesno_accuracy": 1.0,
            "yesno_macro_f1": 0.5,
            "yesno_f1_yes": 1.0,
            "yesno_f1_no": 0.0,
        }
    )


def test_measures_of_some_questions_have_intervals_of_these(folder: Path, tmp_path: Path) -> None:
    (system,) = api.score(folder, [file_of(tmp_path / "good.jsonl", GOOD)], unit="instance").systems
    own = system.measures
    assert {measured.n for measured in own.values()} == {9}
    assert own["factoid_strict"].interval == estimate(np.zeros(9)).interval
    assert own["yesno_accuracy"].interval == estimate(np.ones(9)).interval
    assert own["factoid_mrr"].interval == estimate(np.full(9, 0.5)).interval
    assert own["yesno_f1_yes"].interval == of_f1s(1.0, *np.ones((2, 1, 9, 1)))
    assert own["yesno_macro_f1"].interval is own["yesno_f1_no"].interval is None
    none = "none: fewer than 30 instances or documents, or no such label"
    assert method_of(own["yesno_macro_f1"]) == none
    first, second = (file_of(tmp_path / f"{n}.jsonl", GOOD, but=n) for n in (0, 8))
    compared = api.compare(folder, [first, second], measures=["yesno_accuracy"], unit="instance", draws=99)
    (pair,) = compared.comparisons[0].differences
    assert (pair.difference, pair.verdict) == (pytest.approx(2 / 9), "tied")


def test_score_sees_that_lines_hold_types(folder: Path, tmp_path: Path) -> None:
    types = file_of(tmp_path / "types.jsonl", {type: type for type in TYPES})
    assert values(folder, types) == {"accuracy": 1.0, "macro_f1": 1.0}
    with pytest.raises(
        InputError, match=r"protocol 'thesis' is not for the measures accuracy, macro_f1.*fixed"
    ):
        api.score(folder, [types], protocol="thesis")


def test_lines_of_both_and_files_of_both_are_one_line(folder: Path, tmp_path: Path) -> None:
    mixed = file_of(tmp_path / "mixed.jsonl", {**GOOD, "yesno": "yesno"})
    with pytest.raises(InputError, match=r"^mixed: 9 lines hold types \(yesno, .*\), and 18 exact answers"):
        api.score(folder, [mixed])
    types = file_of(tmp_path / "types.jsonl", {type: type for type in TYPES})
    good = file_of(tmp_path / "good.jsonl", GOOD)
    with pytest.raises(InputError, match=r"types holds types .*, and good exact answers"):
        api.score(folder, [types, good])
    with pytest.raises(InputError, match="'accuracy' judges one of 4 labels, and 'list_f1' free answers"):
        api.score(folder, [good], measures=["accuracy", "list_f1"])


def test_measures_that_no_question_counts_for_are_left_out(tmp_path: Path) -> None:
    rows = [QuestionInstance(f"{n:024x}", "factoid", "What?", exact=(("a",),)) for n in range(4)]
    recipe = {"dataset": "asked", "kind": "question"}
    made = writing.write(tmp_path / "made", {"test": rows}, recipe).folder
    file = str(tmp_path / "a.jsonl")
    write(file, [Prediction(row.id, answers=[Answer("b"), Answer("A")]) for row in rows])
    assert values(made, file) == {"factoid_strict": 0.0, "factoid_lenient": 1.0, "factoid_mrr": 0.5}


def test_a_submission_at_which_the_program_stops_has_no_figures(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat = submission(tmp_path / "flat.json", factoid=["XYZ1"])
    what = r"question 0{23}1: the organisers' program of edition 9 stops: a flat list of answers"
    assert run(["score", str(folder), flat, "--protocol", "organisers-9"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert re.search(what, line)
    with pytest.raises(InputError, match="unknown protocol 'organisers-8'; did you mean organisers-9"):
        api.score(folder, [flat], protocol="organisers-8")
    file = file_of(tmp_path / "good.jsonl", GOOD, but=2)
    assert values(folder, file, protocol="organisers-9")["list_f1"] == 1.0
    assert values(folder, file, protocol="thesis")["list_f1"] == pytest.approx(8 / 9)


def submission(path: Path, **changed: Any) -> str:
    """Every question answered rightly in the organisers' shape; changed: by type, other exact answers."""
    right = {"factoid": [["XYZ1"]], "list": [["a"], ["b"]], "yesno": "yes", **changed}
    questions = [
        {"id": f"{n:024x}", **({"exact_answer": right[type]} if type in right else {})}
        for n, type in enumerate(TYPES * 9)
    ]
    path.write_text(json.dumps({"questions": questions}))
    return str(path)


def test_a_foreign_id_is_counted_and_a_null_is_refused_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(submission(tmp_path / "foreign.json"))
    told = json.loads(file.read_text())
    told["questions"].append({"id": "f" * 24, "exact_answer": [["a"]]})
    file.write_text(json.dumps(told))
    (system,) = api.score(folder, [file]).systems
    assert system.problems["unknown"].first == ("f" * 24,)
    null = submission(tmp_path / "null.json", factoid=None)
    assert run(["score", str(folder), null]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "question '000000000000000000000001': exact_answer is null" in line
