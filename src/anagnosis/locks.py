"""Locks of files between processes. The system releases a lock when its process ends in any way."""

from __future__ import annotations

from typing import IO


def locked(lock: IO[bytes] | int, *, wait: bool) -> bool:
    """Lock an open file or folder; False if another process has it.

    On a system without such locks the result is True.
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
