"""Error answers: JSON under /api, a page everywhere else, always with the request's id."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from anagnosis.errors import InputError
from anagnosis.masking import escaped_json
from anagnosis.web.pages import fault_page
from anagnosis.web.refusal import Fault, Refusal

_SEE_THE_LOG = "see the log of the server"
# In place of a remedy that only those who run the server can follow: a command, or one of its options.
_TELL_THEM = "tell those who run this page"
_FOR_THEM = re.compile(r"`anagnosis\b|(?:^|[ `])--[a-z]")
NOT_HTML = frozenset(("/health", "/ready", "/openapi.json"))


# What pydantic's kinds of faults mean to who wrote a parameter.
_WORDS = {
    "bool_parsing": "is neither true nor false",
    "greater_than_equal": "is less than {ge}",
    "int_parsing": "is not a whole number",
    "int_parsing_size": "has too many digits",
    "less_than_equal": "is more than {le}",
    "literal_error": "is none of {expected}",
    "string_too_long": "has more than {max_length} characters",
    "string_too_short": "is empty",
    "too_long": "is given more than {max_length} times",
}


def unreadable() -> Fault:
    """The index cannot be read just now."""
    return Fault(503, "the collection cannot be read just now", "", "try again in a moment", retry_after=5)


def unready(fault: Exception) -> Fault:
    """Why questions are not answered just now: the user's part of an InputError, else the kind of the fault."""
    if isinstance(fault, InputError):
        return Fault(503, fault.what, "", fault.remedy, retry_after=5)
    if why := getattr(fault, "why", ""):
        return Fault(503, why, "", _SEE_THE_LOG, retry_after=5)
    kind = type(fault.__cause__ or fault).__name__
    return Fault(503, f"the collection cannot be searched ({kind})", "", _SEE_THE_LOG, retry_after=5)


def response(scope: Any, fault: Fault) -> Response:
    """The fault as the client of this path reads it. scope: of the request (ASGI)."""
    refusal = Refusal(
        status=fault.status,
        what=fault.what,
        where=fault.where,
        remedy=for_visitors(fault.remedy),
        request=scope.get("state", {}).get("request_id", ""),
    )
    headers = {"Cache-Control": "no-store"}
    if fault.retry_after:
        headers["Retry-After"] = str(fault.retry_after)
    if fault.status == 413:
        headers["Connection"] = "close"  # what was sent is not read
    if scope["path"].startswith("/api/") or scope["path"] in NOT_HTML:
        text = escaped_json(refusal.model_dump_json())
        return Response(text, fault.status, headers, "application/json")
    return HTMLResponse(fault_page(refusal, fault.again), fault.status, headers)


def for_visitors(remedy: str) -> str:
    """A remedy that a visitor can follow: without commands and options of the program."""
    return _TELL_THEM if _FOR_THEM.search(remedy) else remedy


def invalid(problems: Sequence[Any]) -> Fault:
    """The first of a request's wrong parameters. problems: as pydantic tells them."""
    problem = problems[0]
    where = next((str(part) for part in problem["loc"] if part not in ("query", "path")), "")
    what, _, remedy = problem["msg"].removeprefix("Value error, ").partition("; ")
    if problem["type"] == "extra_forbidden":
        what, remedy = "unknown parameter", "see /openapi.json"
    elif problem["type"] == "missing":
        what, remedy = "is missing", "see /openapi.json"
    elif problem["type"] in _WORDS:
        what, remedy = _WORDS[problem["type"]].format_map(problem.get("ctx", {})), "see /openapi.json"
    return Fault(400, what[:1].lower() + what[1:], where[:100], remedy)


def handlers() -> dict[Any, Callable[[Request, Any], Any]]:
    """For the application: each kind of exception and what it becomes."""

    async def refused(request: Request, fault: Fault) -> Response:
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

    return {Fault: refused, RequestValidationError: wrong, HTTPException: other}
