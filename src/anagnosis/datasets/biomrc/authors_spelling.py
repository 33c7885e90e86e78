"""One candidate and one answer as the authors' files spell them.

    Setting A   @entity65 :: ('MESH:D006816', 'Disease') :: ["Huntington's Disease", 'HD']
                @entity65 :: (MESH:D006816,Disease) :: ['HD']\\n          (the answer: one surface, no quotes)
    Setting B   @entity3                                                  (both)

The pair and the list are Python's `repr`, so quotes and escapes follow Python's rules. A surface or an
identifier may itself hold " :: ", and an identifier commas: the fields are found by what `repr` would have
written, never by splitting alone.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple, cast

SEPARATOR = " :: "
LARGEST_NUMBER = 2**31 - 1

_PSEUDO = re.compile(r"@entity(0|[1-9][0-9]{0,9})")
_JOINT = re.compile(r"\) :: \[")


class Item(NamedTuple):
    """A candidate. identifier, type and names are empty in Setting B.

    exact: whether writing it again gives the same text (if not, the `repr` of another Python wrote it).
    """

    number: int
    identifier: str = ""
    type: str = ""
    names: tuple[str, ...] = ()
    exact: bool = True


def read_item(text: str, setting: str) -> Item | None:
    """The candidate that `text` spells, None if it does not."""
    found = _PSEUDO.match(text)
    if found is None or (number := int(found[1])) > LARGEST_NUMBER:
        return None
    rest = text[found.end() :]
    if setting == "B":
        return None if rest else Item(number)
    if not rest.startswith(SEPARATOR):
        return None
    for joint in _JOINT.finditer(rest):
        pair = _read_pair(rest[len(SEPARATOR) : joint.start() + 1])
        names = _read_names(rest[joint.end() - 1 :])
        if pair is not None and names is not None:
            item = Item(number, *pair, names)
            return item if write_item(item) == text else item._replace(exact=False)
    return None


def write_item(item: Item) -> str:
    """The candidate as the authors write it in Setting A."""
    return f"@entity{item.number} :: {(item.identifier, item.type)!r} :: {list(item.names)!r}"


def read_answer_number(text: str) -> int | None:
    """The number of the pseudo-identifier that an answer begins with, None if it begins otherwise."""
    found = _PSEUDO.match(text)
    return int(found[1]) if found else None


def read_hidden(text: str, item: Item) -> str | None:
    """The surface in an answer of Setting A, None if it does not spell the pair of `item` and one surface.

    text: without the newline at its end.
    """
    head = _answer_head(item)
    names = _read_names(text[len(head) :]) if text.startswith(head) else None
    return names[0] if names is not None and len(names) == 1 else None


def write_answer(item: Item, hidden: str) -> str:
    """The answer as the authors write it in Setting A, with a newline."""
    return f"{_answer_head(item)}{[hidden]!r}\n"


def _answer_head(item: Item) -> str:
    return f"@entity{item.number} :: ({item.identifier},{item.type}) :: "


def _read_pair(text: str) -> tuple[str, str] | None:
    """`repr` of two strings; the common case needs no parser, and `repr` says whether it was one."""
    parts = text[2:-2].split("', '")
    if len(parts) == 2 and repr(pair := (parts[0], parts[1])) == text:
        return pair
    value = _literal(text)
    if isinstance(value, tuple) and len(cast("tuple[object, ...]", value)) == 2 and _texts(value):
        return cast("tuple[str, str]", value)
    return None


def _read_names(text: str) -> tuple[str, ...] | None:
    parts = text[2:-2].split("', '")
    if repr(parts) == text:
        return tuple(parts)
    value = _literal(text)
    return tuple(cast("list[str]", value)) if isinstance(value, list) and _texts(value) else None


def _literal(text: str) -> object:
    try:
        return cast(object, ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _texts(values: object) -> bool:
    """Whether all are strings that can be stored as UTF-8 (half of a surrogate pair, escaped, cannot)."""
    try:
        "".join(cast("list[str]", values)).encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return True
