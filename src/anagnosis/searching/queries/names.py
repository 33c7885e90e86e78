"""Names of authors, journals, types of publication, MeSH terms, keywords and aliases, folded for the index and queries.

Folded names have no capitals, accents or points; an author is "family, given" and "family, initials":

    "García-López, José A."  →  "garcia lopez, jose a", "garcia lopez, ja"
"""

from __future__ import annotations

import re
import unicodedata

from anagnosis.searching.queries.tree import Prefix, Word

_BETWEEN = re.compile(r"(?:[^\w,]|_)+")
_INSIDE = re.compile(r"['\u2018\u2019`\u00b4]")
_LETTERS = str.maketrans("\u0131\u0142\u0141\u00f8\u00d8", "ilLoO")  # they have no decomposition
_SIGNS_OF_FAMILY = str.maketrans(".-", "  ", "'")
_SIGNS_OF_GIVEN = str.maketrans(".-", "  ")
_INITIALS = 3  # letters, at most, of a given name in capitals that are initials
_MOST_PARTS = 6  # of a name that a user types; the others of a longer one are in its last part


def folded(name: str) -> str:
    """A name without capitals, accents and repeated spaces."""
    if name.isascii():
        return " ".join(name.lower().split())
    plain = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(letters.casefold().split())


def author_keys(name: str) -> tuple[str, ...]:
    """What the index stores of an author, "Family, Given": with the given names, and with initials. () for no name."""
    if keys := _plain_author_keys(name):
        return keys
    family, comma, given = _plain(name).partition(",")
    family, names = family.strip(), given.replace(",", " ").split()
    if not names:  # a collective, or a family name alone
        return (family + comma,) if family else ()
    printed = _BETWEEN.sub(" ", name.partition(",")[2]).split()
    initials = "".join(folded(one if one.isupper() and len(one) <= _INITIALS else one[0]) for one in printed)
    return tuple(dict.fromkeys((f"{family}, {' '.join(names)}", f"{family}, {initials}")))


def _plain_author_keys(name: str) -> tuple[str, ...]:
    """The keys of a name of plain letters, in a tenth of the time; () for another name."""
    family, _, printed = name.partition(", ")
    family, letters = family.translate(_SIGNS_OF_FAMILY), printed.translate(_SIGNS_OF_GIVEN)
    if not (name.isascii() and family.replace(" ", "").isalpha() and letters.replace(" ", "").isalpha()):
        return ()
    family, given = " ".join(family.lower().split()), letters.split()
    initials = "".join([one if one.isupper() and len(one) <= _INITIALS else one[0] for one in given])
    full, short = f"{family}, {' '.join(given).lower()}", f"{family}, {initials.lower()}"
    return (full,) if full == short else (full, short)


def author_parts(typed: str) -> tuple[Word | Prefix, ...]:
    """Any of these names is the author that a user typed: "Smith", "Smith J", "Smith, John", "John Smith".

    A name without a comma may be split after each of its words, since families have several.
    """
    plain = _plain(typed)
    if "," in plain:
        family, _, given = plain.partition(",")
        return (Prefix(_key(family.split(), given.replace(",", " ").split())),)
    words = plain.split()
    if not words:
        return ()
    words = (
        [*words[: _MOST_PARTS - 1], " ".join(words[_MOST_PARTS - 1 :])] if len(words) > _MOST_PARTS else words
    )
    splits = [_key(words[:at], words[at:]) for at in range(len(words), 0, -1)]
    splits += [_key(words[-1:], words[:-1])] if len(words) > 1 else []
    return (Word(" ".join(words)), *map(Prefix, dict.fromkeys(splits)))


def _plain(name: str) -> str:
    """A folded name whose only sign is the comma."""
    return " ".join(_BETWEEN.sub(" ", _INSIDE.sub("", folded(name))).split())


def _key(family: list[str], given: list[str]) -> str:
    """The beginning of an author's key; initials are joined."""
    names = "".join(given) if all(len(one) == 1 for one in given) else " ".join(given)
    return f"{' '.join(family)}, {names}" if names else f"{' '.join(family)},"
