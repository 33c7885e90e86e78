"""The parts of a JATS abstract: its labels, their texts and classes.

    <abstract><sec sec-type="methods"><title>Methods:</title><p>We asked …   ("Methods", "We asked …", "METHODS")
    <abstract><p><bold>Methods:</bold> We … <bold>Results:</bold> Ten …       ("Methods", "We …", ""), ("Results", …)
    <abstract><p>METHODS: We … RESULTS: Ten …                                the same, by running_labels.py
    <abstract><p>We asked …                                                  ("", "We asked …", "")

Labels in the text are taken for such only where the abstract begins with one, as in `running_labels.py`: in front of a
sentence, set off in bold, italic or the like, and a usual heading or followed by a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.documents.formats.jats.prose import LeftOut, is_footnote, local, prose
from anagnosis.documents.formats.jats.text import SET_BACK, SET_OFF, marked_text, text
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text.running_labels import is_usual_heading, split_at_labels
from anagnosis.documents.text.white_space import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARAGRAPH = "\x03"  # between paragraphs; XML has no such character
_SENTENCE_ENDS = f'.?!)”"{_PARAGRAPH}'
_NO_CONTENT = f" \t\r\n{SET_OFF}{SET_BACK}"
_WITHOUT_MARKS = str.maketrans({SET_OFF: None, SET_BACK: None, _PARAGRAPH: " "})
_CANDIDATE = re.compile(rf"{SET_OFF}+([^{SET_OFF}{SET_BACK}{_PARAGRAPH}]{{1,60}}){SET_BACK}+\s*([.:]?)")
# Words for an abstract as a whole.
_ABSTRACT = re.compile(
    r"(?:structured )?abstract|(?:author )?summary|synopsis|r[ée]sum[ée]n?|resumo|riassunto|samenvatting"
    r"|zusammenfassung|摘要"
)
# What a publisher puts below an abstract is none of it.
_DOI = r"(?:doi[: ]*)?(?:(?:https?://)?(?:dx\.)?doi\.org/)?{}(?:\.\d+)?\.?"
_LONGEST_DOI = 300
_NOTE = re.compile(r"(?:electronic )?supplementary (?:material|information)s?", re.IGNORECASE)
# JATS' list of suggested values for sec-type, and those in use beside it, as NLM's classes of sections.
_CATEGORIES = {
    "background": "BACKGROUND",
    "intro": "BACKGROUND",
    "introduction": "BACKGROUND",
    "objective": "OBJECTIVE",
    "objectives": "OBJECTIVE",
    "materials": "METHODS",
    "materials|methods": "METHODS",
    "method": "METHODS",
    "methods": "METHODS",
    "result": "RESULTS",
    "results": "RESULTS",
    "conclusion": "CONCLUSIONS",
    "conclusions": "CONCLUSIONS",
}


class Part(NamedTuple):
    """label: as printed, without the colon or full stop behind it. category: of NLM's, "" where nobody says."""

    label: str
    text: str
    category: str = ""


def parts(abstract: _Element, repairs: Repairs, doi: str = "") -> list[Part]:
    """The parts in order; those without text and label are left out, and notes on supplementary material.

    doi: the article's; a paragraph that says nothing else is left out. Counted: own_doi_left_out, what `jats_prose`
    leaves out, footnote_left_out, supplement_note_left_out, abstract_labels_in_text (an abstract whose labels were
    found in its text).
    """
    title = next((label_of(child, repairs.count) for child in abstract if local(child) == "title"), "")
    label = "" if _ABSTRACT.fullmatch(title.lower()) else title
    found: list[Part] = []
    paragraphs: list[_Element] = []
    for child in _content(abstract, repairs.count):
        if doi and _is_doi(child, doi):
            repairs.count("own_doi_left_out")
        elif local(child) == "sec":
            found.extend(_unlabelled(paragraphs, repairs))
            paragraphs = []
            found.extend(_section(child, repairs.count))
        elif label:
            # What stands above an abstract and does not call it one is the label of what it begins with.
            found.append(Part(label, text(child, repairs.count)))
            label = ""
        else:
            paragraphs.append(child)
    found.extend(_unlabelled(paragraphs, repairs))
    notes = sum(_NOTE.fullmatch(part.label) is not None for part in found)
    repairs.count("supplement_note_left_out", notes)
    return [part for part in found if (part.text or part.label) and not _NOTE.fullmatch(part.label)]


def label_of(title: _Element, on_left_out: LeftOut) -> str:
    """The words of a heading, without the colon or full stop behind them."""
    return text(title, on_left_out).rstrip(" .:")


def _content(element: _Element, on_left_out: LeftOut) -> Iterator[_Element]:
    """What an abstract or a section of one says below its heading; a footnote that stands there is none of it."""
    for child in prose(element, on_left_out):
        name = local(child)
        if is_footnote(child, name):
            on_left_out("footnote_left_out")
        elif name != "title":
            yield child


def _is_doi(paragraph: _Element, doi: str) -> bool:
    """Whether a paragraph is "DOI: http://dx.doi.org/10.1000/x.001" of this DOI, or of a part of it, and no more."""
    words = text(paragraph)
    return (
        len(words) < _LONGEST_DOI
        and re.fullmatch(_DOI.format(re.escape(doi)), words, re.IGNORECASE) is not None
    )


def _section(section: _Element, on_left_out: LeftOut) -> Iterator[Part]:
    """A section, and those inside it behind it, each by its own label."""
    label = next((label_of(child, on_left_out) for child in section if local(child) == "title"), "")
    own = list[str]()
    inner: list[_Element] = []
    for child in _content(section, on_left_out):
        if local(child) == "sec":
            inner.append(child)
        else:
            own.append(text(child, on_left_out))
    category = _CATEGORIES.get(section.get("sec-type", "").lower(), "")
    yield Part(label, " ".join(filter(None, own)), category)
    for each in inner:
        yield from _section(each, on_left_out)


def _unlabelled(paragraphs: list[_Element], repairs: Repairs) -> Iterator[Part]:
    """What stands in no section, cut at the labels in its text if it begins with one."""
    if not paragraphs:
        return
    marked = _PARAGRAPH.join(marked_text(paragraph, repairs.count) for paragraph in paragraphs)
    found = _cut_at_set_off(marked)
    if not found[0].label or (len(found) == 1 and not is_usual_heading(found[0].label)):
        found = [Part(label, words) for label, words in split_at_labels(_plain(marked))]
    repairs.count("abstract_labels_in_text", bool(found[0].label))
    yield from found


def _cut_at_set_off(marked: str) -> list[Part]:
    """The parts that labels set off in the text begin, and what stands before the first, if anything."""
    found: list[Part] = []
    label, begins = "", 0
    for candidate in _CANDIDATE.finditer(marked):
        words = candidate[1].strip().rstrip(" .:")
        has_colon = candidate[1].rstrip().endswith(":") or candidate[2] == ":"
        is_label = is_usual_heading(words) or (has_colon and words[:1].isalpha())
        if is_label and _begins_sentence(marked, candidate.start()):
            found.append(Part(label, _plain(marked[begins : candidate.start()])))
            label, begins = words, candidate.end()
    found.append(Part(label, _plain(marked[begins:])))
    return [part for part in found if part.label or part.text] or [Part("", "")]


def _begins_sentence(marked: str, at: int) -> bool:
    while at and marked[at - 1] in _NO_CONTENT:
        at -= 1
    return not at or marked[at - 1] in _SENTENCE_ENDS


def _plain(marked: str) -> str:
    return tidied(marked.translate(_WITHOUT_MARKS))
