"""How a query was understood, in one line for people, in the order in which it was typed.

"insulin resistance" · best with: metformin · not children · title: glucose · published 2015\u20132020
"""

from __future__ import annotations

from anagnosis.searching.queries.fields import FIELDS
from anagnosis.searching.queries.tree import AllOf, AnyOf, Dates, Not, Parsed, Part, Typed, are_plain_words
from anagnosis.wording import counted

_AS_TYPED = {"words": "{}", "phrase": '"{}"', "beginning": "{}*"}


def understood(parsed: Parsed) -> str:
    """The line of a parsed query; "" for plain words alone, which need no explanation."""
    if parsed.is_plain:
        return ""
    return " \u00b7 ".join(
        f"best with: {_shown(part)}" if are_plain_words(part) else _shown(part) for part in parsed.parts
    )


def _shown(part: Part) -> str:
    """A part for people."""
    match part:
        case Typed(text, kind, field, narrower):
            label = f"{FIELDS[field].label}: " if field else ""
            more = f" and {counted(len(narrower), 'narrower term')}" if narrower else ""
            return f"{label}{_AS_TYPED[kind].format(text)}{more}"
        case Dates():
            return f"published {_dates(part)}"
        case AnyOf(parts):
            return " or ".join(map(_inside, parts))
        case AllOf(parts):
            return " and ".join(map(_inside, parts))
        case Not(inner):
            return f"not {_inside(inner)}"
        case _:
            raise AssertionError(f"{part} is not as typed")


def _inside(part: Part) -> str:
    """A part beside others."""
    return f"({_shown(part)})" if isinstance(part, AnyOf | AllOf) else _shown(part)


def _dates(part: Dates) -> str:
    since, until = part.since, part.until
    if since == until:
        return since
    if since and until:
        return f"{since}\u2013{until}" if len(since + until) == 8 else f"{since} to {until}"
    return f"since {since}" if since else f"until {until}"
