"""What a server allows: how much each request may take, and the host names it answers to."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from anagnosis.errors import InputError

LONGEST = 1_000  # characters of a question, an id or a name
MOST_VALUES = 20  # of one parameter
MOST_PASSAGES = 100  # of one answer
MOST_SENTENCES = MOST_RELATED = MOST_COMPLETIONS = 20  # these of each kind
MOST_EXPORTED = 1_000  # papers
MOST_PAGES = 50  # of a list
PAGES_KEPT = 64 << 20  # bytes of images of pages
PAGES_WAITING = 16  # behind the one that is drawn
SECONDS_OF_PAGE = 20  # in which it is drawn
LONGEST_QUERY = 8_192  # bytes of an address after "?"
LONGEST_BODY = 4_096  # bytes; no route reads one
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_NAME = re.compile(r"[a-z0-9._-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """workers: searches at once. waiting: those that wait for a worker, before others are sent away.

    seconds: for a search, its waiting included. reading, reading_seconds: the same for questions that trained readers
    answer, one at a time.
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    waiting: int = 64
    seconds: float = 10.0
    reading: int = 8
    reading_seconds: float = 10.0


def hosts(listening: str = LOOPBACK[1], others: Sequence[str] = ()) -> list[str]:
    """The hosts of a server at this address, as requests name them. others: further ones. InputError: no host's name.

    Another site can let its name lead to this machine (DNS rebinding), and its pages could then read our answers.
    """
    for other in others:
        if not _NAME.fullmatch(other) and _address(other) is None:
            raise InputError("is no name of a host", other[:100], "write --allow-host NAME, without a port")
    address = _address(listening)
    local = is_loopback(listening) or (address is not None and address.is_unspecified)
    return [
        *(LOOPBACK if local else ()),
        *(f"[{one}]" if ":" in one else one for one in (listening, *others)),
    ]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
