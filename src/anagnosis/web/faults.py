"""Why a request was not answered: the exception, and the record that the API returns and the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel
from starlette.responses import Response

from anagnosis.errors import InputError
from anagnosis.showing import escaped_json

_SEE_THE_LOG = "see the log of the server"
# In place of a remedy that only those who run the server can follow: a command, or one of its options.
_TELL_THEM = "tell those who run this page"
_FOR_THEM = re.compile(r"`anagnosis\b|(?:^|[ `])--[a-z]")
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


class Fault(Exception):  # noqa: N818 it is a fault as errors.InputError is one, with its three parts
    """A refusal with its HTTP status. retry_after: seconds, 0 where asking again is of no use."""

    def __init__(
        self, status: int, what: str, where: str = "", remedy: str = "", *, retry_after: int = 0
    ) -> None:
        super().__init__(what)
        self.status, self.what, self.where, self.remedy = status, what, where, remedy
        self.retry_after = retry_after
        self.again = "/"  # where a page leads back to


class Refusal(BaseModel):
    """Why a request was not answered: what, where (the parameter), what to do; and the id to ask about."""

    status: int
    what: str
    where: str
    remedy: str
    request: str


def unreadable() -> Fault:
    """The index cannot be read just now."""
    return Fault(503, "the collection cannot be read just now", "", "try again in a moment", retry_after=5)


def unready(fault: Exception) -> Fault:
    """Why questions are not answered just now: the user's part of an InputError, else the kind of the fault."""
    if isinstance(fault, InputError):
        return Fault(503, fault.what, "", fault.remedy, retry_after=5)
    kind = type(fault.__cause__ or fault).__name__
    return Fault(503, f"the collection cannot be searched ({kind})", "", _SEE_THE_LOG, retry_after=5)


def refused(
    scope: Any, fault: Fault, page: Callable[[Refusal], Response] | None, remedy: str | None = None
) -> Response:
    """The answer to a refused request, with its id. page: of it, None for JSON. remedy: in place of the fault's."""
    refusal = Refusal(
        status=fault.status,
        what=fault.what,
        where=fault.where,
        remedy=fault.remedy if remedy is None else remedy,
        request=scope.get("state", {}).get("request_id", ""),
    )
    made = page(refusal) if page else json_response(refusal.model_dump_json())
    made.status_code = fault.status
    made.headers["Cache-Control"] = "no-store"
    if fault.retry_after:
        made.headers["Retry-After"] = str(fault.retry_after)
    if fault.status == 413:
        made.headers["Connection"] = "close"  # what was sent is not read
    return made


def json_response(text: str, cache: str = "no-store") -> Response:
    """JSON whose every character is safe to print."""
    return Response(escaped_json(text), media_type="application/json", headers={"Cache-Control": cache})


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
