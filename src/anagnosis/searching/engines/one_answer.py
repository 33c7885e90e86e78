"""What belongs to one answer of an index: what is known already, and what it lacks where a user has allowed that.

    with one_answer(index.allow_partial):
        …                 an engine says `leave_out("2 of 3 shards")` where shards of a cluster do not answer
        left_out()        what the answer has to say
        counts_of(engine) is asked once, as all is that `once` keeps

Outside of such a block an engine refuses to answer without all shards, and nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from anagnosis.searching.engines import Engine
from anagnosis.searching.records.hits import Counts

INCOMPLETE = "only {} answered, so papers of the others are left out"
T = TypeVar("T")


class _Answer:
    def __init__(self, allow_partial: bool) -> None:
        self.allow_partial = allow_partial
        self.left_out = list[str]()
        self.known = dict[Hashable, Any]()


_answer: ContextVar[_Answer | None] = ContextVar("answer", default=None)


@contextmanager
def one_answer(allow_partial: bool) -> Generator[None]:
    """Answer in this thread, also without what is missing if that is allowed.

    An inner block belongs to the outer one, unless it alone allows that.
    """
    outer = _answer.get()
    if outer is not None and outer.allow_partial >= allow_partial:
        yield
        return
    token = _answer.set(_Answer(allow_partial))
    try:
        yield
    finally:
        _answer.reset(token)


def once(key: Hashable, ask: Callable[[], T]) -> T:
    """What `ask` gives; within one answer it is asked once for a key."""
    answer = _answer.get()
    if answer is None:
        return ask()
    if key not in answer.known:
        answer.known[key] = ask()
    known: T = answer.known[key]
    return known


def counts_of(engine: Engine) -> Counts:
    """The documents and passages of an index, the same throughout one answer."""
    return once((engine, "counts"), lambda: engine.committed().counts)


def may_leave_out() -> bool:
    """Whether the answer may lack something."""
    answer = _answer.get()
    return answer is not None and answer.allow_partial


def leave_out(answered: str) -> bool:
    """Note which part has answered, such as "2 of 3 shards". False: the answer may not lack anything."""
    answer = _answer.get()
    if answer is None or not answer.allow_partial:
        return False
    if answered not in answer.left_out:
        answer.left_out.append(answered)
    return True


def left_out() -> list[str]:
    """What the answer lacks so far, each as which part has answered."""
    answer = _answer.get()
    return [] if answer is None else list(answer.left_out)
