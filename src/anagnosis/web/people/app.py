"""The application: a page and its answers for each token, and nothing for anybody else.

A request that sends an answer must be JSON, from the page of this server, bounded. A page of another site can make a
browser send requests here, but not choose their headers: browsers set Origin and Sec-Fetch-Site themselves, and ask
before they send JSON to another origin.
"""

from __future__ import annotations

import hmac
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from anagnosis.errors import InputError
from anagnosis.io.decoding import UNDECODABLE
from anagnosis.labelling.journal import NotWrittenError
from anagnosis.labelling.participant import Participant
from anagnosis.labelling.saved_file import LONGEST_LINE
from anagnosis.version import __version__
from anagnosis.web.faults import Fault, json_response, refused
from anagnosis.web.guard import Guard, Site, address
from anagnosis.web.hosts import Hosts
from anagnosis.web.limits import RATE
from anagnosis.web.logs import event
from anagnosis.wording import reworded

ANSWERS = "answers"
LONGEST_POST = LONGEST_LINE + 1_024  # bytes: a line, and what stands around it
SMALLER = "send one answer"
_JSON = "application/json"
# The page has the hashes of its script and style in a policy of its own, and both policies hold.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'unsafe-inline'",
        "style-src 'unsafe-inline'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {"Cache-Control": "no-store", "Content-Security-Policy": POLICY}


def people_app(
    people: Mapping[str, Participant], rate: float = RATE, hosts: Hosts | None = None
) -> Starlette:
    """An ASGI application. people: token → who it belongs to. rate: requests a second of one of them."""

    def find(token: str) -> Participant | None:
        found = None
        for each, participant in people.items():  # all of them: the time tells nothing of a token
            if hmac.compare_digest(each.encode(), token.encode()):
                found = participant
        return found

    def participant_of(request: Request) -> Participant:
        found = find(request.path_params["token"])
        if found is None:
            raise _no_page()
        return found

    async def page(request: Request) -> Response:
        made = await run_in_threadpool(participant_of(request).page)
        return Response(made, headers=_HEADERS, media_type="text/html")

    async def slash(request: Request) -> Response:
        participant_of(request)
        return RedirectResponse(f"{request.path_params['token']}/", 307, {"Cache-Control": "no-store"})

    async def answers(request: Request) -> Response:
        participant = participant_of(request)
        if request.method != "POST":
            return _json({"lines": participant.journal.lines()})
        given = await _sent(request)
        try:
            line = await run_in_threadpool(participant.answer, bytes(given.line), given.since)
        except NotWrittenError as fault:
            raise Fault(507, fault.what, fault.where, fault.remedy) from fault
        except InputError as fault:
            raise Fault(400, fault.what, fault.where, "load the page again") from fault
        return _json({"line": line})

    def client(scope: Scope) -> str:
        token = scope["path"].removeprefix("/").partition("/")[0]
        return token if find(token) is not None else address(scope)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncGenerator[None]:
        event("start", version=__version__)
        yield
        event("end")

    app = Starlette(
        routes=[
            Route("/{token}", slash),
            Route("/{token}/", page),
            Route(f"/{{token}}/{ANSWERS}", answers, methods=["GET", "POST"]),
        ],
        exception_handlers={Fault: _refused, HTTPException: _other},
        middleware=[
            Middleware(
                Guard,
                rate=rate,
                hosts=hosts or Hosts(),
                site=Site(_refusal, _route, client, LONGEST_POST, SMALLER),
            )
        ],
        lifespan=life,
    )
    app.router.redirect_slashes = False
    return app


def _route(path: str) -> str:
    """What the log calls a path: never the token."""
    rest = path.removeprefix("/").partition("/")[2]
    return ANSWERS if rest == ANSWERS else "page" if not rest else "other"


def _no_page() -> Fault:
    return Fault(404, "no such page", "", "open the link that you were given, to its last letter")


def _json(value: Any) -> Response:
    return json_response(msgspec.json.encode(value).decode())


def _refusal(scope: Scope, fault: Fault) -> Response:
    """A refusal as the page's script reads it, or, in place of a page, as a person does."""
    line = f"{InputError(fault.what, fault.where, fault.remedy)}\n"
    page = None if _route(scope["path"]) == ANSWERS else lambda _: PlainTextResponse(line)
    return refused(scope, fault, page)


async def _refused(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, Fault)
    return _refusal(request.scope, fault)


async def _other(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    known = {405: Fault(405, "this cannot be done here", "", "open your link")}
    made = _refusal(request.scope, known.get(fault.status_code, _no_page()))
    made.headers.update(fault.headers or {})
    return made


class _Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends. line: as it would save it. since: the seconds that the server acknowledged to it before."""

    line: msgspec.Raw
    since: Annotated[float, msgspec.Meta(ge=0)] = 0


async def _sent(request: Request) -> _Sent:
    """The answer that a request holds. Faults: 403 from another site, 415 no JSON, 413 too large, 400 another form."""
    _refuse_other_sites(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _JSON:
        raise Fault(415, "the answer is not sent as JSON", "Content-Type", f"send {_JSON}")
    try:
        return msgspec.json.decode(await _body(request), type=_Sent)
    except UNDECODABLE as fault:
        raise Fault(400, f"is no answer of a page ({reworded(fault)})", "", "load the page again") from fault


def _refuse_other_sites(request: Request) -> None:
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    same_host = origin is not None and origin.partition("://")[2] == request.headers.get("host", "")
    # Our pages send no referrer, and some of their requests therefore have the origin "null".
    if not (same_host and site in (None, "same-origin")) and not (
        site == "same-origin" and origin in (None, "null")
    ):
        raise Fault(403, "answers are taken from the page of this server alone", "Origin", "open your link")


async def _body(request: Request) -> bytes:
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > LONGEST_POST:
            raise Fault(413, "the answer is too large", "", SMALLER)
    return bytes(found)
