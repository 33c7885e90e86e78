"""The JSON API and its OpenAPI document, both made from what verbs declare."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from anagnosis.api import searching
from anagnosis.api.options import REQUIRED, Option, Parameter
from anagnosis.reports.records import rounded
from anagnosis.searching.answers import suggestions
from anagnosis.searching.index.index import Index
from anagnosis.searching.passages import SECTIONS
from anagnosis.searching.records.hits import AskAnswer, Completions, RelatedAnswer, SearchAnswer
from anagnosis.searching.records.passage import Paper, Passage
from anagnosis.version import __version__
from anagnosis.web import limits
from anagnosis.web.faults import Refusal, json_response
from anagnosis.web.parameters import accepted, is_list, read
from anagnosis.web.served_index import ServedIndex

# Answers change with the collection and reveal questions, so no proxy may cache them.
CACHE = "private, no-cache"
_ABOUT = """Ranked passages of a collection of papers, and the sentences that fit a question best, verbatim with their
source. Read-only. A paper that was retracted, or has an expression of concern, says so in `notices`; its
passages say so in their `facts`."""


class DocumentAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A paper. document: its id in the index. passages: of them all, those from offset on."""

    document: str
    title: str
    paper: Paper
    total: int
    offset: int
    passages: Sequence[Passage]


class CollectionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to search. sections: names for the filter."""

    documents: int
    passages: int
    sections: Sequence[str]
    version: str


def complete(
    index: Index,
    question: Annotated[str, Option("What is typed so far.")],
    *,
    limit: Annotated[int, Option("Number of completions of each kind.", 1, limits.MOST_COMPLETIONS)] = 5,
) -> Completions:
    """What begins as somebody types: words of titles, authors, journals."""
    return suggestions.complete(index.engine, question, limit)


def document(
    index: Index,
    ident: Annotated[str, Option("Any id of the paper.")],
    *,
    limit: Annotated[int, Option("Number of passages.", 1, limits.MOST_PASSAGES)] = 100,
    offset: Annotated[int, Option("Number of passages to leave out before them.", 0, 1_000_000)] = 0,
) -> DocumentAnswer:
    """The passages of one document, in its order."""
    passages, paper, _ = index.stored(ident)
    return DocumentAnswer(
        document=passages[0].document,
        title=passages[0].paper,
        paper=paper,
        total=len(passages),
        offset=offset,
        passages=passages[offset : offset + limit],
    )


def collection(index: Index) -> CollectionAnswer:
    """How much there is to search."""
    there = index.count()
    counts = {"documents": there.documents, "passages": there.passages}
    return CollectionAnswer(**counts, sections=list(SECTIONS), version=__version__)


# A verb, the record that it gives, and what a server allows at most of its parameters.
VERBS: tuple[tuple[Callable[..., Any], type[msgspec.Struct], dict[str, int]], ...] = (
    (searching.search, SearchAnswer, {"limit": limits.MOST_PASSAGES}),
    (searching.ask, AskAnswer, {"limit": limits.MOST_SENTENCES}),
    (complete, Completions, {}),
    (document, DocumentAnswer, {}),
    (searching.related, RelatedAnswer, {"limit": limits.MOST_RELATED}),
    (collection, CollectionAnswer, {}),
)


def json_routes(served: ServedIndex) -> list[BaseRoute]:
    """Over an index, with the document that describes them."""
    described = openapi()

    async def document_of_all(_: Request) -> Response:
        return json_response(described, CACHE)

    async def health(_: Request) -> Response:
        return json_response({"status": "ok"})

    async def ready(_: Request) -> Response:
        await served.ready()
        return json_response({"status": "ready"})

    others = (("/openapi.json", document_of_all), ("/health", health), ("/ready", ready))
    return [
        *(_route(served, verb, most) for verb, _, most in VERBS),
        *(Route(path, answer) for path, answer in others),
    ]


def _route(served: ServedIndex, verb: Callable[..., Any], most: dict[str, int]) -> Route:
    """A verb as a route."""
    takes = accepted(verb, **most)
    work = served.ask if verb is searching.ask else partial(served.run, verb)

    async def answer(request: Request) -> Response:
        made = await work(**read(takes, request.query_params))
        return json_response(rounded(made), CACHE)

    return Route(f"/api/{verb.__name__}", answer)


def openapi() -> dict[str, Any]:
    """The OpenAPI document of the verbs."""
    kinds = [Refusal, *(record for _, record, _ in VERBS)]
    records, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    contents = [{"application/json": {"schema": record}} for record in records]
    refusal, paths = {"description": "why not", "content": contents[0]}, dict[str, Any]()
    for (verb, _, most), content in zip(VERBS, contents[1:], strict=True):
        operation = {
            "operationId": verb.__name__,
            "description": (inspect.getdoc(verb) or "").partition("\f")[0].strip(),
            "parameters": [described(name, each) for name, each in accepted(verb, **most).items()],
            "responses": {"200": {"description": "the answer", "content": content}, "default": refusal},
        }
        paths[f"/api/{verb.__name__}"] = {"get": operation}
    about = {"title": "anagnosis", "description": _ABOUT, "version": __version__}
    return {"openapi": "3.1.0", "info": about, "paths": paths, "components": {"schemas": components}}


def described(name: str, parameter: Parameter) -> dict[str, Any]:
    """A parameter of the OpenAPI document."""
    option, required = parameter.option or Option(), parameter.default is REQUIRED
    choices = option.choices() if callable(option.choices) else option.choices
    text: dict[str, Any] = {"type": "string", "maxLength": limits.LONGEST}
    if choices:
        text["enum"] = [*choices] if required else [*choices, ""]  # empty: not given
    if option.metavar == "DATE":
        text["pattern"] = r"^(\d{4}(-\d\d(-\d\d)?)?)?$"
    if required:
        text["minLength"] = 1
    if is_list(parameter):
        schema: dict[str, Any] = {"type": "array", "items": text, "maxItems": limits.MOST_VALUES}
    elif bool in parameter.kinds:
        schema = {"type": "boolean", "default": parameter.default is not parameter.name.startswith("no_")}
    elif int in parameter.kinds:
        bounds = {"minimum": int(option.least or 0), "maximum": int(option.most or 0)}
        schema = {"type": "integer", **bounds, "default": parameter.default}
    else:
        schema = text | ({} if required or not parameter.default else {"default": parameter.default})
    says = f"false: {option.help}" if parameter.name.startswith("no_") else option.help
    return {"name": name, "in": "query", "required": required, "description": says, "schema": schema}
