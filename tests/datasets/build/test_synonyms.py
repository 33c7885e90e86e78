"""The vocabulary of a build: used where it lies, or stored first."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.datasets.build.inputs import (
    opened_vocabulary,
    prepared_terms,
    term_choices,
    term_sources,
    terms_digest,
)
from anagnosis.errors import InputError

TABLE = "id\tname\tsynonyms\nC0015967\tFever\tfever|pyrexia\n"
RRF = (
    "C0015967|ENG|P|L1|PF|S1|Y|A1||||MSH|MH|D1|Fever|0|N|256|\n"
    "C0015967|ENG|S|L2|PF|S2|Y|A2||||MSH|ET|D1|Feverishness|0|O||\n"
    "C0015967|GER|P|L3|PF|S3|Y|A3||||MSHGER|MH|D1|Fieber|3|N||\n"
)


def test_a_stored_vocabulary_is_used_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TABLE)
    api.store_terms([tmp_path / "a.tsv"], tmp_path / "a.terms")
    read = term_sources([tmp_path / "a.terms"])
    found = prepared_terms([tmp_path / "a.terms"], read, tmp_path / "work")
    assert found is not None
    assert (found.path, found.name) == (str(tmp_path / "a.terms"), "a")
    assert not (tmp_path / "work").exists()


def test_files_of_terms_are_stored_once_with_suppressed_names_and_without_other_languages(
    tmp_path: Path,
) -> None:
    (tmp_path / "MRCONSO.RRF").write_text(RRF)
    (tmp_path / "more.tsv").write_text(TABLE)
    paths = [tmp_path / "MRCONSO.RRF", tmp_path / "more.tsv"]
    found = prepared_terms(paths, term_sources(paths), tmp_path / "work")
    assert found is not None
    assert found.name == "MRCONSO and more"
    assert set(opened_vocabulary(found.path).names("C0015967")) == {
        "Fever",
        "Feverishness",
        "fever",
        "pyrexia",
    }
    stored = Path(found.path)
    before = stored.stat().st_mtime_ns
    assert prepared_terms(paths, term_sources(paths), tmp_path / "work") == found
    assert stored.stat().st_mtime_ns == before


def test_the_receipt_names_each_source_with_its_digest(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(TABLE)
    read = term_sources([tmp_path / "a.tsv"])
    assert term_choices(read) == {"terms": [{"name": "a.tsv", "sha256": read[0].sha256}]}
    (tmp_path / "a.tsv").write_text(TABLE + "X\ty\t\n")
    assert terms_digest(term_sources([tmp_path / "a.tsv"])) != terms_digest(read)
    assert (term_choices([]), terms_digest([]), term_sources([]), prepared_terms([], [], tmp_path)) == (
        {},
        "",
        [],
        None,
    )


def test_standard_input_and_files_without_a_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read twice"):
        term_sources(["-"])
    (tmp_path / "a.tsv").write_text("id\tname\n")
    with pytest.raises(InputError, match="no term with a name"):
        prepared_terms([tmp_path / "a.tsv"], term_sources([tmp_path / "a.tsv"]), tmp_path)
