"""Relevant items of a question, as BioASQ's phase A has them: documents, concepts, snippets and triples, best first."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet

CONCEPTS, TRIPLES = "concepts", "triples"  # keys of the organisers' object without a column of their own


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
    return gold_items(instance.documents, instance.snippets, dict(instance.fields))


def gold_items(
    documents: tuple[str, ...], snippets: tuple[Snippet, ...], fields: dict[str, str | None]
) -> RelevantItems:
    """The same of columns. fields: key of the organisers' object → its JSON; lists of another shape are left out."""
    concepts = tuple(text for text in _listed(fields, CONCEPTS) if isinstance(text, str))
    triples = tuple(
        Triple(*(_text(of.get(key)) for key in ("s", "p", "o")))
        for of in _listed(fields, TRIPLES)
        if isinstance(of, dict)
    )
    return RelevantItems(documents, concepts, snippets, triples)


def _listed(fields: dict[str, str | None], key: str) -> list[Any]:
    stored = fields.get(key)
    value = None if stored is None else json.loads(stored)
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
