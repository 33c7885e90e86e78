"""The routes of pages: results of a question, a document, and static files. All pages work without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from anagnosis.api import searching
from anagnosis.errors import ArgumentError, InputError
from anagnosis.searching.answers.asking import highlighted
from anagnosis.searching.citing.formats import ExportFormat, export_format
from anagnosis.searching.citing.reference import citation, reference
from anagnosis.searching.engines import BY_DATE
from anagnosis.searching.index.index import Index
from anagnosis.searching.index.sources import LIBRARIES_FILE
from anagnosis.searching.queries.asked import nothing_to_search
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.web.faults import Fault
from anagnosis.web.json_routes import CACHE
from anagnosis.web.limits import MOST_EXPORTED, MOST_PAGES
from anagnosis.web.page_query import page_query
from anagnosis.web.pages import STATIC, address, page, static
from anagnosis.web.parameters import ID, WORDS, accepted, number
from anagnosis.web.question_page import list_page, with_answer
from anagnosis.web.served_index import ServedIndex

ON_A_DOCUMENT_PAGE = 100  # passages
NEWEST = 10  # papers of the start page
_FOREVER, _HOUR = "public, max-age=31536000, immutable", "public, max-age=3600"
# Offered in the field of types; others can be typed.
_TYPES = (
    *("Case Reports", "Clinical Trial", "Editorial", "Journal Article", "Letter", "Meta-Analysis"),
    *("Multicenter Study", "Observational Study", "Randomized Controlled Trial", "Review"),
    "Systematic Review",
)
# As in a paper.
SECTIONS_IN_ORDER = (
    *("title", "abstract", "background", "objective", "methods", "results", "discussion", "conclusion"),
    *("limitations", "case", "figure", "table", "other", "note"),
)
# What the pages take.
_LEFT_OUT = ("limit", "offset", "facets", "highlight", "ranking")
_OF_QUESTION = {
    **{name: each for name, each in accepted(searching.search).items() if name not in _LEFT_OUT},
    **WORDS,
    "page": number("page", 1, MOST_PAGES),
}
_OF_DOCUMENT = {**ID, **WORDS, "page": number("page", 1, 10_000)}
_OF_EXPORT = accepted(searching.export_results, limit=MOST_EXPORTED)
del _OF_EXPORT["ranking"]


def page_routes(served: ServedIndex, sees_pages: Callable[[Request], bool]) -> list[BaseRoute]:
    """Over an index. sees_pages: whether the one who asks is shown pages of papers."""

    async def question(request: Request) -> Response:
        query = page_query(_OF_QUESTION, request)
        values = {
            "collection": served.name,
            "query": query,
            "sees_pages": sees_pages(request),
            "sections": SECTIONS_IN_ORDER,
            "types": _TYPES,
            "has_library": (served.index.folder / LIBRARIES_FILE).exists(),
            "filtered": [name for name, _ in query.chosen()],
        }
        why = nothing_to_search(query["q"]) if query["q"] else ""
        if not query["q"] and ("q" in request.query_params or query.all()):
            query["sort"] = BY_DATE  # every paper, as the addresses of its other pages say
        if query.all() and not why:
            found = await served.run(list_page, page=query["page"], **query.arguments)
            if len(papers := found.found.understood.papers) == 1:
                return RedirectResponse(address("/document", id=papers[0]), 303, {"Cache-Control": CACHE})
            found = await with_answer(served, query, found)
            values |= {"found": found, "again": address("/", **query.all())}
            return _html("found", values)
        newest = await served.run(searching.search, limit=NEWEST, highlight=False)
        values |= {"newest": newest, "counts": newest.collection, "nothing_asked": why}
        return _html("start", values, 400 if query["q"] else 200)

    async def document(request: Request) -> Response:
        query = page_query(_OF_DOCUMENT, request)
        if nothing_to_search(query["q"]):  # nothing to mark
            query["q"] = ""
        asked = query.arguments | {"question": query["q"]}
        values = await served.run(_paper, offset=ON_A_DOCUMENT_PAGE * (query["page"] - 1), **asked)
        if not values["hits"]:
            raise Fault(404, "this document has no such page", "page", "start at its first page")
        values |= {"query": query, "sees_pages": sees_pages(request)}
        return _html("document", values)

    async def export(request: Request) -> Response:
        query = page_query(_OF_EXPORT, request)
        given = {name: value for name, value in query.arguments.items() if name != "to"}
        if "ids" in given and (unused := sorted(query.all().keys() - {"to", "id", "q"})):
            what = "says how a question is searched, and has no effect on ids"
            raise ArgumentError(what, unused[0], "leave it out")
        try:
            format = export_format(query["to"])
        except InputError as fault:
            raise ArgumentError(fault.what, "to", fault.remedy) from fault
        text = await served.run(_exported, format=format, **given)
        headers = {
            "Cache-Control": CACHE,
            "Content-Disposition": f'attachment; filename="papers{format.suffix}"',
        }
        return Response(text, media_type=format.media_type, headers=headers)

    async def file(request: Request) -> Response:
        name = str(request.path_params["name"])
        if name not in STATIC:
            raise Fault(404, "no such page", "", "start at /")
        kept = _FOREVER if "v" in request.query_params else _HOUR
        return Response(static(name), media_type=STATIC[name], headers={"Cache-Control": kept})

    return [
        Route("/", question),
        Route("/document", document),
        Route("/export", export),
        Route("/static/{name}", file),
    ]


def _paper(index: Index, ident: str, offset: int, question: str) -> dict[str, Any]:
    """What the page of a paper shows, its passages marked by words. question: that whose results had the paper."""
    topic, (passages, about, _) = index.read(question).topic, index.stored(ident)
    chosen = [Hit(one, 0.0) for one in passages[offset : offset + ON_A_DOCUMENT_PAGE]]
    hits = highlighted(index, topic, chosen, UNTRAINED if topic.text else None, offset)
    return {
        "hits": hits,
        "scorer": UNTRAINED.about,
        "total": len(passages),
        "more": offset + ON_A_DOCUMENT_PAGE < len(passages),
        "about": about,
        "citation": citation(reference(passages, about)),
        "related": None if offset else searching.related(index, ident),
    }


def _exported(index: Index, format: ExportFormat, **given: Any) -> str:
    return "".join(format.lines(searching.references_to_export(index, **given)))


def _html(name: str, values: dict[str, Any], status: int = 200) -> HTMLResponse:
    return HTMLResponse(page(name, values), status, headers={"Cache-Control": CACHE})
