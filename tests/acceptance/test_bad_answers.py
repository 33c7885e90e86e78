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


DOCUMENTS = line(1, documents=[f"{ADDRESS}101"])
REFUSED = {
    "documents under a protocol of answers": (
        DOCUMENTS,
        ("--protocol", "fuzzy-90"),
        "the lines hold documents and snippets, which the protocol 'fuzzy-90' is not for; "
        "take one of organisers-9",
    ),
    "a measure of documents for answers": (
        line(4, answer="yes"),
        ("--measure", "document_map"),
        "answers: no documents on its lines",
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


def test_a_submission_of_phase_a_is_not_scored_beside_answers(
    asked: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = []
    for name, given in (("a.json", DOCUMENTS), ("b.json", line(1, exact_answer=[["XYZ1"]]))):
        written(tmp_path / name, json.dumps({"questions": [json.loads(given)]}))
        files.append(str(tmp_path / name))
    assert "a.json holds documents and snippets, and b.json exact answers; score them apart" in refused(
        ["-q", "compare", str(asked), *files], capfd
    )
