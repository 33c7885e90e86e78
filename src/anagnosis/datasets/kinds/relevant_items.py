"""Relevant items of a question, as BioASQ's phase A has them: documents, concepts, snippets and triples, best first."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import msgspec
import pyarrow.parquet as pq

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet

_BATCH = 1024


class Triple(msgspec.Struct, frozen=True, gc=False):
    """A statement of linked data; an empty text where the organisers have null."""

    s: str
    p: str
    o: str


class RelevantItems(msgspec.Struct, frozen=True, gc=False):
    """The gold items of a question, or those that a system retrieved. documents, concepts: addresses."""

    documents: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    triples: tuple[Triple, ...] = ()


def relevant_items(instance: QuestionInstance) -> RelevantItems:
    """The gold items of a question."""
    return _gold(instance.documents, instance.snippets, instance.text)


def of_parts(parts: Iterable[Path]) -> tuple[RelevantItems, ...]:
    """The gold items of every question of a split. parts: its Parquet files."""
    found: list[RelevantItems] = []
    for part in parts:
        for batch in pq.ParquetFile(part).iter_batches(_BATCH, columns=["documents", "snippets", "text"]):
            for row in batch.to_pylist():
                snippets = tuple(Snippet(**snippet) for snippet in row["snippets"])
                found.append(_gold(tuple(row["documents"]), snippets, row["text"]))
    return tuple(found)


def _gold(documents: tuple[str, ...], snippets: tuple[Snippet, ...], text: str) -> RelevantItems:
    """text: JSON of the organisers' object, or ""; lists of another shape are left out."""
    stored: dict[str, Any] = json.loads(text) if text else {}
    concepts = tuple(each for each in _listed(stored.get("concepts")) if isinstance(each, str))
    triples = tuple(
        Triple(_text(triple.get("s")), _text(triple.get("p")), _text(triple.get("o")))
        for triple in _listed(stored.get("triples"))
        if isinstance(triple, dict)
    )
    return RelevantItems(documents, concepts, snippets, triples)


def _listed(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
