"""The vocabulary of an index: stored, kept while the index grows, replaced, dropped and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.index.index import open_index
from anagnosis.searching.records.hits import ExpansionOptions
from anagnosis.searching.synonyms.stored_terms import FILE

TABLE = "id\tname\tsynonyms\nX1\tMyocardial infarction\theart attack\n"


@pytest.fixture
def terms(tmp_path: Path) -> Path:
    path = tmp_path / "terms.tsv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    path = tmp_path / "papers.jsonl"
    path.write_text('{"_id": "d1", "title": "Heart attack", "text": "A heart attack is an emergency."}\n')
    return path


@pytest.fixture
def folder(tmp_path: Path, papers: Path, terms: Path) -> Path:
    done = api.index([papers], tmp_path / "index", terms=[terms])
    assert done.terms is not None
    assert (done.terms.concepts, done.terms.names) == (1, 2)
    assert done.terms.files[0][0].endswith("terms.tsv")
    return tmp_path / "index"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_terms_stay_while_the_index_grows(folder: Path, tmp_path: Path) -> None:
    before = (folder / FILE).read_bytes()
    more = tmp_path / "more.jsonl"
    more.write_text('{"_id": "d2", "title": "Tea", "text": "Tea and sleep."}\n')
    done = api.index([more], folder)
    assert done.documents == 2
    assert done.terms is not None
    assert (folder / FILE).read_bytes() == before
    assert api.check(folder).problems == []


def test_the_same_terms_are_the_same_bytes_however_often_they_are_given(folder: Path, terms: Path) -> None:
    before = names(folder), (folder / FILE).read_bytes()
    api.index([], folder, terms=[terms])
    assert (names(folder), (folder / FILE).read_bytes()) == before


def test_an_index_opens_its_terms_once(folder: Path) -> None:
    opened = open_index(folder)
    others = [opened.expanding(ExpansionOptions(without=(name,))) for name in ("a", "b")]
    assert opened.terms is not None
    assert all(other.terms is opened.terms for other in others)
    opened.close()


def test_other_terms_replace_the_earlier_ones(folder: Path, terms: Path) -> None:
    terms.write_text(TABLE.replace("heart attack", "cardiac infarct"))
    api.index([], folder, terms=[terms])
    opened = open_index(folder)
    assert opened.terms is not None
    assert opened.terms.names("cardiac infarct") is not None
    assert opened.terms.names("heart attack") is None
    opened.close()


def test_terms_are_dropped(folder: Path) -> None:
    assert api.index([], folder, no_terms=True).terms is None
    assert names(folder) == ["embedded", "index.json"]
    opened = open_index(folder)
    assert opened.terms is None
    opened.close()


def test_damaged_terms_are_reported(folder: Path, tmp_path: Path) -> None:
    path = folder / FILE
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    (problem,) = api.check(folder).problems
    assert problem.startswith(f"{FILE}: ")
    assert "--no-terms" in problem
    with pytest.raises(DamagedError):
        api.index([tmp_path / "papers.jsonl"], folder)
    assert "unfinished" not in api.check(folder).counts
    api.index([], folder, no_terms=True)
    assert api.check(folder).problems == []


def test_terms_and_none_at_once_are_refused(papers: Path, terms: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at once"):
        api.index([papers], tmp_path / "new", terms=[terms], no_terms=True)
    with pytest.raises(InputError, match="nothing to index"):
        api.index([], tmp_path / "new", terms=[terms])
    assert not (tmp_path / "new").exists()


def test_terms_that_cannot_be_read_leave_no_folder(papers: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text("")
    with pytest.raises(InputError, match="empty"):
        api.index([papers], tmp_path / "new", terms=[tmp_path / "empty.tsv"])
    assert not (tmp_path / "new").exists()
