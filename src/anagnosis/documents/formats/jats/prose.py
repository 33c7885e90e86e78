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
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from anagnosis.documents.raised import AROUND, CITED, mark_raised, resolved
from anagnosis.documents.text import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

NOT_PROSE = frozenset((
    "object-id", "article-id", "institution-id", "contrib-id",  # identifiers
    "label",  # the number or bullet in front of an item, a figure or a formula
    "alt-text", "long-desc",  # words in place of an image
    "index-term", "index-term-range-end",  # of an index at the end of the volume
    "glyph-data", "rt", "rp",  # pixels of a character; how characters are pronounced
    "permissions", "copyright-statement", "copyright-year", "copyright-holder", "license",
    "sec-meta", "kwd-group", "subj-group", "custom-meta-group", "custom-meta", "processing-meta", "contrib-group",
    "related-object", "element-citation", "nlm-citation",  # fields without the printed punctuation
    "media", "supplementary-material",  # files that come with the article
    "annotation", "annotation-xml", "mphantom",  # the formula around it again
))  # fmt: skip
"""Elements that are no prose."""
INSIDE = frozenset(
    (("abbrev", "def"), *((outer, "related-article") for outer in ("abstract", "trans-abstract", "sec")))
)
"""(outer, inner) names of elements that are no prose inside the outer one."""
# Blocks whose labels are prose.
_LABELLED = frozenset(
    ("answer", "def-list", "disp-quote", "list", "question", "speech", "statement", "verse-group")
)

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


def outermost(element: _Element, names: Iterable[str]) -> Iterator[_Element]:
    """The elements of these names inside an element, without those nested in one of them."""
    for child in element:
        if local(child) in names:
            yield child
        else:
            yield from outermost(child, names)


def is_left_out(element: _Element, name: str) -> bool:
    """Whether an element is no prose in its place. name: its local name."""
    if name in _INNER and (parent := element.getparent()) is not None:
        outer = local(parent)
        return outer not in _LABELLED if name == "label" else (outer, name) in INSIDE
    return name in NOT_PROSE


def is_footnote(element: _Element, name: str) -> bool:
    """Whether an element of this local name is a footnote in running text, or the mark of one."""
    return name == "fn" or (name == "xref" and element.get("ref-type") in _FOOTNOTES)


_INNER = frozenset(("def", "label", "related-article"))
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
    body = tex.partition("\\begin{document}")[2] or tex
    return body.partition("\\end{document}")[0].strip().strip("$")
