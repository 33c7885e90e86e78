"""Locks of files between processes. A lock goes with the process that holds it, however that ends."""

from __future__ import annotations

from typing import IO


def locked(lock: IO[bytes] | int, *, wait: bool) -> bool:
    """Lock an open file or folder; False if another process has it.

    Where the system has no such locks, nobody has it.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
