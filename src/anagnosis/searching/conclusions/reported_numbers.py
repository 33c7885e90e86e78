"""The number of people or animals that a paper reports, with the words that report it.

Forms, in the order of preference: "a total of 234 patients" or "we enrolled 234 patients"; "234 consecutive
patients"; "N = 234" (a small n counts a part). The first of the best form counts, from abstract and methods before
results. Shares, ratios, ages and years are no numbers of people, nor is the 2 of "type 2 diabetic patients". The
number of one arm ("44 patients in each group") is not that of the paper, and nor is one that is hardly greater.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anagnosis.searching.records.passage import Passage

_SECTIONS = ("abstract", "methods", "results", "case")
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
# A number with one of these between itself and the people counts something else: "72 hours after surgery patients".
_OTHERS = (
    "million|billion|thousand|hundred|seconds?|minutes?|hours?|days?|weeks?|months?|years?|mg|kg|g|ml|l|cm|mm"
    "|centers|centres|hospitals|clinics|sites|departments|schools|countries|studies|trials|articles|reports"
    "|samples|of|after|before|from|for|with|among|per|in|at|by|on"
)
_COUNTED = rf"{_NUMBER}\s(?:(?!(?:{_OTHERS})\s)[A-Za-z][\w-]*\s){{0,4}}?({_PEOPLE})\b"
_PLAIN = re.compile(_COUNTED, re.IGNORECASE)
_N = re.compile(r"(?<!\w)N\s?=\s?(\d{1,3}(?:,\d{3})+|\d{1,8})(?![\w%])")
_FIRST = re.compile(
    rf"\b(?:total of|enrolled|recruited|randomi[sz]ed|studied|included|surveyed)\s(?:[a-z]+\s)?{_COUNTED}",
    re.IGNORECASE,
)
# What stands before and behind the number of one arm: "three groups of 20 mice", "20 mice per group".
_BEFORE_AN_ARM = re.compile(
    r"\b(?:groups|arms|cohorts|(?<!\ba\s)(?:group|arm)\s\(?(?:[A-D1-4]\)?\s)?"
    r"(?:included|comprised|contained|had|consisted))(?:\sof|\swith)?\s$"
    r"|\beach\s(?:group|arm|cohort)[^.;]{0,30}$",
    re.IGNORECASE,
)
_ARM = r"(?:groups?|arms?|cohorts?|subgroups?)"
_BEHIND_AN_ARM = re.compile(
    r"[,\s(]*(?:(?:were|was)\s)?(?:(?:randomi[sz]ed|randomly|assigned|allocated|included|enrolled)\s){0,2}"
    r"(?:(?:in|to|into|for|on|of)\s)?"
    rf"(?:(?:each|per|apiece)\b|the\s(?:[\w-]{{1,30}}\s){{1,4}}?{_ARM}\b|{_ARM}\s[A-D1-4]\b)",
    re.IGNORECASE,
)
_AROUND = 60  # characters
_ARM_TO_ALL = 1.5  # a plain number below this many times an arm may be another arm


def reported_number(passages: Sequence[Passage]) -> str:
    """The words in which a paper reports its number; "" if it reports none in these forms."""
    read = [passage for section in _SECTIONS for passage in passages if passage.section == section]
    greatest_arm = max((_value(match) for match in _matches(_PLAIN, read) if _is_arm(match)), default=0)
    for pattern in (_FIRST, _PLAIN, _N):
        for match in _matches(pattern, read):
            value = _value(match)
            year = match[1].isdecimal() and 1900 <= value <= 2100
            least = max(_LEAST, greatest_arm * _ARM_TO_ALL if pattern is _PLAIN else greatest_arm + 1)
            if year or not least <= value <= _MOST:
                continue
            return match[0]
    return ""


def _matches(pattern: re.Pattern[str], read: Sequence[Passage]) -> Iterator[re.Match[str]]:
    for passage in read:
        yield from pattern.finditer(passage.text[:_READ])


def _value(match: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", match[1]))


def _is_arm(match: re.Match[str]) -> bool:
    """Whether the number of people is that of one arm."""
    before = match.string[max(0, match.start() - _AROUND) : match.start()]
    return bool(_BEFORE_AN_ARM.search(before) or _BEHIND_AN_ARM.match(match.string, match.end()))
