"""Addresses of servers: what may be asked, and whether only this machine answers."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from anagnosis.errors import InputError
from anagnosis.wording import shortened


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    address = ip_address(host)
    return host == "localhost" if address is None else address.is_loopback


def ip_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a name spells; None for a name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def check_url(url: str, where: str, example: str) -> None:
    """Refuse (InputError) an address that is not https, or plain http to this machine; or has a user or a query."""
    try:
        read = urlsplit(url)
        is_complete = bool(read.hostname) and read.port != 0
    except ValueError:  # a port of letters, or beyond 65,535
        read, is_complete = urlsplit(""), False
    is_safe = read.scheme == "https" or (read.scheme == "http" and is_loopback(read.hostname or ""))
    if not is_complete or not is_safe or read.username or read.password or "?" in url or "#" in url:
        named = shortened(url.rpartition("@")[2].partition("?")[0])  # without a password or key
        remedy = (
            f"write it as {example}, without user or password or query; plain http goes to this machine only"
        )
        raise InputError(f"is no address that can be used: {named}", where, remedy)
