"""The verbs over documents."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def test_read_streams_and_tells_the_format_by_the_first_bytes() -> None:
    assert next(api.read(carried())).id == "ana0001"
    assert [document.id for document in api.read(SAMPLES / "bioc/two-documents.xml")] == ["900001", "900002"]
    assert [document.id for document in api.read(SAMPLES / "bioc/bare-list.json")] == ["900101", "900102"]


def test_read_counts_what_it_mends_and_refuses(tmp_path: Path) -> None:
    repairs = Repairs()
    assert len(list(api.read(carried(), repairs=repairs))) == 81
    assert (dict(repairs.counts), repairs.refused) == ({"mention_without_identifier": 5}, 0)
    latin = tmp_path / "latin.pubtator"
    latin.write_bytes("1|t|Café\n1|a|Short.\n\n".encode("latin-1"))
    refused = Repairs()
    assert list(api.read(latin, repairs=refused)) == []
    ((where, _),) = refused.refusals
    assert where == "latin.pubtator:1"
    (document,) = api.read(latin, encoding="latin-1")
    assert "Café" in str(document)


def test_a_format_that_is_named_is_not_guessed() -> None:
    with pytest.raises(InputError):
        list(api.read(carried(), format="bioc-json"))
    with pytest.raises(InputError, match="unknown format 'bioc-jsn'; did you mean bioc-json"):
        list(api.read(carried(), format="bioc-jsn"))


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_what_is_written_is_what_is_read(tmp_path: Path, suffix: str) -> None:
    documents = list(api.read(carried()))
    assert api.write(documents, tmp_path / f"d.pubtator{suffix}") == {}
    assert list(api.read(tmp_path / f"d.pubtator{suffix}")) == documents


def test_a_format_without_a_writer_is_refused_before_the_file_is_touched(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="jats can be read, not written"):
        api.write([], tmp_path / "out.xml", format="jats")
    with pytest.raises(
        InputError, match=r"^--to: unknown format 'html'; known: bioc-json, bioc-xml, jsonl, medline, nbib"
    ):
        api.write([], tmp_path / "out.xml", format="html")
    assert list(tmp_path.iterdir()) == []


def test_convert_joins_files_and_counts(tmp_path: Path) -> None:
    done = api.convert([carried(), SAMPLES / "bioc/two-documents.xml"], tmp_path / "all.pubtator")
    assert (done.documents, done.refused) == (83, 0)
    assert done.repairs["mention_without_identifier"] >= 5
    assert [document.id for document in api.read(tmp_path / "all.pubtator")][-2:] == ["900001", "900002"]


def test_generate_is_the_same_for_the_same_seed_and_a_longer_one_begins_alike(tmp_path: Path) -> None:
    assert api.generate(4, tmp_path / "a.pubtator", seed=3) == 4
    api.generate(4, tmp_path / "b.pubtator.gz", seed=3)
    api.generate(4, tmp_path / "c.pubtator", seed=4)
    api.generate(6, tmp_path / "d.pubtator", seed=3)
    a = (tmp_path / "a.pubtator").read_bytes()
    assert gzip.decompress((tmp_path / "b.pubtator.gz").read_bytes()) == a
    assert (tmp_path / "c.pubtator").read_bytes() != a
    assert (tmp_path / "d.pubtator").read_bytes().startswith(a)
    assert len(list(api.read(tmp_path / "a.pubtator"))) == 4
