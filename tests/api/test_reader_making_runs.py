"""`readers make` of readers that are trained: the same bytes twice, with cards that turn them off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.evidence_sets import claim, lines
from tests.golden_files import question

from anagnosis import api
from anagnosis.api import reader_making
from anagnosis.cli import run
from anagnosis.io.folders import READER_CARD
from anagnosis.searching.answers.readers import load_readers
from anagnosis.searching.fit import reader_measuring
from anagnosis.searching.records.reader_figures import EvidenceFigures

pytest.importorskip("torch", reason="the extra train is not installed")

CLAIMS, QUESTIONS = 40, 24


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reader_measuring, "FEWEST", 10)
    monkeypatch.setattr(reader_measuring, "FEWEST_TYPED", 10)
    roles = {role: reader_making.MAKERS[role] for role in ("evidence", "question-type")}
    monkeypatch.setattr(reader_making, "MAKERS", roles)
    folder = tmp_path / "releases"
    abstracts = [
        {
            "doc_id": number,
            "title": f"A study of salt{number}",
            "abstract": ["We looked.", f"We found that salt{number} stops fish.", "More work is needed."],
        }
        for number in range(CLAIMS)
    ]
    lines(folder / "corpus.jsonl", [{**one, "structured": False} for one in abstracts])
    claims = [claim(number, f"salt{number} stops fish", {str(number): [[1]]}) for number in range(CLAIMS)]
    lines(folder / "claims_train.jsonl", claims[: CLAIMS // 2])
    lines(folder / "claims_dev.jsonl", claims[CLAIMS // 2 :])
    kinds = ["yesno", "factoid", "list", "summary"]
    for edition, first in ((6, 0), (8, QUESTIONS), (9, 2 * QUESTIONS)):
        asked = [question(number, kinds[number % 4]) for number in range(first, first + QUESTIONS)]
        (folder / f"{edition}B1_golden.json").write_text(json.dumps({"questions": asked}))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_trained_readers_are_the_same_bytes_twice_and_off_where_they_are_no_better(
    releases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["readers", "make", "--data", str(releases), "--out", str(tmp_path / "once")]) == 0
    told = capsys.readouterr()
    assert told.err.splitlines()[0].startswith("making evidence, question-type: about ")
    assert "epoch" not in told.err
    assert "evidence: off, not good enough on held-out questions or not tested\n" in told.out
    assert f"{CLAIMS // 2} questions of SciFact, dev claims over {CLAIMS} documents" in told.out
    assert "; first sentence right for " in told.out
    assert f"{QUESTIONS} questions of BioASQ (8B1_golden.json to 8B1_golden.json) over " in told.out
    assert f"on {QUESTIONS} questions of BioASQ (8B1_golden.json to 8B1_golden.json)" in told.out
    monkeypatch.setattr(reader_making, "MAKERS", {"evidence": reader_making.MAKERS["evidence"]})
    api.make_readers(releases, tmp_path / "twice")
    once, twice = (contents(tmp_path / out / "evidence") for out in ("once", "twice"))
    assert READER_CARD in once
    assert once == twice
    assert load_readers(tmp_path / "once").none_loaded
    assert load_readers(tmp_path / "once" / "question-type").kind("Which gene?") in ("factoid", "list")
    trained = json.loads((tmp_path / "once" / "question-type" / "run.json").read_bytes())
    assert trained["train"]["rows"] == QUESTIONS  # neither those that measure nor those that stay apart
    assert trained["seconds"] is None


def test_few_questions_of_bioasq_leave_a_reader_off_however_well_it_reads_claims(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_measuring, "FEWEST", CLAIMS // 2)
    for place in ("6B1", "8B1"):
        path = releases / f"{place}_golden.json"
        path.write_text(json.dumps({"questions": json.loads(path.read_text())["questions"][:2]}))
    monkeypatch.setattr(reader_making, "MAKERS", {"evidence": reader_making.MAKERS["evidence"]})
    api.make_readers(releases, tmp_path / "out")
    card = api.reader_cards(tmp_path / "out")["evidence"]
    assert "SciFact" in card["says"]
    assert card["says"].endswith(f"; not tested, and so off; {reader_making.WOULD_TEST} would test it")
    assert card["earned"] is False
    better = EvidenceFigures(100, 500, 0.6, 0.5, 0.02, 0.2, 0.7, 0.7, "SciFact", "2026-01-02")
    monkeypatch.setattr(reader_measuring, "measure", lambda *_, date: better)
    api.make_readers(releases, tmp_path / "better")
    assert api.reader_cards(tmp_path / "better")["evidence"]["earned"] is False
