"""What the first page says of its paper: title, authors, identifiers, year; and what the file's metadata says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anagnosis.documents.bibliography import JOINT, SUFFIXES, person, person_with_initials
from anagnosis.documents.formats.pdf.characters import UNKNOWN, letters, words_in
from anagnosis.documents.formats.pdf.flow import text_of
from anagnosis.documents.formats.pdf.headings import is_usual, of_every_paper
from anagnosis.documents.formats.pdf.hyphens import Hyphens
from anagnosis.documents.formats.pdf.layout import Block
from anagnosis.documents.identifiers import PMID_IN_TEXT, bare_doi

_FEWEST_WORDS = 3  # of a title that is not the largest on its page
_OF_LARGEST = 0.6  # of the largest letters, which may be a journal's name, those of such a title
_NEAR = 3  # blocks behind the title, one of which has the authors
_FILE_NAME = re.compile(r"\.(?:docx?|indd|odt|pdf|qxd|rtf|tex)$|^microsoft word|^untitled", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>|]+")
_OWN_DOI = re.compile(rf"(?:^|doi[:.]? ?|doi\.org/)({_DOI.pattern})", re.IGNORECASE)
_BROKEN_DOI = re.compile(r"(?<=[/.])\n(?=[a-z0-9]+[.\d])|(?<=doi\.org/)\n")
_YEAR = r"((?:19|20)\d\d)"
# Stamps with the year of a paper, the surest first: its place in a journal, on the edge of a page; its date.
_PLACE = re.compile(rf"\({_YEAR}\)|\b{_YEAR}(?: [A-Z][a-z]{{2,8}}(?: \d\d?)?)?[;,] ?\d{{1,4}} ?[(:,]")
_DATED = tuple(
    re.compile(rf"(?:{words})\b[^\n]{{0,60}}?\b{_YEAR}\b", re.IGNORECASE)
    for words in ("posted|published|publication date|arxiv", r"©|\(c\)|copyright")
)
_PARTICLES = frozenset(("da", "de", "del", "den", "der", "di", "dos", "du", "la", "le", "ten", "van", "von"))
_DEGREES = frozenset(("BSc", "DPhil", "MBBS", "MD", "MPH", "MSc", "PhD", "RN"))
_MARKS = re.compile(rf"[\d*∗#†‡§¶✉{UNKNOWN}]|^(?:authors?:|by )", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;&·•、，；]|\band\b")
_LETTER_BEHIND = re.compile(r"(?:^| )[a-z]$")  # raised: of an address
_INITIAL = re.compile(r"\b[A-Z]\.")
_WORD_OF_NAME = re.compile(r"(?:[^\W\d_]\.-?)+|[^\W\d_][^\W\d_.]*(?:['’-][^\W\d_]+)*")
_ASIAN_NAME = re.compile(r"[\u4e00-\u9fff\uac00-\ud7a3]{2,4}")


def title_blocks(
    first: Sequence[Block], body: tuple[str, float], hyphens: Hyphens, title: str
) -> list[Block]:
    """The blocks of the first page that are the title: its largest letters above the text. title: of the metadata."""
    named = [
        block
        for block in first
        for text in [text_of(block, hyphens)]
        if block.size > body[1] and len(letters(text)) > 1
        if not (is_usual(text) or of_every_paper(text) or people(text))
    ]
    largest = max((block.size for block in named), default=0.0)
    long = max((block.size for block in named if block.words >= _FEWEST_WORDS), default=0.0)
    least = (long if long >= _OF_LARGEST * largest else largest) - 0.5
    chosen: list[Block] = []
    for block in first:
        if chosen and block.words > 8 and block.size <= body[1]:
            break
        if block.size >= least and any(block is one for one in named):
            chosen.append(block)
    text, other = (
        "".join(letter for letter, _ in letters(one))
        for one in ("".join(text_of(block, hyphens) for block in chosen), title)
    )
    is_short = sum(block.words for block in chosen) < _FEWEST_WORDS <= words_in(title)
    if is_short and text != other and other in "".join(each for each, _ in letters(_printed(first))):
        return []  # the name of a journal; the title stands in smaller letters
    return chosen


def authors(first: Sequence[Block], title: Sequence[Block], hyphens: Hyphens) -> tuple[str, list[Block]]:
    """The fact, and its block: the first names behind the title."""
    places = [number for number, block in enumerate(first) if any(block is one for one in title)]
    for block in first[places[-1] + 1 :][:_NEAR] if places else ():
        if found := people(text_of(block, hyphens)):
            return JOINT.join(found), [block]
    return "", []


def people(text: str) -> list[str]:
    """The people of a line that has nothing but names, spelled as the fact `authors`; [] of any other."""
    names: list[str] = []
    for part in _BETWEEN.split(_MARKS.sub(" ", text)):
        name = _LETTER_BEHIND.sub("", " ".join(part.split()))
        if name in SUFFIXES and names:
            names[-1] += f" {name}"
        elif name and name not in _DEGREES:
            if not (spelled := _person(name)):
                return []
            names.append(spelled)
    return names if len(names) > 1 or _INITIAL.search(text) or _MARKS.search(text) else []


def _person(name: str) -> str:
    """ "Doe, A. B." for "A. B. Doe"; "" for what is no name."""
    if _ASIAN_NAME.fullmatch(name):
        return name
    words = name.split()
    fits = all(_WORD_OF_NAME.fullmatch(word) and (word[0].isupper() or word in _PARTICLES) for word in words)
    if not (fits and 2 <= len(words) <= 6 and max(map(len, words)) > 2) or of_every_paper(name):
        return ""
    if (spelled := person_with_initials(name)) != name:
        return spelled
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in _PARTICLES:
        at -= 1
    return person(" ".join(words[at:]), " ".join(words[:at]))


def metadata_title(metadata: Mapping[str, str]) -> str:
    """The title of the metadata; "" where it is the name of a file."""
    title = metadata.get("Title", "").strip()
    return "" if _FILE_NAME.search(title) else title


def facts(metadata: Mapping[str, str], printed: str, edges: str) -> dict[str, str]:
    """doi: of the metadata, where it says that this is the file's own. page_…: the first of the first page.

    printed: the lines of that page. edges: those above and below, and up the margin.
    """
    found = dict[str, str]()
    for text in metadata.values():
        if "doi" not in found and (own := _OWN_DOI.search(text)):
            found["doi"] = bare_doi(own[1])
    if "doi" not in found and (seen := _DOI.search(_BROKEN_DOI.sub("", printed))):
        found["page_doi"] = bare_doi(seen[0])
    if seen := PMID_IN_TEXT.search(printed):
        found["page_pmid"] = seen[1]
    if seen := _PLACE.search(edges) or next(filter(None, (one.search(printed) for one in _DATED)), None):
        found["page_year"] = next(filter(None, seen.groups()))
    return found


def _printed(blocks: Sequence[Block]) -> str:
    return "\n".join(line.text for block in blocks for line in block.lines)
