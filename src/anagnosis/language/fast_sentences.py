"""A sentence splitter with a few rules for biomedical English: one pass of one regular expression.

A sentence ends at `.`, `?` or `!` with closing quotes and brackets, before white space and a possible first word: any
character but a lower-case letter or a continuing sign, or a lower-case word that looks like the name of a gene or a
substance (`p53`, `mRNA`, `pCAGGS`, `o-dianisidine`). So "p < 0.05", "S. aureus" and "e.g. the" contain no end. The word
before a full stop decides about other meanings: see the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_END = re.compile(
    r"""[.?!][)\]"'”’»]*(\s+)(?=[^a-z\s.,;:?!)\]=<>±%/]|[a-z]{1,5}-?[A-Z0-9α-ω]|[a-z]-)""",
)

# Never the end of a sentence.
NEVER = frozenset("cf dr drs e.g eg fig figs i.e messrs mr mrs prof viz vs".split())  # noqa: SIM905 a list is read as words

# The end only if a word follows that often begins a sentence (OPENER), as with initials: "et al. The".
# Citations; Latin and taxonomy; journals and institutions; other words that are common in abstracts.
RARELY = frozenset(
    """
    al ann dept ed eds eq eqs est ref refs rev sect suppl tab univ
    etc gen nov resp sp spp ssp st subsp var
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
_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*")

OPENER = re.compile(
    r"""(?: A(?=\ [a-z]) | An | After | All | Although | Among | As | At | Because | Both | But | By | Conclusions?
    | Data | Despite | Each | Finally | For | From | Further | Furthermore | Hence | Here | However | If | In | It | Its
    | Methods? | Moreover | No | Of | On | One | Our | Results? | Several | Since | Some | Such | That | The | Their
    | Then | There | Therefore | These | They | This | Those | Three | Thus | To | Two | Under | Upon | Using | We
    | When | Whereas | While | With )\b""",
    re.VERBOSE,
)

# Words whose one letter is a name, not an initial: "hepatitis B. Patients", "proteinase K. Lysates", "25 degrees C".
_LETTERED = re.compile(
    r"""\b(?: amphotericin | chain | class | complex | cyclin | cyclosporin | degrees | DNase | factor | gene | grade
    | group | hepatitis | influenza | kinase | metaphase | phase | protein | proteinase | stage | subunit | type
    | vitamin )\ [A-Z]$""",
    re.VERBOSE,
)
# A unit of one letter: "for 24 h. Lysates".
_UNIT = re.compile(r"\d\s?[a-z]$")


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
    for match in _END.finditer(text, start):
        stop, following = match.start(), match.end()
        if text[stop] == "." and _joins(text, start, stop, following):
            continue
        yield match.start(1), following
        start = following


def _joins(text: str, start: int, stop: int, following: int) -> bool:
    """Whether the full stop at `stop` belongs to its word. start: of the sentence; following: of the next word."""
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
        return OPENER.match(text, following) is None and not _is_name_or_unit(
            text[max(start, stop - 20) : stop]
        )
    if lowered in NUMBERED:
        return _NUMBER.match(text, following) is not None
    # The number of a list: "1. Natal conditions …"
    return word.isdecimal() and text[start:stop] == word


def _is_name_or_unit(before: str) -> bool:
    return _LETTERED.search(before) is not None or _UNIT.search(before) is not None
