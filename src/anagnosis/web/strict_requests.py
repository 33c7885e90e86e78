"""HTTP/1.1 that refuses at once what may mean two things or is too large.

h11 counts only what has not come whole: headers of any size pass where they arrive together. It also takes a request
with both Content-Length and Transfer-Encoding, which a proxy may have read as two (RFC 9112, section 6.1).
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from anagnosis.web.guard import HEADERS

LONGEST_HEADERS = 32 << 10  # bytes, the request line included
_FRAMING = (b"content-length", b"transfer-encoding")


class StrictConnection(h11.Connection):
    """refused: the status of the last request that was refused, 0 before."""

    refused = 0

    def next_event(self) -> Any:
        """The next one. h11.RemoteProtocolError: what is refused."""
        try:
            event = super().next_event()
            if isinstance(event, h11.Request):
                _refuse(event)
        except h11.RemoteProtocolError as fault:
            self.refused = fault.error_status_hint
            raise
        return event


class StrictRequests(H11Protocol):
    """uvicorn's protocol over such a connection."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = StrictConnection(h11.SERVER, LONGEST_HEADERS)

    def send_400_response(self, msg: str) -> None:
        """Refuse in one line, with the status that fits, and close."""
        status = HTTPStatus(getattr(self.conn, "refused", 0) or 400)
        text = f"{status.phrase}\n".encode()
        headers = {
            **HEADERS,
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Length": str(len(text)),
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        for event in (
            h11.Response(status_code=status, headers=list(headers.items()), reason=status.phrase.encode()),
            h11.Data(data=text),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _refuse(request: h11.Request) -> None:
    """RemoteProtocolError: the headers are too large, or leave the request's length uncertain."""
    names = [name for name, _ in request.headers]
    lines = sum(len(name) + len(value) + len(b": \r\n") for name, value in request.headers)
    if len(request.method) + len(request.target) + len(b"  HTTP/1.1\r\n") + lines > LONGEST_HEADERS:
        raise h11.RemoteProtocolError("headers too large", error_status_hint=431)
    if all(name in names for name in _FRAMING) or (request.http_version < b"1.1" and _FRAMING[1] in names):
        raise h11.RemoteProtocolError("the length is given twice")
