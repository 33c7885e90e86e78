"""Names of authors, journals, types of publication, MeSH terms, keywords and aliases, folded for the index and queries.

Folded names have no capitals, accents or points; an author is "family, given" and "family, initials":

    "García-López, José A."  →  "garcia lopez, jose a", "garcia lopez, ja"

A journal is found by what users type, without "The" and a place in brackets, or abbreviated as MEDLINE does it:

    lancet  →  Lancet (London, England)        N Engl J Med  →  The New England journal of medicine
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from anagnosis.documents.bibliography import NO_BREAK, SUFFIXES
from anagnosis.documents.states import spellings
from anagnosis.searching.queries.tree import Prefix, Word

_BETWEEN = re.compile(r"(?:[^\w,]|_)+")
_INSIDE = re.compile(r"['\u2018\u2019`\u00b4]")
_LETTERS = str.maketrans("\u0131\u0142\u0141\u00f8\u00d8", "ilLoO")  # they have no decomposition
_INITIALS = 3  # letters, at most, of a given name in capitals that are initials
_MOST_PARTS = 6  # of a name that a user types; the others of a longer one are in its last part
MOST = 5  # journals that one name may mean
# Words that an abbreviation leaves out.
_SMALL_WORDS = re.compile("the|of|and|in|for|on|at|to|de|la|les?|et|und|der|die|fur")
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*\Z")
_WORD = re.compile(r"[^\W_]+")
_SUFFIXES = frozenset(each.rstrip(".").lower() for each in SUFFIXES)
# MEDLINE's code, its name, and what ISO 639 and libraries call it. Source: NLM, "MEDLINE/PubMed Language Table".
_LANGUAGES = """afr afrikaans af|alb albanian sq sqi|amh amharic am|ara arabic ar|arm armenian hy hye|aze azerbaijani az
aze|bos bosnian bs|bul bulgarian bg|cat catalan ca|chi chinese zh zho cn|cze czech cs ces|dan danish da|dut dutch nl nld
nederlands|eng english en|epo esperanto eo|est estonian et|fin finnish fi|fre french fr fra francais|geo georgian ka kat
|ger german de deu deutsch|gla scottish_gaelic gd|gre greek el ell|heb hebrew he iw|hin hindi hi|hrv croatian hr scr
|hun hungarian hu|ice icelandic is isl|ind indonesian id|ita italian it italiano|jpn japanese ja jp|kin kinyarwanda rw
|kor korean ko|lat latin la|lav latvian lv|lit lithuanian lt|mac macedonian mk mkd|mal malayalam ml|mao maori mi mri
|may malay ms msa|mul multiple_languages|nor norwegian no nb nn nob nno|per persian fa fas farsi|pol polish pl
|por portuguese pt portugues|pus pushto ps|rum romanian ro ron moldavian|rus russian ru|san sanskrit sa
|slo slovak sk slk|slv slovenian sl|spa spanish es espanol castilian|srp serbian sr scc|swe swedish sv|tha thai th
|tur turkish tr|ukr ukrainian uk|und undetermined|urd urdu ur|vie vietnamese vi|wel welsh cy cym"""
_CODES = {
    name.replace("_", " "): code
    for code, *names in map(str.split, _LANGUAGES.split("|"))
    for name in (code, *names)
}
_REGION = re.compile(r"[-_ (].*")


def folded(name: str) -> str:
    """A name without capitals, accents and repeated spaces."""
    if name.isascii():
        return " ".join(name.lower().split())
    plain = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(letters.casefold().split())


def language_code(name: str) -> str:
    """MEDLINE's code of a language: eng of "English", "en" and "en-US"; "" for none."""
    plain = folded(name)
    return _CODES.get(plain) or _CODES.get(_REGION.sub("", plain), "")


def language_key(name: str) -> str:
    """What an index stores of a language: its code, or an unknown name."""
    return language_code(name) or folded(name)


def type_keys(name: str) -> list[str]:
    """What indexes store of a publication type, which may be older than a name in documents.states."""
    return [*map(folded, spellings(name))]


def author_keys(name: str) -> tuple[str, ...]:
    """What the index stores of an author, "Family, Given": with the given names, and with initials. () for no name."""
    if NO_BREAK in name:  # a group
        return (_without_commas(name),)
    family, comma, given = _plain(name).partition(",")
    family, names = family.strip(), given.replace(",", " ").split()
    if not names:  # a collective, or a family name alone
        return (family + comma,) if family else ()
    printed = _BETWEEN.sub(" ", name.partition(",")[2]).split()
    initials = "".join(folded(one if one.isupper() and len(one) <= _INITIALS else one[0]) for one in printed)
    return tuple(dict.fromkeys((f"{family}, {' '.join(names)}", f"{family}, {initials}")))


def author_parts(typed: str) -> tuple[Word | Prefix, ...]:
    """Any of these names is the author that a user typed: "Smith", "Smith J", "Smith, John", "John Smith".

    A name without a comma may be split after each of its words, since families have several. A group may have commas.
    A suffix (Jr, 3rd) is left out.
    """
    family, comma, given = _plain(typed).partition(",")
    if comma:
        key = _key(family.split(), _without_suffix(given.replace(",", " ")))
        return Prefix(key), Word(_without_commas(typed))
    words = _without_suffix(family)
    if not words:
        return ()
    if len(words) > _MOST_PARTS:
        words = [*words[: _MOST_PARTS - 1], " ".join(words[_MOST_PARTS - 1 :])]
    splits = [_key(words[:at], words[at:]) for at in range(len(words), 0, -1)]
    if len(words) > 1:
        splits.append(_key(words[-1:], words[:-1]))
    return (Word(" ".join(words)), *map(Prefix, dict.fromkeys(splits)))


def _plain(name: str) -> str:
    """A folded name whose only sign is the comma."""
    return " ".join(_BETWEEN.sub(" ", _INSIDE.sub("", folded(name))).split())


def _without_suffix(name: str) -> list[str]:
    return [word for word in name.split() if word not in _SUFFIXES]


def _without_commas(name: str) -> str:
    return " ".join(_plain(name).replace(",", " ").split())


def _key(family: list[str], given: list[str]) -> str:
    """The beginning of an author's key; initials are joined."""
    names = "".join(given) if all(len(one) == 1 for one in given) else " ".join(given)
    return f"{' '.join(family)}, {names}" if names else f"{' '.join(family)},"


def beginnings(typed: str) -> list[str]:
    """What the names begin with that a user may mean, folded; [] for a name without words."""
    words = _WORD.findall(folded(typed))
    first = next((word for word in words if word != "the"), "")
    return [first, f"the {first}"] if first else []


def journals_meant(typed: str, names: Iterable[str]) -> list[str]:
    """The names that a user means: the same name, else those it abbreviates; at most MOST, [] for more."""
    wanted = _words(typed)
    every = [(name, _words(name)) for name in names] if wanted else []
    for fits in (str.__eq__, str.startswith, _contracts):
        meant = [name for name, words in every if len(words) == len(wanted) and all(map(fits, words, wanted))]
        if meant:
            return meant if len(meant) <= MOST else []
    return []


def _words(name: str) -> list[str]:
    """The words that an abbreviation has too."""
    words = _WORD.findall(_QUALIFIER.sub("", folded(name)))
    return [word for word in words if not _SMALL_WORDS.fullmatch(word)] or words


def _contracts(word: str, typed: str) -> bool:
    """Whether a word has the letters in this order, the first one first: National, Natl."""
    letters = iter(word[1:])
    return word[:1] == typed[:1] and all(letter in letters for letter in typed[1:])
