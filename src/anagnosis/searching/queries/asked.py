"""A question as it is searched: its tree, its topic, and how it was understood; and why one cannot be searched.

The line for people is in the order in which a query was typed:

    "insulin resistance" · best with: metformin · not children · title: glucose · published 2015\u20132020
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from anagnosis.searching.analysis import nothing_asked
from anagnosis.searching.queries.fields import FIELDS
from anagnosis.searching.queries.grammar import parse
from anagnosis.searching.queries.identifiers import identifiers_in
from anagnosis.searching.queries.meaning import query_of, ranked_words, topic
from anagnosis.searching.queries.tree import (
    EVERY_PAPER,
    AllOf,
    AnyOf,
    Dates,
    Not,
    Parsed,
    Part,
    Query,
    Ranked,
    Typed,
    are_plain_words,
    leaves,
)
from anagnosis.searching.records.hits import ExpandedWords, Topic, Understood
from anagnosis.wording import counted

# The errors for queries that name nothing to search for, and nothing to answer.
EXCLUDED_ALONE = "it only says what to leave out"
NO_TOPIC = "it has no words that a sentence could answer"
_AS_TYPED = {"words": "{}", "phrase": '"{}"', "beginning": "{}*"}


class AskedQuery(NamedTuple):
    """A question as it is searched.

    topic: what sentences and vectors are compared with. expanded: the names that were added to its words.
    """

    text: str
    topic: Topic
    query: Query
    understood: Understood
    expanded: tuple[ExpandedWords, ...] = ()


EVERYTHING = AskedQuery("", Topic(""), EVERY_PAPER, Understood())


def read_query(
    question: str, parsed: Parsed | None = None, words: Callable[[str], Sequence[Ranked]] = ranked_words
) -> AskedQuery:
    """The reading of a question. parsed: what `parse` gives of it. words: as of `query_of`."""
    parsed = parsed or parse(question)
    return AskedQuery(
        question,
        Topic(topic(parsed)),
        query_of(parsed, words),
        Understood(understood(parsed), parsed.repairs),
    )


def nothing_to_search(question: str) -> str:
    """Why a question names nothing to search for, as an error message; "" if it does."""
    if identifiers_in(question):
        return ""
    parsed = parse(question)
    query = query_of(parsed)
    if query.excluded and not query.ranked and not query.required:
        return EXCLUDED_ALONE
    if query.required and not all(map(are_plain_words, leaves(parsed.parts))):
        return ""
    why = nothing_asked(topic(parsed))
    return f"{why} ({'; '.join(parsed.repairs)})" if why and parsed.repairs else why


def nothing_to_answer(question: str) -> str:
    """Why a question names nothing that a sentence could answer, as an error message; "" if it does."""
    why = nothing_to_search(question)
    return why or ("" if topic(parse(question)) and not identifiers_in(question) else NO_TOPIC)


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
