"""The text of the reference lists of a JATS article: a section a list, a line a reference.

A reference that is printed with its signs keeps them; fields without signs are put together as PubMed prints them.
Source: NISO Z39.96 (JATS), Archiving tag set 1.3, "ref-list", "mixed-citation", "element-citation".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from anagnosis.documents.document import HEADING_PATH, Section
from anagnosis.documents.formats.jats.abstract import label_of
from anagnosis.documents.formats.jats.prose import local, text

if TYPE_CHECKING:
    from lxml.etree import _Element

LABEL = "references"
_CITATIONS = ("mixed-citation", "element-citation", "nlm-citation", "citation")
_PEOPLE = frozenset(("person-group", "name", "string-name", "collab", "etal", "name-alternatives"))
_PLACE = ("year", "volume", "issue", "fpage", "lpage", "elocation-id", "page-range")
_RAISED = frozenset(("sub", "sup"))
_OPENS, _CLOSES = "([{/-–—\"'“‘ ", ")]}/-–—\"'”’.,;:?! "  # with nothing between them and the next field
_BESIDE = _PEOPLE.union(("label", "pub-id", "object-id", "month", "day", "season"))


def reference_sections(references: _Element, path: tuple[str, ...] = ()) -> Iterator[Section]:
    """The section of a <ref-list>, if it has text, then those of the lists inside it. path: the headings around it."""
    headings = [label_of(child) for child in references if local(child) == "title"]
    path = (*path, *filter(None, headings))
    lines = [line for child in references for line in _lines(child)]
    if lines:
        yield Section(LABEL, "\n".join(lines), HEADING_PATH.join(path), "")
    for each in references.iterchildren("{*}ref-list"):
        yield from reference_sections(each, path)


def _lines(child: _Element) -> Iterator[str]:
    """The lines of a reference, or of a paragraph in the list."""
    if local(child) == "ref":
        for each in child:
            name = local(each)
            if name == "citation-alternatives":
                each = next((best for kind in _CITATIONS for best in each.iterchildren(f"{{*}}{kind}")), each)
            line = _citation(each) if local(each) in _CITATIONS else ""
            if line or (name == "note" and (line := text(each))):
                yield line
    elif local(child) == "p" and (line := text(child)):
        yield line


def _citation(citation: _Element) -> str:
    for each in list(citation.iter("{*}pub-id", "{*}object-id")):
        behind = each.tail
        each.clear()
        each.tail = behind
    between = (citation.text, *(each.tail for each in citation))
    if any(words and words.strip() for words in between):  # it is printed with its signs
        for each in (citation, *citation.iter("{*}name", "{*}person-group", "{*}string-name")):
            _part_fields(each)
        return text(citation)
    fields = [(name, text(each)) for each in citation if (name := local(each)) not in _BESIDE]
    people = [person for each in citation for person in _people(each)]
    pieces = [", ".join(filter(None, people))]
    has_place = False
    for name, words in fields:
        if name in _PLACE:
            pieces.extend([] if has_place else [_place(dict(fields))])
            has_place = True
        else:
            pieces.append(words)
    return " ".join(piece if piece.endswith((".", "?", "!")) else f"{piece}." for piece in pieces if piece)


def _part_fields(fields: _Element) -> None:
    """Blanks between fields, and commas between names, where the citation prints nothing."""
    for field, following in pairwise(fields):
        if field.tail and not field.tail.isspace():
            continue
        if local(field) == local(following) == "name":
            field.tail = ", "
        elif not field.tail and local(following) not in _RAISED:
            before, behind = ("".join(each.itertext(with_tail=False)) for each in (field, following))
            between = "" if before[-1:] in _OPENS or behind[:1] in _CLOSES else " "
            field.tail = between


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
