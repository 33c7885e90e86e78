"""Why a request was not answered: the exception, and the record that the API returns and the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.responses import Response

from anagnosis.errors import InputError
from anagnosis.showing import escaped_json
from anagnosis.web.parameters import public_name

# In place of a remedy that only those who run the server can follow: a command, or one of its options.
_TELL_THEM = "tell those who run this page"
_FOR_THEM = re.compile(r"`anagnosis\b|(?:^|[ `])--[a-z]")


class Fault(InputError):  # noqa: N818 it is a fault as InputError is one, with a status
    """A refusal with its HTTP status. retry_after: seconds, 0 where asking again is of no use."""

    def __init__(
        self, status: int, what: str, where: str = "", remedy: str = "", *, retry_after: int = 0
    ) -> None:
        super().__init__(what, where, remedy)
        self.status, self.retry_after = status, retry_after


class Refusal(msgspec.Struct, frozen=True):
    """Why a request was not answered: what, where (the parameter), what to do; and the id to ask about."""

    status: int
    what: str
    where: str
    remedy: str
    request: str


def refused(scope: Any, fault: InputError, page: Callable[[Refusal], Response] | None) -> Response:
    """The answer to a refused request, with its id. page: of it, None for JSON.

    A remedy that only those who run the server can follow is replaced.
    """
    status, again = (fault.status, fault.retry_after) if isinstance(fault, Fault) else (400, 0)
    refusal = Refusal(
        status,
        fault.what,
        public_name(fault.where),
        _TELL_THEM if _FOR_THEM.search(fault.remedy) else fault.remedy,
        scope.get("state", {}).get("request_id", ""),
    )
    made = page(refusal) if page else json_response(refusal)
    made.status_code = status
    made.headers["Cache-Control"] = "no-store"
    if again:
        made.headers["Retry-After"] = str(again)
    if status == 413:
        made.headers["Connection"] = "close"  # what was sent is not read
    return made


def json_response(record: Any, cache: str = "no-store") -> Response:
    """JSON whose every character is safe to print."""
    text = escaped_json(msgspec.json.encode(record).decode())
    return Response(text, media_type="application/json", headers={"Cache-Control": cache})
