from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis import predictions
from anagnosis.predictions import Prediction, notes
from anagnosis.recognition import COMMENTS, RECOGNISED, is_ours, note_of, signed
from tests.rows import each_row

LINE = Prediction("1:0", "gene/1", {"gene/1": 0.5, "gene/2": 0.25}, "0" * 64)
OURS = '{"id":"1:0","answer":"gene/1","scores":{"gene/1":0.5,"gene/2":0.25},"dataset":"%s"}\n' % ("0" * 64)


def of(path: Path, text: str, kind: str) -> bool:
    path.write_text(text, "utf-8")
    return is_ours(path, kind)


@pytest.mark.parametrize("suffix", COMMENTS)
@given(text=st.text(max_size=60))
def test_a_signed_report_is_ours_until_a_letter_changes(
    suffix: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "".join(text.splitlines()) + "\n"
    text = text.encode("utf-8", "replace").decode()
    path = tmp_path_factory.mktemp("signed") / f"r{suffix}"
    kind = f"report{suffix}"
    path.write_bytes(signed(text, suffix).encode())
    assert is_ours(path, kind)
    for other in (text, f"x{signed(text, suffix)}", f"{signed(text, suffix)}x", signed(text, suffix)[:-1]):
        path.write_bytes(other.encode())
        assert not is_ours(path, kind)


def test_only_formats_with_comments_are_signed() -> None:
    assert signed("a,b\n", ".csv") == "a,b\n"
    assert {f"report{suffix}" for suffix in COMMENTS} <= {kind for kind, known in RECOGNISED.items() if known}


def test_a_report_as_json_is_ours_as_we_spell_it(tmp_path: Path) -> None:
    report = {"title": "é", "blocks": []}
    ours = json.dumps(report, ensure_ascii=False, indent=2) + "\n"
    assert of(tmp_path / "r", ours, "report.json")
    for theirs in (json.dumps(report), ours[:-1], ours.replace("title", "name"), "[]\n", "no JSON", ""):
        assert not of(tmp_path / "r", theirs, "report.json")


def test_predictions_are_ours_as_we_write_them(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    predictions.write(path, [LINE, Prediction("2:0", None, {}, "0" * 64)])
    assert path.read_text().startswith(OURS)
    assert is_ours(path, "predictions")


THEIRS = {
    "no lines": "",
    "no scores": '{"id":"1","answer":"a"}\n',
    "blanks": OURS.replace(",", ", "),
    "another order": '{"answer":"a","id":"1","scores":{},"dataset":"%s"}\n' % ("0" * 64),
    "a field of a person": OURS.replace('"dataset"', '"annotator":"Ann","dataset"'),
    "no fingerprint": OURS.replace("0" * 64, "mine"),
    "a line of another": OURS + '{"id":"1","answer":"a"}\n',
    "no end of the line": OURS[:-1],
    "other text": "mine\n",
    "other bytes": "\udcff\n",
}


@each_row("case", THEIRS)
def test_predictions_of_others_are_not_ours(case: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(THEIRS[case].encode("utf-8", "surrogateescape"))
    assert not is_ours(path, "predictions")


def test_with_a_note_beside_them_predictions_are_ours_until_they_change(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    predictions.write(path, [LINE])
    note = notes.write(path)
    assert note == note_of(path) == tmp_path / "p.run.json"
    assert is_ours(note, "note")
    assert is_ours(path, "predictions")
    path.write_text(OURS.replace("0.25", "0.75"))
    assert not is_ours(path, "predictions")
    note.write_text('{"mine": 1}')
    path.write_text(OURS)
    assert not is_ours(note, "note")
    assert not is_ours(path, "predictions")


def test_a_submission_is_ours_as_we_spell_it(tmp_path: Path) -> None:
    ours = '{"questions": [\n{"id": "1", "exact_answer": [["\\u03b1"]]},\n{"id": "2"}\n]}\n'
    assert of(tmp_path / "s", ours, "submission")
    assert of(tmp_path / "s", '{"questions": [\n]}\n', "submission")
    for theirs in (
        json.dumps(json.loads(ours)),
        json.dumps(json.loads(ours), indent=1) + "\n",
        ours[:-1],
        ours + "\n",
        ours.replace("]}\n", ""),
        ours.replace('"id": "2"', '"id": "2", "body": "Why?"'),
        ours.replace('"id": "2"', '"ideal_answer": "2"'),
        ours.replace('"id": "2"', '"id":"2"'),
        ours.replace('{"id": "2"}', "[" * 100_000),
        ours.replace("\\u03b1", "α"),
        "",
    ):
        assert not of(tmp_path / "s", theirs, "submission")


def test_what_is_not_there_is_not_ours(tmp_path: Path) -> None:
    assert not any(is_ours(tmp_path / "x", kind) for kind in RECOGNISED)
