"""What a section of a paper is about, in one of a dozen words, whatever its heading says.

A structured abstract's part goes by the class that MEDLINE gives it, else by its heading; a section of the body by its
type (JATS sec-type) and the headings above it, the outermost first: "Results › Comparison of methods" tells results.
"""

from __future__ import annotations

import re
from functools import lru_cache

from anagnosis.documents.document import HEADING_PATH, Section

# Of several in a heading the last word tells, as in "Study limitations"; but where "and" joins two, the first.
_WORDS: dict[str, str] = {
    "conclusion": r"concl|interpretation|implication|clinical significance|take.home|key (?:points|messages)"
    r"|learning points",
    "results": r"result|finding|outcome|observations?\b",
    "methods": r"method|material|patients?\b|subjects?\b|participants?\b|procedure|design|setting|statistic|experiment"
    r"|data (?:source|collection|extraction|synthesis)|intervention|measure|sampl|protocol|study|animals?\b|search",
    "objective": r"objective|aims?\b|purpose|goal|hypothes|question",
    "case": r"cases?\b",
    "discussion": r"discuss|comment",
    "limitations": r"limitation|strengths\b|limits\b",
    "background": r"background|introduc|intro\b|context|importance|rationale|overview|review",
}
_NAMES = {name: re.compile(rf"\b(?:{words})", re.IGNORECASE) for name, words in _WORDS.items()}
_TOLD = {"figure": "figure", "fig": "figure", "table": "table", "tbl": "table"}
_JOINED = re.compile(r"\band\b|[&,/:;(]|\bof\b|\bfor\b|\bin\b")
SECTIONS = ("title", "abstract", *_NAMES, "figure", "table", "other")


def section_name(section: Section) -> str:
    """One of SECTIONS."""
    return _name(section.label, section.title, section.category)


@lru_cache(maxsize=1 << 14)
def _name(label: str, title: str, category: str) -> str:
    if label == "title":
        return "title"
    if told := _TOLD.get(label.partition("_")[0]):
        return told
    for words in (category.replace("|", " "), *title.split(HEADING_PATH), label):
        if name := _named(words):
            return name
    return "abstract" if label == "abstract" else "other"


def _named(words: str) -> str:
    """The name that these words tell, "" where they tell none."""
    for part in _JOINED.split(words):
        found = [
            (match.start(), name) for name, pattern in _NAMES.items() for match in pattern.finditer(part)
        ]
        if found:
            return max(found)[1]
    return ""
