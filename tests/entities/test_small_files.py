"""Every small file of a vocabulary or of annotations is read, or refused with the name of its fault."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from anagnosis import api
from anagnosis.entities.formats import TERM_FORMATS
from anagnosis.entities.third_party import ANNOTATION_FORMATS
from anagnosis.errors import InputError
from tests.entities.formats.samples import SAMPLES
from tests.entities.third_party.samples import SAMPLES as ANNOTATIONS
from tests.entities.third_party.samples import TEXT
from tests.rows import each_row


class Small(NamedTuple):
    """A small file. mentions: "word=identifier" of those in the note that it gives, or the line that refuses it.

    format: of annotations; "" for a vocabulary. beside: other files of the vocabulary.
    """

    mentions: str
    format: str = ""
    beside: Sequence[str] = ()


SMALL = {
    "MRCONSO.RRF": Small("heart attack=C9100001 HA=C9100001 fever=C9100002 MRI=C9100005 aspirin=C9100004"),
    "MRSTY.RRF": Small(
        "heart attack=C9100001 HA=C9100001 fever=C9100002 MRI=C9100005 aspirin=C9100004",
        beside=["MRCONSO.RRF"],
    ),
    "bad_cycle.obo": Small(
        "bad_cycle.obo:3: is_a leads from MU:1 back to itself (MU:1 → MU:2 → MU:3 → MU:1)"
    ),
    "bad_drift_clamp.txt": Small(
        "note.txt:1: 'heart attack' is annotated at 29–41, but the text of note reads", "clamp"
    ),
    "bad_missing_column.tsv": Small("bad_missing_column.tsv:1: no column name"),
    "clamp.txt": Small("heart attack=C9100001 fever=C9100002 MRI of the heart= aspirin=C9100004", "clamp"),
    "ctakes.xmi": Small(
        "heart attack=C9100001 fever=C9100002 MRI=C9100003 MRI=C9100005 heart= aspirin=C9100004", "ctakes"
    ),
    "ctakes_xcas.xml": Small("", "ctakes"),
    "d_sample.bin": Small("heart attack=D9100001 HA=D9100001"),
    "desc_sample.xml": Small("heart attack=D9100001 HA=D9100001"),
    "metamap.json": Small(
        "heart attack=C9100001 fever=C9100002 MRI of heart=C9100003 aspirin=C9100004", "metamap"
    ),
    "metamap.mmi": Small(
        "heart attack=C9100001 HA=C9100001 fever=C9100002 MRI of heart=C9100003 aspirin=C9100004", "metamap"
    ),
    "metamaplite.mmi": Small("heart attack=C9100001 fever=C9100002", "metamap"),
    "note.txt": Small("note.txt:1: no vocabulary format recognises its first bytes"),
    "supp_sample.xml": Small(""),
    "vocabulary.obo": Small(""),
    "vocabulary.tsv": Small("heart attack=X1 HA=X1 fever=X2 MRI=X5 aspirin=X4"),
}


def outcome(note: Path, sources: Sequence[Path], format: str, folder: Path) -> str:
    """The mentions that `annotate` writes, or the line that refuses."""
    try:
        if format:
            # A file that names no document is of the one that it is called after.
            (source,) = sources
            shutil.copy(source, folder / f"{note.stem}{source.suffix}")
            given = [(format, folder / f"{note.stem}{source.suffix}")]
            api.annotate([note], folder / "out.jsonl", format="text", annotations=given)
        else:
            api.annotate([note], folder / "out.jsonl", format="text", terms=list(sources), workers=1)
    except InputError as fault:
        assert not (folder / "out.jsonl").exists()
        return str(fault)
    (document,) = api.read(folder / "out.jsonl")
    return " ".join(f"{mention.text}={mention.identifier}" for mention in document.mentions)


@pytest.mark.shared
def test_all_small_files_are_in_the_table(shared: Path) -> None:
    assert sorted(SMALL) == sorted(file.name for file in (shared / "data/vocabularies/formats").iterdir())


@pytest.mark.shared
@each_row("file", SMALL)
def test_a_small_file_is_read_or_refused_by_its_fault(file: str, shared: Path, tmp_path: Path) -> None:
    folder, small = shared / "data/vocabularies/formats", SMALL[file]
    sources = [*(folder / other for other in small.beside), folder / file]
    found = outcome(folder / "note.txt", sources, small.format, tmp_path)
    assert found.startswith(small.mentions) if ":" in small.mentions else found == small.mentions
    assert "\n" not in found


CYCLE = "format-version: 1.2\n" + "".join(
    f"\n[Term]\nid: MU:{n}\nname: a{n}\nis_a: MU:{n % 3 + 1}\n" for n in (1, 2, 3)
)
NO_FORMAT = (
    f"no vocabulary format recognises its first bytes; give one of {', '.join(TERM_FORMATS)}; "
    "a table needs tabs and a header with id and name"
)
FAULTS = {
    "cycle.obo": (CYCLE, "", "cycle.obo:3: is_a leads from MU:1 back to itself (MU:1 → MU:2 → MU:3 → MU:1)"),
    "column.tsv": ("id\tsynonyms\nX1\tHA\n", "", "column.tsv:1: no column name"),
    "comma.tsv": ("id,name\nX1,HA\n", "", f"comma.tsv:1: {NO_FORMAT}"),
    "nohead.tsv": ("X1\tHA\n", "", f"nohead.tsv:1: {NO_FORMAT}"),
    "prose.txt": (TEXT, "", "prose.txt:1: no vocabulary format recognises its first bytes"),
    "drift.ann": ("T1\tx 13 25\theart attack\n", "brat", "1.ann:1: 'heart attack' is annotated at 13–25"),
}


@pytest.fixture
def note(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/1.txt").write_text(TEXT)
    return tmp_path / "notes/1.txt"


@pytest.mark.parametrize("name", FAULTS)
def test_a_file_of_ours_is_refused_by_its_fault(name: str, note: Path, tmp_path: Path) -> None:
    text, format, line = FAULTS[name]
    (tmp_path / name).write_text(text)
    found = outcome(note, [tmp_path / name], format, tmp_path)
    assert found.startswith(line)
    assert "\n" not in found


@pytest.mark.parametrize("format", TERM_FORMATS)
def test_a_vocabulary_of_ours_is_read(format: str, note: Path, tmp_path: Path) -> None:
    (tmp_path / "sample").write_text(SAMPLES[format])
    assert outcome(note, [tmp_path / "sample"], "", tmp_path).startswith("heart attack=C0000001")


@pytest.mark.parametrize("format", ANNOTATION_FORMATS)
def test_annotations_of_ours_are_read(format: str, note: Path, tmp_path: Path) -> None:
    (tmp_path / "sample").write_bytes(ANNOTATIONS[format]().whole)
    assert outcome(note, [tmp_path / "sample"], format, tmp_path) == "heart attack=C1 fever=C2 aspirin=C4"
