"""The note beside annotated papers: what it holds, and when it does not count."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import anagnosis
from anagnosis.cli import run
from anagnosis.documents.document import Document, Section
from anagnosis.entities.origin import AnnotationOrigin, TermSource, noted_origin
from anagnosis.errors import InputError
from anagnosis.io.files import sha256
from tests.entities.third_party.samples import SAMPLES, TEXT


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.jsonl"
    anagnosis.write([Document("1", (Section("abstract", TEXT),))], path, format="jsonl")
    (tmp_path / "t.tsv").write_text("id\tname\tsemantic_type\nC2\tfever\tSign\n")
    return path


def test_the_vocabularies_and_what_was_chosen_stand_beside_the_papers(note: Path, tmp_path: Path) -> None:
    anagnosis.store_terms([tmp_path / "t.tsv"], tmp_path / "v.terms", without=["broad_scope"])
    terms, out = [tmp_path / "t.tsv", tmp_path / "v.terms"], tmp_path / "out.jsonl.gz"
    done = anagnosis.annotate([note], out, terms=terms, types=["sign"], without=["plurals"], workers=1)
    assert done.origin == AnnotationOrigin(
        terms=(
            TermSource("t.tsv", sha256(terms[0])),
            TermSource("v.terms", sha256(terms[1]), without=("broad_scope",)),
        ),
        types=("sign",),
        without=("plurals",),
    )
    assert noted_origin(out, sha256(out)) == done.origin
    assert json.loads((tmp_path / "out.annotation").read_bytes())["papers_sha256"] == sha256(out)


def test_annotations_have_their_format_and_the_minimum_score(note: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "mmi", tmp_path / "out.jsonl"
    folder.mkdir()
    (folder / "1.mmi").write_bytes(SAMPLES["metamap"]().whole)
    digest = hashlib.sha256(f"{sha256(folder / '1.mmi')}  1.mmi\n".encode()).hexdigest()
    for path, source in (
        (folder, TermSource("mmi", digest, format="metamap")),
        (folder / "1.mmi", TermSource("1.mmi", sha256(folder / "1.mmi"), format="metamap")),
    ):
        done = anagnosis.annotate(
            [note], out, annotations=[("metamap", path)], minimum_score=10, replace=True
        )
        assert done.origin == AnnotationOrigin(annotations=(source,), minimum_score=10.0)
        assert noted_origin(out, sha256(out)) == done.origin


def test_a_note_of_other_papers_does_not_count(note: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert noted_origin(out, "") is None
    anagnosis.annotate([note], out, terms=[tmp_path / "t.tsv"], workers=1)
    assert noted_origin(out, "0" * 64) is None
    (tmp_path / "out.annotation").write_text("{}")
    assert noted_origin(out, sha256(out)) is None


def test_a_file_of_the_user_in_the_notes_place_stays(note: Path, tmp_path: Path) -> None:
    (tmp_path / "out.annotation").write_text("mine")
    with pytest.raises(InputError, match=r"out\.annotation: is there already"):
        anagnosis.annotate([note], tmp_path / "out.jsonl", terms=[tmp_path / "t.tsv"], workers=1)
    assert not (tmp_path / "out.jsonl").exists()
    assert (tmp_path / "out.annotation").read_text() == "mine"


def test_standard_output_has_no_note(
    note: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["annotate", str(note), "--terms", "t.tsv", "--workers", "1", "--out", "-"]) == 0
    assert b"fever" in capsysbinary.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {"note.jsonl", "t.tsv"}
