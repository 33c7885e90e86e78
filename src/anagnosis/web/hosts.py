"""Under which names the page may be asked for.

A page elsewhere can let its own name lead to this machine (DNS rebinding) and would then read the answers as its
own. Its name stands in the Host header, so names that are not ours are refused. An IP address cannot be led elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass

from anagnosis.errors import InputError

LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
# A name or an IPv4 address, or an IPv6 address in brackets; and a port.
_HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::[0-9]{0,5})?", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9._-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hosts:
    """names: in lower case, without a port. addresses: whether any IP address will do."""

    names: frozenset[str] = LOOPBACK
    addresses: bool = False

    def allow(self, header: str) -> bool:
        """header: as the request has it, with a port or without; "" where it has none."""
        found = _HOST.fullmatch(header)
        if found is None:
            return False
        name = _plain(found["six"] or found["name"])
        return name in self.names or (self.addresses and _address(name) is not None)


def hosts(listening: str = "127.0.0.1", others: Sequence[str] = ()) -> Hosts:
    """What a server at this address answers to. others: further names. Refused: what is no name."""
    for other in others:
        if not _NAME.fullmatch(other) and _address(other) is None:
            raise InputError("is no name of a host", other[:100], "write --allow-host NAME, without a port")
    named = frozenset(map(_plain, others))
    found = _address(listening)
    if found is not None and found.is_unspecified:
        return Hosts(LOOPBACK | named, addresses=True)
    if is_loopback(listening):
        return Hosts(LOOPBACK | {_plain(listening)} | named)
    return Hosts(named | {_plain(listening)})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    found = _address(host)
    return host == "localhost" if found is None else found.is_loopback


def _plain(name: str) -> str:
    found = _address(name)
    return str(found) if found is not None else name.lower().removesuffix(".")


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
