"""The middleware of every request: request id, limits before any search, headers of the answer, log line."""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from collections.abc import Callable, Container, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anagnosis.errors import InputError
from anagnosis.web.faults import Fault
from anagnosis.web.limits import LONGEST_BODY, LONGEST_QUERY, is_served
from anagnosis.web.logs import REQUEST, crashed, event

# Paper text is hostile: even if a script came through the escaping, the browser would not run it.
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_STATIC = "/static/"
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"))
# Request ids that we accept from clients; others could inject text into the log.
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")


class Guard:
    """An ASGI middleware. refuse: the answer to a refused request. routes: the paths that a log line may name."""

    def __init__(
        self, app: ASGIApp, refuse: Callable[[Scope, InputError], ASGIApp], routes: Container[str]
    ) -> None:
        self._app, self._refuse, self._routes = app, refuse, routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        ident = request_id(Headers(scope=scope).get("x-request-id", ""))
        scope.setdefault("state", {})["request_id"] = ident
        REQUEST.set(ident)
        status, size = 0, 0

        async def answer(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(raw=[*message["headers"]])
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers["X-Request-ID"] = ident
                message = {**message, "headers": headers.raw}
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            fault = _too_large(scope)
            if fault is None:
                await self._app(scope, receive, answer)
            else:
                await self._refuse(scope, fault)(scope, receive, answer)
        except (asyncio.CancelledError, GeneratorExit, KeyboardInterrupt, SystemExit):
            raise
        except ClientDisconnect:  # in the middle of its request: nobody waits for an answer
            pass
        except BaseException as bug:  # a panic of a library in another language is no Exception
            crashed("crash", bug)
            if not status:
                bad = Fault(500, "something broke here", "", "tell those who run this page the request's id")
                await self._refuse(scope, bad)(scope, receive, answer)
        finally:
            path = scope["path"]
            route = path if path in self._routes else _STATIC if path.startswith(_STATIC) else "other"
            ms = round(1000 * (time.perf_counter() - began), 1)
            known = scope["method"] if scope["method"] in _METHODS else "other"
            event("request", id=ident, method=known, route=route, status=status, ms=ms, bytes=size)


class OwnNames:
    """An ASGI middleware. allowed: the hosts that requests may name (limits.hosts)."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self._app, self._allowed = app, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] == "http" and not is_served(Headers(scope=scope).get("host", ""), self._allowed):
            app = PlainTextResponse("Invalid host header", status_code=400)
        await app(scope, receive, send)


def _too_large(scope: Scope) -> Fault | None:
    """Why a request is not read."""
    length = Headers(scope=scope).get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > LONGEST_BODY):
        return Fault(413, "the request is too large", "", "ask with GET; nothing is read from a body")
    if len(scope["query_string"]) > LONGEST_QUERY:
        return Fault(414, "the address is too long", "", f"keep it below {LONGEST_QUERY:,} bytes")
    return None


def request_id(given: str) -> str:
    """The id that came with the request where it is well-formed, else a new one."""
    return given if _WELL_FORMED.fullmatch(given) else uuid.uuid4().hex
