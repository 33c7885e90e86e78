"""`anagnosis terms`, as a user drives it: store a vocabulary, describe it, annotate by it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

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


def test_annotate_does_the_same_by_the_stored_vocabulary_as_by_its_files(files: list[str], tmp_path: Path):
    anagnosis.store_terms(files, tmp_path / "stored.terms")
    done = [
        anagnosis.annotate([carried()], tmp_path / f"{name}.jsonl", terms=terms, workers=1)
        for name, terms in (("files", files), ("stored", [tmp_path / "stored.terms"]))
    ]
    assert done[0] == done[1]
    assert done[0].mentions > 0
    assert (tmp_path / "files.jsonl").read_bytes() == (tmp_path / "stored.jsonl").read_bytes()
