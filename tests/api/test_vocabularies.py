"""`anagnosis terms`, as a user drives it: store a vocabulary, describe it, annotate by it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from tests.refusals import refused

import anagnosis
from anagnosis.cli import run
from anagnosis.corpus import carried

TABLE = (
    "id\tname\tsynonyms\tsemantic_type\n"
    "D009203\tMyocardial Infarction\theart attack|Infarct, Myocardial\tDisease\n"
    "D009369\tNeoplasms\ttumor\tDisease\n"
    "D001241\tAspirin\tASA\tChemical\n"
    "D008775\tCold\tASA\tDisease\n"
)
OBO = (
    "format-version: 1.2\n\n[Term]\nid: DOID:162\nname: cancer\nxref: MESH:D009369\n"
    'synonym: "malignancy" BROAD []\n\n[Term]\nid: DOID:2\nname: old\nis_obsolete: true\n'
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "t.tsv").write_text(TABLE)
    (tmp_path / "d.obo").write_text(OBO)
    return [str(tmp_path / "t.tsv"), str(tmp_path / "d.obo")]


@pytest.fixture
def stored(files: list[str], tmp_path: Path) -> str:
    anagnosis.store_terms(files, tmp_path / "stored.terms")
    return str(tmp_path / "stored.terms")


def test_storing_prints_numbers_and_what_each_rule_left_out(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["terms", *files, "--out", str(tmp_path / "v"), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    digests = [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files]
    assert made == {
        "concepts": 4,
        "names": 9,
        "files": [{"name": "t.tsv", "sha256": digests[0]}, {"name": "d.obo", "sha256": digests[1]}],
        "without": [],
        "left_out": {"broad_scope": 1, "joined_by_reference": 1, "obsolete_term": 1},
        "replaced": False,
    }
    assert run(["terms", *files, "--without", "broad_scope", "--replace", "--out", str(tmp_path / "v")]) == 0
    printed = capsys.readouterr().out
    assert "concepts 4, names 10\nfiles:\n  t.tsv: " in printed
    assert "without:\n  broad_scope\n" in printed
    assert "broad_scope  " not in printed


def test_equal_input_gives_equal_bytes_and_an_earlier_vocabulary_is_overwritten(
    files: list[str], stored: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    before = Path(stored).read_bytes()
    assert run(["terms", *files, "--replace", "--out", stored]) == 0
    assert Path(stored).read_bytes() == before
    Path(stored).write_bytes(before[:-1])  # no longer an unchanged output
    assert "--replace" in refused(["terms", *files, "--out", stored], capsys)


def test_a_stored_vocabulary_describes_itself(
    files: list[str], stored: str, capsys: pytest.CaptureFixture[str]
):
    assert run(["terms", stored]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("concepts 4, names 9\nfiles:\n  t.tsv: ")
    assert "obsolete_term" in printed
    assert run(["terms", stored, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["names"] == 9


def test_annotate_does_the_same_by_the_stored_vocabulary_as_by_its_files(
    files: list[str], stored: str, tmp_path: Path
):
    done = [
        anagnosis.annotate([carried()], tmp_path / f"{name}.jsonl", terms=terms, workers=1)
        for name, terms in (("files", files), ("stored", [stored]))
    ]
    assert done[0] == done[1]
    assert done[0].mentions > 0
    assert (tmp_path / "files.jsonl").read_bytes() == (tmp_path / "stored.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            "{stored} --out v",
            "stored.terms: is a stored vocabulary already; name the files that it was made from",
        ),
        ("- --out v", "standard input: is no file to store; save it and name the file"),
        ("{stored} {stored}", "name one stored vocabulary, or --out to store the files"),
        ("{stored} --without broad_scope", "--without is for storing: name --out"),
        ("{stored} --replace", "--replace is for storing: name --out"),
        ("{files}", "t.tsv: is no stored vocabulary; give a file that"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    words: str,
    line: str,
    files: list[str],
    stored: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    assert line in refused(["terms", *words.format(files=files[0], stored=stored).split()], capsys)
    assert not (tmp_path / "v").exists()
