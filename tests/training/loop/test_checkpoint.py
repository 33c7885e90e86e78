"""Weights are written whole, and nothing of a killed writer stays beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")


def test_what_a_killed_writer_left_goes_and_other_files_stay(tmp_path: Path) -> None:
    from anagnosis.training.loop.checkpoint import read_tensors, write_tensors

    for name in (".tmphlgVb3", ".tmp", ".tmp-mine", "notes.tmphlgVb3"):
        (tmp_path / name).write_bytes(b"half")
    path = tmp_path / "model.safetensors"
    write_tensors(path, {"a": torch.ones(2, 3)})
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        ".tmp", ".tmp-mine", "model.safetensors", "notes.tmphlgVb3",
    ]  # fmt: skip
    assert read_tensors(path)["a"].tolist() == [[1.0] * 3] * 2
