"""The dataset folder: written once, read by anybody, never made where something else lies."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow.parquet as pq
import pytest

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.entities import EntityRow, counted
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import DamagedError, InputError
from anagnosis.io import checksums
from anagnosis.io.files import sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from anagnosis.datasets.folder.store import Dataset

RECIPE = {"dataset": "biomrc"}


def made(count: int, first: int = 0) -> list[ClozeInstance]:
    return [
        ClozeInstance(f"{n}:0", f"{n}", "", "p", "q", (), (), (), None, ())
        for n in range(first, first + count)
    ]


def everything(dataset: Dataset) -> dict[str, list[ClozeInstance]]:
    return {split: list(store.instances(dataset, split)) for split in dataset.sizes}


def test_a_long_split_is_cut_into_parts_that_keep_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "GROUP_ROWS", 3)
    monkeypatch.setattr(writing, "PART_ROWS", 6)
    dataset = writing.write(tmp_path / "a", {"train": made(20), "test": made(1, 20)}, RECIPE)
    assert [path.name for path in dataset.parts("train")] == [
        f"train-0000{n}-of-00004.parquet" for n in range(4)
    ]
    assert [pq.read_metadata(path).num_rows for path in dataset.parts("train")] == [6, 6, 6, 2]
    assert pq.read_metadata(dataset.parts("train")[0]).num_row_groups == 2
    assert everything(dataset) == {"train": made(20), "test": made(1, 20)}
    assert dataset.sizes == {"train": 20, "test": 1}


def test_a_limit_stops_early(built: Dataset) -> None:
    assert list(store.instances(built, "train", 3)) == everything(built)["train"][:3]
    assert list(store.instances(built, "train", 0)) == []


def test_an_instance_is_found_by_its_id(built: Dataset) -> None:
    wanted = everything(built)["dev"][3]
    assert store.find(built, wanted.id) == ("dev", wanted)
    with pytest.raises(InputError, match="no instance '9:9'"):
        store.find(built, "9:9")


def test_a_split_that_is_not_there_is_told_with_those_that_are(built: Dataset) -> None:
    with pytest.raises(InputError, match="no split 'val'; its splits: train, dev, test"):
        list(store.instances(built, "val"))
    with pytest.raises(InputError, match="no split 'val'; its splits: train, dev, test"):
        _ = built["val"]


def test_the_fingerprint_holds_whatever_the_parts_and_the_order(
    built: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "GROUP_ROWS", 5)
    monkeypatch.setattr(writing, "PART_ROWS", 5)
    turned = {split: list(reversed(found)) for split, found in everything(built).items()}
    other = writing.write(tmp_path / "a", turned, built.recipe)
    for split in SPLITS:
        assert store.fingerprint(other, split) == store.fingerprint(built, split)
    assert len({store.fingerprint(built, split) for split in SPLITS}) == 3


def test_a_split_counts_its_instances_and_shows_them_in_a_view(
    built: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_GROUP", 7)
    split = built["dev"]
    assert list(built) == list(built.sizes)
    assert list(split) == everything(built)["dev"]
    assert len(split) == len(list(split)) == built.sizes["dev"]
    local = list(split.view("local"))
    assert [row["id"] for row in local] == [instance.id for instance in split]
    assert split.to_arrow("local").to_pylist() == local
    assert split.to_arrow().to_pylist() == list(split.view("global")) != local


def test_a_place_behind_the_last_instance_is_told_with_their_number(built: Dataset) -> None:
    rows = len(built["dev"])
    for place in (rows, -rows - 1):
        with pytest.raises(
            IndexError, match=f"no instance {place} in dev, which has {rows} instances; the first is 0"
        ):
            _ = built["dev"][place]


@pytest.mark.parametrize("method", ["to_pandas", "to_hf"])
def test_a_split_becomes_the_table_of_another_package(
    method: str, built: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = {"to_pandas": "pandas", "to_hf": "datasets"}[method]
    pytest.importorskip(package)
    table = getattr(built["dev"], method)(view="names")
    assert list(table["question"]) == [row["question"] for row in built["dev"].view("names")]
    assert method == "to_pandas" or str(table.split) == "validation"  # as which it goes to the hub
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=f"this needs {package}, which is not installed; pip install"):
        getattr(built["dev"], method)()


def test_hugging_face_datasets_never_opens_an_earlier_dataset(built: Dataset, tmp_path: Path) -> None:
    """One cache for all: after --replace, of another folder with the same last name, and of the same data again."""
    datasets = pytest.importorskip("datasets")
    every = [instance for split in built for instance in built[split]]

    def write(folder: Path, ids: str, **more: Any) -> list[str]:
        instances = [msgspec.structs.replace(each, id=f"{ids}{each.id}") for each in every]
        made = writing.write(folder, {"test": instances}, built.recipe, **more)
        opened = datasets.load_dataset(str(made.folder), cache_dir=str(tmp_path / "cache"))
        streamed = datasets.load_dataset(str(made.folder), streaming=True)
        assert [row["id"] for row in streamed["test"]] == opened["test"]["id"][:] == [e.id for e in instances]
        return opened.cache_files["test"]

    first = write(tmp_path / "mine", "")
    replaced = write(tmp_path / "mine", "new", replace=True)
    elsewhere = write(tmp_path / "b/mine", "other")
    assert first != replaced != elsewhere != first
    assert write(tmp_path / "c/mine", "") == first


@pytest.mark.parametrize(
    ("name", "damage", "line"),
    [
        ("", shutil.rmtree, "no such dataset folder; build one with `anagnosis build`, or check the path"),
        (
            "receipt.json",
            Path.unlink,
            "no receipt here; name a folder that `anagnosis build` or `import` made",
        ),
        ("recipe.toml", Path.unlink, "no readable recipe"),
        ("recipe.toml", lambda path: path.write_text("dataset = biomrc\n"), "no readable recipe"),
        ("recipe.toml", lambda path: path.write_bytes(b'dataset = "\xe9"\n'), "no readable recipe"),
    ],
)
def test_a_folder_that_cannot_be_opened_is_told(
    name: str, damage: Callable[[Path], object], line: str, copied: Callable[[], Path]
) -> None:
    folder = copied()
    damage(folder / name)
    with pytest.raises(InputError) as told:
        store.load(folder)
    assert line in str(told.value)
    assert name in str(told.value) or name == "receipt.json"


def readings(dataset: Dataset, split: str) -> Iterator[Callable[[], object]]:
    yield lambda: list(store.instances(dataset, split))
    yield lambda: store.fingerprint(dataset, split)
    yield lambda: store.find(dataset, "no such id")
    yield lambda: Gold.of(dataset, split)


def test_a_part_with_a_flipped_bit_is_refused_whatever_reads_it(copied: Callable[[], Path]) -> None:
    dataset = store.load(copied())
    (part,) = dataset.parts("train")
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    for reading in readings(dataset, "train"):
        with pytest.raises(
            DamagedError, match=r"train-0.*: is not the file that .* build or import the dataset"
        ):
            reading()
    assert list(store.instances(dataset, "dev")), "only the files that a command reads are verified"
    part.unlink()
    with pytest.raises(DamagedError, match=r"train-0.*: is gone; build or import the dataset again"):
        list(store.instances(dataset, "train"))


def test_a_part_is_hashed_once(built: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    (part,) = built.parts("dev")
    part.touch()
    monkeypatch.setattr(checksums, "sha256", lambda path: hashed.append(path) or sha256(path))
    for reading in readings(built, "dev"):
        with suppress(InputError):
            reading()
    assert hashed.count(str(part)) == 1


def test_nothing_in_the_folder_names_this_machine_or_the_time(built: Dataset) -> None:
    for name in ("receipt.json", "recipe.toml", "README.md"):
        text = (built.folder / name).read_text()
        assert str(built.folder.parent) not in text
        assert tempfile.gettempdir() not in text
    assert "202" not in msgspec.json.encode(built.receipt.choices).decode()


def test_a_fingerprint_is_the_hash_of_sorted_hashes_of_netstrings() -> None:
    one = hashlib.sha256(b"4:12:0,9:gene/9606,12:species/9606,").digest()
    two = hashlib.sha256(b"4:7:\xc3\xa9,").digest()
    expected = hashlib.sha256(b"".join(sorted([one, two]))).hexdigest()
    assert store.fingerprint_of([("12:0", ["species/9606", "gene/9606"]), ("7:é", [])]) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([("ab", ["c"])], [("a", ["bc"])]),
        ([("a", ["b", "c"])], [("a", ["b"]), ("c", [])]),
        ([("a", ["b,1:c"])], [("a", ["b", "c"])]),
        ([("1", ["2\n3"])], [("1", ["2", "3"])]),
        ([], [("", [])]),
        ([("a", [])], [("a", [""])]),
    ],
)
def test_no_signs_in_ids_or_keys_make_two_splits_look_alike(one: Any, other: Any) -> None:
    assert store.fingerprint_of(one) != store.fingerprint_of(other)


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
