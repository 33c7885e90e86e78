"""The routes of pages: results of a question, a document, and static files. All pages work without JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from anagnosis.errors import InputError
from anagnosis.searching.analysis import WHAT_IT_IS_ABOUT
from anagnosis.searching.citing import ExportFormat, export_format
from anagnosis.searching.citing.citation import citation
from anagnosis.searching.citing.reference import reference
from anagnosis.searching.index.library_entries import LIBRARIES_FILE
from anagnosis.searching.queries.asked import nothing_to_search
from anagnosis.web.collection import Collection
from anagnosis.web.contents import contents
from anagnosis.web.faults import Fault, invalid
from anagnosis.web.json_routes import CACHE
from anagnosis.web.limits import LONGEST_QUESTION
from anagnosis.web.pages import STATIC, address, page, static
from anagnosis.web.question_page import question_page
from anagnosis.web.questions import REPEATED, DocumentPageQuery, ExportQuery, PageQuery, cleaned

Q = TypeVar("Q", bound=BaseModel)
ON_A_DOCUMENT_PAGE = 100  # passages
RELATED = 5  # papers
_FOREVER, _HOUR = "public, max-age=31536000, immutable", "public, max-age=3600"
# Offered in the field of types; others can be typed.
_TYPES = (
    *("Case Reports", "Clinical Trial", "Editorial", "Journal Article", "Letter", "Meta-Analysis"),
    *(
        "Multicenter Study",
        "Observational Study",
        "Randomized Controlled Trial",
        "Review",
        "Systematic Review",
    ),
)

# As in a paper.
SECTIONS_IN_ORDER = (
    *("title", "abstract", "background", "objective", "methods", "results", "discussion", "conclusion"),
    *("limitations", "case", "figure", "table", "other"),
)


def page_routes(collection: Collection, sees_pages: Callable[[Request], bool]) -> list[BaseRoute]:
    """Over a collection. sees_pages: whether the one who asks is shown pages of papers."""

    async def question(request: Request) -> Response:
        query = read_query(PageQuery, request, REPEATED)
        values = {
            "collection": collection.name,
            "query": query,
            "sees_pages": sees_pages(request),
            "sections": SECTIONS_IN_ORDER,
            "types": _TYPES,
            "has_library": (collection.index.folder / LIBRARIES_FILE).exists(),
            "filtered": [name for name, _ in query.chosen()],
        }
        why = nothing_to_search(query.q) if query.q else ""
        if query.q and not why:
            if paper := await collection.paper(query.q):
                return RedirectResponse(address("/document", id=paper), 303, {"Cache-Control": CACHE})
            again = address("/", **query.model_dump(exclude_defaults=True))
            return _html("found", {**values, "found": await question_page(collection, query), "again": again})
        examples = await collection.examples()
        values |= {"counts": await collection.count(), "examples": examples, "nothing_asked": why}
        return _html("start", values, 400 if query.q else 200)

    async def document(request: Request) -> Response:
        query = read_query(DocumentPageQuery, request, REPEATED)
        offset = ON_A_DOCUMENT_PAGE * (query.page - 1)
        shown, passages, about = await collection.document_shown(query, offset, ON_A_DOCUMENT_PAGE)
        if not shown.hits:
            raise Fault(404, "this document has no such page", "page", "start at its first page")
        values = {
            "query": query,
            "sees_pages": sees_pages(request),
            "shown": shown,
            "total": len(passages),
            "more": offset + ON_A_DOCUMENT_PAGE < len(passages),
            "about": about,
            "contents": contents(passages, shown.hits),
            "on_a_page": ON_A_DOCUMENT_PAGE,
            "citation": citation(reference(passages, about)),
            "related": await collection.related(query.id, RELATED) if query.page == 1 else None,
        }
        return _html("document", values)

    async def export(request: Request) -> Response:
        query = read_query(ExportQuery, request, (*REPEATED, "id"))
        if not query.q and not query.id:
            raise Fault(400, "no paper is selected", "id", "go back, and tick the papers to save")
        if query.q and query.id:
            raise Fault(400, "give a question or an id, one of them", "q", "export from a list of results")
        if query.id and (unused := sorted(query.model_dump(exclude_defaults=True).keys() - {"to", "id"})):
            raise Fault(
                400, "says how a question is searched, and has no effect on ids", unused[0], "leave it out"
            )
        if why := nothing_to_search(query.q) if query.q else "":
            raise Fault(400, why, "q", WHAT_IT_IS_ABOUT)
        format = _export_format(query.to)
        headers = {
            "Cache-Control": CACHE,
            "Content-Disposition": f'attachment; filename="papers{format.suffix}"',
        }
        return Response(await collection.export(query, format), media_type=format.media_type, headers=headers)

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


def read_query(model: type[Q], request: Request, lists: Sequence[str] = ()) -> Q:
    """The parameters; of one that was given twice the last. Faults: 400 where one is wrong."""
    given = request.query_params
    values: dict[str, Any] = dict(given) | {name: given.getlist(name) for name in lists}
    try:
        return model.model_validate(values)
    except ValidationError as fault:
        refused, question = invalid(fault.errors()), cleaned(given.get("q", ""))
        if len(question) <= LONGEST_QUESTION:
            refused.again = address("/", q=question)
        raise refused from fault


def _export_format(name: str) -> ExportFormat:
    """Fault 400: an unknown format."""
    try:
        return export_format(name)
    except InputError as fault:
        raise Fault(400, fault.what, "to", fault.remedy) from fault


def _html(name: str, values: dict[str, Any], status: int = 200) -> HTMLResponse:
    return HTMLResponse(page(name, values), status, headers={"Cache-Control": CACHE})
