"""The authors' files by their names and hashes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.datasets.biomrc import published
from anagnosis.datasets.biomrc.published import Published, PublishedSource, file_name, identify, sources
from anagnosis.errors import InputError


def folder_of(names: list[str], folder: Path) -> Path:
    for name in names:
        (folder / name).write_text("{}")
    return folder


def test_the_fourteen_published_files_are_known() -> None:
    files = published.published()
    assert len(files) == 14
    assert sum(file.instances for file in files if "large" in file.name and "_B" not in file.name) == 812_707
    assert sum(file.instances for file in files if "small" in file.name and "_B" in file.name) == 100_000
    assert all(len(file.sha256) == 64 and file.bytes > 0 for file in files)


def test_a_file_is_published_if_size_and_hash_are_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "any-name"
    path.write_bytes(b"abc")
    known = Published("set/file", 1, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    monkeypatch.setattr(published, "published", lambda: (known,))
    assert identify(path) == known
    path.write_bytes(b"abd")
    assert identify(path) is None
    path.write_bytes(b"abcd")
    assert identify(path) is None


@each_row(
    ("name", "split", "size", "setting"),
    [
        ("dataset_train.json", "train", "large", "A"),
        ("dataset_val_B.json.gz", "dev", "large", "B"),
        ("dataset_test_small.json.gz", "test", "lite", "A"),
        ("dataset_val_small_B.json", "dev", "lite", "B"),
        ("dataset_tiny.json", "test", "tiny", "A"),
        ("dataset_tiny_B.json.zst", "test", "tiny", "B"),
    ],
)
def test_a_name_says_split_size_and_setting(
    name: str, split: str, size: str, setting: str, tmp_path: Path
) -> None:
    path = folder_of([name], tmp_path) / name
    assert sources(path) == [PublishedSource(path, split, size, setting)]
    assert file_name(split, size, setting) == name.split(".")[0] + ".json"


def test_a_folder_gives_its_files_in_the_order_train_dev_test(tmp_path: Path) -> None:
    folder_of(
        ["dataset_test_small.json", "dataset_val_small.json", "dataset_train_small.json", "README"], tmp_path
    )
    assert [source.split for source in sources(tmp_path)] == ["train", "dev", "test"]


def test_a_setting_is_chosen_where_a_folder_holds_both(tmp_path: Path) -> None:
    folder_of(["dataset_train.json", "dataset_train_B.json", "dataset_val.json"], tmp_path)
    with pytest.raises(
        InputError, match=r"dataset_train\.json, dataset_train_B\.json, dataset_val\.json; choose a setting"
    ):
        sources(tmp_path)
    assert [s.path.name for s in sources(tmp_path, setting="A")] == ["dataset_train.json", "dataset_val.json"]
    assert [s.path.name for s in sources(tmp_path, setting="B")] == ["dataset_train_B.json"]


@pytest.mark.parametrize(
    "names",
    [
        ["dataset_train.json", "dataset_train_small.json"],
        ["dataset_train.json", "dataset_test_small.json"],
        ["dataset_test.json", "dataset_tiny.json"],
        ["dataset_test.json", "dataset_test.json.gz"],
    ],
)
def test_several_sets_in_one_folder_are_refused_naming_the_files(names: list[str], tmp_path: Path) -> None:
    folder_of(names, tmp_path)
    with pytest.raises(InputError) as fault:
        sources(tmp_path)
    assert all(name in str(fault.value) for name in names)
    assert "\n" not in str(fault.value)


@each_row(
    ("name", "options", "line"),
    [
        ("absent.json", {}, "no such file or folder"),
        ("mine.json", {}, "does not say which split"),
        ("mine.json", {"split": "validation"}, "unknown split 'validation'"),
        ("mine.json", {"split": "dev", "setting": "C"}, "unknown setting 'C'"),
        ("", {"split": "dev"}, "a folder names its splits itself"),
        ("", {}, "no file under one of the authors' names"),
        ("-", {}, "read several times"),
    ],
)
def test_what_cannot_be_a_set_is_refused_in_one_line(
    name: str, options: dict[str, str], line: str, tmp_path: Path
) -> None:
    folder_of(["mine.json"], tmp_path)
    with pytest.raises(InputError, match=line):
        sources(name if name == "-" else tmp_path / name, **options)


def test_a_file_under_another_name_takes_the_split_it_is_given(tmp_path: Path) -> None:
    path = folder_of(["mine.json"], tmp_path) / "mine.json"
    assert sources(path, split="dev") == [PublishedSource(path, "dev", "", "A")]
