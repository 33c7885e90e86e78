"""Records of several sources become the same papers in any order of the inputs, in one call or several."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from typing import TYPE_CHECKING

from anagnosis import api
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.papers.records import Record
from anagnosis.searching.records.passage import Paper, Passage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DOI = "10.5555/anagnosis.0027"
Papers = dict[str, tuple[list[Passage], list[Record], Paper]]


def indexed(out: Path, *calls: Sequence[Path]) -> Index:
    for paths in calls:
        api.index(paths, out)
    return open_index(out)


def papers(index: Index) -> Papers:
    """Everything that is stored, without the numbers of runs."""
    found: Papers = {}
    for stored in index.engine.every():
        records = [msgspec.structs.replace(one, run=0) for one in stored.records]
        found[stored.name] = index.stored(stored.name).passages, records, index.stored(stored.name).paper
    return found


def by_identifier(there: Papers) -> Counter[str]:
    """Each PMID and PMC number with the number of papers that have it."""
    return Counter(
        alias
        for _, _, about in there.values()
        for alias in about.aliases
        if alias.startswith(("pmid:", "pmcid:"))
    )


@pytest.mark.slow
def test_four_collections_in_any_order_and_number_of_calls(shared: Path, tmp_path: Path) -> None:
    folders = [shared / "data" / name for name in ("jats", "structured_abstracts", "cord19", "medline")]
    first = papers(indexed(tmp_path / "one", folders))
    assert papers(indexed(tmp_path / "four", *([folder] for folder in reversed(folders)))) == first
    assert max(by_identifier(first).values()) == 1
    joined = [about for _, _, about in first.values() if about.sources]
    assert len(joined) == 990


@pytest.fixture
def inputs(tmp_path: Path) -> list[Path]:
    """The bundled papers as MEDLINE and PubTator have them, and lines about some of them with other identifiers."""
    lines = tmp_path / "more.jsonl"
    text = "Cold brew was less acid than espresso in all of the forty volunteers that we asked."
    more = [
        Document("PMC9", (Section("title", "Other words"), Section("body", text)), facts={"doi": DOI}),
        Document("mine", (Section("title", "A note"), Section("abstract", text)), facts={"pmcid": "PMC9"}),
    ]  # fmt: skip
    api.write(more, lines, format="jsonl")
    return [carried("medline"), carried(), lines]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_bundled_papers_in_any_order_and_number_of_calls(
    order: tuple[int, ...], inputs: list[Path], tmp_path: Path
) -> None:
    there = papers(indexed(tmp_path / "one", inputs))
    assert papers(indexed(tmp_path / "several", *([inputs[number]] for number in order))) == there
    _, records, _ = there["99000027"]
    assert {"jsonl:PMC9", "jsonl:mine", "medline:99000027"} <= {one.label for one in records}
    assert max(by_identifier(there).values()) == 1


def test_a_paper_has_all_its_ids_and_a_removed_record_leaves_the_others(
    inputs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = indexed(tmp_path / "index", inputs)
    for ident in (
        "99000027",
        "PMC9",
        "mine",
        "10.5555/ANAGNOSIS.0027",
        "pmid:99000027",
        "https://doi.org/10.5555/anagnosis.0027",
    ):
        assert index.name(ident) == "99000027", ident
    assert run(["index", "--out", str(tmp_path / "index"), "--remove", "jsonl:PMC9"]) == 0
    there = papers(open_index(tmp_path / "index"))
    assert {one.label for one in there["mine"][1]} == {"jsonl:mine"}
    assert {one.id for one in there["99000027"][1]} == {"99000027"}
    assert "stand alone" not in capsys.readouterr().out
