from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.encoders.given_texts import GivenTexts
from anagnosis.errors import InputError

h5py = pytest.importorskip("h5py", reason="the extra hdf5 is not installed")

ARRAYS = {
    "1/question": np.arange(6, dtype=np.float32).reshape(2, 3),
    "1/context": np.ones((4, 3), np.float16),
    "2/question": np.zeros((0, 3), np.float64),
}
BAD: list[tuple[Any, str]] = [
    (np.zeros((3, 2, 4), np.float32), r"is an array \[3, 2, 4\]"),
    (np.zeros(3, np.float32), r"is an array \[3\]"),
    (np.zeros((3, 0), np.float32), r"is an array \[3, 0\]"),
    (np.zeros((2, 3), np.int32), r"holds what is no finite float \(int32"),
    (np.full((2, 3), np.nan, np.float32), "holds what is no finite float"),
    (np.full((2, 3), 1e300), "holds what is no finite float"),
]


def written(path: Path, arrays: dict[str, Any]) -> GivenTexts:
    with h5py.File(path.with_suffix(".hdf5"), "w") as file:
        for key, array in arrays.items():
            file[key] = array
    return GivenTexts(path.with_suffix(".hdf5"))


def test_each_text_has_its_array(tmp_path: Path) -> None:
    given = written(tmp_path / "vectors", ARRAYS)
    for key, array in ARRAYS.items():
        assert given.shape(key) == array.shape
        assert given.vectors(key).dtype == np.float32
        assert given.vectors(key).tolist() == array.tolist()


def test_what_is_no_row_of_vectors_is_refused_with_its_key(tmp_path: Path) -> None:
    for number, (array, said) in enumerate(BAD):
        given = written(tmp_path / f"vectors-{number}", {"7/question": array})
        with pytest.raises(InputError, match=f"'7/question' {said}") as fault:
            given.vectors("7/question")
        assert "\n" not in str(fault.value)


@each_row("key", ["3/question", "1", "1/question/more", "", "/", ".."])
def test_a_text_that_is_missing_is_named(key: str, tmp_path: Path) -> None:
    given = written(tmp_path / "vectors", ARRAYS)
    with pytest.raises(InputError, match=f"no vectors of '{key}'; write them into the file"):
        given.shape(key)


@each_row("data", [b"", b"nothing of the kind", b"\xff" * 100, None], ids=["empty", "text", "noise", "none"])
def test_a_file_of_another_kind_is_one_line(data: bytes | None, tmp_path: Path) -> None:
    if data is not None:
        (tmp_path / "a.h5").write_bytes(data)
    with pytest.raises(InputError, match="no such file" if data is None else "no HDF5 file") as fault:
        GivenTexts(tmp_path / "a.h5")
    assert "a.h5" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_links_out_of_the_file_lead_nowhere(tmp_path: Path) -> None:
    elsewhere = str(written(tmp_path / "elsewhere", ARRAYS).path)
    with h5py.File(tmp_path / "links.h5", "w") as file:
        file["1"] = h5py.ExternalLink(elsewhere, "1")
        file["2/question"] = h5py.ExternalLink(elsewhere, "1/question")
        raw = tmp_path / "raw"
        raw.write_bytes(bytes(24))
        group = file.create_group("3")
        group.create_dataset("question", (2, 3), "f4", external=[(str(raw), 0, 24)])
        layout = h5py.VirtualLayout((2, 3), "f4")
        layout[:] = h5py.VirtualSource(elsewhere, "1/question", (2, 3))
        group.create_virtual_dataset("context", layout)
    given = GivenTexts(tmp_path / "links.h5")
    for key in ("1/question", "2/question", "3/question", "3/context"):
        with pytest.raises(InputError, match="no vectors"):
            given.vectors(key)


def test_an_array_that_says_it_is_larger_than_any_text_is_not_read(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "large.h5", "w") as file:
        file.create_dataset("1/question", (1 << 40, 1 << 10), "f4", chunks=(1024, 1024))
    with pytest.raises(InputError, match="is an array"):
        GivenTexts(tmp_path / "large.h5").vectors("1/question")
