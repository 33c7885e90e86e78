"""One candidate and one answer as the authors' files spell them.

    Setting A   @entity65 :: ('MESH:D006816', 'Disease') :: ["Huntington's Disease", 'HD']
                @entity65 :: (MESH:D006816,Disease) :: ['HD']\\n          (the answer: one surface, no quotes)
    Setting B   @entity3                                                  (both)

The pair and the list are Python's `repr`. A surface or an identifier may itself hold " :: ", and an identifier commas.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any, NamedTuple

SEPARATOR = " :: "
LARGEST_NUMBER = 2**31 - 1

_ITEM = re.compile(r"@entity(0|[1-9][0-9]{0,9})(?: :: (.*))?", re.DOTALL)
_JOINT = re.compile(r"\) :: \[")


class Item(NamedTuple):
    """A candidate. identifier, type and names are empty in Setting B."""

    number: int
    identifier: str = ""
    type: str = ""
    names: tuple[str, ...] = ()


def read_item(text: str, setting: str) -> Item | None:
    """The candidate that `text` spells, None if it does not."""
    found = _ITEM.fullmatch(text)
    if (
        found is None
        or (number := int(found[1])) > LARGEST_NUMBER
        or (setting == "A") != (found[2] is not None)
    ):
        return None
    if setting == "B":
        return Item(number)
    rest = found[2]
    for joint in _JOINT.finditer(rest):
        pair, names = _texts(rest[: joint.start() + 1]), _texts(rest[joint.end() - 1 :])
        if isinstance(pair, tuple) and len(pair) == 2 and isinstance(names, list):
            return Item(number, *pair, tuple(names))
    return None


def write_item(item: Item) -> str:
    """The candidate as the authors write it in Setting A."""
    return f"@entity{item.number} :: {(item.identifier, item.type)!r} :: {list(item.names)!r}"


def read_hidden(text: str, item: Item, setting: str) -> str | None:
    """The surface in an answer, "" in Setting B; None if it does not spell `item`, and one surface."""
    if setting == "B":
        return "" if text == f"@entity{item.number}" else None
    head = _answer_head(item)
    names = _texts(text[len(head) :].removesuffix("\n")) if text.startswith(head) else None
    return names[0] if isinstance(names, list) and len(names) == 1 else None


def write_answer(item: Item, hidden: str) -> str:
    """The answer as the authors write it in Setting A, with a newline."""
    return f"{_answer_head(item)}{[hidden]!r}\n"


def _answer_head(item: Item) -> str:
    return f"@entity{item.number} :: ({item.identifier},{item.type}) :: "


@lru_cache(1 << 17)
def _texts(text: str) -> Any:
    """The tuple or list of strings that a `repr` spells, None of anything else, and of half a surrogate pair."""
    try:
        found = ast.literal_eval(text)
        "".join(found).encode()
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return found
