"""Where the gap of a statement stands in its clause: as the object of the verb or of a preposition."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.language.clauses import HAVE, PREPOSITIONS, Clause, is_adverb
from anagnosis.language.question_nouns import Gap
from anagnosis.language.tags import words

Made = tuple[str, str]
"""Words before and behind the gap."""


def with_object(made: Clause, around: Gap, preposition: str = "") -> Made:
    """The clause with the gap as its object, behind a preposition where one is given."""
    tokens = [made.predicate[begin:end].lower() for begin, end in words(made.predicate)]
    if preposition and tokens and tokens[-1] == preposition.split()[-1]:
        preposition = ""
    at = object_place(made.predicate, transitive=not made.verb or made.verb in HAVE)
    before = " ".join((made.subject, made.verb, made.predicate[:at], preposition, around.before))
    return before, f"{around.after} {made.predicate[at:]}"


def object_place(predicate: str, *, transitive: bool) -> int:
    """The offset in a predicate where its object stands: behind the verb and its preposition."""
    places = words(predicate)
    tokens = [predicate[begin:end].lower() for begin, end in places]
    if second := two_prepositions(tokens):
        return places[second - 1][1]
    last = len(tokens) - 1
    if tokens and tokens[last] in PREPOSITIONS | {"of"}:
        return len(predicate)
    verb = next((place for place, token in enumerate(tokens) if not is_adverb(token)), 0)
    if transitive and verb + 1 < len(tokens) and tokens[verb + 1] in PREPOSITIONS | {"when", "if", "while"}:
        return places[verb][1]
    comma = predicate.find(", ")
    return comma if comma > 0 and predicate.count(", ") == 1 else len(predicate)


def two_prepositions(tokens: Sequence[str]) -> int:
    """The place of the second of two prepositions that meet behind a participle: "associated with in"; 0 for none."""
    for place in range(2, len(tokens)):
        if (
            tokens[place] in PREPOSITIONS
            and tokens[place - 1] in PREPOSITIONS | {"of"}
            and tokens[place - 1] not in ("up", "out", "from")
        ):
            return place
    return 0
