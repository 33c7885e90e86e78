"""Short forms that a paper defines: "chronic heart failure (CHF)".

    definitions(text)     where a short form in brackets stands behind its long form
    abbreviations(text)   (short, long) of these, and of long forms in brackets: "CHF (chronic heart failure)"
    asked_form(question)  the name whose other form a question asks for: "What does CHF stand for?"
    expands(form, text)   whether a sentence gives the other form of such a name

We find the long form as Schwartz and Hearst do (A simple algorithm for identifying abbreviation definitions in
biomedical text, Pacific Symposium on Biocomputing 2003): from the end, each letter or digit of the short form occurs in
the words of the long form, the first one at the beginning of a word. Quotation marks around either form count as
nothing, and a long form keeps its locants: "1-methyl-4-phenylpyridinium (MPP+)".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

_OPENING = re.compile(r"(?<=[ \t])[(\[]")  # by the bracket, of which there are few; a third of the time
_QUOTES = "\"'“”‘’„«»"
# What a name of a chemical may begin with: "1-", "2',3-", "N,N-", "(±)-", "α-".
_LOCANT = r"(?:\d{1,2}[a-z]?['′]?|[DELNOPRSZ]|[α-ω]|[+±−])"
_LOCANTS = re.compile(rf"(?<![^\s(\[])(?:[(\[]?{_LOCANT}(?:,{_LOCANT})*[)\]]?-)+\Z")
_INSIDE = re.compile(r"[^()\[\]\n]{2,40}?(?=[)\];,:])")
_BRACKET = re.compile(r"\(([^()]{2,40})\)")
_LONGEST = 10  # characters of a short form, and two words at most (Schwartz and Hearst)
_FARTHEST = 200  # characters of a long form
_FEWEST_CAPITALS = 3  # of a short form whose letters may stand in another order than in its long form
_CALLED = r"(?:abbreviation|acronym|initialism)s?"
_FORM = rf"(?:the )?(?:{_CALLED} |letters )?[\"'“‘]?(?P<form>[^\W_][^\s()\"'“”‘’?!:;,]{{1,29}})[\"'”’]?"
# Questions for the other form of a name. _WITH_CAPITAL and the next ones only count for "mRNA", not for "mrna".
_REQUESTS = tuple(
    re.compile(request, re.IGNORECASE)
    for request in (
        rf"\b(?:does|do|is|are|what['’]s) {_FORM} (?:stand|short|(?:an?|the) {_CALLED}) (?:for|of)\b",
        rf"\b(?:full|long|expanded) forms? (?:of|for) {_FORM}",
        rf"\b{_CALLED} (?:used )?(?:of|for) (?:the )?(?P<form>[^?]*\w)",
        r"\bhow (?:is|are) (?P<form>[^?]+?) abbreviated\b",
        rf"\b{_FORM} (?:mean|stands for|is short for|full form|{_CALLED})\W*$",
        rf"\b(?:spell out|full names? (?:of|for)|{_CALLED}) {_FORM}",
    )
)
_WITH_CAPITAL = 4
_LONGEST_QUESTION = 1_000  # characters to read
# No names: "RMET: what is this short for?", "Is it too short for pneumonia?"
_NO_FORMS = frozenset(("it", "that", "these", "they", "this", "those", "too"))


class Definition(NamedTuple):
    """A short form and the place of its long form, characters start to end."""

    short: str
    start: int
    end: int


def definitions(text: str) -> Iterator[Definition]:
    """The definitions of a text, in order."""
    behind = 0
    for opening in _OPENING.finditer(text):
        place, inside = opening.start(), opening.end()
        first = text[inside : inside + _LONGEST]
        if first == first.lower() and first[:1].isalnum():  # no capital, as in most brackets
            continue
        if place < behind or (match := _INSIDE.match(text, inside)) is None:
            continue
        behind, short = match.end() + 1, match[0].strip(f"{_QUOTES} ")
        if not _is_short_form(short):
            continue
        end = place
        while end and (text[end - 1].isspace() or text[end - 1] in _QUOTES):
            end -= 1
        if (start := long_form_start(text, short, end)) is not None:
            yield Definition(short, start, end)


def abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """(short, long) pairs of a text, verbatim: "long form (SHORT)", then "SHORT (long form)"."""
    for short, start, end in definitions(text):
        yield short, text[start:end]
    for match in _BRACKET.finditer(text):
        before = text[max(0, match.start() - 2 * _LONGEST) : match.start()].split()
        long = match[1].strip(f"{_QUOTES} ")
        if " " not in long or not before:
            continue
        short = before[-1].strip(f"([,;:{_QUOTES}")
        if _is_short_form(short) and long_form_start(long, short, len(long)) == 0:
            yield short, long


def asked_form(question: str) -> str:
    """The short form that a question wants expanded, or the long form that it wants shortened; "" without any."""
    return _request(question)[0]


def without_request(question: str) -> str:
    """The question without the words that ask for the other form of a name: "What CHF?"."""
    form, begin, end = _request(question)
    return f"{question[:begin]}{form}{question[end:]}"


def expands(form: str, sentence: str) -> bool:
    """Whether a sentence gives the long form of a short form, in any case, or the short form of a long one.

    The letters of the short form may have another order there: "antibiotic therapy in the community (CAT)".
    """
    if any(_signs(form) in (_signs(short), _signs(long)) for short, long in abbreviations(sentence)):
        return True
    if (match := re.search(rf"[(\[]({re.escape(form)})[)\];,:]", sentence, re.IGNORECASE)) is None:
        return False
    before = sentence[max(0, match.start() - _FARTHEST) : match.start()].lower()
    capitals = Counter(sign.lower() for sign in match[1] if sign.isupper())
    return capitals.total() >= _FEWEST_CAPITALS and capitals <= Counter(re.findall(r"\b[^\W_]", before))


def _request(question: str) -> tuple[str, int, int]:
    """The name whose other form is asked for, and the place of the request; ("", 0, 0) without any."""
    for number, request in enumerate(_REQUESTS):
        if match := request.search(question[:_LONGEST_QUESTION]):
            form = match["form"].rstrip(".-")
            if form.lower() in _NO_FORMS:
                form = next(filter(_has_capital, re.findall(r"[^\W_][\w/-]*", question)), "")
            if form and (number < _WITH_CAPITAL or _has_capital(form)):
                return (form, *match.span())
    return "", 0, 0


def _has_capital(word: str) -> bool:
    """Whether a short form has a capital behind its first letter: "mRNA", "ARFID", not "What"."""
    return _is_short_form(word) and any(map(str.isupper, word[1:]))


def _signs(name: str) -> str:
    """The letters and digits of a name in small letters, without a plural's s: "PFTs", not "PANDAS"."""
    singular = name.removesuffix("s") if " " in name or not name[-2:-1].islower() else name
    return "".join(filter(str.isalnum, singular.casefold()))


def _is_short_form(short: str) -> bool:
    return (
        2 <= len(short) <= _LONGEST
        and short[0].isalnum()
        and not short.islower()
        and len(short.split()) <= 2
        and any(map(str.isupper, short))
    )


def long_form_start(text: str, short: str, end: int) -> int | None:
    """Where the long form before `end` begins; None where the words there are not that."""
    signs = [sign.lower() for sign in short if sign.isalnum()]
    begin = _limit(text, end, min(len(signs) + 5, 2 * len(signs)))
    before = text[begin:end].lower()
    if len(before) != end - begin:  # a capital of two small letters
        before = "".join(sign.lower()[0] for sign in text[begin:end])
    place = len(before)
    for sign in reversed(signs[1:]):
        place = before.rfind(sign, 0, place)
        if place < 0:
            return None
    while (place := before.rfind(signs[0], 0, place)) >= 0:
        at = begin + place
        if at == 0 or not text[at - 1].isalnum():
            if end - at <= len(short):
                return None
            locants = text[at - 1] == "-" and _LOCANTS.search(text, max(0, at - 4 * _LONGEST), at)
            return locants.start() if locants else at
    return None


def _limit(text: str, end: int, words: int) -> int:
    """Where the last `words` words before `end` begin, on the same line."""
    first = max(text.rfind("\n", 0, end) + 1, end - _FARTHEST)
    before = text[first:end]
    parts = before.split()
    if len(parts) < words:
        return first
    head = before.rsplit(None, words)
    place = len(head[0]) if len(head) > words else 0
    while before[place].isspace():
        place += 1
    return first + place
