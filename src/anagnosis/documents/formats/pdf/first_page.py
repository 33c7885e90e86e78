"""What the first page says of its paper: title, authors, identifiers and year; and what the file's metadata says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anagnosis.documents.bibliography import person, person_with_initials
from anagnosis.documents.formats.pdf.characters import UNKNOWN, words_in
from anagnosis.documents.formats.pdf.flow import text_of
from anagnosis.documents.formats.pdf.headings import NO_HEADING, is_usual
from anagnosis.documents.formats.pdf.hyphens import Hyphens
from anagnosis.documents.formats.pdf.layout import Block
from anagnosis.documents.identifiers import PMID_IN_TEXT, bare_doi

_FEWEST_WORDS = 3  # of what is surely no journal's name
_SHORT, _NAMES = 0.6, 0.5  # weights of letters: of fewer words, and of what reads as names
_NEAR = 3  # blocks, among which title and authors go on
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>|]+")
_OWN_DOI = re.compile(rf"(?:^|doi[:.]? ?|doi\.org/)({_DOI.pattern})", re.IGNORECASE)
_BROKEN_DOI = re.compile(r"(?<=[/.])\n(?=[a-z0-9]+[.\d])|(?<=doi\.org/)\n")
_YEAR = r"((?:19|20)\d\d)\b"
# A paper's place in its journal, which stands at the edge of the page; and stamps, the surest first.
_PLACE = re.compile(rf"\({_YEAR}\)|\b{_YEAR}(?: [A-Z][a-z]{{2,8}}(?: \d\d?)?)?[;,] ?\d{{1,4}} ?[(:,]")
_STAMPS = [
    re.compile(rf"(?:{words}).{{0,60}}?\b{_YEAR}", re.IGNORECASE)
    for words in ("posted|published|publication date|arxiv", r"©|\(c\)|copyright")
]
_PARTICLES = frozenset(("da", "de", "del", "den", "der", "di", "dos", "du", "la", "le", "ten", "van", "von"))
# Signs, letters and degrees behind names.
_MARKS = re.compile(
    rf"[\d*∗#†‡§¶✉{UNKNOWN}]|(?<=[ ,])[a-df-xz](?=[,; ]|$)|\b(?:BSc|MBBS|MD|MPH|MSc|PhD|RN)\b|^(?:Authors?:|By )",
)
_BETWEEN = re.compile(r"[,;&·•、，；]|\band\b")
_INITIAL = re.compile(r"\b[A-Z]\.")
_WORD_OF_NAME = re.compile(r"(?:[^\W\d_]\.-?)+|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ASIAN_NAME = re.compile(r"[\u4e00-\u9fff\uac00-\ud7a3]{2,4}")


def title_and_authors(
    first: Sequence[Block], body: tuple[str, float], hyphens: Hyphens, other: str
) -> tuple[list[Block], list[Block]]:
    """The blocks of the first page with the title, its largest letters, and with the authors behind it.

    Of one or two words it may be a journal's name, and the page has the other title, of the metadata, in small letters.
    """
    texts = [text_of(block, hyphens) for block in first]
    by = [bool(people(text)) for text in texts]
    weights = {
        at: block.size * (_NAMES if by[at] else _SHORT if block.words < _FEWEST_WORDS else 1)
        for at, (block, text) in enumerate(zip(first, texts, strict=True))
        if block.size > body[1] and not is_usual(text)
        if block.words >= _FEWEST_WORDS or not (NO_HEADING.match(text) or text.islower())
    }
    best = max(weights, key=weights.__getitem__, default=-1)
    if best < 0 or (first[best].words < _FEWEST_WORDS <= words_in(other) and other in " ".join(texts)):
        return [], []
    alike = [at for at in weights if first[at].size >= first[best].size - 0.5 and at <= best + _NEAR]
    title = [at for at in alike if at == best or not by[at]]
    behind = range(title[-1] + 1, len(first))[:_NEAR]
    return [first[at] for at in title], [first[at] for at in behind if by[at]][:1]


def people(text: str) -> list[str]:
    """The people of a line that has nothing but names, spelled as the fact `authors`; [] of any other."""
    parts = (" ".join(part.split()) for part in _BETWEEN.split(_MARKS.sub(" ", text)))
    names = [_person(part) for part in parts if part]
    return names if all(names) and (len(names) > 1 or _INITIAL.search(text)) else []


def _person(name: str) -> str:
    """ "van den Berg, Jan P." for "Jan P. van den Berg"; "" for what is no name."""
    words = name.split()
    fits = all(_WORD_OF_NAME.fullmatch(one) and (one[0].isupper() or one in _PARTICLES) for one in words)
    if _ASIAN_NAME.fullmatch(name) or (fits and person_with_initials(name) != name):
        return person_with_initials(name)
    if not fits or not 2 <= len(words) <= 6:
        return ""
    at = next((n for n, word in enumerate(words) if n and word in _PARTICLES), len(words) - 1)
    return person(" ".join(words[at:]), " ".join(words[:at]))


def facts(metadata: Mapping[str, str], printed: str, edges: str) -> dict[str, str]:
    """doi: of the metadata, where it says that this is the file's own. page_…: the first of the first page.

    printed: the lines of that page. edges: those above and below its text, and up its margin.
    """
    found = dict[str, str]()
    for text in metadata.values():
        if "doi" not in found and (own := _OWN_DOI.search(text)):
            found["doi"] = bare_doi(own[1])
    if "doi" not in found and (seen := _DOI.search(_BROKEN_DOI.sub("", printed))):
        found["page_doi"] = bare_doi(seen[0])
    if seen := PMID_IN_TEXT.search(printed):
        found["page_pmid"] = seen[1]
    years = [_PLACE.search(edges), *(stamp.search(printed) for stamp in _STAMPS)]
    if seen := next(filter(None, years), None):
        found["page_year"] = next(filter(None, seen.groups()))
    return found
