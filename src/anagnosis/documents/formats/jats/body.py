"""The text of a JATS article behind its front matter, as sections: body, figures, tables, boxes, back matter.

    <sec sec-type="methods"><title>Methods</title><p>We …</p>    Section("body", "We …", "Methods", "methods")
      <sec><title>People</title><p>Ten <fig>…</fig> …</p></sec>  Section("body", "Ten …", "Methods › People", "methods")
                                                                 Section("figure", caption, "Figure 1")

Every <sec> with direct text is a section. title: its headings from the outermost on, or that of a list that is all of
it. text: a line for each paragraph, item of a list, and line of preformatted text, also for those inside a paragraph.
category: its sec-type, or that of the nearest section around it. Labels:

    body             sections of the body, and paragraphs in none
    figure, table    a caption and its notes; title: its label, as "Figure 1"
    table_cells      a table, a row a line, tabs between cells; title: the table's label. A cell that spans several
                     rows or columns (of HTML) stands in each of them
    box              boxed text (key points, clinical messages)
    supplementary    the description of a file that comes with the article
    back             acknowledgements, appendices, glossary, footnotes, other back matter; category: the element's name
    references       on request, behind all others: a section a list, a line a reference. One printed with its signs
                     keeps them; fields without signs are put together as PubMed prints them. Numbers of references,
                     and identifiers, which are the fact "references", are no text

A float (figure, table, box, supplementary file) follows the section that contains it, even if it stands inside a
paragraph, whose text omits it. A section that holds nothing but a table without label and caption, one cell a row, is a
list of lines (key points of Springer's journals). `prose.py` handles formulae (one notation each), inline markup
and footnote marks.

Source: NISO Z39.96 (JATS), Archiving tag set 1.3, "body", "back", "floats-group" and what stands in them, "ref-list",
"mixed-citation", "element-citation".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from anagnosis.documents.document import HEADING_PATH, Section
from anagnosis.documents.formats.jats.abstract import label_of
from anagnosis.documents.formats.jats.prose import is_left_out, local, prose, text, text_lines
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from lxml.etree import _Element

_SECTIONS = frozenset(("sec", "app", "app-group", "ack", "bio", "notes"))
# In running text these are lists of lines.
_BACK_SECTIONS = _SECTIONS | {"fn-group", "glossary"}
_CELLS = frozenset(("table", "array"))
# Floats that may lie inside a float; images have no text there.
_FLOATS_INSIDE = {
    "fig": "figure",
    "fig-group": "figure",
    "chem-struct-wrap": "figure",
    "table-wrap": "table",
    "table-wrap-group": "table",
    "boxed-text": "box",
    "supplementary-material": "supplementary",
}
_FLOATS = {
    **_FLOATS_INSIDE,
    "graphic": "figure",
    "media": "supplementary",
    **dict.fromkeys(_CELLS, "table_cells"),
}
_WITH_NOTES = frozenset(("fn-group", "table-wrap-foot"))
_LISTS = frozenset(("def-list", "list"))
_ROWS = frozenset(("tr", "row"))  # HTML's and OASIS'
_MOST_GROWTH = 32  # by cells that span rows and columns
_LONGEST_NUMBER = 6


def text_sections(article: _Element, repairs: Repairs, *, with_references: bool = False) -> Iterator[Section]:
    """The sections of an <article> without its front matter, and on request its reference lists behind them.

    Counted: table_spans_not_repeated.
    """
    lists = list(article.iter("{*}ref-list"))
    outermost = [each for each in lists if next(each.iterancestors("{*}ref-list"), None) is None]
    for each in outermost:
        _take_out(each)
    reader = _Reader(repairs)
    for part in article:
        name = local(part)
        if name in ("body", "back"):
            yield from reader.section(part, name)
        elif name in ("floats-group", "floats-wrap"):
            for each in part:
                yield from reader.float(each)
    for each in outermost if with_references else ():
        yield from reference_sections(each)


class _Reader:
    """A walk down the elements of an article. repairs: gets table_spans_not_repeated."""

    def __init__(self, repairs: Repairs) -> None:
        self._repairs = repairs

    def section(
        self, element: _Element, label: str, path: tuple[str, ...] = (), category: str = ""
    ) -> Iterator[Section]:
        """The sections of an element with paragraphs, floats and sections inside. path: the headings around it."""
        kind = "" if label != "back" or local(element) in ("back", "sec") else local(element)
        category = element.get("sec-type", "").strip() or kind or category
        path = (*path, *self._headings(element, is_box=label == "box"))
        inside = _BACK_SECTIONS if label == "back" else _SECTIONS
        if len(element) == 1 and local(element[0]) in _LISTS and element.find("*/{*}title") is not None:
            # The title of a list that stands alone is the heading of the section.
            element = element[0]
            path = (*path, *self._headings(element, is_box=False))
        lines: list[str] = []
        floats: list[_Element] = []

        def flush() -> Iterator[Section]:
            if path and len(floats) == 1 and not any(lines):
                lines.extend(self._items(floats[0]))
                if any(lines):
                    floats.clear()
            yield from _section(label, lines, HEADING_PATH.join(path), category)
            for each in floats:
                yield from self.float(each)
            lines.clear()
            floats.clear()

        if (element.text or "").strip():
            # Acknowledgements may be text without paragraphs.
            floats.extend(self._take_out_floats(element))
            lines.extend(text_lines(element))
        else:
            for child in element:
                name = local(child)
                if name in inside:
                    yield from flush()
                    yield from self.section(child, label, path, category)
                elif name in _FLOATS:
                    floats.append(child)
                elif name == "caption":
                    lines.extend(
                        line for each in prose(child) if local(each) != "title" for line in self._lines(each)
                    )
                elif name != "title" and not is_left_out(child, name):
                    floats.extend(self._take_out_floats(child))
                    lines.extend(self._lines(child))
        yield from flush()

    def float(self, element: _Element, around: str = "") -> Iterator[Section]:
        """The sections of a figure, table, box or file, then of those inside it. around: the label of their group."""
        label = _FLOATS.get(local(element), "figure")
        if label == "box":
            yield from self.section(element, label)
            return
        if label == "table_cells":
            yield from _section(label, self._rows(element), "", "")
            return
        title = next((label_of(each) for each in element.iterchildren("{*}label")), around)
        inside = list(_outermost(element, _FLOATS_INSIDE))
        cells = list(_outermost(element, _CELLS)) if label == "table" else []
        for each in (*inside, *cells):
            _take_out(each)
        # The children that are prose, or files or images that may have a caption.
        names = ((child, local(child)) for child in element)
        lines = [
            line
            for child, name in names
            if name in _FLOATS or not is_left_out(child, name)
            for line in self._lines(child)
        ]
        yield from _section(label, lines, title, "")
        for each in cells:
            yield from _section("table_cells", self._rows(each), title, "")
        for each in inside:
            yield from self.float(each, title)

    def _headings(self, element: _Element, *, is_box: bool) -> Iterator[str]:
        """The heading of an element, if it has one; for a box its number too."""
        for child in element:
            name = local(child)
            if name == "title" or (is_box and name == "label"):
                heading = label_of(child)
                if heading:
                    yield heading
            elif is_box and name == "caption":
                yield from self._headings(child, is_box=False)

    def _lines(self, element: _Element) -> Iterator[str]:
        if local(element) in _WITH_NOTES:
            for each in prose(element):
                yield from self._lines(each)
        else:
            yield from text_lines(element)

    def _rows(self, table: _Element) -> Iterator[str]:
        rows = list(_outermost(table, _ROWS))
        texts = [[text(cell) for cell in row] for row in rows]
        if spans := _spans(table):
            texts = list(_filled(rows, texts, spans, self._repairs))
        yield from ("\t".join(of_row) for of_row in texts if any(of_row))
        if not rows:
            yield text(table)

    def _items(self, element: _Element) -> list[str]:
        """The items of a list that is set as a table: no label, no caption, one cell a row. None of another float."""
        parts = [child for child in element if isinstance(child.tag, str)]
        if local(element) != "table-wrap" or [local(part) for part in parts] != ["table"]:
            return []
        rows = list(_outermost(element, _ROWS))
        return [text(row[0]) for row in rows] if all(len(row) == 1 for row in rows) else []

    def _take_out_floats(self, element: _Element) -> list[_Element]:
        """The floats inside a paragraph, removed from it."""
        floats = list(_outermost(element, _FLOATS))
        for each in floats:
            _take_out(each)
        return floats


def _spans(table: _Element) -> dict[_Element, tuple[int, int]]:
    """(rows, columns) of each cell that spans several."""
    cells = table.xpath(".//*[@rowspan > 1 or @colspan > 1]")
    return {cell: (_number(cell.get("rowspan")), _number(cell.get("colspan"))) for cell in cells}


def _number(written: str | None) -> int:
    return int(written) if written and written.isdecimal() and len(written) < _LONGEST_NUMBER else 1


def _filled(
    rows: list[_Element], texts: list[list[str]], spans: Mapping[_Element, tuple[int, int]], repairs: Repairs
) -> Iterator[list[str]]:
    """The texts of rows, each cell in every row and column that it spans; nothing for a row without words.

    Counted: table_spans_not_repeated (a table that would become many times as long).
    """
    spanning = {cell.getparent() for cell in spans}
    growth, length = 0, sum(len(words) + 1 for of_row in texts for words in of_row)
    for left, row, of_row in zip(range(len(rows), 0, -1), rows, texts, strict=True):
        for cell, words in zip(row, of_row, strict=True) if row in spanning else ():
            down, across = spans.get(cell, (1, 1))
            growth += (len(words) + 1) * (min(down, left) * across - 1)
    if growth > _MOST_GROWTH * length:
        repairs.count("table_spans_not_repeated")
        spans, spanning = {}, set()
    above, line = None, dict[int, tuple[str, int]]()  # column → (words, rows that it reaches into)
    for row, of_row in zip(rows, texts, strict=True):
        # No cell reaches from the head of a table into its body.
        reaching = line.items() if row.getparent() is above else ()
        line = {place: (words, down - 1) for place, (words, down) in reaching if down > 1}
        above, column = row.getparent(), 0
        if not line and row not in spanning:
            yield of_row
            continue
        for cell, words in zip(row, of_row, strict=True):
            while column in line:
                column += 1
            down, across = spans.get(cell, (1, 1))
            line.update(dict.fromkeys(range(column, column + across), (words, down)))
            column += across
        if any(of_row):
            yield [line[place][0] if place in line else "" for place in range(max(line) + 1)]


def _section(label: str, lines: Iterable[str], title: str, category: str) -> Iterator[Section]:
    """The section, if it has text."""
    joined = "\n".join(filter(None, lines))
    if joined:
        yield Section(label, joined, title, category)


def _outermost(element: _Element, names: Iterable[str]) -> Iterator[_Element]:
    """The elements of these names inside an element, without those nested in one of them."""
    for child in element:
        if local(child) in names:
            yield child
        else:
            yield from _outermost(child, names)


def _take_out(element: _Element) -> None:
    """Replace an element by a break, a table or box by the end of a paragraph."""
    parent = element.getparent()
    if parent is None:
        return
    is_block = _FLOATS.get(local(element), "") in ("box", "table", "table_cells")
    gap = parent.makeelement("p" if is_block else "break", {})
    gap.tail = element.tail
    parent.replace(element, gap)
    element.tail = None


_REFERENCES = "references"
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
    lines = [line for child in references for line in _reference_lines(child)]
    if lines:
        yield Section(_REFERENCES, "\n".join(lines), HEADING_PATH.join(path), "")
    for each in references.iterchildren("{*}ref-list"):
        yield from reference_sections(each, path)


def _reference_lines(child: _Element) -> Iterator[str]:
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
