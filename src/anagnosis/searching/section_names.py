"""Normalised section names: one of a dozen words, whatever the heading.

Parts of a structured abstract are named by the class that MEDLINE gives them, else by their heading; sections of the
body by their type (JATS sec-type) and the headings above them, the outermost first: "Results › Comparison of methods"
is named results.
"""

from __future__ import annotations

import re
from functools import lru_cache

from anagnosis.documents.document import HEADING_PATH, Section

# If a heading has several of these words, the last one decides, as in "Study limitations"; around "and", the first.
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
_BY_LABEL = {"figure": "figure", "fig": "figure", "table": "table", "tbl": "table"}
_JOINED = re.compile(r"\band\b|[&,/:;(]|\bof\b|\bfor\b|\bin\b")
SECTIONS = ("title", "abstract", *_NAMES, "figure", "table", "other")


def section_name(section: Section) -> str:
    """One of SECTIONS."""
    return _name(section.label, section.title, section.category)


@lru_cache(maxsize=1 << 14)
def _name(label: str, title: str, category: str) -> str:
    if label == "title":
        return "title"
    if by_label := _BY_LABEL.get(label.partition("_")[0]):
        return by_label
    for words in (category.replace("|", " "), *title.split(HEADING_PATH), label):
        if name := _named(words):
            return name
    return "abstract" if label == "abstract" else "other"


def _named(words: str) -> str:
    """The section name that these words indicate, "" for none."""
    for part in _JOINED.split(words):
        matches = [
            (match.start(), name) for name, pattern in _NAMES.items() for match in pattern.finditer(part)
        ]
        if matches:
            return max(matches)[1]
    return ""
