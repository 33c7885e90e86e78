"""The parts of a clause whose auxiliary stands before its subject, as in a question, and their order in a statement.

    does + "GDF15 bind"                      GDF15 | binds
    is   + "renin usually made"              renin | is usually made
    can  + "palbociclib be used"             palbociclib | can be used
    has  + "midostaurin received approval"   midostaurin | has received approval

Rules over closed lists and the endings of words; no model. The subject ends before the first word that can be the
clause's verb, participle or adjective and that does not describe a noun behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from anagnosis.language import verbs
from anagnosis.language.inflection import is_participle, past
from anagnosis.language.rule_tags import tag
from anagnosis.language.tags import words

BE = frozenset("is are was were".split())  # noqa: SIM905 a list is read as words
DO = frozenset("does do did".split())  # noqa: SIM905 a list is read as words
HAVE = frozenset("has have had".split())  # noqa: SIM905 a list is read as words
MODALS = verbs.MODALS
AUXILIARIES = BE | DO | HAVE | MODALS
PREPOSITIONS = frozenset(
    """
    about above across after against along among around as at before behind below beneath beside besides between
    beyond by despite during except for from in inside into like near of off on onto outside over per since through
    throughout to toward towards under until upon via with within without
    """.split()  # noqa: SIM905 a list is read as words
)
DETERMINERS = frozenset("a an the this that these those its their his her our your any some no".split())  # noqa: SIM905 a list is read as words
RELATIVES = frozenset(("that", "which", "who", "whose", "when", "where"))
_ADVERBS = frozenset(
    "also already always first last most more less least not now often only still usually well".split()  # noqa: SIM905 a list is read as words
)
# "is FDA approved": what stands before the participle.
_AGENCIES = frozenset(("ema", "fda"))
# Verbs of questions that the list of verbs of titles does not hold.
MORE_VERBS = frozenset("call cure endow implement look say".split())  # noqa: SIM905 a list is read as words
# Adjectives that follow "is", and can be followed by the end of the clause or a preposition.
_ADJECTIVES = frozenset(
    """
    able absent abundant active appropriate available beneficial capable characteristic common critical crucial
    deficient dependent different due effective efficient enough essential expressed frequent important indicated
    involved known likely necessary part possible present prevalent prone relevant resistant responsible safe
    sensitive similar specific subject suitable susceptible toxic typical unique useful faster slower larger smaller
    higher lower longer shorter better worse
    """.split()  # noqa: SIM905 a list is read as words
)
_CLOSING = frozenset(
    """
    , ( ) ; : and or but when if while because than be using following according
    """.split()  # noqa: SIM905 a list is read as words
)


class Clause(NamedTuple):
    """subject: without its auxiliary. verb: the auxiliary with what the statement needs of it, "" where the predicate
    holds it. predicate: from the adverbs before the verb on. sure: whether a rule found where the subject ends.
    """

    subject: str
    verb: str
    predicate: str
    sure: bool

    @property
    def text(self) -> str:
        """The clause as a statement."""
        return " ".join(part for part in (self.subject, self.verb, self.predicate) if part)


def clause(auxiliary: str, rest: str) -> Clause:
    """The clause of an auxiliary and what follows it in the question."""
    places = words(rest)
    tokens = [rest[begin:end] for begin, end in places]
    lower = [token.lower() for token in tokens]
    small = auxiliary.lower()
    if small in DO:
        return _with_do(small, rest, places, lower)
    family = "be" if small in BE else "have" if small in HAVE else "modal"
    at = _first(lower, _BEHIND[family])
    if at < 0:
        return Clause(rest, small, "", sure=False)
    begin = _before_adverbs(lower, at)
    cut = places[begin][0]
    return Clause(rest[:cut].rstrip(), small, rest[cut:], sure=True)


def is_adverb(word: str) -> bool:
    """Whether a word in lower case can stand between an auxiliary and its verb."""
    return word in _ADVERBS or (len(word) > 4 and word.endswith("ly") and word not in ("family", "assembly"))


def begins_with_verb(auxiliary: str, rest: str) -> bool:
    """Whether the predicate, not a subject, follows the auxiliary: "is mutated in", not "is renin made"."""
    tokens = [rest[begin:end].lower() for begin, end in words(rest)]
    small = auxiliary.lower()
    first = next((token for token in tokens if not is_adverb(token)), "")
    if not first or (small in BE and first in _AGENCIES):  # "is FDA approved for"
        return True
    if small in MODALS:
        return first in ("be", "have")
    if small in HAVE:
        # "has the smallest genome found": the object, not a subject.
        return is_participle(first) or any(token.endswith("est") for token in tokens[1:2])
    if small in DO:
        return first in verbs.PLAIN
    if not is_lower(rest):
        return first in DETERMINERS
    return (
        is_participle(first)
        or first in PREPOSITIONS
        or first in _ADJECTIVES
        or first in DETERMINERS
        or first.endswith("ing")
        or tag([first])[0] in ("JJ", "CD", "TO", "VBN")
    )


def is_lower(text: str) -> bool:
    """Whether the first word of a text is in lower case, and so no name."""
    return text.split(" ", 1)[0].islower()


def _base(word: str) -> str:
    return word if verbs.is_base(word) or word in MORE_VERBS else verbs.base_form(word)


def _with_do(small: str, rest: str, places: Sequence[tuple[int, int]], lower: Sequence[str]) -> Clause:
    at = _verb_of_do(lower)
    if at < 1:
        return Clause(rest, "", "", sure=False)
    begin, end = places[at]
    start = places[_before_adverbs(lower, at)][0]
    base = _base(lower[at])
    verb = verbs.third_person(base) if small == "does" else past(base) if small == "did" else base
    return Clause(rest[:start].rstrip(), "", f"{rest[start:begin]}{verb}{rest[end:]}", sure=True)


def _verb_of_do(lower: Sequence[str]) -> int:
    """The place of the verb behind "does": the first that is no noun, else the last that may be both; -1 for none."""
    maybe: list[int] = []
    for place in range(1, len(lower)):
        word = lower[place]
        if verbs.is_base(word) or word in MORE_VERBS or verbs.is_third_person(word):
            if not verbs.is_also_noun(_base(word)):
                return place
            maybe.append(place)
    return maybe[-1] if maybe else -1


_Ends = Callable[[Sequence[str], int], bool]


def _first(lower: Sequence[str], ends: _Ends) -> int:
    """The place where the subject ends, from the second word on; -1 for none."""
    skip = False
    for place in range(1, len(lower)):
        if lower[place] in RELATIVES:
            skip = True
        elif skip:  # up to the verb of the relative clause
            skip = not (is_participle(lower[place]) or verbs.is_third_person(lower[place]))
        elif lower[place - 1] not in DETERMINERS | PREPOSITIONS and ends(lower, place):
            return place
    return -1


def _behind_be(lower: Sequence[str], place: int) -> bool:
    word = lower[place]
    if word == "being" or word in _AGENCIES:
        return True
    if word in _ADJECTIVES:
        return closes(lower, place)
    if is_participle(word):
        # "the antibody used for staining raised": a later participle at the end is the clause's.
        later = is_participle(lower[-1]) and place < len(lower) - 1
        of_another = RELATIVES | {"to", ",", "been", "be"}  # between them, these begin another clause
        return closes(lower, place) and not (later and of_another.isdisjoint(lower[place:-1]))
    if word in ("a", "an", "the"):
        return lower[-1] in PREPOSITIONS
    return word.endswith("ing") and place == len(lower) - 1


def _behind_modal(lower: Sequence[str], place: int) -> bool:
    word = lower[place]
    return word in ("be", "have") or (verbs.is_base(word) and not verbs.is_also_noun(word))


_BEHIND: dict[str, _Ends] = {
    "be": _behind_be,
    "have": lambda lower, place: is_participle(lower[place]),
    "modal": _behind_modal,
}


def closes(lower: Sequence[str], place: int) -> bool:
    """Whether the word at a place is not followed by a noun that it could describe. lower: words in lower case."""
    return place + 1 == len(lower) or lower[place + 1] in PREPOSITIONS | _CLOSING


def _before_adverbs(lower: Sequence[str], place: int) -> int:
    """The place of the first of the adverbs before a word."""
    while place > 1 and is_adverb(lower[place - 1]):
        place -= 1
    return place
