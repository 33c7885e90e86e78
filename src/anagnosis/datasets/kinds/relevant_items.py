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
    return _gold(instance.documents, instance.snippets, instance.fields)


def of_parts(parts: Iterable[Path]) -> tuple[RelevantItems, ...]:
    """The gold items of every question of a split. parts: its Parquet files."""
    found: list[RelevantItems] = []
    for part in parts:
        for batch in pq.ParquetFile(part).iter_batches(_BATCH, columns=["documents", "snippets", "fields"]):
            for row in batch.to_pylist():
                snippets = tuple(Snippet(**snippet) for snippet in row["snippets"])
                fields = tuple((field["key"], field["json"]) for field in row["fields"])
                found.append(_gold(tuple(row["documents"]), snippets, fields))
    return tuple(found)


def _gold(
    documents: tuple[str, ...], snippets: tuple[Snippet, ...], fields: Iterable[tuple[str, str | None]]
) -> RelevantItems:
    """fields: (key of the organisers' object, its JSON); lists of another shape are left out."""
    stored = dict(fields)
    concepts = tuple(text for text in _listed(stored.get("concepts")) if isinstance(text, str))
    triples = tuple(
        Triple(_text(triple.get("s")), _text(triple.get("p")), _text(triple.get("o")))
        for triple in _listed(stored.get("triples"))
        if isinstance(triple, dict)
    )
    return RelevantItems(documents, concepts, snippets, triples)


def _listed(stored: str | None) -> list[Any]:
    value = None if stored is None else json.loads(stored)
    return cast("list[Any]", value) if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
