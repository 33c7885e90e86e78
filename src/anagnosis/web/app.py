"""The application: routes, limits, faults, and the life of what they share.

A fault is JSON under /api and a page everywhere else, always with the request's id.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Container
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from anagnosis.searching.index.index import Index
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter
from anagnosis.version import __version__
from anagnosis.web.collection import Collection
from anagnosis.web.faults import Fault, for_visitors, invalid, refused
from anagnosis.web.guard import Guard, Site, address
from anagnosis.web.hosts import Hosts
from anagnosis.web.json_routes import ANSWERS, SCHEMAS, json_routes
from anagnosis.web.limits import Limits
from anagnosis.web.logs import event
from anagnosis.web.page_routes import page_routes
from anagnosis.web.pages import STATIC, fault_page
from anagnosis.web.paper_pages import PageOptions, PaperPages, paper_page_routes
from anagnosis.web.threads import Pool, ReaderThread

_ABOUT = """Ranked passages of a collection of papers, and the sentences that fit a question best, verbatim with their
source. Read-only. A paper that was retracted, or has an expression of concern, says so in `notices`; its
passages say so in their `facts`."""
_STATIC = "/static/"
_FREE = frozenset(("/health", *(_STATIC + name for name in STATIC)))
_NOT_HTML = frozenset(("/health", "/ready", "/openapi.json"))


def web_app(
    index: Index,
    limits: Limits | None = None,
    scorer: Highlighter = UNTRAINED,
    hosts: Hosts | None = None,
    pages_shown: PageOptions | None = None,
) -> FastAPI:
    """An ASGI application over an open index, which it closes when it ends.

    scorer: orders the sentences. hosts: the host names that it answers to (default: those of this machine).
    pages_shown: to whom pages of papers are shown (default: at this machine).
    """
    limits = limits or Limits()
    pool, reading = Pool(limits), ReaderThread(limits)
    collection = Collection(index, pool, scorer, reading)
    paper_pages = PaperPages(collection, pages_shown or PageOptions())

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncGenerator[None]:
        event("start", version=__version__)
        yield
        reading.close()
        pool.close()
        paper_pages.close()
        index.close()
        event("end")

    pages = [*page_routes(collection, paper_pages.shown_to), *paper_page_routes(paper_pages)]
    routes = json_routes(collection)
    paths = {getattr(route, "path", "") for route in (*pages, *routes.routes)}
    app = FastAPI(
        title="anagnosis",
        summary="Search a collection of papers",
        description=_ABOUT,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        exception_handlers=_handlers(),
        middleware=[
            Middleware(
                Guard, rate=limits.rate, hosts=hosts or Hosts(), site=search_site(paths | {"/openapi.json"})
            )
        ],
        routes=pages,
    )
    app.include_router(routes)
    _complete_schema(app)
    return app


def search_site(routes: Container[str]) -> Site:
    """What the guard must know of the application. routes: the paths that a log line may name."""

    def route(path: str) -> str:
        return path if path in routes else _STATIC if path.startswith(_STATIC) else "other"

    def client(scope: Scope) -> str | None:
        return None if scope["path"] in _FREE else address(scope)

    return Site(response, route, client)


def response(scope: Any, fault: Fault) -> Response:
    """The fault as the client of this path reads it. scope: of the request (ASGI)."""
    as_json = scope["path"].startswith("/api/") or scope["path"] in _NOT_HTML
    page = None if as_json else lambda refusal: HTMLResponse(fault_page(refusal, fault.again))
    return refused(scope, fault, page, for_visitors(fault.remedy))


def _handlers() -> dict[Any, Callable[[Request, Any], Any]]:
    """Each kind of exception and what it becomes."""

    async def fault(request: Request, fault: Fault) -> Response:
        return response(request.scope, fault)

    async def wrong(request: Request, fault: RequestValidationError) -> Response:
        return response(request.scope, invalid(fault.errors()))

    async def other(request: Request, fault: HTTPException) -> Response:
        known = {
            404: ("no such page", "start at /"),
            405: ("this cannot be done here", "ask with GET; nothing can be changed over the network"),
        }
        what, remedy = known.get(fault.status_code, (str(fault.detail), ""))
        made = response(request.scope, Fault(fault.status_code, what, "", remedy))
        made.headers.update(fault.headers or {})
        return made

    return {Fault: fault, RequestValidationError: wrong, HTTPException: other}


def _complete_schema(app: FastAPI) -> None:
    """Put our records into the OpenAPI document, and take out 422, which we answer with 400."""
    schema = app.openapi()
    schema["components"]["schemas"] |= msgspec.json.schema_components(
        ANSWERS, ref_template=SCHEMAS + "{name}"
    )[1]
    for path in schema["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        schema["components"]["schemas"].pop(name, None)
