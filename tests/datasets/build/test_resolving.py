"""What of versions stays; a build or an import without an instance is an error and leaves what was there."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.articles import abstract, article, text
from tests.builds import contents

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.build.resolving import overruled
from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder.receipt import DocumentCounts, FileDocuments, Input, InstanceCounts, Receipt
from anagnosis.documents.document import Document
from anagnosis.documents.formats import jsonl
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.counts import MOST

EVENTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=30)


def one_by_one(events: list[tuple[int, int]]) -> tuple[set[int], set[int]]:
    """(deleted, superseded) places, by walking through what was read."""
    deleted: set[int] = set()
    here: dict[int, list[int]] = {}
    for place, (ident, version) in enumerate(events):
        if version:
            here.setdefault(ident, []).append(place)
        else:
            deleted |= set(here.pop(ident, ()))
    superseded = {
        place
        for places in here.values()
        for place in places
        if place != max(places, key=lambda each: (events[each][1], each))
    }
    return deleted, superseded


@given(EVENTS)
def test_the_newest_version_after_the_last_deletion_stays(events: list[tuple[int, int]]) -> None:
    ids = np.array([ident for ident, _ in events], np.uint64)
    versions = np.array([version for _, version in events], np.int64)
    deleted, superseded = overruled(ids, versions)
    assert (set(np.flatnonzero(deleted).tolist()), set(np.flatnonzero(superseded).tolist())) == one_by_one(
        events
    )


def spaced(path: Path) -> Path:
    """The carried documents with blanks where tabs belong."""
    path.write_bytes(carried().read_bytes().replace(b"\t", b"    "))
    return path


def test_blanks_instead_of_tabs_are_the_reason_and_no_rule_alone(tmp_path: Path) -> None:
    with pytest.raises(InputError) as told:
        api.build("biomrc", [spaced(tmp_path / "spaced.pubtator")], tmp_path / "out", workers=1)
    said = str(told.value)
    assert re.match(r"no instance could be built: of \d+ documents too_few_mentions dropped \d+", said)
    assert "; first at spaced.pubtator:1: a row that is no mention: id, start" in said
    assert "; correct the input, " in said


def test_a_build_of_nothing_leaves_no_folder_and_the_dataset_that_was_there(tmp_path: Path) -> None:
    source = spaced(tmp_path / "spaced.pubtator")
    with pytest.raises(InputError):
        api.build("biomrc", [source], tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()
    api.build("biomrc", [carried()], tmp_path / "out", workers=1)
    before = contents(tmp_path / "out")
    with pytest.raises(InputError, match="no instance could be built"):
        api.build("biomrc", [source], tmp_path / "out", workers=1, replace=True)
    assert contents(tmp_path / "out") == before


def test_the_first_hundred_places_stay_each_once() -> None:
    repairs = Repairs()
    for number in range(3 * MOST):
        repairs.note("a:1", "no tabs")
        repairs.refuse(f"a:{number}", "not closed")
    assert (len(set(repairs.refusals)), len(repairs.refusals), repairs.refused) == (MOST, MOST, 3 * MOST)
    assert repairs.left_out == [("a:1", "no tabs")]


def passing(*idents: int) -> list[Document]:
    """Papers that every rule of BIOMRC lets pass, each with a text of its own."""
    return [article(body=abstract((ident, 2, 2, 1, 1, ident)), ident=str(ident)) for ident in idents]


def as_lines(*documents: Document) -> bytes:
    written = io.BytesIO()
    jsonl.write(documents, written)
    return written.getvalue()


@pytest.mark.parametrize(("write", "ending"), [(text, ".pubtator"), (as_lines, ".jsonl")])
def test_the_receipt_says_of_each_file_what_became_of_its_papers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], write: Callable[..., bytes], ending: str
) -> None:
    gold, tagged, other = passing(11, 12, 13), passing(12, 13, 14, 14), passing(15, 14)
    dropped = article(title="Short", ident="16")
    files = {"gold": [*gold, dropped], "other": [dropped], "tagged": [dropped, *tagged], "z": other}
    for name, documents in files.items():
        (tmp_path / f"{name}{ending}").write_bytes(write(*documents))
    api.build("biomrc", [tmp_path / f"{name}{ending}" for name in files], tmp_path / "out", workers=1)
    receipt = receipts.load(tmp_path / "out")
    a, b = f"gold{ending}", f"tagged{ending}"
    assert [each.documents for each in receipt.inputs] == [
        FileDocuments(4, 3, 1),
        FileDocuments(1, 0, 1),
        FileDocuments(5, 1, 1, {a: 2, b: 1}),
        FileDocuments(2, 1, 0, {b: 1}),
    ]
    assert receipt.documents.dropped == {"title_too_short": 3, "repeated_id": 4}
    assert f"left out 2 of {b} for {a}, 1 of z{ending} for {b}; build from one" in capsys.readouterr().err


def test_repeated_texts_count_for_their_files_and_a_repetition_within_a_file_is_no_mixture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (paper,) = passing(11)
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files[0].write_bytes(text(paper, paper))
    files[1].write_bytes(text(msgspec.structs.replace(paper, id="12")))
    api.build("biomrc", files, tmp_path / "one", workers=1)
    assert "several files" not in capsys.readouterr().err
    dataset = api.build("biomrc", files, tmp_path / "two", workers=1, settings={"drop_repeated_text": True})
    assert [each.documents for each in receipts.load(dataset.folder).inputs] == [
        FileDocuments(2, 1, 0, {"a.txt": 1}),
        FileDocuments(1, 0, 0, {"a.txt": 1}),
    ]
    assert "left out 1 of b.txt for a.txt" in capsys.readouterr().err


def test_refused_papers_are_dropped_and_notices_of_deletion_are_no_papers(tmp_path: Path) -> None:
    citations = carried("medline").read_bytes()
    first = re.findall(rb"<PubmedArticle>.*?</PubmedArticle>", citations, re.DOTALL)[0]
    (deleted,) = re.findall(rb"<PMID[^>]*>(\d+)</PMID>", first)[:1]
    notice = b"<DeleteCitation><PMID>" + deleted + b"</PMID></DeleteCitation>"
    (tmp_path / "a.xml").write_bytes(citations)
    (tmp_path / "b.xml").write_bytes(
        b"<PubmedArticleSet>" + notice + first + b"<PubmedArticle/></PubmedArticleSet>"
    )
    dataset = api.build("pubmedqa", [tmp_path / "a.xml", tmp_path / "b.xml"], tmp_path / "out", workers=1)
    a, b = receipts.load(dataset.folder).inputs
    alone = api.build("pubmedqa", [tmp_path / "a.xml"], tmp_path / "alone", workers=1)
    counts = receipts.load(alone.folder).documents
    # The first citation passes the rules, and is read again behind its deletion.
    dropped = counts.read - counts.kept
    assert a.documents == FileDocuments(counts.read, counts.kept - 1, dropped + 1)
    assert b.documents == FileDocuments(2, 1, 1)


@pytest.mark.parametrize("block_bytes", [1, 8 << 20])
def test_a_paper_that_is_dropped_spells_no_type(block_bytes: int, tmp_path: Path) -> None:
    first = article(ident="1")
    again = article(body=abstract(["[[drug 8|chemical|MESH:D8]]", 2, 2, 1, 1]), ident="1")
    last = article(body=abstract([8, 2, 2, 1, 1]), ident="2")
    (tmp_path / "a.pubtator").write_bytes(text(first, again, last))
    api.build("biomrc", [tmp_path / "a.pubtator"], tmp_path / "out", workers=1, block_bytes=block_bytes)
    found = pq.read_table(tmp_path / "out/entities.parquet").to_pylist()
    assert {row["key"]: row["type"] for row in found}["chemical/MESH:D8"] == "Chemical"


def test_a_receipt_whose_files_have_other_papers_than_it_read_does_not_add_up(tmp_path: Path) -> None:
    files = [Input("a.txt", 1, "", FileDocuments(3, 3)), Input("b.txt", 1, "", FileDocuments(1, 0, 1))]
    counts = DocumentCounts(4, 3, {"no_abstract": 1}), InstanceCounts()
    receipt = Receipt("1", "", files, *counts, {}, [], {}, [])
    assert receipts.problems(receipt) == []
    wrong = msgspec.structs.replace(receipt, inputs=files[:1])
    assert receipts.problems(wrong) == ["documents: 4 read, but the files have 3"]
