"""Exact answers and submissions that cannot be scored, and the one line that says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.golden_files import ADDRESS, ident, python2, questions, written
from tests.refusals import refused

from anagnosis.cli import run


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four questions: 1 a factoid, 2 a list, 3 a summary, 4 yes or no."""
    at = tmp_path_factory.mktemp("asked")
    written(at / "8B1_golden.json", python2(questions(4)))
    assert (
        run(["-q", "import", str(at / "8B1_golden.json"), "--layout", "bioasq", "--out", str(at / "built")])
        == 0
    )
    return at / "built"


def line(number: int, **fields: Any) -> str:
    return json.dumps({"id": ident(number), **fields})


def answers(*texts: str) -> list[dict[str, str]]:
    return [{"text": text} for text in texts]


def submitted(**changed: Any) -> str:
    """A submission that answers all; changed: the exact answers of some, by q and their number."""
    right: dict[str, Any] = {"q1": [["XYZ1"]], "q2": [["XYZ1"]], "q4": "yes", **changed}
    return json.dumps(
        {"questions": [{"id": ident(int(name[1:])), "exact_answer": own} for name, own in right.items()]}
    )


WHOLE = "\n".join([line(1, answers=answers("XYZ1")), line(2, answers=[]), line(4, answer="yes")])
REFUSED = {
    "answers under the protocol of types": (
        line(1, answers=answers("a")),
        ("--protocol", "fixed"),
        "answers that are none of yesno, factoid, list, summary: 'a'",
    ),
    "documents under a protocol of answers": (
        line(1, documents=[f"{ADDRESS}101"]),
        ("--protocol", "fuzzy-90"),
        "the lines hold documents and snippets, which the protocol 'fuzzy-90' is not for; "
        "take one of organisers-9",
    ),
    "a measure of documents for answers": (
        WHOLE,
        ("--measure", "document_map"),
        "answers: no documents on its lines",
    ),
    "an answer without a text": (
        line(1, answers=[{"score": 1}]),
        (),
        "answers[0]: the field 'text' is missing",
    ),
    "an answer that ends before it begins": (
        line(1, answers=[{"text": "a", "snippet": 0, "begin": 2, "end": 1}]),
        (),
        "an answer ends before it begins",
    ),
    "more answers than a line may hold": (
        line(1, answers=answers(*["a"] * 10_001)),
        (),
        "10,001 answers, more than 10,000",
    ),
}


@pytest.mark.parametrize(("text", "options", "what"), REFUSED.values(), ids=REFUSED)
def test_is_answered_with_one_line(
    asked: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    text: str,
    options: tuple[str, ...],
    what: str,
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(text + "\n")
    assert what in refused(["-q", "score", str(asked), str(file), *options], capfd)


def test_protocols_are_for_exact_answers_alone(
    asked: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "types.jsonl"
    file.write_text(line(1, answer="factoid") + "\n")
    assert "types: the lines hold no exact answers" in refused(
        ["-q", "protocols", str(asked), str(file)], capfd
    )


@pytest.mark.parametrize("command", ["score", "compare", "protocols"])
def test_a_submission_of_phase_a_is_not_scored_beside_answers(
    asked: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    retrieved, answered = tmp_path / "a.json", tmp_path / "b.json"
    retrieved.write_text(json.dumps({"questions": [json.loads(line(1, documents=[f"{ADDRESS}101"]))]}))
    answered.write_text(submitted())
    assert "a.json holds documents and snippets, and b.json exact answers; score them apart" in refused(
        ["-q", command, str(asked), str(retrieved), str(answered)], capfd
    )


def test_what_the_program_scores_is_scored(asked: Path, tmp_path: Path) -> None:
    file = tmp_path / "six.json"
    file.write_text(submitted(q1=[["a"], ["b"], ["c"], ["d"], ["e"], ["XYZ1"]]))
    assert run(["-q", "score", str(asked), str(file), "--protocol", "organisers-8"]) == 0
