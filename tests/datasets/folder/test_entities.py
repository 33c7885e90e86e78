"""Every entity of a dataset with its number and its counts."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.entities import EntityRow, counted
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance


def instance(document: str, start: int, *candidates: tuple[str, int]) -> ClozeInstance:
    made = tuple(Candidate(key, "Gene", number, ()) for key, number in candidates)
    return ClozeInstance(f"{document}:{start}", document, "", "", "", (), (), made, 0, ())


def test_an_article_is_counted_once_however_many_instances_it_has() -> None:
    rows: dict[str, EntityRow] = {}
    given = [
        instance("1", 0, ("gene/7", 0), ("gene/8", 1)),
        instance("1", 9, ("gene/7", 0), ("gene/8", 1)),
        instance("2", 0, ("gene/8", 1), ("@entity4", 4)),
    ]
    assert list(counted(given, rows)) == given
    assert rows == {
        "gene/7": EntityRow("gene/7", 0, "Gene", "7", 1, 2),
        "gene/8": EntityRow("gene/8", 1, "Gene", "8", 2, 3),
        "@entity4": EntityRow("@entity4", 4, "Gene", "@entity4", 1, 1),
    }


def test_counting_while_writing_gives_what_the_build_gave(built: Dataset, tmp_path: Path) -> None:
    copy = writing.write(tmp_path / "copy", {s: store.instances(built, s) for s in built.sizes}, built.recipe)
    ours, theirs = (pq.read_table(d.folder / "entities.parquet") for d in (copy, built))
    assert ours.equals(theirs)
