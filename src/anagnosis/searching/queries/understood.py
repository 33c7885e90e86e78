"""How a query was understood, in one line for people, and written anew as a query.

all of: "insulin resistance" · best with: metformin · without: children · title: glucose · published 2015\u20132020
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

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


def understood(parsed: Parsed) -> Understood:
    """The record of a parsed query. Plain words alone need no explanation: the record then has no parts."""
    if parsed.is_plain:
        return Understood((), tuple(parsed.repairs), written(parsed))
    labelled = [each for part in parsed.parts for each in _labelled(part)]
    together: dict[str, list[str]] = {}
    for label, text in labelled:
        together.setdefault(label if label != ANY else f"{ANY}{len(together)}", []).append(text)
    parts = [
        UnderstoodPart(ANY if label.startswith(ANY) else label, ", ".join(texts))
        for label, texts in together.items()
    ]
    parts.sort(key=lambda part: _ORDER.index(part.label) if part.label in _ORDER else len(_ORDER))
    return Understood(tuple(parts), tuple(parsed.repairs), written(parsed))


def _labelled(part: Part) -> Iterator[tuple[str, str]]:
    """(label, text) of a part that stands side by side with others."""
    match part:
        case Words(text):
            yield BEST, text
        case AnyOf(parts):
            yield ANY, ", ".join(map(_shown, parts))
        case Not(AnyOf(parts)):
            for each in parts:
                yield WITHOUT, _shown(each)
        case Not(inner):
            yield WITHOUT, _shown(inner)
        case AllOf(parts):
            for each in parts:
                if isinstance(each, Words | AnyOf):
                    yield ALL, _shown(each)
                else:
                    yield from _labelled(each)
        case Tagged(name, inner, narrower):
            yield FIELDS[name].label, _shown(inner) + _apart(inner) + _and_narrower(narrower)
        case Dates():
            yield _SPAN, _dates(part)
        case _:
            yield ALL, _shown(part)


_SPAN = "published"


class _Style(NamedTuple):
    """How parts inside each other are written. tagged: of a part with a field, and of what stands in it."""

    either: str
    both: str
    without: str
    tagged: Callable[[Tagged, str], str]
    dates: Callable[[Dates], str]


def _text(part: Part, style: _Style) -> str:
    """A part inside another one."""
    match part:
        case Words(text):
            return text
        case Quoted(text):
            return f'"{text}"'
        case Begins(text):
            return f"{text}*"
        case Tagged(part=inner):
            return style.tagged(part, _text(inner, style))
        case Dates():
            return style.dates(part)
        case AnyOf(parts):
            return f"({f' {style.either} '.join(_text(each, style) for each in parts)})"
        case AllOf(parts):
            return f"({f' {style.both} '.join(_text(each, style) for each in parts)})"
        case Not(inner):
            return f"{style.without} {_text(inner, style)}"
        case _:
            raise AssertionError(f"{part} is not as typed")


def _shown(part: Part) -> str:
    """A part for people."""
    return _text(part, _FOR_PEOPLE)


def _written(part: Part) -> str:
    """A part as a query."""
    return _text(part, _AS_QUERY)


def _labelled_text(part: Tagged, text: str) -> str:
    return f"{FIELDS[part.name].label}: {text}{_apart(part.part)}{_and_narrower(part.narrower)}"


def _apart(part: Part) -> str:
    between = part.between if isinstance(part, Quoted) else None
    return "" if between is None else f" (at most {counted(between, 'word')} between)"


def _with_tag(part: Tagged, text: str) -> str:
    between = part.part.between if isinstance(part.part, Quoted) else None
    return f"{text}[{part.name}{'' if between is None else f':~{between}'}]"


def _and_narrower(terms: Sequence[str]) -> str:
    return f" and {counted(len(terms), 'narrower term')}" if terms else ""


def _dates(part: Dates) -> str:
    if part.since == part.until:
        return part.since or "at any date"
    if part.since and part.until:
        return (
            f"{part.since}\u2013{part.until}"
            if len(part.since + part.until) == 8
            else f"{part.since} to {part.until}"
        )
    return f"since {part.since}" if part.since else f"until {part.until}"


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


def _excluded(part: Part, before: Part | None) -> str:
    match part:
        case Words(text) if (
            text.isalpha()
            and len(text) > 1
            and text.lower() not in ENDINGS
            and not (isinstance(before, Words) and function_word(before.text.split()[-1]))
        ):
            return f"-{text}"
        case Quoted() | AnyOf() | AllOf():
            return f"-{_written(part)}"
        case _:
            return f"-({_written(part)})"


def _dates_of_query(part: Dates) -> str:
    since, until = part.since.replace("-", "/"), (part.until or "3000").replace("-", "/")
    return f"{since}[{DATE_TAG}]" if part.since == part.until and since else f"{since}:{until}[{DATE_TAG}]"


_FOR_PEOPLE = _Style("or", "and", "not", _labelled_text, lambda part: f"{_SPAN} {_dates(part)}")
_AS_QUERY = _Style("OR", "AND", "NOT", _with_tag, _dates_of_query)
