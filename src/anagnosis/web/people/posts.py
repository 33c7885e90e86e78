"""What a request that sends an answer must be: JSON, from the page of this server, bounded.

A page of another site can make a browser send requests here, but not choose their headers: browsers set Origin and
Sec-Fetch-Site themselves, and ask before they send JSON to another origin.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request

from anagnosis.io.decoding import UNDECODABLE
from anagnosis.labelling.saved_file import LONGEST_LINE
from anagnosis.web.faults import Fault
from anagnosis.wording import reworded

LONGEST_POST = LONGEST_LINE + 1_024  # bytes: a line, and what stands around it
SMALLER = "send one answer"
_JSON = "application/json"


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends. line: as it would save it. since: the seconds that the server acknowledged to it before."""

    line: msgspec.Raw
    since: Annotated[float, msgspec.Meta(ge=0)] = 0


async def sent(request: Request) -> Sent:
    """The answer that a request holds. Faults: 403 from another site, 415 no JSON, 413 too large, 400 another form."""
    _refuse_other_sites(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _JSON:
        raise Fault(415, "the answer is not sent as JSON", "Content-Type", f"send {_JSON}")
    try:
        return msgspec.json.decode(await _body(request), type=Sent)
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
