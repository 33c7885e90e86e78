"""The host names under which the server answers.

Another site can let its name resolve to this machine (DNS rebinding), and its pages could then read our answers. Its
name is in the Host header, so we refuse names that are not ours. IP addresses cannot be rebound.
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
        match = _HOST.fullmatch(header)
        if match is None:
            return False
        name = _plain(match["six"] or match["name"])
        return name in self.names or (self.addresses and _address(name) is not None)


def hosts(listening: str = "127.0.0.1", others: Sequence[str] = ()) -> Hosts:
    """The hosts of a server at this address. others: further names. InputError: not a host name."""
    for other in others:
        if not _NAME.fullmatch(other) and _address(other) is None:
            raise InputError("is no name of a host", other[:100], "write --allow-host NAME, without a port")
    named = frozenset(map(_plain, others))
    address = _address(listening)
    if address is not None and address.is_unspecified:
        return Hosts(LOOPBACK | named, addresses=True)
    if is_loopback(listening):
        return Hosts(LOOPBACK | {_plain(listening)} | named)
    return Hosts(named | {_plain(listening)})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def _plain(name: str) -> str:
    address = _address(name)
    return str(address) if address is not None else name.lower().removesuffix(".")


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
