"""Numbers as options: click's, with a fault in a user's words."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.wording import shortened


class _Bounded(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  (generic in new releases of click alone)
    """Before one of click's ranges, of whose bounds it speaks."""

    def _describe_range(self) -> str:
        of_click: Any = super()
        return of_click._describe_range() if self._bounds() else ""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{shortened(str(value))!r} is not a {self.name}{self._bounds()}", param, ctx)

    def _bounds(self) -> str:
        own: Any = self
        bounds = [
            f"of at {word} {end}" for word, end in (("least", own.min), ("most", own.max)) if end is not None
        ]
        return f" {' and '.join(bounds)}" if bounds else ""


class WholeNumber(_Bounded, click.IntRange):
    """A whole number between bounds: `'many' is not a whole number of at least 1`."""

    name = "whole number"


class Number(_Bounded, click.FloatRange):
    """A number between bounds."""

    name = "number"
