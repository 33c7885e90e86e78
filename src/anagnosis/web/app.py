"""The application: routes, limits, faults, and the life of what they share."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Container
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.types import Scope

from anagnosis.searching.answers.readers import NONE, Readers
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.json import components
from anagnosis.version import __version__
from anagnosis.web.collection import Collection
from anagnosis.web.faults import handlers, response
from anagnosis.web.guard import Guard, Site, address
from anagnosis.web.hosts import Hosts
from anagnosis.web.json_routes import ANSWERS, SCHEMAS, json_routes
from anagnosis.web.limits import LONGEST_BODY, Limits
from anagnosis.web.logs import event
from anagnosis.web.page_routes import page_routes
from anagnosis.web.pages import STATIC
from anagnosis.web.pool import Pool
from anagnosis.web.reader_thread import ReaderThread

_ABOUT = """Ranked passages of a collection of papers, and the sentences that fit a question best, verbatim with their
source. Read-only. A paper that was retracted, or has an expression of concern, says so in `notices`."""
_STATIC = "/static/"
_FREE = frozenset(("/health", "/ready", *(_STATIC + name for name in STATIC)))


def web_app(
    index: Index, limits: Limits | None = None, readers: Readers = NONE, hosts: Hosts | None = None
) -> FastAPI:
    """An ASGI application over an open index, which it closes when it ends.

    readers: trained ones, if any. hosts: the host names that it answers to (default: those of this machine).
    """
    limits = limits or Limits()
    pool, reading = Pool(limits), ReaderThread(limits)
    collection = Collection(index, pool, readers, reading)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncGenerator[None]:
        event("start", version=__version__)
        yield
        reading.close()
        pool.close()
        index.close()
        event("end")

    pages, routes = page_routes(collection), json_routes(collection)
    paths = {getattr(route, "path", "") for route in (*pages, *routes.routes)}
    app = FastAPI(
        title="anagnosis",
        summary="Search a collection of papers",
        description=_ABOUT,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        exception_handlers=handlers(),
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

    return Site(response, route, client, LONGEST_BODY, "ask with GET; nothing is read from a body")


def _complete_schema(app: FastAPI) -> None:
    """Put our records into the OpenAPI document, and take out 422, which we answer with 400."""
    schema = app.openapi()
    schema["components"]["schemas"] |= components(ANSWERS, SCHEMAS)
    for path in schema["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        schema["components"]["schemas"].pop(name, None)
