"""A stored file is compared with its checksum before it is believed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from anagnosis.errors import DamagedError, InputError
from anagnosis.io import checksums
from anagnosis.io.checksums import digests, verified


def test_files_and_folders_are_verified_by_their_digests(tmp_path: Path) -> None:
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder" / "vocab.txt").write_text("a")
    (tmp_path / "model").write_text("b")
    found = digests(tmp_path, ["model", "encoder", "none"])
    assert list(found) == ["encoder/vocab.txt", "model"]
    for name, digest in found.items():
        assert verified(tmp_path / name, digest, "again") == tmp_path / name
    (tmp_path / "encoder" / "vocab.txt").write_text("c")
    with pytest.raises(DamagedError, match=r"vocab\.txt: is not the file that was written here .*; again$"):
        verified(tmp_path / "encoder/vocab.txt", found["encoder/vocab.txt"], "again")
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
    monkeypatch.setattr(checksums, "sha256", denied)
    with pytest.raises(
        InputError, match=r"kept\.json: cannot be read \(permission denied\); let it be read$"
    ):
        verified(path, "", "again")
