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
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from anagnosis.documents.raised import AROUND, CITED, mark_raised, resolved
from anagnosis.documents.text import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

_IDENTIFIER = "an identifier of the thing around it"
_DESCRIBED = "words in place of an image, for those who cannot see it"
_RIGHTS = "the rights to the thing around it"
_METADATA = "metadata about the section around it"
_INDEXED = "an entry for an index at the end of the volume"
_CITATION = "fields of a reference, without the printed punctuation"
_FILE = "a file that comes with the article, and how to get it"
_FORMULA_AGAIN = "the formula around it in another notation"

NOT_PROSE = {
    # identifiers and numbers
    "object-id": _IDENTIFIER,
    "article-id": _IDENTIFIER,
    "institution-id": _IDENTIFIER,
    "contrib-id": _IDENTIFIER,
    "label": "the number or bullet in front of an item, a figure or a formula",
    # words for others than readers
    "alt-text": _DESCRIBED,
    "long-desc": _DESCRIBED,
    "index-term": _INDEXED,
    "index-term-range-end": _INDEXED,
    "glyph-data": "the pixels of a character",
    "rt": "how the characters under it are pronounced",
    "rp": "parentheses for programs that cannot set a pronunciation above its characters",
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
    "related-object": "fields of a thing that the text is about",
    "element-citation": _CITATION,
    "nlm-citation": _CITATION,
    "media": _FILE,
    "supplementary-material": _FILE,
    # the same formula again
    "annotation": _FORMULA_AGAIN,
    "annotation-xml": _FORMULA_AGAIN,
    "mphantom": "room for characters that are not printed",
}
"""Name of an element that is no prose → what it is instead."""

INSIDE = {
    ("abbrev", "def"): "what an abbreviation in the sentence means",
    **dict.fromkeys(
        (("abstract", "related-article"), ("trans-abstract", "related-article"), ("sec", "related-article")),
        "a link to another paper, in no sentence",
    ),
}
"""(outer, inner) names of elements that are no prose only inside the outer one."""
_LABELLED = ("answer", "def-list", "disp-quote", "list", "question", "speech", "statement", "verse-group")
_INSIDE = {**dict.fromkeys(INSIDE, True), **dict.fromkeys([(block, "label") for block in _LABELLED], False)}

_REFERENCES = ("bibr", "ref")
_FOOTNOTES = frozenset(("fn", "table-fn", "author-notes", "corresp", "aff", "contrib"))


def local(element: _Element) -> str:
    """An element's name without its namespace, or a prefix that stands for none."""
    return _local(element.tag)


@lru_cache(maxsize=1 << 12)
def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2].rpartition(":")[2]


def prose(element: _Element) -> Iterator[_Element]:
    """The children of an element that are prose, including footnotes."""
    return (child for child in element if not is_left_out(child, local(child)))


def is_left_out(element: _Element, name: str) -> bool:
    """Whether an element is no prose in its place. name: its local name."""
    left_out = name in NOT_PROSE
    if name in _INNER and (parent := element.getparent()) is not None:
        return _INSIDE.get((local(parent), name), left_out)
    return left_out


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
        given = next((value for key, value in element.items() if _local(key) == name), "")
    return given.strip()


def text(element: _Element | None) -> str:
    """The text of an element, white space tidied."""
    if element is None:
        return ""
    if not len(element):
        return tidied(element.text or "")
    return tidied(_whole(element, _RUNNING))


def marked_text(element: _Element) -> str:
    """The text of an element with its white space, and SET_OFF and SET_BACK around bold, italics and the like."""
    return _whole(element, _MARKED)


def text_lines(element: _Element) -> list[str]:
    """The text of an element, a line for each paragraph, item of a list, or line of preformatted text."""
    whole = _whole(element, _IN_LINES)
    if local(element) in _PREFORMATTED:
        whole = f"{_KEPT}{whole}{_KEPT_END}"
    if _LINE not in whole and _RUN_IN not in whole and _KEPT not in whole:
        return [whole] if (whole := tidied(whole)) else []
    whole = _AS_IT_STANDS.sub(lambda kept: kept[1].replace("\n", _LINE), whole)
    whole = _NO_LINE.sub(lambda ends: " " if ends[0][0] == _RUN_IN else "", whole)
    return [line for line in map(tidied, whole.split(_LINE)) if line]


_Around = Mapping[str, tuple[str, str]]


def _whole(element: _Element, around: _Around) -> str:
    repeated = _repeated(element) if local(element) in _FORMULAE else None
    return resolved("".join(_strings(element, around, repeated)))


def _strings(element: _Element, around: _Around, repeated: frozenset[str] | None) -> Iterator[str]:
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
        is_none = is_checked and (is_footnote(child, name) or is_left_out(child, name))
        if is_none or (repeated and name in repeated):
            pass
        elif name == "tex-math":
            yield _tex(child)
        elif len(child):
            before, behind = around.get(name, _NOTHING)
            begins_formula = repeated is None and name in _FORMULAE
            yield before
            yield from _strings(child, around, _repeated(child) if begins_formula else repeated)
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
