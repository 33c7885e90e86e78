"""The parts of a JATS abstract: its labels, their texts and classes.

    <abstract><sec sec-type="methods"><title>Methods:</title><p>We asked …   ("Methods", "We asked …", "METHODS")
    <abstract><p><bold>Methods:</bold> We … <bold>Results:</bold> Ten …       ("Methods", "We …", ""), ("Results", …)
    <abstract><p>METHODS: We … RESULTS: Ten …                                the same, by text.py
    <abstract><p>We asked …                                                  ("", "We asked …", "")

As in `text.py`, we look for labels in the text only if the abstract begins with one. A label stands in front
of a sentence, in bold, italics or the like, and is a usual heading or ends in a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from anagnosis.documents.formats.jats.prose import (
    SET_BACK,
    SET_OFF,
    is_footnote,
    local,
    marked_text,
    prose,
    text,
)
from anagnosis.documents.text import is_usual_heading, split_at_labels, tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARAGRAPH = "\x03"  # between paragraphs; XML has no such character
_SENTENCE_ENDS = f'.?!)”"{_PARAGRAPH}'
_NO_CONTENT = f" \t\r\n{SET_OFF}{SET_BACK}"
_WITHOUT_MARKUP = str.maketrans({SET_OFF: None, SET_BACK: None, _PARAGRAPH: " "})
_CANDIDATE = re.compile(rf"{SET_OFF}+([^{SET_OFF}{SET_BACK}{_PARAGRAPH}]{{1,60}}){SET_BACK}+\s*([.:]?)")
# Titles of an abstract, which label no part of it.
_ABSTRACT = re.compile(
    r"(?:structured )?abstract|(?:author )?summary|synopsis|r[ée]sum[ée]n?|resumo|riassunto|samenvatting"
    r"|zusammenfassung|摘要"
)
# A DOI and a note that publishers put below an abstract.
_DOI = r"(?:doi[: ]*)?(?:(?:https?://)?(?:dx\.)?doi\.org/)?{}(?:\.\d+)?\.?"
_LONGEST_DOI = 300
_NOTE = re.compile(r"(?:electronic )?supplementary (?:material|information)s?", re.IGNORECASE)
# sec-type, of JATS' suggested values and others in use → NLM's class of sections.
_CATEGORIES = {
    **dict.fromkeys(("background", "intro", "introduction"), "BACKGROUND"),
    **dict.fromkeys(("objective", "objectives"), "OBJECTIVE"),
    **dict.fromkeys(("materials", "materials|methods", "method", "methods"), "METHODS"),
    **dict.fromkeys(("result", "results"), "RESULTS"),
    **dict.fromkeys(("conclusion", "conclusions"), "CONCLUSIONS"),
}


Part = tuple[str, str, str]
"""A part of an abstract: its label as printed, without colon or full stop, its text, and NLM's class or ""."""


def parts(abstract: _Element, doi: str = "") -> list[Part]:
    """The parts of an abstract in order, without empty ones and notes on supplementary material.

    doi: of the article; a paragraph that contains nothing else is left out.
    """
    title = _title(abstract)
    label = "" if _ABSTRACT.fullmatch(title.lower()) else title
    cut_parts: list[Part] = []
    paragraphs: list[_Element] = []
    for child in _content(abstract):
        if doi and _is_doi(child, doi):
            continue
        if local(child) == "sec":
            cut_parts += [*_unlabelled(paragraphs), *_section(child)]
            paragraphs = []
        elif label:
            # Another title of the abstract is the label of its first part.
            cut_parts.append((label, text(child), ""))
            label = ""
        else:
            paragraphs.append(child)
    cut_parts += _unlabelled(paragraphs)
    return [part for part in cut_parts if any(part[:2]) and not _NOTE.fullmatch(part[0])]


def label_of(title: _Element) -> str:
    """The words of a heading, without the colon or full stop behind them."""
    return text(title).rstrip(" .:")


def _title(element: _Element) -> str:
    return next((label_of(child) for child in element if local(child) == "title"), "")


def _content(element: _Element) -> Iterator[_Element]:
    """The elements below the heading of an abstract or a section of one, without footnotes."""
    for child in prose(element):
        name = local(child)
        if name != "title" and not is_footnote(child, name):
            yield child


def _is_doi(paragraph: _Element, doi: str) -> bool:
    """Whether a paragraph is only this DOI or a part of it: "DOI: http://dx.doi.org/10.1000/x.001"."""
    words = text(paragraph)
    return (
        len(words) < _LONGEST_DOI
        and re.fullmatch(_DOI.format(re.escape(doi)), words, re.IGNORECASE) is not None
    )


def _section(section: _Element) -> Iterator[Part]:
    """The part of a section, then those of the sections inside it, each with its label."""
    content = list(_content(section))
    paragraphs = (text(child) for child in content if local(child) != "sec")
    category = _CATEGORIES.get(section.get("sec-type", "").lower(), "")
    yield _title(section), " ".join(filter(None, paragraphs)), category
    for child in content:
        if local(child) == "sec":
            yield from _section(child)


def _unlabelled(paragraphs: list[_Element]) -> list[Part]:
    """The parts of paragraphs outside sections, cut at labels in their text if it begins with one."""
    marked = _PARAGRAPH.join(marked_text(paragraph) for paragraph in paragraphs)
    cut_parts = _cut_at_set_off(marked)
    first = cut_parts[0][0] if cut_parts else ""
    if not first or (len(cut_parts) == 1 and not is_usual_heading(first)):
        return [(label, words, "") for label, words in split_at_labels(_plain(marked))]
    return cut_parts


def _cut_at_set_off(marked: str) -> list[Part]:
    """The parts that begin with labels in bold or italics, after the text before the first label, if any."""
    cut_parts: list[Part] = []
    label, begins = "", 0
    for candidate in _CANDIDATE.finditer(marked):
        words = candidate[1].strip().rstrip(" .:")
        has_colon = candidate[1].rstrip().endswith(":") or candidate[2] == ":"
        is_label = is_usual_heading(words) or (has_colon and words[:1].isalpha())
        if is_label and _begins_sentence(marked, candidate.start()):
            cut_parts.append((label, _plain(marked[begins : candidate.start()]), ""))
            label, begins = words, candidate.end()
    cut_parts.append((label, _plain(marked[begins:]), ""))
    return [part for part in cut_parts if any(part)]


def _begins_sentence(marked: str, at: int) -> bool:
    while at and marked[at - 1] in _NO_CONTENT:
        at -= 1
    return not at or marked[at - 1] in _SENTENCE_ENDS


def _plain(marked: str) -> str:
    return tidied(marked.translate(_WITHOUT_MARKUP))
