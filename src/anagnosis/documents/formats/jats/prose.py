"""Table of the JATS elements that are no prose, whose words titles, abstracts and paragraphs omit.

An element is prose if a reader of the printed page meets its words in the sentence. So references, links, names of
things, formulae, terms and their definitions, `x` (punctuation that an archive added) and the words on a link to a
supplementary file are prose.

Source: NISO Z39.96 (JATS), Archiving and Publishing tag sets 1.0 to 1.4, and what they renamed of NLM's DTD 1 to 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

LeftOut = Callable[[str], None]
"""Called with the name, from docs/receipts.md, under which an element with words is left out."""


class NotProse(NamedTuple):
    """why: what the element is instead of prose. counted: its name in receipts, "" if it is not counted."""

    why: str
    counted: str = ""


_IDENTIFIER = NotProse("an identifier of the thing around it")
_DESCRIBED = NotProse("words in place of an image, for those who cannot see it", "image_description_left_out")
_RIGHTS = NotProse("the rights to the thing around it", "rights_left_out")
_METADATA = NotProse("metadata about the section around it")
_INDEXED = NotProse("an entry for an index at the end of the volume", "index_term_left_out")
_CITATION = NotProse("fields of a reference, without the printed punctuation", "reference_left_out")
_FILE = NotProse("a file that comes with the article, and how to get it", "supplement_note_left_out")
_FORMULA_AGAIN = NotProse("the formula around it in another notation")

NOT_PROSE: dict[str, NotProse] = {
    # identifiers and numbers
    "object-id": _IDENTIFIER,
    "article-id": _IDENTIFIER,
    "institution-id": _IDENTIFIER,
    "contrib-id": _IDENTIFIER,
    "label": NotProse("the number or bullet in front of an item, a figure or a formula"),
    # words for others than readers
    "alt-text": _DESCRIBED,
    "long-desc": _DESCRIBED,
    "index-term": _INDEXED,
    "index-term-range-end": _INDEXED,
    "glyph-data": NotProse("the pixels of a character", "character_image_left_out"),
    "rt": NotProse("how the characters under it are pronounced", "pronunciation_left_out"),
    "rp": NotProse("parentheses for programs that cannot set a pronunciation above its characters"),
    # rights
    "permissions": _RIGHTS,
    "copyright-statement": _RIGHTS,
    "copyright-year": _RIGHTS,
    "copyright-holder": _RIGHTS,
    "license": _RIGHTS,
    # metadata
    "sec-meta": _METADATA,
    "kwd-group": _METADATA,
    "subj-group": _METADATA,
    "custom-meta-group": _METADATA,
    "custom-meta": _METADATA,
    "processing-meta": _METADATA,
    "contrib-group": _METADATA,
    # things beside the text
    "related-object": NotProse("fields of a thing that the text is about", "related_object_left_out"),
    "element-citation": _CITATION,
    "nlm-citation": _CITATION,
    "media": _FILE,
    "supplementary-material": _FILE,
    # the same formula again
    "annotation": _FORMULA_AGAIN,
    "annotation-xml": _FORMULA_AGAIN,
    "mphantom": NotProse("room for characters that are not printed"),
}

INSIDE: dict[tuple[str, str], NotProse] = {
    ("abbrev", "def"): NotProse("what an abbreviation in the sentence means", "expansion_left_out"),
    **dict.fromkeys(
        (("abstract", "related-article"), ("trans-abstract", "related-article"), ("sec", "related-article")),
        NotProse("a link to another paper, in no sentence", "related_object_left_out"),
    ),
}
"""(outer, inner) names of elements that are no prose only inside the outer one."""

_FOOTNOTES = frozenset(("fn", "table-fn", "author-notes", "corresp", "aff", "contrib"))


def local(element: _Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def prose(element: _Element, on_left_out: LeftOut) -> Iterator[_Element]:
    """The children of an element that are prose, including footnotes."""
    for child in element:
        if not is_left_out(child, local(child), on_left_out):
            yield child


def is_left_out(element: _Element, name: str, on_left_out: LeftOut) -> bool:
    """Whether an element is no prose in its place; calls on_left_out if so. name: its local name."""
    entry = NOT_PROSE.get(name)
    if entry is None and name in _INNER:
        parent = element.getparent()
        entry = None if parent is None else INSIDE.get((local(parent), name))
    if entry is None:
        return False
    if entry.counted and any(str(words).strip() for words in element.itertext()):
        on_left_out(entry.counted)
    return True


def is_footnote(element: _Element, name: str) -> bool:
    """Whether an element of this local name is a footnote in running text, or the mark of one."""
    return name == "fn" or (name == "xref" and element.get("ref-type") in _FOOTNOTES)


_INNER = frozenset(inner for _, inner in INSIDE)
