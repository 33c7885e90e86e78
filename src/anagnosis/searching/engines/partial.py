"""Answers that lack parts of an index, where a user has allowed that: each has to say what it lacks.

    with partial_answers(index.allow_partial):
        …                 an engine says `leave_out("2 of 3 shards")` where shards of a cluster do not answer
        left_out()        what the answer has to say

Outside of such a block an engine refuses to answer without them.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

INCOMPLETE = "only {} answered, so papers of the others are left out"
_left_out: ContextVar[list[str] | None] = ContextVar("left_out", default=None)


@contextmanager
def partial_answers(allowed: bool) -> Generator[None]:
    """Let engines answer without what is missing, in this thread. An inner block belongs to the outer one."""
    if not allowed or may_leave_out():
        yield
        return
    token = _left_out.set([])
    try:
        yield
    finally:
        _left_out.reset(token)


def may_leave_out() -> bool:
    """Whether answers may lack something."""
    return _left_out.get() is not None


def leave_out(answered: str) -> bool:
    """Note which part has answered, such as "2 of 3 shards". False: an answer may not lack anything."""
    noted = _left_out.get()
    if noted is not None and answered not in noted:
        noted.append(answered)
    return noted is not None


def left_out() -> list[str]:
    """What answers of this block lack so far, each as which part has answered."""
    return list(_left_out.get() or ())
