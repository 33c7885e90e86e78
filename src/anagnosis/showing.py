"""How text is shown: without characters that a terminal, a browser or an editor would obey, and where it is shown.

Such characters move cursors, change colours, reorder letters ("Trojan Source", Boucher and Anderson 2021) or break the
encoding: the controls C0 and C1 except newline and tab, the line and paragraph separators, Unicode's bidirectional
controls (UAX 9, section 2), and surrogates. Each becomes one visible sign, so that widths stay.

Pages come from templates, in which jinja2 escapes everything. A notebook shows a result as its report; results lie
below reports, so api hands over what makes reports.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from jinja2 import Environment

T = TypeVar("T")
_OBEYED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_OBEYED}]")
_IN_LINE = re.compile(f"[{_OBEYED}\n\t]")
# What a spreadsheet runs, also behind what programs drop at the begin of a cell; in the wide forms of East Asian
# keyboards too. Source: OWASP, "CSV Injection".
_FORMULA = re.compile("[\\s\"']*[=+@\uff1d\uff0b\uff0d\uff20-]|[\t\r\n]")
_shown_by: list[Callable[[Any], str]] = []


def masked(text: str) -> str:
    """The text with a sign for each such character: U+2400 and on for C0 (␛ for ESC), else �."""
    return _IN_TEXT.sub(_sign, text)


def masked_line(text: str) -> str:
    """The text on one line, with signs for newlines and tabs too; for names of files, systems and documents."""
    return _IN_LINE.sub(_sign, text)


def without_formula(cell: str) -> str:
    """A cell of CSV, with an apostrophe in front where a spreadsheet might run it."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def escaped_json(json: str) -> str:
    """JSON with each such character as its escape sequence (\\u001b): the same values, safe to print.

    Outside strings JSON has none of them except newlines and tabs.
    """
    return _IN_TEXT.sub(lambda match: f"\\u{ord(match[0]):04x}", json)


def unmasked(stream: T) -> T:
    """The stream beneath a masking one (cli/output.py), for callers that mask text themselves and add colours."""
    return getattr(stream, "unmasked", stream)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"


def environment(package: str, *, mask: bool = True, **named: Any) -> Environment:
    """The environment of PACKAGE/templates, in which an unknown name is an error.

    mask: also mask the characters that a browser obeys, where the caller has not. named: what every template knows.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_masked if mask else None,
    )
    made.globals.update(named)
    return made


def _masked(value: Any) -> Any:
    # Markup, a subclass, is ours and stays.
    return masked(value) if type(value) is str else value


def show_by(html_of: Callable[[Any], str]) -> None:
    """Show every result by this function, which gives an escaped piece of a page."""
    _shown_by[:] = [html_of]


class WithReport:
    """A record with a report; its repr is one line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: a report in a notebook, or anagnosis.report(it)>"

    def _repr_html_(self) -> str | None:
        return _shown_by[0](self) if _shown_by else None
