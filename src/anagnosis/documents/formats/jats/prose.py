"""The running text of JATS elements, and the table of elements that are no prose, whose words it omits.

An element is prose if a reader of the printed page meets its words in the sentence. So references, links, names of
things, formulae, terms and their definitions, `x` (punctuation that an archive added) and the words on a link to a
supplementary file are prose.

The running text has blanks between blocks. It omits `fn` and the marks of footnotes (`xref` of type fn, author-notes,
…); it includes other references, superscripts and MathML. A formula in several notations is read from MathML, else from
plain words, else from TeX, without the preamble that some publishers wrap around it.

Source: NISO Z39.96 (JATS), Archiving and Publishing tag sets 1.0 to 1.4, and what they renamed of NLM's DTD 1 to 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.documents.text import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

CountLeftOut = Callable[[str], None]
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


def prose(element: _Element, on_left_out: CountLeftOut) -> Iterator[_Element]:
    """The children of an element that are prose, including footnotes."""
    for child in element:
        if not is_left_out(child, local(child), on_left_out):
            yield child


def is_left_out(element: _Element, name: str, on_left_out: CountLeftOut) -> bool:
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


_BLOCKS = frozenset(
    """
    article-title attrib boxed-text break caption code def def-item def-list disp-formula disp-quote fig label list
    list-item p preformat sec speech statement subtitle supplementary-material table table-wrap tbody td term th thead
    title tr verse-group verse-line
    """.split()  # noqa: SIM905 a list is read as words
)
SET_OFF, SET_BACK = "\x01", "\x02"  # around bold or italic text; XML has no such characters
_EMPHASIS = frozenset(("bold", "italic", "sc", "underline"))
_FORMULAE = frozenset(("alternatives", "inline-formula", "disp-formula"))
# Notation of a formula, the best first → the notations that repeat it.
_REPEATED = {"math": frozenset(("tex-math", "textual-form")), "textual-form": frozenset(("tex-math",))}
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def attribute(element: _Element, name: str) -> str:
    """The value of an attribute in any namespace; "" if there is none."""
    given = element.get(name)
    if given is None:
        given = next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")
    return given.strip()


def _uncounted(_: str) -> None:
    """Default of on_left_out, for text such as a journal's name."""


def text(element: _Element | None, on_left_out: CountLeftOut = _uncounted) -> str:
    """The text of an element, white space tidied. on_left_out: called with the name of each element left out."""
    if element is None:
        return ""
    if not len(element):
        return tidied(element.text or "")
    is_formula = local(element) in _FORMULAE
    repeated = _repeated(element) if is_formula else None
    return tidied("".join(_strings(element, on_left_out, repeated=repeated)))


def marked_text(element: _Element, on_left_out: CountLeftOut) -> str:
    """The text of an element with its white space, and SET_OFF and SET_BACK around bold, italics and the like."""
    return "".join(_strings(element, on_left_out, mark_emphasis=True))


def _strings(
    element: _Element,
    on_left_out: CountLeftOut,
    *,
    mark_emphasis: bool = False,
    repeated: frozenset[str] | None = None,
) -> Iterator[str]:
    """The strings of an element's text. repeated: the redundant notations of a formula; None outside formulae."""
    yield element.text or ""
    for child in element:
        name = local(child)
        if is_footnote(child, name):
            on_left_out("footnote_left_out")
        elif is_left_out(child, name, on_left_out) or (repeated and name in repeated):
            pass
        elif name == "tex-math":
            yield _tex(child)
        else:
            before, behind = "", ""
            if name in _BLOCKS:
                before = behind = " "
            elif mark_emphasis and name in _EMPHASIS:
                before, behind = SET_OFF, SET_BACK
            begins_formula = repeated is None and name in _FORMULAE
            yield before
            yield from _strings(
                child,
                on_left_out,
                mark_emphasis=mark_emphasis,
                repeated=_repeated(child) if begins_formula else repeated,
            )
            yield behind
        yield child.tail or ""


def _repeated(formula: _Element) -> frozenset[str]:
    """The notations of a formula that repeat its best one."""
    notations = {local(form) for form in formula.iter()}
    return next((others for best, others in _REPEATED.items() if best in notations), frozenset())


def _tex(element: _Element) -> str:
    tex = "".join(str(part) for part in element.itertext())
    body = _TEX_BODY.search(tex)
    return (body[1] if body else tex).strip().strip("$")
