"""The running text of JATS elements, and the table of elements that are no prose, whose words it omits.

An element is prose if a reader of the printed page meets its words in the sentence. So references, links, names of
things, formulae, terms and their definitions, `x` (punctuation that an archive added) and the words on a link to a
supplementary file are prose.

The running text has blanks between blocks; `text_lines` cuts it where one ends a line. It omits `fn` and the marks of
footnotes (`xref` of type fn, author-notes, …); `raised.py` has the rule for other references and raised text. A formula
in several notations is read from MathML, else from plain words, else from TeX, without the preamble that some
publishers wrap around it.

Source: NISO Z39.96 (JATS), Archiving and Publishing tag sets 1.0 to 1.4, and what they renamed of NLM's DTD 1 to 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.documents.raised import AROUND, CITED, mark_raised, resolved
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
_LABELLED = ("answer", "def-list", "disp-quote", "list", "question", "speech", "statement", "verse-group")
_INSIDE: dict[tuple[str, str], NotProse | None] = {
    **INSIDE,
    **dict.fromkeys([(block, "label") for block in _LABELLED]),
}

_REFERENCES = ("bibr", "ref")
_FOOTNOTES = frozenset(("fn", "table-fn", "author-notes", "corresp", "aff", "contrib"))


def local(element: _Element) -> str:
    """An element's name without its namespace."""
    return _local(element.tag)


@lru_cache(maxsize=1 << 12)
def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


def prose(element: _Element, on_left_out: CountLeftOut) -> Iterator[_Element]:
    """The children of an element that are prose, including footnotes."""
    for child in element:
        if not is_left_out(child, local(child), on_left_out):
            yield child


def is_left_out(element: _Element, name: str, on_left_out: CountLeftOut) -> bool:
    """Whether an element is no prose in its place; calls on_left_out if so. name: its local name."""
    entry = NOT_PROSE.get(name)
    if name in _INNER and (parent := element.getparent()) is not None:
        entry = _INSIDE.get((local(parent), name), entry)
    if entry is None:
        return False
    if entry.counted and any(str(words).strip() for words in element.itertext()):
        on_left_out(entry.counted)
    return True


def is_footnote(element: _Element, name: str) -> bool:
    """Whether an element of this local name is a footnote in running text, or the mark of one."""
    return name == "fn" or (name == "xref" and element.get("ref-type") in _FOOTNOTES)


_INNER = frozenset(inner for _, inner in _INSIDE)
_CHECKED = _INNER.union(NOT_PROSE, ("fn", "math", "xref"))


_BLOCKS = str.split("""
    article-title attrib boxed-text break caption code def def-head def-item def-list disp-formula disp-quote fig label
    list list-item p preformat sec speaker speech statement subtitle supplementary-material table table-wrap tbody td
    term term-head th thead title tr verse-group verse-line
    """)
_LINES = str.split("""
    answer attrib boxed-text code def-item def-list disp-quote list list-item p preformat question sec speech statement
    table title tr verse-group verse-line
    """)
SET_OFF, SET_BACK = "\x01", "\x02"  # around bold or italic text; XML has no such characters
_PREFORMATTED = ("code", "preformat")
_LINE, _RUN_IN, _KEPT, _KEPT_END = "\x03", "\x04", "\x05", "\x06"
# What stands before and behind elements of these names: in running text, with marks of emphasis, cut into lines.
_RUNNING: Mapping[str, tuple[str, str]] = {**dict.fromkeys(_BLOCKS, (" ", " ")), **AROUND}
_MARKED = {**_RUNNING, **dict.fromkeys(("bold", "italic", "sc", "underline"), (SET_OFF, SET_BACK))}
_IN_LINES = {
    **_RUNNING,
    **dict.fromkeys(_LINES, (_LINE, _LINE)),
    # The paragraph behind these stands in their line.
    **dict.fromkeys(("label", "speaker", "term", "term-head"), (" ", _RUN_IN)),
    **dict.fromkeys(_PREFORMATTED, (_LINE + _KEPT, _KEPT_END + _LINE)),
}
_NOTHING = ("", "")
_AS_IT_STANDS = re.compile(f"{_KEPT}(.*?){_KEPT_END}", re.DOTALL)
# A line begins with no closing mark: "(Table 1 <table-wrap>…</table-wrap>)."
_NO_LINE = re.compile(rf"{_RUN_IN}[\s{_LINE}]*|{_LINE}[\s{_LINE}]*(?=[.,;:)\]])")
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


def text(element: _Element | None, on_left_out: CountLeftOut = lambda _: None) -> str:
    """The text of an element, white space tidied. on_left_out: called with the name of each element left out."""
    if element is None:
        return ""
    if not len(element):
        return tidied(element.text or "")
    return tidied(_whole(element, on_left_out, _RUNNING))


def marked_text(element: _Element, on_left_out: CountLeftOut) -> str:
    """The text of an element with its white space, and SET_OFF and SET_BACK around bold, italics and the like."""
    return _whole(element, on_left_out, _MARKED)


def text_lines(element: _Element, on_left_out: CountLeftOut) -> list[str]:
    """The text of an element, a line for each paragraph, item of a list, or line of preformatted text."""
    whole = _whole(element, on_left_out, _IN_LINES)
    if local(element) in _PREFORMATTED:
        whole = f"{_KEPT}{whole}{_KEPT_END}"
    if _LINE not in whole and _RUN_IN not in whole and _KEPT not in whole:
        return [whole] if (whole := tidied(whole)) else []
    whole = _AS_IT_STANDS.sub(lambda kept: kept[1].replace("\n", _LINE), whole)
    whole = _NO_LINE.sub(lambda ends: " " if ends[0][0] == _RUN_IN else "", whole)
    return [line for line in map(tidied, whole.split(_LINE)) if line]


_Around = Mapping[str, tuple[str, str]]


def _whole(element: _Element, on_left_out: CountLeftOut, around: _Around) -> str:
    repeated = _repeated(element) if local(element) in _FORMULAE else None
    return resolved("".join(_strings(element, on_left_out, around, repeated)), on_left_out)


def _strings(
    element: _Element, on_left_out: CountLeftOut, around: _Around, repeated: frozenset[str] | None
) -> Iterator[str]:
    """The strings of an element's text. around: name → what stands before and behind.

    repeated: the redundant notations of a formula; None outside formulae.
    """
    yield element.text or ""
    for child in element:
        name = local(child)
        is_checked = name in _CHECKED  # far fewer calls
        if is_checked and name == "xref" and child.get("ref-type") in _REFERENCES:
            name, is_checked = CITED, False
        elif is_checked and name == "math":
            mark_raised(child)
        if is_checked and is_footnote(child, name):
            on_left_out("footnote_left_out")
        elif (is_checked and is_left_out(child, name, on_left_out)) or (repeated and name in repeated):
            pass
        elif name == "tex-math":
            yield _tex(child)
        elif len(child):
            before, behind = around.get(name, _NOTHING)
            begins_formula = repeated is None and name in _FORMULAE
            yield before
            yield from _strings(child, on_left_out, around, _repeated(child) if begins_formula else repeated)
            yield behind
        else:
            yield (child.text or "").join(around.get(name, _NOTHING))
        yield child.tail or ""


def _repeated(formula: _Element) -> frozenset[str]:
    """The notations of a formula that repeat its best one."""
    notations = {local(form) for form in formula.iter()}
    return next((others for best, others in _REPEATED.items() if best in notations), frozenset())


def _tex(element: _Element) -> str:
    tex = "".join(str(part) for part in element.itertext())
    body = _TEX_BODY.search(tex)
    return (body[1] if body else tex).strip().strip("$")
