"""What is compared with what, or added to what, and whether a paper has the roles that a question gives.

A comparison, as in "Tea shortened fever [compared with salted broth] in adults", begins with a cue, except before a
number, and reaches to a word of ENDS, a comma or another sign, at most LONGEST words. An addition, as in
"adding [tea] to [salted broth]", reaches as far to each side.

A paper has the roles of a question (`has_roles`) if a sentence about its work names both sides, and if it does not
state other roles alone: insulin added to metformin, where metformin added to insulin is asked. The words are in
roles.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import dropwhile, islice, takewhile

from anagnosis.io.decoding import table_beside
from anagnosis.searching.conclusions.about import OF_NAME
from anagnosis.searching.conclusions.subjects import names_of
from anagnosis.searching.sentences.overlap import AskedWords, share
from anagnosis.searching.words import words_of

_TABLE = table_beside(__name__, dict[str, str])


def _pattern(name: str, behind: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_TABLE[name].split())}){behind}", re.IGNORECASE)


ENDS = frozenset(_TABLE["ends"].split())
FIRST = frozenset(_TABLE["first"].split())
LONGEST = 8  # words
_CUE = _pattern("cues", r"(?=\s+[^\W\d])")
_ONLY_BEHIND = _pattern("only_behind", r"\s(?:\w+\s)?\Z")
_WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[,;:().?!\[\]]")
_MOST_BEFORE = 40  # characters
_MOST_OF_RUN = 200  # characters
_END = rf"(?:\sto\s|$|(?=[,;:.])|\s(?=(?:{'|'.join(sorted(ENDS - {'and'}))})\s))"
_ADDING = _pattern("adding", rf"\s([^,;:.]{{1,80}}?){_END}")
_ADDED_TO, _WITH_OR_WITHOUT, _TOGETHER = map(_pattern, ("added_to", "with_or_without", "together"))
_AUXILIARY = _pattern("auxiliaries", r"\b")
_NO_ARM = frozenset(words_of(_TABLE["no_arm"]))
_BRACKETED = re.compile(r"\s?[(\[][^()\[\]]{0,100}[)\]]")


def compared_with(sentence: str) -> list[tuple[int, int]]:
    """The characters [begin, end) of what a sentence compares with, without the cue."""
    spans: list[tuple[int, int]] = []
    for cue in _CUE.finditer(sentence):
        if cue[0].lower() in ("over", "against") and not _ONLY_BEHIND.search(
            sentence[max(0, cue.start() - _MOST_BEFORE) : cue.start()]
        ):
            continue
        end = _end_of_run(sentence, cue.end())
        if end > cue.end():
            spans.append((cue.end(), end))
    return spans


def _end_of_run(sentence: str, begin: int) -> int:
    """Where the words behind a cue end."""
    words = dropwhile(lambda word: word[0].lower() in FIRST, _WORD.finditer(sentence, begin))
    return max((word.end() for word in _run(words, ENDS)), default=begin)


def _begin_of_run(sentence: str, end: int) -> int:
    """Where the words before a cue begin."""
    words = [*_WORD.finditer(sentence, max(0, end - _MOST_OF_RUN), end)]
    return min((word.start() for word in _run(reversed(words), ENDS - {"and"})), default=end)


def _run(words: Iterable[re.Match[str]], ends: frozenset[str]) -> Iterable[re.Match[str]]:
    return takewhile(lambda one: one[0][0].isalnum() and one[0].lower() not in ends, islice(words, LONGEST))


def _without_arms(text: str) -> tuple[str, str]:
    """A text without what it compares with, and what it compares with."""
    main, arms, at = "", "", 0
    for begin, end in compared_with(text):
        main, arms, at = f"{main}{text[at:begin]} ", f"{arms}{text[begin:end]} ", end
    return main + text[at:], arms


# The stems of two sides of a question, and whether the first is added to the second; else they are compared.
Roles = tuple[frozenset[str], frozenset[str], bool]


def roles_of(asked: AskedWords) -> Roles | None:
    """What a question adds to what, or compares with what; None if it does neither.

    "A plus B versus B alone" asks what A adds to B.
    """

    question = asked.question

    def name(text: str) -> frozenset[str]:
        names = names_of(text, asked.weights)
        return frozenset(names[0]) - _NO_ARM if names else frozenset()

    compared = compared_with(question)
    against = name(question[slice(*compared[0])]) if compared else frozenset[str]()
    auxiliary = _AUXILIARY.search(question)
    subject = question[auxiliary.end() if auxiliary else 0 : compared[0][0] if compared else None]
    pairs = [(name(added), name(to), True) for added, to in additions(question)]
    pairs += [
        (name(one), against, True) for one, other in _sides_of(_TOGETHER, question) if name(other) == against
    ]
    for first, second, added in (*pairs, (name(subject), against, False)):
        if first - second and second - first:
            return first - second, second - first, added
    return None


def additions(text: str) -> list[tuple[str, str]]:
    """What a text adds to what, without what stands in brackets; the first side is never empty."""
    text = _BRACKETED.sub("", text)
    found = [(cue[1], text[cue.end() : _end_of_run(text, cue.end())]) for cue in _ADDING.finditer(text)]
    found += [*_sides_of(_ADDED_TO, text), *((added, to) for to, added in _sides_of(_WITH_OR_WITHOUT, text))]
    return [(added.strip(), to.strip()) for added, to in found if added.strip()]


def _sides_of(cues: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """The words before and behind each cue."""
    return [
        (text[_begin_of_run(text, cue.start()) : cue.start()], text[cue.end() : _end_of_run(text, cue.end())])
        for cue in cues.finditer(text)
    ]


def has_roles(roles: Roles, sentences: Iterable[str], asked: AskedWords) -> bool:
    """Whether a paper has the roles of a question. sentences: about its work."""
    *both, added_to = roles

    def sides(text: str) -> list[bool]:
        words = asked.of(text)
        return [share({stem: asked.weights[stem] for stem in side}, words) >= OF_NAME - 1e-9 for side in both]

    connected = right = other = False
    for sentence in sentences:
        connected |= all(sides(sentence))
        for added, to in additions(sentence) if added_to else ():
            right |= sides(added)[0]
            other |= not sides(added)[0] and any((*sides(added), *sides(to)))
        other |= added_to and sorted(map(sides, _without_arms(sentence))) == [[False, True], [True, False]]
    return connected and (right or not other)
