"""What a folder holds, with the values taken out that a library's version decides.

- Of a Parquet file its schema and rows are pinned everywhere, and its bytes where the same version of pyarrow is
  installed: writers of other versions lay the same rows out in other bytes.
- In a text the sha256 of a Parquet file reads `sha256 of NAME`, this package's version reads `VERSION`, and a library
  that is named with its version (the splitter of sentences in a receipt) reads `NAME VERSION`. What is left is pinned
  byte for byte; a receipt value by value too, so that a difference can be read.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from anagnosis.version import __version__

BYTES = "bytes by pyarrow"
_LIBRARY = re.compile(r"\b(nupunkt|nltk|pyarrow|tantivy|torch) \d+(?:\.\w+)+")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def pinned_folder(folder: Path) -> dict[str, Any]:
    """Every file below a folder by its relative path."""
    paths = {
        path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()
    }
    hashes = {sha256(path.read_bytes()): name for name, path in paths.items() if name.endswith(".parquet")}
    return {name: pinned_file(path, hashes) for name, path in paths.items()}


def pinned_file(path: Path, hashes: dict[str, str] | None = None) -> Any:
    """hashes: sha256 of Parquet files → their names."""
    data = path.read_bytes()
    if path.suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
        rows = json.dumps(table.to_pylist(), default=str, ensure_ascii=False)
        schema = f"{table.schema.to_string(truncate_metadata=False)}\n{table.schema.metadata}"
        return {
            "schema": sha256(schema.encode()),
            "rows": sha256(rows.encode()),
            BYTES: {pyarrow.__version__: sha256(data)},
        }
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return sha256(data)
    for known, name in (hashes or {}).items():
        text = text.replace(known, f"sha256 of {name}")
    text = _LIBRARY.sub(r"\1 VERSION", text)
    text = text.replace(__version__, "VERSION")
    if path.name == "receipt.json":
        return {"sha256": sha256(text.encode()), "values": json.loads(text)}
    return sha256(text.encode())


def comparable(tree: Any, installed: str = pyarrow.__version__) -> Any:
    """A tree without the bytes of Parquet that another pyarrow wrote."""
    if not isinstance(tree, dict):
        return tree
    if BYTES in tree and installed not in tree[BYTES]:
        return {key: value for key, value in tree.items() if key != BYTES}
    return {key: comparable(value, installed) for key, value in tree.items()}
