"""The authors' JSON, row by row: one object from PMID to instance, written with an indent of four and ASCII only.

    {
        "21645374": {
            "QUESTION": "…?",
            "CONTEXTS": ["…", "…"],
            "LABELS": ["BACKGROUND", "RESULTS"],
            "MESHES": […],
            "YEAR": "2011",
            "reasoning_required_pred": "yes",
            "reasoning_free_pred": "yes",
            "final_decision": "yes",
            "LONG_ANSWER": "…"
        },

PQA-U has none of the three decisions, PQA-A only the final one and no year. The Hugging Face hub's Parquet copy has the
same in lower case, the two predictions as lists of letters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.documents.io.json_stream import JsonText
from anagnosis.errors import InputError

KEYS = (
    "QUESTION",
    "CONTEXTS",
    "LABELS",
    "MESHES",
    "YEAR",
    "reasoning_required_pred",
    "reasoning_free_pred",
    "final_decision",
    "LONG_ANSWER",
)
PARQUET_MAGIC = b"PAR1"
_INDENT = "    "
# The hub's columns, and the fields of its column `context`, by the authors' keys.
_COLUMNS = {"question": "QUESTION", "final_decision": "final_decision", "long_answer": "LONG_ANSWER"}
_CONTEXT = {
    "contexts": "CONTEXTS",
    "labels": "LABELS",
    "meshes": "MESHES",
    "reasoning_required_pred": "reasoning_required_pred",
    "reasoning_free_pred": "reasoning_free_pred",
}


def read_json(stream: BinaryIO, name: str) -> Iterator[tuple[str, str, Any]]:
    """(where, id, what stands there) of each instance, in memory bounded by one."""
    text = JsonText(stream, name)
    text.demand("{", "an object from PMID to instance")
    if text.take("}"):
        return
    while True:
        if text.peek() != '"':
            raise text.fault("a PMID in quotation marks expected")
        ident = text.value()
        text.demand(":", "a colon")
        where = f"{name}:{text.line}"
        yield where, ident, text.value()
        if text.demand(",}", "a comma or the end of the object") == "}":
            return


def read_parquet(path: Any, name: str) -> Iterator[tuple[str, str, Any]]:
    """The rows of the hub's copy, whose lists of letters are joined."""
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            number = 0
            for batch in file.iter_batches(512):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{name}, row {number}", str(row.get("pubid", "")), _row_of_hub(row)
    except (OSError, ValueError, pa.ArrowException) as fault:
        raise InputError("not a readable Parquet file", name, "fetch it again") from fault


def letters(value: Any) -> bool:
    """Whether a label came as the hub has it: a list of single letters."""
    return isinstance(value, list) and all(isinstance(part, str) and len(part) == 1 for part in value)


def write(rows: Iterable[tuple[str, dict[str, Any]]], stream: BinaryIO) -> int:
    """Write (id, object) pairs as the authors' program does; gives how many."""
    count = 0
    for ident, row in rows:
        stream.write(b",\n" if count else b"{\n")
        text = json.dumps(row, indent=4).replace("\n", f"\n{_INDENT}")
        stream.write(f"{_INDENT}{json.dumps(ident)}: {text}".encode("ascii"))
        count += 1
    stream.write(b"\n}" if count else b"{}")
    return count


def _row_of_hub(row: dict[str, Any]) -> dict[str, Any]:
    context = row.get("context")
    found = {key: row[column] for column, key in _COLUMNS.items() if row.get(column) is not None}
    if isinstance(context, dict):
        found |= {key: context[field] for field, key in _CONTEXT.items() if context.get(field) is not None}  # pyright: ignore[reportUnknownVariableType]  (a dict of a Parquet row)
    return {key: found[key] for key in KEYS if key in found}
