"""Entities as tokens in a text: the replacement of mentions, and numbers written anew.

@entity57                 by number
@entitylow_grade_fever    by its words
@entity57 :: [IL-2 | interleukin-2]    by number and names
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention, Place
from anagnosis.errors import InputError

ENTITY = "@entity"
PSEUDO = re.compile(r"@entity([0-9]+)")
BETWEEN_NAMES = " | "
Marked = tuple[str, tuple[Place, ...]]  # a text and where its mentions are


def entity_token(surface: str) -> str:
    """A surface as one token, its words joined by "_": `@entitylow_grade_fever`."""
    return ENTITY + "_".join(surface.lower().split())


def words_of_token(token: str) -> str:
    """The words of a token of the marked view, low grade fever; another text as it is."""
    return token.removeprefix(ENTITY).replace("_", " ") if token.startswith(ENTITY) else token


def named_token(token: str, names: Sequence[str]) -> str:
    """A token with the names of its entity (thesis, Figure 3.3): `@entity57 :: [IL-2 | interleukin-2]`."""
    return f"{token} :: [{BETWEEN_NAMES.join(names)}]"


def in_brackets(names: Sequence[str]) -> str:
    """The names in brackets, `[IL-2 | interleukin-2]`; of those that differ by capitals alone the first."""
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(name.casefold(), name)
    return f"[{BETWEEN_NAMES.join(distinct.values())}]"


def replaced(
    instance: ClozeInstance,
    text: str,
    mentions: Sequence[PassageMention],
    shown: Sequence[str] | Mapping[int, str],
) -> Marked:
    """The text with the token of its candidate for each mention, blanks around. InputError: mentions overlap."""
    if not mentions:
        return text, ()
    pieces: list[str] = []
    places: list[Place] = []
    place = length = 0
    for mention in mentions:
        spans = mention.spans
        start = spans[0][0]
        if start < place:
            what = f"two mentions overlap at character {start} of {text[start : start + 20]!r}"
            raise InputError(what, instance.id, "leave one of them out")
        between = text[place:start]
        if pieces and not between.startswith(" "):
            between = " " + between
        if between and not between.endswith(" "):
            between += " "
        token = shown[mention.candidate]
        pieces += (between, token)
        length += len(between) + len(token)
        places.append((length - len(token), length, mention.candidate))
        place = spans[-1][1]
    rest = text[place:]
    if not rest.startswith(" "):
        pieces.append(" ")
    pieces.append(rest)
    return "".join(pieces), tuple(places)


def renumbered(
    instance: ClozeInstance, text: str, places: tuple[Place, ...], written: dict[str, str]
) -> Marked:
    """The text with other tokens for those in it. written: token → token. InputError: `written` lacks one."""
    moved: list[Place] = []
    grown = done = 0
    for start, end, candidate in places:
        grown += growth(instance, text[done:start], written)
        done = start
        token = written.get(text[start:end], text[start:end])
        moved.append((start + grown, start + grown + len(token), candidate))
    return _rewritten(instance, text, written), tuple(moved)


def growth(instance: ClozeInstance, text: str, written: dict[str, str]) -> int:
    """By how many characters a text grows when its tokens are written anew."""
    return len(_rewritten(instance, text, written)) - len(text) if "@entity" in text else 0


def _rewritten(instance: ClozeInstance, text: str, written: dict[str, str]) -> str:
    try:
        return PSEUDO.sub(lambda found: written[found[0]], text)
    except KeyError as fault:
        what = f"{fault.args[0]} is no candidate, so it has no local number"
        raise InputError(what, instance.id, "import the files again: such instances are refused") from fault
