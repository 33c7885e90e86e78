"""Cues of negation and of absent effects in a sentence, with their kinds and scopes.

A cue is a word or phrase of negation.toml, in any case, outside the phrases that negate nothing. FILLERS may stand
between its words, as in "no statistically significant difference". Its scope is the part of the sentence that it
negates:

    clause    the whole clause around it: "Tea [did not change sleep], but it tasted good"
    forward   from the cue to a comma or the end of its clause: "Patients [without diabetes], however, slept"

A clause ends at `;`, `:`, a bracket, a full stop, a word of BREAKS, and "and" or "or" before a word of RESTARTS.
Behind a word of RELATIVES, which describes a noun, a scope has at most LONGEST_RELATIVE words: "patients who do [not
smoke at all]". The passes over the words are linear in their number. Scopes are as in NegEx (Chapman et al. 2001),
whose terminators BREAKS follows; the cues of absent effects are ours, read off the training part of PubMedQA's PQA-L.
`benchmarks/conclusions.py cues` measures them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anagnosis.io.decoding import table_beside

# Kinds of cues. SAME: two things do not differ, which denies an effect and confirms an equality.
DENIAL, ABSENT, SAME = "denial", "absent effect", "same"
CLAUSE, FORWARD = "clause", "forward"


_TABLE = table_beside(__name__, dict[str, str])
FILLERS, BREAKS, RELATIVES, RESTARTS = (
    frozenset(_TABLE[name].split()) for name in ("fillers", "breaks", "relatives", "restarts")
)
_JOINING = frozenset(("and", "or"))
LONGEST_RELATIVE = 6  # words
_TOKEN = re.compile(r"\w+(?:['’\-‐‑]\w+)*|[;:,()\[\]]|[.?!](?=\s|$)")
_CLOSING = frozenset(";:()[].?!")


class Cue(NamedTuple):
    """A cue at characters [begin, end), with the scope [scope_begin, scope_end). kind: DENIAL, ABSENT or SAME."""

    begin: int
    end: int
    kind: str
    scope_begin: int
    scope_end: int


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    kind: str  # "" negates nothing
    reach: str


def _phrases(name: str, kind: str, reach: str = CLAUSE) -> list[_Phrase]:
    return [_Phrase(tuple(line.split()), kind, reach) for line in _TABLE[name].splitlines()]


def _by_first_word(phrases: Iterable[_Phrase]) -> dict[str, list[_Phrase]]:
    """The phrases that begin with a word, the longest first."""
    table: dict[str, list[_Phrase]] = {}
    for phrase in sorted(phrases, key=lambda each: -len(each.words)):
        table.setdefault(phrase.words[0], []).append(phrase)
    return table


# Of phrases of equal length, the first counts.
CUES = _by_first_word(
    (
        *_phrases("no_negation", ""),
        *_phrases("same", SAME),
        *_phrases("absent", ABSENT),
        *_phrases("denial_forward", DENIAL, FORWARD),
        *_phrases("denial", DENIAL),
    )
)


class _Token(NamedTuple):
    word: str
    begin: int
    end: int


def cues(sentence: str) -> list[Cue]:
    """The cues of a sentence in their order, each with its scope."""
    tokens = list(_tokens(sentence))
    clauses, commas = _clauses(tokens), _next_commas(tokens)
    every: list[Cue] = []
    place = 0
    while place < len(tokens):
        matched = _matched(tokens, place)
        if matched is None:
            place += 1
            continue
        phrase, end = matched
        if phrase.kind:
            first, last = _scope(clauses, commas, place, end, phrase.reach)
            every.append(
                Cue(
                    tokens[place].begin,
                    tokens[end - 1].end,
                    phrase.kind,
                    tokens[first].begin,
                    tokens[last - 1].end,
                )
            )
        place = end
    return every


def negated(sentence: str) -> bool:
    """Whether the sentence denies something: it has a cue of DENIAL or ABSENT."""
    return any(cue.kind != SAME for cue in cues(sentence))


def _tokens(sentence: str) -> Iterator[_Token]:
    """Words in lower case and signs; n't is a word of its own."""
    for match in _TOKEN.finditer(sentence):
        word, begin, end = match[0].lower().replace("’", "'"), match.start(), match.end()
        if word.endswith("n't"):
            yield _Token(word[:-3], begin, end - 3)
            yield _Token("not", end - 3, end)
        else:
            yield _Token(word, begin, end)


def _matched(tokens: list[_Token], place: int) -> tuple[_Phrase, int] | None:
    """The longest phrase that begins at a token, and the token behind it."""
    for phrase in CUES.get(tokens[place].word, ()):
        at = place + 1
        for word in phrase.words[1:]:
            while at < len(tokens) and tokens[at].word != word and tokens[at].word in FILLERS:
                at += 1
            if at == len(tokens) or tokens[at].word != word:
                break
            at += 1
        else:
            return phrase, at
    return None


class _Clause(NamedTuple):
    begin: int
    end: int
    relative: bool


def _clauses(tokens: list[_Token]) -> list[_Clause]:
    """The clause of every token."""
    of_tokens: list[_Clause] = []
    begin = 0
    for place in range(1, len(tokens) + 1):
        if place == len(tokens) or _breaks(tokens, place):
            relative = tokens[begin].word in RELATIVES
            of_tokens += [_Clause(begin, place, relative)] * (place - begin)
            begin = place
    return of_tokens


def _breaks(tokens: list[_Token], place: int) -> bool:
    """Whether a clause begins at a token."""
    word = tokens[place].word
    if word in BREAKS or word in RELATIVES or word in _CLOSING:
        return True
    return word in _JOINING and place + 1 < len(tokens) and tokens[place + 1].word in RESTARTS


def _next_commas(tokens: list[_Token]) -> list[int]:
    """For every token, and for the end, the first comma from there on."""
    after = [len(tokens)] * (len(tokens) + 1)
    for place in range(len(tokens) - 1, -1, -1):
        after[place] = place if tokens[place].word == "," else after[place + 1]
    return after


def _scope(clauses: list[_Clause], commas: list[int], place: int, end: int, reach: str) -> tuple[int, int]:
    """[first, last) tokens of the scope of the cue at tokens [place, end)."""
    clause = clauses[place]
    last = max(clause.end, end)
    if reach == FORWARD:
        return place, max(min(commas[end], last), end)
    if clause.relative:
        return place, min(last, end + LONGEST_RELATIVE)
    return clause.begin, last
