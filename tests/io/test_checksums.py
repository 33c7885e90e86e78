"""A stored file is compared with its checksum before it is believed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.datasets.folder.dataset_check import DatasetCheck
from anagnosis.errors import DamagedError, InputError
from anagnosis.io import checksums, paths
from anagnosis.io.checksums import (
    SHOWN,
    FolderCheck,
    digests,
    is_intact,
    read_checked_json,
    verified,
    verify_all,
    write_checked_json,
)
from anagnosis.searching.index.index_check import IndexCheck

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


class Facts(msgspec.Struct):
    reader: str
    loss: float = 0.5
    files: dict[str, Any] = {}


@given(st.dictionaries(st.text(), VALUES, max_size=5), st.floats(allow_nan=False, allow_infinity=False))
def test_any_value_comes_back(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, Any], loss: float
) -> None:
    path, value = tmp_path_factory.mktemp("checked") / "a.json", Facts("x", loss, files)
    write_checked_json(path, value)
    assert read_checked_json(path, Facts, "again") == value


def test_every_flipped_bit_that_changes_the_value_is_found(tmp_path: Path) -> None:
    path, value = tmp_path / "a.json", Facts("attention-sum", 0.25, {"recipe.toml": "0a1b"})
    write_checked_json(path, value)
    data = path.read_bytes()
    refused = 0
    for place in range(8 * len(data)):
        harmed = bytearray(data)
        harmed[place // 8] ^= 1 << place % 8
        path.write_bytes(harmed)
        try:
            assert read_checked_json(path, Facts, "again") == value
        except DamagedError:
            refused += 1
    assert refused > 0.9 * 8 * len(data.replace(b" ", b""))


def test_a_file_without_a_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"reader": "a"}))
    assert not is_intact(path)
    with pytest.raises(DamagedError, match=r"a\.json: is damaged: its checksum is missing; again$"):
        read_checked_json(path, Facts, "again")


@each_row("data", [b"", b"{", b"[" * 5000, b"\xff", b"[1]", b"null"])
def test_what_is_no_such_file_is_refused_with_the_remedy(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(DamagedError, match=r"^.*a\.json: cannot be read .*; make it again$"):
        read_checked_json(path, Facts, "make it again")


def test_a_value_of_another_type_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_checked_json(path, {"reader": 3})
    with pytest.raises(DamagedError, match=r"a\.json: cannot be read .*; make it again$"):
        read_checked_json(path, Facts, "make it again")


def test_what_was_changed_or_is_gone_is_not_intact(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_checked_json(path, Facts("a"))
    assert is_intact(path)
    path.write_bytes(path.read_bytes().replace(b'"a"', b'"b"'))
    assert not is_intact(path)
    path.unlink()
    assert not is_intact(path)


def test_files_and_folders_are_verified_by_their_digests(tmp_path: Path) -> None:
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder" / "vocab.txt").write_text("a")
    (tmp_path / "model").write_text("b")
    found = digests(tmp_path, ["model", "encoder", "none"])
    assert list(found) == ["encoder/vocab.txt", "model"]
    verify_all(tmp_path, found, "again")
    assert verified(tmp_path / "model", found["model"], "again") == tmp_path / "model"
    (tmp_path / "encoder" / "vocab.txt").write_text("c")
    with pytest.raises(DamagedError, match=r"vocab\.txt: is not the file that was written here .*; again$"):
        verify_all(tmp_path, found, "again")
    (tmp_path / "model").unlink()
    with pytest.raises(DamagedError, match=r"model: is gone; again$"):
        verified(tmp_path / "model", found["model"], "again")


def test_a_file_that_may_not_be_read_is_said_in_our_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path, *_: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    path = tmp_path / "kept.json"
    path.write_text("{}")
    monkeypatch.setattr(paths, "_opened", denied)
    monkeypatch.setattr(checksums, "sha256", denied)
    for read in (lambda: verified(path, "", "again"), lambda: read_checked_json(path, Facts, "again")):
        with pytest.raises(
            InputError, match=r"kept\.json: cannot be read \(permission denied\); let it be read$"
        ):
            read()


@pytest.mark.parametrize("kind", [DatasetCheck, IndexCheck])
def test_all_problems_are_counted_and_the_first_places_kept(kind: type[FolderCheck]) -> None:
    found = kind()
    assert found.sound
    for place in range(SHOWN + 20):
        found.add("odd" if place % 2 else "even", f"place {place}", "is wrong")
    assert not found.sound
    assert found.counts == {"even": SHOWN // 2 + 10, "odd": SHOWN // 2 + 10}
    assert found.problems == [f"place {place}: is wrong" for place in range(SHOWN)]
