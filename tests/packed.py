"""Archives of a few files."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path


def packed(path: Path, files: Mapping[str, bytes]) -> Path:
    """A tar of these, compressed as its name says."""
    compression = path.suffix.lstrip(".")
    with tarfile.open(
        path, "w:xz" if compression == "xz" else "w:gz" if compression == "gz" else "w"
    ) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path
