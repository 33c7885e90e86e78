from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.encoders.given_texts import GivenTexts
from anagnosis.errors import InputError

safetensors = pytest.importorskip("safetensors.numpy", reason="the extra train is not installed")

ARRAYS = {
    "1/question": np.arange(6, dtype=np.float32).reshape(2, 3),
    "1/context": np.ones((4, 3), np.float16),
    "2/question": np.zeros((0, 3), np.float64),
}
BAD: dict[str, tuple[Any, str]] = {
    "layers": (np.zeros((3, 2, 4), np.float32), r"is an array \[3, 2, 4\]"),
    "one row": (np.zeros(3, np.float32), r"is an array \[3\]"),
    "no width": (np.zeros((3, 0), np.float32), r"is an array \[3, 0\]"),
    "whole numbers": (np.zeros((2, 3), np.int32), "holds int32"),
    "no number": (np.full((2, 3), np.nan, np.float32), "no finite number"),
    "beyond float32": (np.full((2, 3), 1e300), "no finite number"),
}


def to_safetensors(path: Path, arrays: dict[str, Any]) -> Path:
    safetensors.save_file(arrays, path.with_suffix(".safetensors"))
    return path.with_suffix(".safetensors")


def to_hdf5(path: Path, arrays: dict[str, Any]) -> Path:
    h5py = pytest.importorskip("h5py", reason="the extra hdf5 is not installed")
    with h5py.File(path.with_suffix(".hdf5"), "w") as file:
        for key, array in arrays.items():
            file[key] = array
    return path.with_suffix(".hdf5")


Writer = Callable[[Path, dict[str, Any]], Path]
both = pytest.mark.parametrize("written", [to_safetensors, to_hdf5])


@both
def test_each_text_has_its_array(written: Writer, tmp_path: Path) -> None:
    given = GivenTexts(written(tmp_path / "vectors", ARRAYS))
    for key, array in ARRAYS.items():
        assert given.shape(key) == array.shape
        assert given.vectors(key).dtype == np.float32
        assert given.vectors(key).tolist() == array.tolist()


@both
@each_row("case", BAD)
def test_what_is_no_row_of_vectors_is_refused_with_its_key(
    written: Writer, case: str, tmp_path: Path
) -> None:
    array, said = BAD[case]
    given = GivenTexts(written(tmp_path / "vectors", {"7/question": array}))
    with pytest.raises(InputError, match=f"'7/question' {said}|'7/question' holds what is {said}") as fault:
        given.vectors("7/question")
    assert "\n" not in str(fault.value)


@both
@each_row("key", ["3/question", "1", "1/question/more", "", "/", ".."])
def test_a_text_that_is_missing_is_named(written: Writer, key: str, tmp_path: Path) -> None:
    given = GivenTexts(written(tmp_path / "vectors", ARRAYS))
    with pytest.raises(InputError, match=f"no vectors of '{key}'; write them into the file"):
        given.shape(key)


@each_row("name", ["a.safetensors", "a.hdf5", "a.h5", "a.npz"])
@each_row("data", [b"", b"nothing of the kind", b"\xff" * 100], ids=["empty", "text", "noise"])
def test_a_file_of_another_kind_is_one_line(name: str, data: bytes, tmp_path: Path) -> None:
    pytest.importorskip("h5py", reason="the extra hdf5 is not installed")
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as fault:
        GivenTexts(tmp_path / name)
    assert name in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        GivenTexts(tmp_path / "none.safetensors")


def test_links_out_of_an_hdf5_file_lead_nowhere(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py", reason="the extra hdf5 is not installed")
    elsewhere = to_hdf5(tmp_path / "elsewhere", ARRAYS)
    with h5py.File(tmp_path / "links.h5", "w") as file:
        file["1"] = h5py.ExternalLink(str(elsewhere), "1")
        file["2/question"] = h5py.ExternalLink(str(elsewhere), "1/question")
        raw = tmp_path / "raw"
        raw.write_bytes(bytes(24))
        group = file.create_group("3")
        group.create_dataset("question", (2, 3), "f4", external=[(str(raw), 0, 24)])
        layout = h5py.VirtualLayout((2, 3), "f4")
        layout[:] = h5py.VirtualSource(str(elsewhere), "1/question", (2, 3))
        group.create_virtual_dataset("context", layout)
    given = GivenTexts(tmp_path / "links.h5")
    for key, said in (
        ("1/question", "no vectors"),
        ("2/question", "no vectors"),
        ("3/question", "lies in another file"),
        ("3/context", "lies in another file"),
    ):
        with pytest.raises(InputError, match=said):
            given.vectors(key)


def test_an_array_that_says_it_is_larger_than_any_text_is_not_read(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py", reason="the extra hdf5 is not installed")
    with h5py.File(tmp_path / "large.h5", "w") as file:
        file.create_dataset("1/question", (1 << 40, 1 << 10), "f4", chunks=(1024, 1024))
    with pytest.raises(InputError, match="is an array"):
        GivenTexts(tmp_path / "large.h5").vectors("1/question")


def test_half_precision_of_another_kind_is_refused(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    from safetensors.torch import save_file

    save_file({"1/question": torch.zeros(2, 3, dtype=torch.bfloat16)}, tmp_path / "b.safetensors")
    with pytest.raises(InputError, match="holds BF16"):
        GivenTexts(tmp_path / "b.safetensors").vectors("1/question")


def test_without_h5py_it_is_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.h5").touch()
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(InputError, match=r"needs h5py.*anagnosis\[hdf5\]"):
        GivenTexts(tmp_path / "a.h5")
