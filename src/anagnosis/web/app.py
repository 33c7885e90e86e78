"""The application: routes, middleware, faults, and the life of what they share.

A fault is JSON under /api and a page everywhere else, always with the request's id.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from anagnosis.errors import ArgumentError, InputError
from anagnosis.searching.answers.judging import Judge
from anagnosis.searching.index.index import Index
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter
from anagnosis.version import __version__
from anagnosis.web.faults import Fault, refused
from anagnosis.web.guard import Guard, OwnNames
from anagnosis.web.json_routes import json_routes
from anagnosis.web.limits import LONGEST, Limits, hosts
from anagnosis.web.logs import event
from anagnosis.web.page_routes import page_routes
from anagnosis.web.pages import address, fault_page
from anagnosis.web.paper_pages import PaperPages, paper_page_routes
from anagnosis.web.parameters import cleaned
from anagnosis.web.served_index import ServedIndex

_NOT_HTML = frozenset(("/health", "/ready", "/openapi.json"))


def web_app(
    index: Index,
    limits: Limits | None = None,
    scorer: Highlighter = UNTRAINED,
    allowed: Sequence[str] | None = None,
    *,
    judge: Judge | None = None,
    share_pages: bool = False,
) -> Starlette:
    """An ASGI application over an open index, which it closes when it ends.

    scorer: orders the sentences. allowed: the host names that it answers to (default: those of this machine).
    share_pages: pages of papers are shown to people at other machines too.
    """
    limits = limits or Limits()
    served = ServedIndex(index, limits, scorer, judge)
    paper_pages = PaperPages(served, shared=share_pages)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncGenerator[None]:
        event("start", version=__version__)
        yield
        paper_pages.close()
        served.close()
        event("end")

    routes = [
        *page_routes(served, paper_pages.shown_to),
        *paper_page_routes(paper_pages),
        *json_routes(served),
    ]
    paths = {getattr(route, "path", "") for route in routes}
    names = hosts() if allowed is None else allowed
    return Starlette(
        routes=routes,
        lifespan=life,
        exception_handlers=_handlers(limits.seconds),
        middleware=[
            Middleware(Guard, refuse=response, routes=paths),
            Middleware(OwnNames, allowed=names),
        ],
    )


def response(scope: Any, fault: InputError) -> Response:
    """The fault as the client of this path reads it. scope: of the request (ASGI)."""
    if scope["path"].startswith("/api/") or scope["path"] in _NOT_HTML:
        return refused(scope, fault, None)
    question = cleaned(QueryParams(scope.get("query_string", b"")).get("q", ""))
    is_short = isinstance(fault, ArgumentError) and len(question) <= LONGEST
    again = address("/", q=question if is_short else "")
    return refused(scope, fault, lambda refusal: HTMLResponse(fault_page(refusal, again)))


def _handlers(seconds: float) -> dict[Any, Callable[[Request, Any], Any]]:
    """Each kind of exception and what it becomes. seconds: that a search has."""

    async def fault(request: Request, fault: InputError) -> Response:
        return response(request.scope, fault)

    async def slow(request: Request, _: TimeoutError) -> Response:
        what = f"the search took longer than {seconds:g} seconds"
        remedy = "ask with fewer words, or try again in a moment"
        return response(request.scope, Fault(503, what, "", remedy, retry_after=5))

    async def other(request: Request, fault: HTTPException) -> Response:
        known = {
            404: ("no such page", "start at /"),
            405: ("this cannot be done here", "ask with GET; nothing can be changed over the network"),
        }
        what, remedy = known.get(fault.status_code, (str(fault.detail), ""))
        made = response(request.scope, Fault(fault.status_code, what, "", remedy))
        made.headers.update(fault.headers or {})
        return made

    return {ArgumentError: fault, Fault: fault, TimeoutError: slow, HTTPException: other}
