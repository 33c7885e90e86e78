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

A float (figure, table, box, supplementary file) follows the section that contains it, even if it stands inside a
paragraph, whose text omits it. A section that holds nothing but a table without label and caption, one cell a row, is a
list of lines (key points of Springer's journals). Reference lists are no text. `prose.py` handles formulae (one
notation each), inline markup and footnote marks.

Source: NISO Z39.96 (JATS), Archiving tag set 1.3, "body", "back", "floats-group" and what stands in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from anagnosis.documents.document import HEADING_PATH, Section
from anagnosis.documents.formats.jats.abstract import label_of
from anagnosis.documents.formats.jats.prose import is_left_out, local, outermost, prose, text, text_lines
from anagnosis.documents.repairs import Repairs
from anagnosis.wording import shortened

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
_MOST_GROWTH = 33  # by cells that span rows and columns
_LONGEST_NUMBER = 6
_LONGEST_TITLE = 2_000  # characters; a heading stands over all sections inside


def text_sections(article: _Element, repairs: Repairs) -> Iterator[Section]:
    """The sections of an <article> without its front matter. Counted: table_spans_not_repeated."""
    for each in list(article.iter("{*}ref-list")):
        _take_out(each)
    for part in article:
        name = local(part)
        if name in ("body", "back"):
            yield from _sections(part, name, repairs)
        elif name in ("floats-group", "floats-wrap"):
            for each in part:
                yield from _float(each, repairs)


def _sections(
    element: _Element, label: str, repairs: Repairs, around: str = "", category: str = ""
) -> Iterator[Section]:
    """The sections of an element with paragraphs, floats and sections inside. around: the headings around it."""
    kind = "" if label != "back" or local(element) in ("back", "sec") else local(element)
    category = shortened(element.get("sec-type", "").strip(), _LONGEST_TITLE) or kind or category
    title = HEADING_PATH.join(filter(None, (around, *_headings(element, is_box=label == "box"))))
    inside = _BACK_SECTIONS if label == "back" else _SECTIONS
    if len(element) == 1 and local(element[0]) in _LISTS and element.find("*/{*}title") is not None:
        # The title of a list that stands alone is the heading of the section.
        element = element[0]
        title = HEADING_PATH.join(filter(None, (title, *_headings(element, is_box=False))))
    title = shortened(title, _LONGEST_TITLE)
    lines: list[str] = []
    floats: list[_Element] = []

    def flush() -> Iterator[Section]:
        if title and len(floats) == 1 and not any(lines) and any(items := _items(floats[0])):
            lines[:] = items
            floats.clear()
        yield from _section(label, lines, title, category)
        for each in floats:
            yield from _float(each, repairs)
        lines.clear()
        floats.clear()

    if (element.text or "").strip():
        # Acknowledgements may be text without paragraphs.
        floats += _take_out_floats(element)
        lines += text_lines(element)
    else:
        for child in element:
            name = local(child)
            if name in inside:
                yield from flush()
                yield from _sections(child, label, repairs, title, category)
            elif name in _FLOATS:
                floats.append(child)
            elif name == "caption":
                lines += (line for each in prose(child) if local(each) != "title" for line in _lines(each))
            elif name != "title" and not is_left_out(child, name):
                floats += _take_out_floats(child)
                lines += _lines(child)
    yield from flush()


def _float(element: _Element, repairs: Repairs, around: str = "") -> Iterator[Section]:
    """The sections of a figure, table, box or file, then of those inside it. around: the label of their group."""
    label = _FLOATS.get(local(element), "figure")
    if label == "box":
        yield from _sections(element, label, repairs)
        return
    if label == "table_cells":
        yield from _section(label, _rows(element, repairs), around, "")
        return
    title = next((label_of(each) for each in element.iterchildren("{*}label")), around)
    title = shortened(title, _LONGEST_TITLE)
    inside = list(outermost(element, _FLOATS_INSIDE))
    cells = list(outermost(element, _CELLS)) if label == "table" else []
    for each in (*inside, *cells):
        _take_out(each)
    # The children that are prose, or files or images that may have a caption.
    lines = [
        line
        for child in element
        if local(child) in _FLOATS or not is_left_out(child, local(child))
        for line in _lines(child)
    ]
    yield from _section(label, lines, title, "")
    for each in (*cells, *inside):
        yield from _float(each, repairs, title)


def _rows(table: _Element, repairs: Repairs) -> Iterator[str]:
    """The rows with words, each cell in every row and column that it spans, but for cells that span too many."""
    rows = list(outermost(table, _ROWS))
    if not rows:
        yield text(table)
    cells = [
        [(text(cell), _number(cell.get("rowspan")), _number(cell.get("colspan"))) for cell in row]
        for row in rows
    ]
    size = grown = 0
    for at, row in enumerate(cells):
        size += sum(len(words) + 1 for words, _, _ in row)
        grown += sum((len(words) + 1) * min(down, len(rows) - at) * across for words, down, across in row)
    is_too_long = grown > _MOST_GROWTH * size
    repairs.count("table_spans_not_repeated", is_too_long)
    grid: list[dict[int, str]] = [{} for _ in rows]
    for at, row in enumerate(cells):
        column = 0
        for words, down, across in row:
            if is_too_long:
                down = across = 1
            while column in grid[at]:
                column += 1
            for below in range(at, min(at + down, len(rows))):
                # No cell reaches from the head of a table into its body.
                if rows[below].getparent() is rows[at].getparent():
                    grid[below].update(dict.fromkeys(range(column, column + across), words))
            column += across
        if any(words for words, _, _ in row):
            yield "\t".join(grid[at].get(place, "") for place in range(max(grid[at]) + 1))


def _headings(element: _Element, *, is_box: bool) -> Iterator[str]:
    """The heading of an element, if it has one; for a box its number too."""
    for child in element:
        name = local(child)
        if name == "title" or (is_box and name == "label"):
            yield label_of(child)
        elif is_box and name == "caption":
            yield from _headings(child, is_box=False)


def _lines(element: _Element) -> Iterator[str]:
    if local(element) in _WITH_NOTES:
        for each in prose(element):
            yield from _lines(each)
    else:
        yield from text_lines(element)


def _items(element: _Element) -> list[str]:
    """The items of a list that is set as a table: no label, no caption, one cell a row. None of another float."""
    if local(element) != "table-wrap" or [local(part) for part in element] != ["table"]:
        return []
    rows = list(outermost(element, _ROWS))
    return [text(row[0]) for row in rows] if all(len(row) == 1 for row in rows) else []


def _number(written: str | None) -> int:
    return max(1, int(written)) if written and written.isdecimal() and len(written) < _LONGEST_NUMBER else 1


def _section(label: str, lines: Iterable[str], title: str, category: str) -> Iterator[Section]:
    """The section, if it has text."""
    if joined := "\n".join(filter(None, lines)):
        yield Section(label, joined, title, category)


def _take_out_floats(element: _Element) -> list[_Element]:
    """The floats inside a paragraph, removed from it."""
    floats = list(outermost(element, _FLOATS))
    for each in floats:
        _take_out(each)
    return floats


def _take_out(element: _Element) -> None:
    """Replace an element by a break, a table or box by the end of a paragraph."""
    if (parent := element.getparent()) is None:
        return
    is_block = _FLOATS.get(local(element), "") in ("box", "table", "table_cells")
    gap = parent.makeelement("p" if is_block else "break", {})
    gap.tail = element.tail
    parent.replace(element, gap)
    element.tail = None
