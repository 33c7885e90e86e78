"""Analysis: how a text becomes the words of an index, the same for passages and for questions.

We spell out Greek letters, give all spellings of a letters-and-digits name the same words (IL-2 and IL2, TNFα and
TNF-α, with any hyphen), remove accents and typographic variants, and stem the rest. Passages keep all words. Questions
lose their stop words, judged by how they are written: not the A of "hepatitis A", nor NO, which is a gas.
design/search.md measures the effect of each step.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_GREEK_LETTERS = "αβγδεζηθικλμνξοπρστυφχψως"
_NAMES = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon
phi chi psi omega sigma"""
_GREEK = dict(zip(_GREEK_LETTERS, _NAMES.split(), strict=True))
_SPELLED = {**_GREEK, **{letter.upper(): word for letter, word in _GREEK.items()}}
_HYPHENS = frozenset("\u2010\u2011\u2012\u2013\u2212")
_SOFT_HYPHEN = "\u00ad"
_TO_SPELL = re.compile(f"[{''.join((*_SPELLED, *sorted(_HYPHENS)))}]")
# Stands for each letter that is not ASCII, to find such letters fast.
_SIGNS = re.compile(rb"\?\?*")  # not \?+: the engine then searches for the first letter, which is fast
_RUNS = 1 << 14  # size of the cache
# Maps bytes to four classes, among which the search for a letter before a number skips most of a text quickly.
_KINDS = re.sub(rb"[^a0-]", b" ", re.sub(rb"[A-Za-z]", b"a", re.sub(rb"[0-9]", b"0", bytes(range(256)))))
_IN_NAMES = re.compile(b"0(?:(?<=a0)|(?<=a-0))")
_NUMBER = re.compile(r"[0-9]+[A-Za-z]{0,3}(?![^\W_])")
_NAME_BEFORE = re.compile(r"(?<![^\W_])([A-Za-z]+)(-?)\Z")
_LONGEST_NAME = 20
LONGEST_WORD = 60  # bytes; longer strings are no words of a language
_WORD = re.compile(r"[^\W_]+")
OF_NO_MEANING = """a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with"""
_OF_NO_MEANING_HERE = frozenset(OF_NO_MEANING.split())
# Words that make a text a question and do not name its topic.
ASKING = """what which who whom whose when where why how does do did is are was were am can could should would shall
will may might must has have had been being there any please list name tell know known describe explain"""
# Other function words. The search uses them like all others; a question of nothing else has no topic.
OF_GRAMMAR = """i me my we us our you your he him his she her its them those about above after again against all also
although always among another because before below between both cannot despite doing done during each either else
ever every few first from further here hers however itself just least less many maybe more most much neither
never nor now off often once one only onto other others our ours out over own per perhaps same several since
so some still such than themselves thus therefore though through too toward towards under until up upon us very via
well were whether while within without yet"""
# The error for a question of stop words alone, and the remedy.
STOP_WORDS_ALONE = "all of these words stand in nearly every paper"
WHAT_IT_IS_ABOUT = "add words for what the question is about"
NO_WORDS = "there is no word in it"
_STOP_WORDS = _OF_NO_MEANING_HERE | frozenset((*ASKING.split(), *OF_GRAMMAR.split()))


def searchable(text: str) -> str:
    """The text in plain letters, followed by the other spelling of each letters-and-digits name."""
    return "\n".join(searchable_parts(text))


def searchable_parts(text: str) -> list[str]:
    """The text in plain letters, and the other spellings of its letters-and-digits names; without empty ones."""
    letters = text.encode("ascii", "replace")
    if not text.isascii():
        text = _plain(text, letters)
        letters = text.encode("ascii", "replace")
    others: list[str] = []
    for match in _IN_NAMES.finditer(letters.translate(_KINDS)):
        begin = match.start()
        number = _NUMBER.match(text, begin)
        name = number and _NAME_BEFORE.search(text, max(0, begin - _LONGEST_NAME), begin)
        if number and name:
            others.append(name[1] + number[0] if name[2] else name[1])
    return [text, " ".join(others)] if others else [text] if text else []


def meaningful(question: str) -> str:
    """The question without stop words; a question of stop words alone stays as it is."""
    words = list(_WORD.finditer(question))
    left_out = [words[place].span() for place in _places_of(_OF_NO_MEANING_HERE, question)]
    if len(left_out) == len(words):
        return question
    kept, at = [], 0
    for begin, end in left_out:
        kept.append(question[at:begin])
        at = end
    return "".join([*kept, question[at:]])


def stop_words_alone(question: str) -> bool:
    """Whether all words of a question are stop words, such as "What is it?"; False for a question without words.

    A single word in capitals is a name, whatever it is in lower case: IT, WHO and WAS, a gene.
    """
    words = _WORD.findall(question)
    if len(words) > 1 and all(word.istitle() or word.islower() for word in words):
        question = question.lower()  # a heading: The Of And
    return bool(words) and len(_places_of(_STOP_WORDS, question)) == len(words)


def function_word(word: str) -> bool:
    """Whether a word in lower case is a stop word of questions."""
    return word in _STOP_WORDS


def nothing_asked(question: str) -> str:
    """Why a question names no topic, as an error message; "" if it names one."""
    if _WORD.search(question) is None:
        return NO_WORDS
    return STOP_WORDS_ALONE if stop_words_alone(question) else ""


def stop_word_places(question: str) -> list[int]:
    """The indices of the words of a question that `meaningful` leaves out."""
    return _places_of(_OF_NO_MEANING_HERE, question)


def _places_of(stop_words: frozenset[str], question: str) -> list[int]:
    """The indices of a question's stop words, judged by how they are written."""
    words = _WORD.findall(question)
    shouted = question.isupper() and len(words) > 1

    def is_one(place: int, word: str) -> bool:
        small = word.islower() or shouted or (place == 0 and (word.istitle() or len(word) == 1))
        return small and word.lower() in stop_words

    return [place for place, word in enumerate(words) if is_one(place, word)]


def _plain(text: str, letters: bytes) -> str:
    """The text with each run of non-ASCII letters replaced by plain ones.

    letters: the text with a sign for each non-ASCII letter.
    """
    parts: list[str] = []
    at = 0
    for match in _SIGNS.finditer(letters):
        begin, end = match.span()
        run = text[begin:end]
        if run.isascii():
            continue
        plain = _plain_run(run, text[begin - 1 : begin].isalnum())
        if plain is None:
            return _spelled_out(text)
        parts += text[at:begin], plain
        at = end
    return "".join([*parts, text[at:]])


@lru_cache(maxsize=_RUNS)
def _plain_run(run: str, after_letter: bool) -> str | None:
    """A run in plain letters; None if its first letter may combine with the one before it, as a combining accent does.

    after_letter: whether a Latin letter or a number stands before it.
    """
    if unicodedata.combining(unicodedata.normalize("NFKD", run[0])[0]):
        return None
    return _spelled_out(f"a{run}")[1:] if after_letter else _spelled_out(run)


def _spelled_out(text: str) -> str:
    return _TO_SPELL.sub(_spelled, unicodedata.normalize("NFKC", text).replace(_SOFT_HYPHEN, ""))


def _spelled(match: re.Match[str]) -> str:
    """A plain hyphen, or the Greek letter's name: a separate word after Latin letters and digits, as after a hyphen."""
    if match[0] in _HYPHENS:
        return "-"
    before = match.string[match.start() - 1] if match.start() else ""
    name = _SPELLED[match[0]]
    return f" {name}" if before.isascii() and before.isalnum() else name
