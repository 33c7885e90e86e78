"""A sentence splitter with a few rules for biomedical English: one pass of one regular expression.

A sentence ends at `.`, `?` or `!` with closing quotes and brackets, before white space and a possible first word: any
character but a lower-case letter or a continuing sign, or a lower-case word that looks like the name of a gene or a
substance (`p53`, `mRNA`, `pCAGGS`, `o-dianisidine`). So "p < 0.05", "S. aureus" and "e.g. the" contain no end; in a
text without capitals any word is possible. The word before a full stop decides about other meanings: see the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

# cited: the numbers of references that follow at once, "37 °C.1,2 We", "cells.[12-14] The".
_END = re.compile(
    r"""[.?!] (?: [)\]"'”’»]* | (?<=[^\W\d_][.?!]|[)\]%”"][.?!])
        (?P<cited> \[\d[\d\s,;–-]*\] | \(\d{1,3}\) | \d{1,3}(?:\s?[,;–-]\s?\d{1,3})* ) (?=\s+[^\W\d_a-z]) )
    (?P<gap>\s+) (?= [^a-z\s.,;:?!)\]=<>±%/] | [a-z]{1,5}-?[A-Z0-9α-ω] | [a-z]- )""",
    re.VERBOSE,
)
# Where a text has no capital, any letter may begin a sentence.
_END_WITHOUT_CAPITALS = re.compile(_END.pattern.replace("[^a-z", "[^"), re.VERBOSE)

# Never the end of a sentence.
NEVER = frozenset("cf c.f dr drs e.g eg fig figs i.e messrs mr mrs prof viz vs".split())  # noqa: SIM905 a list is read as words

# The end only if a word follows that often begins a sentence (OPENER), as with initials: "et al. The".
# Citations; Latin and taxonomy; journals and institutions; other words that are common in abstracts.
RARELY = frozenset(
    """
    al ann dept ed eds eq eqs est ref refs rev sect suppl tab univ
    bv cv etc gen nov pv resp sp spp ssp st staph strep subsp sv var
    acad biochem biol biophys chem clin engl exp int lett med mol nat natl proc res sci soc symp
    inc jr ltd mt ph ph.d str
    """.split()  # noqa: SIM905 a list is read as words
)

# Not the end before a number: "chr. 9", "no. AF302010", "approx. 20", "Apr. 2019".
NUMBERED = frozenset(
    "approx ca ch chr no nos pp ser ver vol jan feb mar apr aug sept oct dec".split()  # noqa: SIM905 a list is read as words
)

_LONGEST = max(map(len, NEVER | RARELY | NUMBERED))
_NUMBER = re.compile(r"\d|[A-Z]{1,3}_?\d")
_CAPITALISED = re.compile(r"[A-Z][a-z]")
_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*")

OPENER = re.compile(
    r"""(?: A(?=\ [a-z]) | An | After | All | Although | Among | As | At | Because | Both | But | By | Conclusions?
    | Data | Despite | Each | Finally | For | From | Further | Furthermore | Hence | Here | However | If | In | It | Its
    | Methods? | Moreover | No | Of | On | One | Our | Results? | Several | Since | Some | Such | That | The | Their
    | Then | There | Therefore | These | They | This | Those | Three | Thus | To | Two | Under | Upon | Using | We
    | When | Whereas | While | With )\b""",
    re.VERBOSE,
)

# A letter that is a name or a unit, not an initial: "vitamin C. Rats", "groups A and B. Doses", "at 4 C. Sites".
_NAME_OR_UNIT = re.compile(
    r"""\b (?: (?!(?:from|than|thanks?|that|with)\ ) [a-z]{4,} | κ | [Aa]rm | Class | Complex | Domain | Group | Phase
    | Stage | Type | DNA?ase | [A-Z],?\ (?:and|or) ) \ [A-Z]$ | \d\s?[A-Za-z]$""",
    re.VERBOSE,
)
# What is no sentence after a letter: a further initial; a serovar of Salmonella.
_INITIALED = re.compile(r"[A-Z]\.|Typhi|Paratyphi|Enteritidis|Dublin|Heidelberg|Infantis|Newport")


def split(text: str) -> list[tuple[int, int]]:
    """Spans without the white space between sentences."""
    spans: list[tuple[int, int]] = []
    start = len(text) - len(text.lstrip())
    for end, following in _inner_ends(text):
        spans.append((start, end))
        start = following
    end = len(text.rstrip())
    if start < end:
        spans.append((start, end))
    return spans


def has_at_least(text: str, minimum: int) -> bool:
    """Whether `len(split(text)) >= minimum`, reading no further than needed."""
    if minimum < 2:
        return minimum < 1 or bool(text.strip())
    return next(islice(_inner_ends(text), minimum - 2, None), None) is not None


def _inner_ends(text: str) -> Iterator[tuple[int, int]]:
    """(end, start of the next) of each sentence except the last."""
    start = len(text) - len(text.lstrip())
    for match in (_END_WITHOUT_CAPITALS if text.islower() else _END).finditer(text, start):
        stop, following = match.start(), match.end()
        if text[stop] == "." and _joins(text, start, match):
            continue
        yield match.start("gap"), following
        start = following


def _joins(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether the full stop that `found` begins with belongs to its word. start: of the sentence."""
    stop, following = found.span()
    words = text[max(start, stop - _LONGEST - 3) : stop].split()
    word = words[-1].lstrip("([") if words else ""
    if len(word) > _LONGEST:
        return False
    # Only a first letter may be a capital: "NO." and "EST." are no abbreviations.
    lowered = word.lower() if word[1:].islower() or len(word) == 1 else word
    if lowered in NEVER:
        return True
    if lowered in RARELY:
        return OPENER.match(text, following) is None
    if _INITIALS.fullmatch(word):
        # "5 mg i.v. Rats", but "i.v. MTX".
        if word[1:].islower() and _CAPITALISED.match(text, following):
            return False
        return OPENER.match(text, following) is None and (
            _INITIALED.match(text, following) is not None
            or _NAME_OR_UNIT.search(text[max(start, stop - 40) : stop]) is None
        )
    if lowered in NUMBERED:
        return found["cited"] is not None or _NUMBER.match(text, following) is not None
    if found["cited"]:  # "GII.4 Strains", but "ICU.4 The"
        return word.isalpha() and word.isupper() and OPENER.match(text, following) is None
    # The number of a list: "1. Natal conditions …"
    return word.isdecimal() and text[start:stop] == word
