"""Files of annotations: names of formats, ids of documents, papers that hold mentions, and the fixtures beside us."""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest

from anagnosis.documents.document import Document, Section
from anagnosis.entities.joining import join
from anagnosis.entities.third_party.reading import annotation_formats, read_annotations
from anagnosis.errors import InputError
from tests.entities.third_party.samples import SAMPLES


def ids(path: Path, format: str) -> list[tuple[str, int]]:
    return [(ident, len(listed)) for ident, listed, _ in read_annotations([path], format, Counter())]


def test_a_file_that_names_no_document_is_of_the_one_that_it_is_called_after(tmp_path: Path) -> None:
    path = tmp_path / "1234.ann"
    path.write_bytes(SAMPLES["brat"]().whole)
    assert ids(path, "brat") == [("1234", 3)]


def test_a_text_without_annotation_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<annotations textSource='a.txt'></annotations>", "utf-8")
    counts = Counter[str]()
    assert [listed for _, listed, _ in read_annotations([tmp_path], "knowtator", counts)] == [[]]
    assert counts["text_without_annotation"] == 1


def test_an_unknown_format_names_the_known(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="metamap"):
        list(read_annotations([tmp_path], "metamapp", Counter()))
    assert {"metamap", "brat", "knowtator", "pubtator", "bioc"} <= {*annotation_formats()}


def test_a_file_of_another_format_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.ann").write_text("hello\n", "utf-8")
    with pytest.raises(InputError, match=r"a\.ann:1: no annotations of brat"):
        list(read_annotations([tmp_path], "brat", Counter()))


def test_crafts_mondo_fits_its_articles(shared: Path) -> None:
    craft, counts = shared / "data" / "craft", Counter[str]()
    with tarfile.open(craft / "articles.tar.xz") as archive:
        members = [each for each in archive if "/txt/150" in each.name and each.name.endswith(".txt")]
        read = {Path(each.name).stem: archive.extractfile(each) for each in members}
        texts = {ident: file.read().decode() for ident, file in read.items() if file}
    for ident, listed, origins in read_annotations([craft / "concepts.tar.xz"], "knowtator", counts):
        if ident in texts:
            join(Document(ident, (Section("body", texts[ident]),)), listed, counts, origins=origins)
    assert counts["mention"] > 1000
    assert not counts["annotation_drift"]
