"""uvicorn's HTTP/1.1 that hangs up on a client who does not finish its headers; uvicorn alone waits for ever."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0  # for the headers of one request


class HeadersInTime(H11Protocol):
    """The clock runs from the connection, or from the first byte of a further request, to the end of the headers."""

    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._clock = self.loop.call_later(SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._clock is None and self.conn.their_state is h11.IDLE:
            self._clock = self.loop.call_later(SECONDS, self.transport.abort)
        super().data_received(data)
        if self._clock is not None and self.conn.their_state is not h11.IDLE:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
