"""The running text of JATS elements: the characters of their prose (prose.py), with blanks between blocks.

It omits `fn` and the marks of footnotes (`xref` of type fn, author-notes, …); it includes other references,
superscripts and MathML. A formula in several notations is read from MathML, else from plain words, else from TeX,
without the preamble that some publishers wrap around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from anagnosis.documents.formats.jats.prose import LeftOut, is_footnote, is_left_out, local
from anagnosis.documents.text import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

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


def text(element: _Element | None, on_left_out: LeftOut = _uncounted) -> str:
    """The text of an element, white space tidied. on_left_out: called with the name of each element left out."""
    if element is None:
        return ""
    if not len(element):
        return tidied(element.text or "")
    is_formula = local(element) in _FORMULAE
    repeated = _repeated(element) if is_formula else None
    return tidied("".join(_strings(element, on_left_out, repeated=repeated)))


def marked_text(element: _Element, on_left_out: LeftOut) -> str:
    """The text of an element with its white space, and SET_OFF and SET_BACK around bold, italics and the like."""
    return "".join(_strings(element, on_left_out, mark_emphasis=True))


def _strings(
    element: _Element,
    on_left_out: LeftOut,
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
