"""How a query was understood, in one line for people.

all of: "insulin resistance" · best with: metformin · without: children · title: glucose · published 2015\u20132020
"""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.searching.queries.fields import FIELDS
from anagnosis.searching.queries.tree import (
    AllOf,
    AnyOf,
    Begins,
    Dates,
    Not,
    Parsed,
    Part,
    Quoted,
    Tagged,
    Words,
)
from anagnosis.searching.records.hits import Understood, UnderstoodPart
from anagnosis.wording import counted

ALL, ANY, BEST, WITHOUT = "all of", "any of", "best with", "without"
_ORDER = (ALL, ANY, BEST, WITHOUT)
_SPAN = "published"


def understood(parsed: Parsed) -> Understood:
    """The record of a parsed query. Plain words alone need no explanation: the record then has no parts."""
    texts: dict[tuple[str, int], list[str]] = {}  # each ANY stands alone
    for part in () if parsed.is_plain else parsed.parts:
        for label, text in _labelled(part):
            texts.setdefault((label, len(texts) if label == ANY else 0), []).append(text)
    parts = [UnderstoodPart(label, ", ".join(some)) for (label, _), some in texts.items()]
    parts.sort(key=lambda part: _ORDER.index(part.label) if part.label in _ORDER else len(_ORDER))
    return Understood(tuple(parts), parsed.repairs)


def _labelled(part: Part) -> Iterator[tuple[str, str]]:
    """(label, text) of a part that stands side by side with others."""
    match part:
        case Words(text):
            yield BEST, text
        case AnyOf(parts):
            yield ANY, ", ".join(map(_shown, parts))
        case Not(inner):
            for each in inner.parts if isinstance(inner, AnyOf) else (inner,):
                yield WITHOUT, _shown(each)
        case AllOf(parts):
            for each in parts:
                if isinstance(each, Words | AnyOf):
                    yield ALL, _shown(each)
                else:
                    yield from _labelled(each)
        case Tagged(name, inner):
            yield FIELDS[name].label, _shown(inner) + _more(part)
        case Dates():
            yield _SPAN, _dates(part)
        case _:
            yield ALL, _shown(part)


def _shown(part: Part) -> str:
    """A part for people."""
    match part:
        case Tagged(name, inner):
            return f"{FIELDS[name].label}: {_shown(inner)}{_more(part)}"
        case Dates():
            return f"{_SPAN} {_dates(part)}"
        case AnyOf(parts):
            return f"({' or '.join(map(_shown, parts))})"
        case AllOf(parts):
            return f"({' and '.join(map(_shown, parts))})"
        case Not(inner):
            return f"not {_shown(inner)}"
        case Words(text):
            return text
        case Quoted(text):
            return f'"{text}"'
        case Begins(text):
            return f"{text}*"
        case _:
            raise AssertionError(f"{part} is not as typed")


def _more(part: Tagged) -> str:
    """What a tag adds to its words."""
    between = part.part.between if isinstance(part.part, Quoted) else None
    apart = "" if between is None else f" (at most {counted(between, 'word')} between)"
    return f"{apart} and {counted(len(part.narrower), 'narrower term')}" if part.narrower else apart


def _dates(part: Dates) -> str:
    since, until = part.since, part.until
    if since == until:
        return since or "at any date"
    if since and until:
        return f"{since}\u2013{until}" if len(since + until) == 8 else f"{since} to {until}"
    return f"since {since}" if since else f"until {until}"
