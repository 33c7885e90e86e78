"""The running text of JATS elements: the characters of what is prose (jats_prose.py), blocks parted by a blank.

`fn` and the marks that lead to footnotes (`xref` of type fn, author-notes, …) are none of a title's or an abstract's
text. Other references, superscripts and MathML are. A formula that stands in several notations is taken from MathML,
else from plain words, else from TeX, without the preamble that some publishers wrap around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from anagnosis.documents.formats.jats.prose import LeftOut, is_footnote, is_left_out, local
from anagnosis.documents.text.white_space import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

_BLOCKS = frozenset(
    """
    article-title attrib boxed-text break caption code def def-item def-list disp-formula disp-quote fig label list
    list-item p preformat sec speech statement subtitle supplementary-material table table-wrap tbody td term th thead
    title tr verse-group verse-line
    """.split()  # noqa: SIM905 a list is read as words
)
SET_OFF, SET_BACK = "\x01", "\x02"  # around what is printed otherwise; XML has no such characters
_PRINTED_OTHERWISE = frozenset(("bold", "italic", "sc", "underline"))
_FORMULAE = frozenset(("alternatives", "inline-formula", "disp-formula"))
# The notations that a formula has, each with those that repeat it, the best first.
_REPEATED = {"math": frozenset(("tex-math", "textual-form")), "textual-form": frozenset(("tex-math",))}
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def attribute(element: _Element, name: str) -> str:
    """The value of an attribute, in whatever namespace; "" where there is none."""
    found = element.get(name)
    if found is None:
        found = next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")
    return found.strip()


def _uncounted(_: str) -> None:
    """For text whose left-out parts nobody counts, such as the name of a journal."""


def text(element: _Element | None, on_left_out: LeftOut = _uncounted) -> str:
    """The text of an element, white space tidied. on_left_out: gets a name for each thing inside that is left out."""
    if element is None:
        return ""
    if not len(element):
        return tidied(element.text or "")
    is_formula = local(element) in _FORMULAE
    repeated = _repeated(element) if is_formula else None
    return tidied("".join(_pieces(element, on_left_out, repeated=repeated)))


def marked_text(element: _Element, on_left_out: LeftOut) -> str:
    """The text of an element, its white space kept, with SET_OFF before bold, italic and the like, SET_BACK behind."""
    return "".join(_pieces(element, on_left_out, marks=True))


def _pieces(
    element: _Element,
    on_left_out: LeftOut,
    *,
    marks: bool = False,
    repeated: frozenset[str] | None = None,
) -> Iterator[str]:
    """repeated: None outside formulae; inside one the notations that say it again."""
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
            elif marks and name in _PRINTED_OTHERWISE:
                before, behind = SET_OFF, SET_BACK
            begins_formula = repeated is None and name in _FORMULAE
            yield before
            yield from _pieces(
                child,
                on_left_out,
                marks=marks,
                repeated=_repeated(child) if begins_formula else repeated,
            )
            yield behind
        yield child.tail or ""


def _repeated(formula: _Element) -> frozenset[str]:
    """The notations that a formula stands in beside its best one."""
    notations = {local(form) for form in formula.iter()}
    return next((others for best, others in _REPEATED.items() if best in notations), frozenset())


def _tex(element: _Element) -> str:
    whole = "".join(str(piece) for piece in element.itertext())
    body = _TEX_BODY.search(whole)
    return (body[1] if body else whole).strip().strip("$")
