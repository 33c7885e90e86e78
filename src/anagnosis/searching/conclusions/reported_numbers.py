"""The number of people or animals that a paper reports, with the words that report it.

Forms, in the order of preference: "a total of 234 patients" or "we enrolled 234 patients"; "234 consecutive
patients"; "N = 234" (a small n counts a part). The first of the best form counts, from abstract and methods before
results. Shares, ratios, ages and years are no numbers of people, nor is the 2 of "type 2 diabetic patients".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anagnosis.searching.records.conclusions import ReportedNumber
from anagnosis.searching.records.passage import Passage

SECTIONS = ("abstract", "methods", "results", "case")
_READ = 3000  # characters of each passage that are searched
_LEAST, _MOST = 2, 50_000_000
_PEOPLE = (
    "patients|participants|subjects|individuals|people|persons|women|men|children|adults|infants|neonates|newborns"
    "|adolescents|volunteers|respondents|residents|students|nurses|physicians|cases|pregnancies|births|mice|rats|rabbits"
    "|pigs|dogs|animals|eyes|knees|hips|families|mothers|boys|girls|veterans|donors|recipients|survivors|controls"
)
_CLASSES = ("type", "stage", "grade", "phase", "class", "level", "group")
_NUMBER = (
    r"(?<![\w.,%/–-])"
    + "".join(rf"(?<!{name}\s)" for name in _CLASSES)
    + r"(\d{1,3}(?:[,\u2009\u00a0]\d{3})+|\d{1,8})(?![\w%/–-]|[.,]\d|\s(?:times|fold|percent)\b)"
)
_COUNTED = rf"{_NUMBER}\s(?:(?!million|billion|thousand|hundred)[A-Za-z][\w-]*\s){{0,4}}?({_PEOPLE})\b"
_PLAIN = re.compile(_COUNTED, re.IGNORECASE)
_N = re.compile(r"(?<!\w)N\s?=\s?(\d{1,3}(?:,\d{3})+|\d{1,8})(?![\w%])")
_FIRST = re.compile(
    rf"\b(?:total of|enrolled|recruited|randomi[sz]ed|studied|included|surveyed)\s(?:[a-z]+\s)?{_COUNTED}",
    re.IGNORECASE,
)


def reported_number(passages: Sequence[Passage]) -> ReportedNumber | None:
    """The number that a paper reports; None if it reports none in these forms."""
    read = [passage for section in SECTIONS for passage in passages if passage.section == section]
    for pattern in (_FIRST, _PLAIN):
        for passage in read:
            for match in pattern.finditer(passage.text[:_READ]):
                if found := _number(match[1], match[2], match, passage):
                    return found
    for passage in read:
        for match in _N.finditer(passage.text[:_READ]):
            if found := _number(match[1], "", match, passage):
                return found
    return None


def _number(digits: str, of: str, match: re.Match[str], passage: Passage) -> ReportedNumber | None:
    value = int(re.sub(r"\D", "", digits))
    year = digits.isdecimal() and 1900 <= value <= 2100
    if not _LEAST <= value <= _MOST or year:
        return None
    begin, end = match.span()
    return ReportedNumber(value, of.lower(), match[0], passage.number, begin, end)
