"""PubMedQA as its users drive it: import, look, export, score under both protocols, set people beside systems."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.decisions import answers, rows, written
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
    from anagnosis.datasets import store

    return [instance.id for instance in store.decisions(store.load(built), "test")]


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
    assert "p answers what is no label: 'perhaps' 1" in out
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
    assert "Macro-F1 of the same pairs" in out
    assert "good – poor" in out


def test_people_in_the_dataset_stand_beside_a_system(
    built: Path, tmp_path: Path, said: Said, test_ids: list[str]
) -> None:
    poor = answers(tmp_path / "poor.jsonl", [(ident, "yes") for ident in test_ids])
    out = said("agreement", built, "--people", "--systems", poor)
    table = out.split("Macro-F1 of people and systems")[1]
    assert "reasoning_free      100.00 [" in table
    assert "poor" in table


BAD = [
    (["score", "BUILT", "x.jsonl", "--protocol", "expected"], "unknown protocol 'expected'"),
    (["agreement", "BUILT"], "Name predictions files of people, or give --people"),
    (["predict", "BASE1", "BUILT", "--out", "o.jsonl"], "and cloze questions are needed here"),
    (
        ["train", "biomrc-attention-sum-local", "--data", "BUILT", "--out", "r"],
        "and cloze questions are needed here",
    ),
    (["import", "none.json", "--layout", "pubmedqa", "--out", "o"], "no such file"),
    (["export", "BUILT", "--layout", "parquet", "--out", "o"], "and cloze questions are needed here"),
    (["export", "BUILT", "--layout", "pubmedqa", "--setting", "Q", "--out", "o"], "unknown subset 'Q'"),
    (["sample", "BUILT", "--out", "o"], "and cloze questions are needed here"),
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
