"""What a server allows: how much each request may take, and the host names it answers to."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from anagnosis.errors import InputError
from anagnosis.io.addresses import ip_address, is_loopback

LONGEST = 1_000  # characters of a question, an id or a name
MOST_VALUES = 20  # of one parameter
MOST_PASSAGES = 100  # of one answer
MOST_SENTENCES = MOST_RELATED = MOST_COMPLETIONS = 20  # these of each kind
MOST_EXPORTED = 1_000  # papers
MOST_PAGES = 50  # of a list
PAGES_KEPT = 64 << 20  # bytes of images of pages
PAGES_WAITING = 16  # behind the one that is drawn
SECONDS_OF_PAGE = 20  # in which it is drawn
SECONDS_OF_JUDGE = 4.0  # for each of its two calls, within those of a search
LONGEST_QUERY = 8_192  # bytes of an address after "?"
LONGEST_BODY = 4_096  # bytes; no route reads one
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
ANY_ADDRESS = "*"  # among hosts: no name, but whatever is an address
_NAME = re.compile(r"[a-z0-9._-]+", re.IGNORECASE)
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d*)?", re.IGNORECASE)  # of a request


@dataclass(frozen=True, slots=True)
class Limits:
    """workers: searches at once. waiting: those that wait for a worker, before others are sent away.

    seconds: for a search, its waiting included. reading, reading_seconds: the same for questions that trained readers
    answer, one at a time. judging: questions at once that a judge alone answers; none waits.
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    waiting: int = 64
    seconds: float = 10.0
    reading: int = 8
    reading_seconds: float = 10.0
    judging: int = 16


def hosts(listening: str = LOOPBACK[1], others: Sequence[str] = ()) -> list[str]:
    """The hosts of a server at this address, as requests name them. others: further ones. InputError: no host's name.

    Another site can let its name lead to this machine (DNS rebinding), and its pages could then read our answers. No
    address leads elsewhere, so that a server at all addresses (0.0.0.0) answers to each.
    """
    for other in others:
        if not _NAME.fullmatch(other) and ip_address(other) is None:
            raise InputError("is no name of a host", other[:100], "write --allow-host NAME, without a port")
    address = ip_address(listening)
    everywhere = address is not None and address.is_unspecified
    local = LOOPBACK if everywhere or is_loopback(listening) else ()
    return [*local, *map(_one_way, (listening, *others)), *((ANY_ADDRESS,) if everywhere else ())]


def is_served(host: str, allowed: Sequence[str]) -> bool:
    """Whether a request's Host names one of these `hosts`."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = _one_way(found[1])
    return name in allowed or (ANY_ADDRESS in allowed and ip_address(name.strip("[]")) is not None)


def _one_way(name: str) -> str:
    """A host as it is compared: an address has many spellings, a name may end with a dot."""
    name = name.lower().removesuffix(".")
    address = ip_address(name.strip("[]"))
    return name if address is None else str(address) if address.version == 4 else f"[{address}]"
