"""Relevant items of a question, as BioASQ's phase A has them: documents, concepts, snippets and triples, best first."""

from __future__ import annotations

import json
from typing import Any, cast

import msgspec

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet


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


def relevant_items(instance: Any) -> RelevantItems:
    """The gold items of a question, or of one with sentences; lists of another shape are left out."""
    if not isinstance(instance, QuestionInstance):
        return RelevantItems() if instance.retrieval is None else instance.retrieval.relevant
    stored: dict[str, Any] = json.loads(instance.text) if instance.text else {}
    concepts = tuple(each for each in _listed(stored.get("concepts")) if isinstance(each, str))
    triples = tuple(
        Triple(_text(triple.get("s")), _text(triple.get("p")), _text(triple.get("o")))
        for triple in _listed(stored.get("triples"))
        if isinstance(triple, dict)
    )
    return RelevantItems(instance.documents, concepts, instance.snippets, triples)


def _listed(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
