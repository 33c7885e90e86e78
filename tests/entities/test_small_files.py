"""Every small file of a vocabulary or of annotations is read, or refused with the name of its fault."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from anagnosis import api
from anagnosis.errors import InputError
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
    "bad_cycle.obo": Small(""),  # we follow no is_a
    "bad_drift_clamp.txt": Small(
        "note.txt:1: 'heart attack' is annotated at 29–41, but the text of note reads", "clamp"
    ),
    "bad_missing_column.tsv": Small("bad_missing_column.tsv:1: no column name"),
    "clamp.txt": Small("heart attack=C9100001 fever=C9100002 MRI of the heart= aspirin=C9100004", "clamp"),
    **{
        file: Small(f"{file}:1: no vocabulary format recognises its first bytes")
        for file in ("ctakes.xmi", "ctakes_xcas.xml", "d_sample.bin", "note.txt")
    },
    "desc_sample.xml": Small("heart attack=D9100001 HA=D9100001"),
    "metamap.json": Small("note.json:1: no annotations of metamap; name another format", "metamap"),
    "metamap.mmi": Small(
        "heart attack=C9100001 HA=C9100001 fever=C9100002 MRI of heart=C9100003 aspirin=C9100004", "metamap"
    ),
    "metamaplite.mmi": Small("heart attack=C9100001 fever=C9100002", "metamap"),
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
@each_row("file", SMALL)
def test_a_small_file_is_read_or_refused_by_its_fault(file: str, shared: Path, tmp_path: Path) -> None:
    folder, small = shared / "data/vocabularies/formats", SMALL[file]
    assert sorted(SMALL) == sorted(each.name for each in folder.iterdir())
    sources = [*(folder / other for other in small.beside), folder / file]
    found = outcome(folder / "note.txt", sources, small.format, tmp_path)
    assert found.startswith(small.mentions) if ":" in small.mentions else found == small.mentions
    assert "\n" not in found
