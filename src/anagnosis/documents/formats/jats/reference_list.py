"""The reference lists of a JATS article as text, for readers that ask for it: a section a list, a line a reference.

    <ref-list><title>References</title><ref><label>1</label><mixed-citation>Ng A. Salt. J. 2001;3:1.</mixed-citation>
    </ref></ref-list>                                    Section("references", "Ng A. Salt. J. 2001;3:1.", "References")

A citation in fields, which has no printed punctuation, gets PubMed's: "Ng A, Roe B. Salt. J. 2001;3(4):1–9." Numbers of
references, and identifiers, which are the fact "references", are no text.

Source: NISO Z39.96 (JATS), Archiving tag set 1.3, "ref-list" and what stands in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from anagnosis.documents.document import HEADING_PATH, Section
from anagnosis.documents.formats.jats.abstract import label_of
from anagnosis.documents.formats.jats.prose import LeftOut, local
from anagnosis.documents.formats.jats.text import text

if TYPE_CHECKING:
    from lxml.etree import _Element

LABEL = "references"
_CITATIONS = ("mixed-citation", "element-citation", "nlm-citation", "citation")
_PEOPLE = frozenset(("person-group", "name", "string-name", "collab", "etal", "name-alternatives"))
_PLACE = ("year", "volume", "issue", "fpage", "lpage", "elocation-id", "page-range")
_NO_TEXT = frozenset(("label", "pub-id", "object-id", "month", "day", "season"))


def reference_sections(
    references: _Element, on_left_out: LeftOut, path: tuple[str, ...] = ()
) -> Iterator[Section]:
    """The section of a <ref-list>, if it has text, then those of the lists inside it. path: the headings around it."""
    headings = [label_of(child, on_left_out) for child in references if local(child) == "title"]
    path = (*path, *filter(None, headings))
    lines = [line for child in references for line in _lines(child, on_left_out)]
    if lines:
        yield Section(LABEL, "\n".join(lines), HEADING_PATH.join(path), "")
    for each in references.iterchildren("{*}ref-list"):
        yield from reference_sections(each, on_left_out, path)


def _lines(child: _Element, on_left_out: LeftOut) -> Iterator[str]:
    """The lines of a reference, or of a paragraph in the list."""
    if local(child) == "ref":
        for each in child:
            name = local(each)
            if name == "citation-alternatives":
                each = next((best for kind in _CITATIONS for best in each.iterchildren(f"{{*}}{kind}")), each)
            line = _citation(each) if local(each) in _CITATIONS else ""
            if line or (name == "note" and (line := text(each, on_left_out))):
                yield line
    elif local(child) == "p" and (line := text(child, on_left_out)):
        yield line


def _citation(citation: _Element) -> str:
    for each in list(citation.iter("{*}pub-id", "{*}object-id")):
        _empty(each)
    if _is_printed(citation):
        for each in list(citation.iter("{*}name")):
            _part_names(each)
        return text(citation)
    fields = [(local(each), text(each)) for each in citation]
    people = [person for each in citation for person in _people(each)]
    pieces = [", ".join(filter(None, people))]
    has_place = False
    for name, words in fields:
        if name in _PLACE:
            pieces.extend([] if has_place else [_place(dict(fields))])
            has_place = True
        elif name not in _PEOPLE and name not in _NO_TEXT:
            pieces.append(words)
    return " ".join(piece if piece.endswith((".", "?", "!")) else f"{piece}." for piece in pieces if piece)


def _is_printed(citation: _Element) -> bool:
    """Whether a citation has text between its fields."""
    around = (citation.text, *(each.tail for each in citation))
    return any(words and words.strip() for words in around)


def _part_names(person: _Element) -> None:
    """Blanks between the parts of a name, and a comma behind it, where the citation prints neither."""
    for part in person[:-1]:
        part.tail = part.tail or " "
    behind = person.getnext()
    if behind is not None and local(behind) == "name" and not (person.tail or "").strip():
        person.tail = ", "


def _people(field: _Element) -> Iterator[str]:
    """The names in a field of a citation: "Ng A"."""
    name = local(field)
    if name in ("person-group", "name-alternatives"):
        for each in field:
            yield from _people(each)
    elif name == "name":
        yield " ".join(filter(None, (text(field.find("{*}surname")), text(field.find("{*}given-names")))))
    elif name == "etal":
        yield text(field) or "et al"
    elif name in _PEOPLE:
        yield text(field)


def _place(fields: dict[str, str]) -> str:
    """The year and the place in a journal: "2001;3(4):1–9"."""
    year, volume, issue, first, last, *others = (fields.get(name, "") for name in _PLACE)
    pages = "–".join(filter(None, (first, last))) or next(filter(None, others), "")
    where = f"{volume}({issue})" if issue else volume
    behind = ":".join(filter(None, (where, pages)))
    return ";".join(filter(None, (year, behind)))


def _empty(element: _Element) -> None:
    """Remove the words of an element, but not those behind it."""
    tail = element.tail
    element.clear()
    element.tail = tail
