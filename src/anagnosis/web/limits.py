"""Limits on each request and each client."""

from __future__ import annotations

import ipaddress
import math
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from anagnosis.documents.bibliography import LONGEST_VALUE

LONGEST_QUESTION = 1_000  # characters
LONGEST_ID = 1_000
LONGEST_NAME = LONGEST_VALUE  # of a journal, a type, a collection or a tag
MOST_NAMES = 20  # of one filter
MOST_PASSAGES = 100  # of one answer
DEEPEST = 1_000  # passages that can be reached by offset and limit
MOST_SENTENCES = 20
MOST_EXPORTED = 1_000  # papers
MOST_RELATED = 20
MOST_COMPLETIONS = 20  # of each kind
PAGES_KEPT = 64 << 20  # bytes of images of pages
PAGES_WAITING = 16  # behind the one that is drawn
SECONDS_OF_PAGE = 20  # in which it is drawn
LONGEST_QUERY = 8_192  # bytes of an address after "?"
LONGEST_BODY = 4_096  # bytes; no route reads one
RATE = 10.0
_BURST = 4  # seconds' worth that may come at once
_CLIENTS = 10_000
_NETWORK = 64  # bits of an IPv6 address that tell a household


@dataclass(frozen=True, slots=True)
class Limits:
    """rate: requests a second of one client, 0 for no limit. workers: searches at once.

    waiting: searches that wait for a worker, before others are sent away. seconds: for a search, its waiting included.
    reading, reading_seconds: the same for questions that trained readers answer, one at a time.
    """

    rate: float = RATE
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    waiting: int = 64
    seconds: float = 10.0
    reading: int = 8
    reading_seconds: float = 10.0


class Buckets:
    """A bucket of tokens a client: it fills with `rate` a second, and a request takes one out.

    Addresses stay in memory, those of the last 10,000 clients, and go nowhere else.
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._most = max(1.0, rate * _BURST)
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """0 where a request may pass, else after how many whole seconds the next may."""
        if self._rate <= 0:
            return 0
        client, now = _client(address), self._clock()
        tokens, since = self._clients.pop(client, (self._most, now))
        tokens = min(self._most, tokens + (now - since) * self._rate)
        passes = tokens >= 1
        self._clients[client] = (tokens - 1 if passes else tokens, now)
        if len(self._clients) > _CLIENTS:
            self._clients.popitem(last=False)
        return 0 if passes else math.ceil((1 - tokens) / self._rate)


def _client(address: str) -> str:
    """An IPv6 client has a whole network of addresses."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], _NETWORK), strict=False))
    except ValueError:
        return address
