"""What the choices of `anagnosis build` do, a limit and a split by document; and a build that is imported again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builds import Builder, sources

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.datasets.folder.store import Dataset


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sources(tmp_path_factory.mktemp("sources"))


def test_a_file_that_the_limit_cuts_short_has_no_hash(paths: list[Path], tmp_path: Path) -> None:
    carried_file, synthetic_file = Builder(paths, tmp_path)("out", limit=100).receipt.inputs
    assert carried_file.sha256
    assert (synthetic_file.bytes, synthetic_file.sha256) == (paths[1].stat().st_size, "")


def test_a_split_by_document_stays_when_documents_come_and_go(paths: list[Path], tmp_path: Path) -> None:
    build = Builder(paths[1:2], tmp_path)
    settings = {"split": "document", "split_weights": {"train": 2, "dev": 1, "test": 1}}
    few, all_of_them = build("few", settings=settings, limit=20), build("all", settings=settings)

    def documents(dataset: Dataset, split: str) -> set[str]:
        return {instance.document for instance in store.instances(dataset, split)}

    chosen = set[str]().union(*(documents(few, split) for split in few.sizes))
    for split in ("train", "dev", "test"):
        assert documents(few, split) == documents(all_of_them, split) & chosen
    seeded = build("seed", settings={**settings, "seed": 1})
    assert documents(seeded, "train") != documents(all_of_them, "train")


@pytest.mark.parametrize("setting", ["A", "B"])
def test_a_corpus_with_two_spellings_of_each_type_comes_back_sound(setting: str, tmp_path: Path) -> None:
    """The bundled corpus twice, the second time with other ids and other spellings of the types."""
    text = carried().read_text("utf-8")
    other = text.replace("ana0", "bob0")
    for type, spelling in (("Species", "OrganismTaxon"), ("Disease", "disease")):
        other = other.replace(f"\t{type}\t", f"\t{spelling}\t")
    (tmp_path / "mixed.pubtator").write_text(text + other, "utf-8")
    built = api.build("biomrc", [tmp_path / "mixed.pubtator"], tmp_path / "built")
    api.export(built, tmp_path / "authors", setting=setting)
    back = api.import_dataset(tmp_path / "authors", tmp_path / "back", setting=setting)
    assert back.sizes == built.sizes
    assert not back.receipt.repairs
    assert api.check(back).sound
