"""The running text of JATS elements: all characters, blocks parted by a blank, footnotes and doubled formulae left out.

`fn` and the marks that lead to footnotes (`xref` of type fn, author-notes, …) are none of a title's or an abstract's
text. Other references, superscripts and MathML are. A formula that stands in MathML and in TeX too is taken from
MathML; one in TeX alone gives its TeX, without the preamble that some publishers wrap around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from anagnosis.documents.white_space import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

_BLOCKS = frozenset(
    """
    article-title attrib boxed-text break caption code def def-item def-list disp-formula disp-quote fig label list
    list-item p preformat sec speech statement subtitle supplementary-material table table-wrap tbody td term th thead
    title tr verse-group verse-line
    """.split()  # noqa: SIM905 a list is read as words
)
_LEFT_OUT = frozenset(
    ("fn", "alt-text", "long-desc", "object-id", "permissions", "annotation", "annotation-xml")
)
_FOOTNOTES = frozenset(("fn", "table-fn", "author-notes", "corresp", "aff", "contrib"))
SET_OFF, SET_BACK = "\x01", "\x02"  # around what is printed otherwise; XML has no such characters
_PRINTED_OTHERWISE = frozenset(("bold", "italic", "sc", "underline"))
_FORMULAE = frozenset(("alternatives", "inline-formula", "disp-formula"))
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def local(element: _Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: _Element, name: str) -> str:
    """The value of an attribute, in whatever namespace; "" where there is none."""
    found = element.get(name)
    if found is None:
        found = next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")
    return found.strip()


def text(element: _Element | None, on_footnote: Callable[[], None] | None = None) -> str:
    """The text of an element, white space tidied. on_footnote: is called for each footnote or mark left out."""
    if element is None:
        return ""
    if not len(element):
        return tidied(element.text or "")
    is_formula = local(element) in _FORMULAE
    without_tex = is_formula and _has_other_form(element)
    return tidied("".join(_pieces(element, on_footnote, in_formula=is_formula, without_tex=without_tex)))


def marked_text(element: _Element, on_footnote: Callable[[], None]) -> str:
    """The text of an element, its white space kept, with SET_OFF before bold, italic and the like, SET_BACK behind."""
    return "".join(_pieces(element, on_footnote, marks=True))


def _pieces(
    element: _Element,
    on_footnote: Callable[[], None] | None,
    *,
    marks: bool = False,
    in_formula: bool = False,
    without_tex: bool = False,
) -> Iterator[str]:
    """in_formula: the element is one or stands in one, and without_tex says whether its TeX is left out."""
    yield element.text or ""
    for child in element:
        name = local(child)
        if name in _LEFT_OUT or (name == "xref" and child.get("ref-type") in _FOOTNOTES):
            if on_footnote is not None and name in ("fn", "xref"):
                on_footnote()
        elif name == "tex-math":
            if not without_tex:
                yield _tex(child)
        else:
            before, behind = "", ""
            if name in _BLOCKS:
                before = behind = " "
            elif marks and name in _PRINTED_OTHERWISE:
                before, behind = SET_OFF, SET_BACK
            is_formula = name in _FORMULAE and not in_formula
            yield before
            yield from _pieces(
                child,
                on_footnote,
                marks=marks,
                in_formula=in_formula or is_formula,
                without_tex=_has_other_form(child) if is_formula else without_tex,
            )
            yield behind
        yield child.tail or ""


def _has_other_form(formula: _Element) -> bool:
    """Whether the formula stands in MathML or plain text, in which case its TeX says it twice."""
    return any(local(form) in ("math", "textual-form") for form in formula.iter())


def _tex(element: _Element) -> str:
    whole = "".join(str(piece) for piece in element.itertext())
    body = _TEX_BODY.search(whole)
    return (body[1] if body else whole).strip().strip("$")
