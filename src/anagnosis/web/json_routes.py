"""The JSON API: each route takes typed parameters, asks the collection, gives a typed answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response

from anagnosis.reports.records import rounded
from anagnosis.searching.records.hits import AskAnswer, Completions, RelatedAnswer, SearchAnswer
from anagnosis.searching.section_names import SECTIONS
from anagnosis.version import __version__
from anagnosis.web.collection import Collection, DocumentAnswer
from anagnosis.web.faults import Fault, Refusal, json_response
from anagnosis.web.questions import (
    REPEATED,
    AskQuery,
    CompleteQuery,
    DocumentQuery,
    RelatedQuery,
    SearchQuery,
)

# Answers change with the collection and reveal questions, so no proxy may cache them.
CACHE = "private, no-cache"
_DESCRIPTIONS = {
    400: "a parameter is wrong, missing, unknown or given twice",
    409: "the collection has no vectors for this ranking, or its fitted weights do not fit it",
    404: "no such document",
    413: "the request is too large",
    414: "the address is too long",
    421: "the Host header names another host; see --allow-host",
    429: "too many requests; Retry-After says when to ask again",
    503: "too busy, too slow, or the collection cannot be read; Retry-After says when to ask again",
}


class CollectionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to search. sections: names for the filter."""

    documents: int
    passages: int
    sections: Sequence[str]
    version: str


class State(msgspec.Struct, frozen=True, kw_only=True):
    """ok or ready."""

    status: str


SCHEMAS = "#/components/schemas/"
# What the routes answer with.
ANSWERS: tuple[type[msgspec.Struct], ...] = (
    SearchAnswer,
    AskAnswer,
    Completions,
    DocumentAnswer,
    RelatedAnswer,
    CollectionAnswer,
    State,
)
_UNLIMITED: dict[int | str, dict[str, Any]] = {status: {"model": Refusal} for status in (413, 414, 421)}


def _answers(record: type[msgspec.Struct]) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of an answer."""
    schema = {"schema": {"$ref": f"{SCHEMAS}{record.__name__}"}}
    return {200: {"content": {"application/json": schema}}}


def _once(request: Request) -> None:
    """Fault 400: a parameter occurs twice, of which the framework would silently drop one."""
    given = request.query_params
    for name in given:
        if name not in REPEATED and len(given.getlist(name)) > 1:
            raise Fault(400, "is given more than once", name[:100], "give it once")


def _refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {
        status: {"model": Refusal, "description": _DESCRIPTIONS[status]}
        for status in (*statuses, 413, 414, 421, 429, 503)
    }


def json_routes(collection: Collection) -> APIRouter:
    """Over a collection."""
    routes = APIRouter(dependencies=[Depends(_once)])

    @routes.get("/api/search", responses=_answers(SearchAnswer) | _refusals(400, 409))
    async def search(query: Annotated[SearchQuery, Query()]) -> Response:
        """The passages that fit a question best, with their sentences scored."""
        return _json(await collection.search(query))

    @routes.get("/api/ask", responses=_answers(AskAnswer) | _refusals(400, 409))
    async def ask(query: Annotated[AskQuery, Query()]) -> Response:
        """The sentences of the collection that fit a question best, verbatim, with the paper each stands in."""
        return _json(await collection.ask(query))

    @routes.get("/api/complete", responses=_answers(Completions) | _refusals(400))
    async def complete(query: Annotated[CompleteQuery, Query()]) -> Response:
        """What begins as somebody types: words of titles, authors, journals."""
        return _json(await collection.complete(query))

    @routes.get("/api/document", responses=_answers(DocumentAnswer) | _refusals(400, 404))
    async def document(query: Annotated[DocumentQuery, Query()]) -> Response:
        """The passages of one document, in its order."""
        return _json(await collection.document(query))

    @routes.get("/api/related", responses=_answers(RelatedAnswer) | _refusals(400, 404))
    async def related(query: Annotated[RelatedQuery, Query()]) -> Response:
        """The papers most related to one document, by vectors where the collection has some, else by words."""
        return _json(await collection.related(query.id, query.limit))

    @routes.get("/api/collection", responses=_answers(CollectionAnswer) | _refusals())
    async def counts() -> Response:
        """How much there is to search."""
        there = await collection.count()
        return _json(
            CollectionAnswer(
                documents=there.documents,
                passages=there.passages,
                sections=list(SECTIONS),
                version=__version__,
            )
        )

    @routes.head("/health", include_in_schema=False)
    @routes.get("/health", responses=_answers(State) | _UNLIMITED)
    async def health() -> Response:
        """Whether the process answers."""
        return _json(State(status="ok"), "no-store")

    @routes.head("/ready", include_in_schema=False)
    @routes.get("/ready", responses=_answers(State) | _refusals())
    async def ready() -> Response:
        """Whether questions are answered; 503 with the reason where not."""
        await collection.ready()
        return _json(State(status="ready"), "no-store")

    del search, ask, complete, document, related, counts, health, ready
    return routes


def _json(answer: Any, cache: str = CACHE) -> Response:
    return json_response(msgspec.json.encode(rounded(answer)).decode(), cache)
