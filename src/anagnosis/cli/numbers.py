"""Numbers as options: click's, with a fault in a user's words."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.wording import shortened


class WholeNumber(click.IntRange):
    """A whole number between bounds: `'many' is not a whole number of at least 1`."""

    name = "whole number"

    def _describe_range(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return super()._describe_range() if (self.min, self.max) != (None, None) else ""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(
                f"{shortened(str(value))!r} is not a whole number{_bounds(self.min, self.max)}", param, ctx
            )


class Number(click.FloatRange):
    """A number between bounds."""

    name = "number"

    def _describe_range(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return super()._describe_range() if (self.min, self.max) != (None, None) else ""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{shortened(str(value))!r} is not a number{_bounds(self.min, self.max)}", param, ctx)


def _bounds(least: float | None, most: float | None) -> str:
    told = [f"of at least {least}"] * (least is not None) + [f"of at most {most}"] * (most is not None)
    return f" {' and '.join(told)}" if told else ""
