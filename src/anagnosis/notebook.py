"""How a notebook shows a result: as its report. Results lie below reports, so api hands over what makes reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_shown_by: list[Callable[[Any], str]] = []


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
