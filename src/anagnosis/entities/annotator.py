"""Mentions of a dictionary's concepts in documents, with the short forms that each paper defines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from anagnosis.documents.document import Mention
from anagnosis.entities.concepts import Concept
from anagnosis.entities.dictionary import Dictionary, Match
from anagnosis.entities.short_forms import definitions

UNTYPED = "Entity"  # type of a concept whose vocabulary gives none


def mentions(text: str, dictionary: Dictionary, counts: Counter[str]) -> Iterator[Mention]:
    """The mentions in a text, in order and without overlap.

    Counted: mentions; several_identifiers: mentions whose name has several concepts, of which we take the one with this
    preferred name, otherwise the first of the vocabulary; defined_short_forms: mentions by a short form that the text
    defines; short_forms_of_others: matches left out because the text defines them as something else.
    """
    matches = list(dictionary.matches(text))
    if "defined_short_forms" in dictionary.rules:
        matches = with_defined_short_forms(text, matches, counts)
    for match in matches:
        words = text[match.start : match.end]
        counts["mentions"] += 1
        if len(match.rows) > 1:
            counts["several_identifiers"] += 1
        concept = preferred(words, [dictionary.concepts[row] for row in match.rows])
        kind = concept.types[0] if concept.types else UNTYPED
        yield Mention(((match.start, match.end),), words, kind, concept.identifier, concept.name)


def preferred(words: str, concepts: list[Concept]) -> Concept:
    """The concept whose preferred name these words are, in any case; otherwise the first."""
    folded = words.lower()
    return next((concept for concept in concepts if concept.name.lower() == folded), concepts[0])


def with_defined_short_forms(text: str, matches: list[Match], counts: Counter[str]) -> list[Match]:
    """The matches, and the places of short forms whose long form ends in a match: "chronic heart failure (CHF)".

    A short form that the text defines as something else is no match there: "colour printing (CP)". Counts as of
    `mentions`.
    """
    ends = {match.end: match for match in matches}
    defined: dict[str, tuple[int, ...]] = {}
    for short, _, end in definitions(text):
        rows = ends[end].rows if end in ends else ()
        if rows or short not in defined:
            defined[short] = defined.get(short) or rows
    if not defined:
        return matches
    longest_first = sorted(defined, key=lambda short: (-len(short), short))
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?=s?(?!\w))")
    places = [Match(at.start(), at.end(), defined[at[1]]) for at in pattern.finditer(text)]
    inside = {place.start: place.end for place in places}
    kept = [match for match in matches if not _is(match, inside)]
    spans = [(match.start, match.end) for match in kept]
    added = [place for place in places if place.rows and not _overlaps(place, spans)]
    counts["defined_short_forms"] += len(added)
    counts["short_forms_of_others"] += sum(
        _is(match, inside) and not defined[text[match.start : inside[match.start]]] for match in matches
    )
    return sorted([*kept, *added])


def _is(match: Match, places: dict[int, int]) -> bool:
    """Whether a match is one of these places, or its plural."""
    return match.start in places and match.end <= places[match.start] + 1


def _overlaps(place: Match, spans: list[tuple[int, int]]) -> bool:
    """Whether a place overlaps one of these sorted places."""
    behind = bisect_left(spans, (place.end,))
    return behind > 0 and spans[behind - 1][1] > place.start
