"""The middleware of every request: request id, limits before any search, headers of the answer, log line."""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anagnosis.web.faults import Fault
from anagnosis.web.hosts import Hosts
from anagnosis.web.limits import LONGEST_BODY, LONGEST_QUERY, Buckets
from anagnosis.web.logs import REQUEST, crashed, event

# Paper text is hostile: even if a script came through the escaping, the browser would not run it.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
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
# Request ids that we accept from clients; others could inject text into the log.
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")


@dataclass(frozen=True, slots=True)
class Site:
    """What the guard must know of the site behind it.

    refuse: the answer to a refused request. route: what a log line calls a path. client: whose limit of rate a request
    counts to, None where there is no limit.
    """

    refuse: Callable[[Scope, Fault], ASGIApp]
    route: Callable[[str], str]
    client: Callable[[Scope], str | None]


def address(scope: Scope) -> str:
    """The address that a request comes from, "" where nobody knows it."""
    client: tuple[str, int] | None = scope.get("client")
    return client[0] if client else ""


class Guard:
    """An ASGI middleware. rate: requests a second of one client, 0 for no limit. hosts: the names it answers to."""

    def __init__(self, app: ASGIApp, rate: float, hosts: Hosts, site: Site) -> None:
        self._app, self._hosts, self._site = app, hosts, site
        self._buckets = Buckets(rate)

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
            fault = self._refused(scope)
            if fault is None:
                await self._app(scope, receive, answer)
            else:
                await self._site.refuse(scope, fault)(scope, receive, answer)
        except (asyncio.CancelledError, GeneratorExit, KeyboardInterrupt, SystemExit):
            raise
        except ClientDisconnect:  # in the middle of its request: nobody waits for an answer
            pass
        except BaseException as bug:  # a panic of a library in another language is no Exception
            crashed("crash", bug)
            if not status:
                bad = Fault(500, "something broke here", "", "tell those who run this page the request's id")
                await self._site.refuse(scope, bad)(scope, receive, answer)
        finally:
            route = self._site.route(scope["path"])
            ms = round(1000 * (time.perf_counter() - began), 1)
            known = scope["method"] if scope["method"] in _METHODS else "other"
            event("request", id=ident, method=known, route=route, status=status, ms=ms, bytes=size)

    def _refused(self, scope: Scope) -> Fault | None:
        headers = Headers(scope=scope)
        if not self._hosts.allow(headers.get("host", "")):
            remedy = "open the address that was printed at the start, or ask those who run this page to allow the name"
            return Fault(421, "nothing is served under this name", "Host", remedy)
        length = headers.get("content-length", "")
        if length.isdecimal() and (len(length) > 18 or int(length) > LONGEST_BODY):
            remedy = "ask with GET; nothing is read from a body"
            return Fault(413, "the request is too large", "", remedy)
        if len(scope["query_string"]) > LONGEST_QUERY:
            return Fault(414, "the address is too long", "", f"keep it below {LONGEST_QUERY:,} bytes")
        client = self._site.client(scope)
        if client is not None and (wait := self._buckets.wait(client)):
            return Fault(429, "too many requests", "", f"try again in {wait} s", retry_after=wait)
        return None


_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"))


def request_id(given: str) -> str:
    """The id that came with the request where it is well-formed, else a new one."""
    return given if _WELL_FORMED.fullmatch(given) else uuid.uuid4().hex
