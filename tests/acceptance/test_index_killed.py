"""An indexing that is killed at any moment continues with the same command, and ends as one that nobody disturbed."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks.invented_papers import documents
from tests.documents.formats.pdf.printed import Page, printed
from tests.documents.libraries.zotero_folders import ZoteroFolder
from tests.killing import Killing

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api, cli
from anagnosis.api import indexing as api_indexing
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index import index as indexing
from anagnosis.searching.records.hits import Counts, SearchAnswer
from anagnosis.searching.records.passage import Passage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")

QUESTIONS = ("Does cold brew coffee raise gastric pH?", "stay after surgery", "patients")
PAPERS_OF_A_COMMIT = 50


def committing_often(arguments: list[str]) -> int:
    """The command line, with commits so small that a few papers have many."""
    indexing._PAPERS, api_indexing._TOGETHER = PAPERS_OF_A_COMMIT, 20  # pyright: ignore[reportPrivateUsage]
    return cli.run(arguments)


def everything(out: Path) -> tuple[Counts, str, list[list[Passage]], list[SearchAnswer]]:
    """All passages of an index, and what is found in it."""
    index = indexing.open_index(out)
    documents = [index.stored(ident).passages for ident in sorted(one.name for one in index.engine.every())]
    found = [api.search(index, question, limit=20) for question in QUESTIONS]
    return index.count(), index.settings.unfinished, documents, found


def committing_each_paper(arguments: list[str]) -> int:
    """The command line, with a commit for each paper."""
    indexing._PAPERS = api_indexing._TOGETHER = 1  # pyright: ignore[reportPrivateUsage]
    return cli.run(arguments)


def everything_of_a_library(out: Path) -> object:
    """All passages of an index without their scores, and what is known of the library and of its files.

    An entry is replaced when its file has been read, and a replaced passage counts in scores for a while.
    """
    count, unfinished, documents, found = everything(out)
    known = (out / "libraries.json").read_bytes(), (out / "files.json").read_bytes()
    return (
        count,
        unfinished,
        documents,
        [{one.passage.document for one in each.found} for each in found],
        known,
    )


@pytest.fixture
def trial(tmp_path: Path) -> Killing:
    """Papers of which none comes twice: a replaced passage counts in scores until its file is merged."""
    papers = [str(tmp_path / "once.jsonl"), str(tmp_path / "synthetic.pubtator")]
    once = {paper.id: paper for paper in api.read(carried("medline")) if "deleted" not in paper.facts}
    api.write(once.values(), papers[0])
    api.write(documents(30, seed=2), papers[1])
    return Killing(
        committing_often, lambda out: ["-q", "index", *papers, "--out", str(out)], everything, tmp_path
    )


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_killed_at_any_moment_the_same_command_continues(kills: int, trial: Killing) -> None:
    trial.check(kills=kills, seed=28)


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_an_index_that_grows_is_killed_and_the_same_command_continues(
    kills: int, trial: Killing, tmp_path: Path
) -> None:
    words = [*trial.arguments(tmp_path / "first")]
    assert cli.run([word for word in words if not word.endswith("once.jsonl")]) == 0

    def grown(out: Path) -> None:
        shutil.copytree(tmp_path / "first", out)

    (tmp_path / "grown").mkdir()
    Killing(committing_often, trial.arguments, everything, tmp_path / "grown", before=grown).check(
        kills=kills, seed=30
    )


@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_a_library_whose_files_are_read_ahead_is_killed_and_the_same_command_continues(
    kills: int, tmp_path: Path
) -> None:
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
    zotero = ZoteroFolder(tmp_path / "Zotero")
    for number in range(9):
        item = zotero.item(title=f"Paper {number} of patients")
        page = Page().text(50, 700, f"Cup number {number} of coffee was given to patients after surgery.")
        Path(zotero.stored(zotero.attach(item))).write_bytes(printed(page))
    Killing(
        committing_each_paper,
        lambda out: ["-q", "index", str(zotero.folder), "--workers", "2", "--out", str(out)],
        everything_of_a_library,
        tmp_path,
    ).check(kills=kills, seed=50)


def test_the_call_that_was_stopped_goes_on_with_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two records in one run the one that tells more is kept, while a later run would take the one it is given."""
    records = (
        Document("1", (Section("title", "Tea"), Section("abstract", "Tea helps, and more than salt does."))),
        Document("1", (Section("title", "Tea"), Section("abstract", "Tea helps."))),
    )
    papers = [tmp_path / "long.jsonl", tmp_path / "short.jsonl"]
    for path, record in zip(papers, records, strict=True):
        api.write([record], path)
    add, added = indexing.Index.add_all, list[str]()

    def stopped(
        self: indexing.Index, documents: Sequence[tuple[str, Document]], counts: Counter[str]
    ) -> None:
        if added:
            raise KeyboardInterrupt
        added.extend(document.id for _, document in documents)
        add(self, documents, counts)

    with monkeypatch.context() as patch:
        patch.setattr("anagnosis.api.indexing._TOGETHER", 1)
        patch.setattr(indexing.Index, "add_all", stopped)
        with pytest.raises(KeyboardInterrupt):
            api.index(papers, tmp_path / "index")
    assert indexing.open_index(tmp_path / "index").settings.unfinished
    assert api.index(papers, tmp_path / "index").counts == {"repeated": 1, "unchanged": 1}
    later = indexing.open_index(tmp_path / "index")
    assert later.stored("1").passages[0].text == records[0].sections[1].text
    assert (later.settings.unfinished, later.settings.runs) == ("", 1)
    assert api.index(papers[1:], tmp_path / "index").counts == {"unchanged": 1}


def test_what_a_kill_leaves_of_a_new_index_is_unfinished_and_no_other_file_is_taken(trial: Killing) -> None:
    out = trial.folder / "begun"
    out.mkdir()
    (out / ".index.json.part").write_bytes(b"{")
    assert trial.run(out).code == 0
    assert everything(out) == trial.undisturbed[0]
    (out / "embedded/meta.json").unlink()
    assert trial.run(out).code == 2
