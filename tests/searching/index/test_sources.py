"""The files of an index: a paper keeps its id where its file changes, and what is not as it was is said."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed

from anagnosis import api
from anagnosis.errors import DamagedError
from anagnosis.searching.index.sources import FILE, PageFiles

SENTENCE = "Cold brew coffee raises the pH of the stomach less than espresso."


def paper(*notes: str) -> bytes:
    page = Page().text(50, 740, "Coffee and the stomach of people", size=20)
    page.text(50, 700, SENTENCE)
    for number, note in enumerate(notes):
        page.text(50, 600 - 20 * number, note)
    return printed(page)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "coffee.pdf").write_bytes(paper())
    api.index([tmp_path / "papers"], tmp_path / "index")
    return tmp_path


def test_an_answer_names_the_page_of_its_file(folder: Path) -> None:
    answer = api.ask(folder / "index", "Does cold brew raise the pH of the stomach?")
    assert answer.evidence[0].text == SENTENCE
    assert answer.evidence[0].pages == answer.evidence[0].passage.pages == (1,)
    address = f"{folder / 'papers' / 'coffee.pdf'}#page=1"
    assert answer.evidence[0].file == address
    assert api.search(folder / "index", "cold brew").found[0].file == address


def test_a_paper_keeps_its_id_where_its_file_changes(folder: Path) -> None:
    path, index = folder / "papers" / "coffee.pdf", folder / "index"
    (before,) = {hit.passage.document for hit in api.search(index, "coffee").found}
    path.write_bytes(paper("Somebody wrote a note into this file of theirs."))
    done = api.index([path], index)
    assert (done.documents, done.counts) == (1, {"replaced": 1})
    (hit,) = api.search(index, "note").found
    assert hit.passage.document == before
    assert PageFiles(index).path_of(hit.passage.page_map[:16]) == path


def test_copies_of_a_file_are_one_paper_of_which_one_place_is_enough(folder: Path) -> None:
    copy = folder / "copy.pdf"
    copy.write_bytes(paper())
    assert api.index([copy], folder / "index").documents == 1
    copy.unlink()
    assert api.search(folder / "index", "coffee").found[0].file.startswith(str(folder / "papers"))


def test_a_damaged_list_of_files_is_said(folder: Path) -> None:
    place = folder / "index" / FILE
    place.write_text(place.read_text().replace('"document"', '"dokument"'))
    with pytest.raises(DamagedError):
        PageFiles(folder / "index")
    assert any(FILE in problem for problem in api.check(folder / "index").problems)


def test_papers_in_an_archive_are_not_one_paper(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "papers.zip", "w") as archive:
        for number in range(3):
            archive.writestr(
                f"{number}.pdf", paper(f"Note number {number} was written into this file of theirs.")
            )
    done = api.index([tmp_path / "papers.zip"], tmp_path / "index")
    assert done.documents == 3
    assert not (tmp_path / "index" / FILE).exists()


def test_another_paper_at_a_path_has_an_id_of_its_own(folder: Path) -> None:
    path, index = folder / "papers" / "coffee.pdf", folder / "index"
    path.rename(path.with_name("espresso.pdf"))
    page = Page().text(50, 740, "Tea and the sleep of people", size=20)
    path.write_bytes(
        printed(page.text(50, 700, "Green tea was drunk by one half of all people in the evening."))
    )
    assert api.index([path.parent], index).documents == 2


def test_the_file_of_a_paper_that_is_removed_is_forgotten(folder: Path) -> None:
    (hit,) = api.search(folder / "index", "coffee").found
    digest = hit.passage.page_map[:16]
    assert PageFiles(folder / "index").path_of(digest) is not None
    api.index([], folder / "index", remove=[hit.passage.document])
    assert PageFiles(folder / "index").path_of(digest) is None
