"""How a query was understood, in one line for people, and written anew as a query.

all of: "insulin resistance" · best with: metformin · without: children · title: glucose · published 2015\u20132020
"""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.searching.analysis import function_word
from anagnosis.searching.queries.fields import DATE_TAG, FIELDS
from anagnosis.searching.queries.tokens import ENDINGS
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
    return Understood(tuple(parts), tuple(parsed.repairs), written(parsed))


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
        case _:
            return _written(part)


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


def written(parsed: Parsed) -> str:
    """The query in normal form. Where nothing was repaired, and its words have no brackets, it has the same reading."""
    pieces: list[str] = []
    before: Part | None = None
    for part in parsed.parts:
        text = _written(part)
        if isinstance(part, Not):
            text = _excluded(part.part, before)
        elif isinstance(part, Tagged) and isinstance(before, Words | Begins):
            text = f"({text})"  # or the field would have the words before it too
        pieces.append(text)
        before = part
    return " ".join(pieces)


def _written(part: Part) -> str:
    """A part as a query."""
    match part:
        case Words(text):
            return text
        case Quoted(text):
            return f'"{text}"'
        case Begins(text):
            return f"{text}*"
        case Tagged(name, inner):
            between = inner.between if isinstance(inner, Quoted) else None
            return f"{_written(inner)}[{name}{'' if between is None else f':~{between}'}]"
        case Dates(since, until):
            first, last = since.replace("-", "/"), (until or "3000").replace("-", "/")
            return f"{first}[{DATE_TAG}]" if since == until and since else f"{first}:{last}[{DATE_TAG}]"
        case AnyOf(parts):
            return f"({' OR '.join(map(_written, parts))})"
        case AllOf(parts):
            return f"({' AND '.join(map(_written, parts))})"
        case Not(inner):
            return f"NOT {_written(inner)}"
        case _:
            raise AssertionError(f"{part} is not as typed")


def _excluded(part: Part, before: Part | None) -> str:
    """A part behind a minus sign."""
    text = _written(part)
    if isinstance(part, Words):
        hyphened = isinstance(before, Words) and function_word(before.text.split()[-1])
        single = text.isalpha() and len(text) > 1 and text.lower() not in ENDINGS
        return f"-{text}" if single and not hyphened else f"-({text})"
    return f"-{text}" if isinstance(part, Quoted | AnyOf | AllOf) else f"-({text})"
