"""What click lacks: numbers with a fault in a user's words, words of a table, a query that begins with a minus sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _Bounded(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  (generic in new releases of click alone)
    """Before one of click's ranges, of whose bounds it speaks."""

    def _describe_range(self) -> str:
        of_click: Any = super()
        return of_click._describe_range() if self._bounds() else ""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            from anagnosis.wording import shortened

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
    """A number between bounds; `nan` is none."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        return self.fail(f"{str(value)!r} is not a {self.name}", param, ctx) if found != found else found


class Word(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  (generic in new releases of click alone)
    """A word of a table that takes time to load: looked up to complete it; the verb refuses others."""

    name = "text"

    def __init__(self, known: Callable[[], Sequence[str]]) -> None:
        self.known = known

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self.known() if word.startswith(incomplete)]


class QueryCommand(click.Command):
    """A command whose query is what begins with one minus sign and two characters; -q and -h are options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the query behind "--", where it is no option."""
        at = self._query(args)
        if at >= 0:
            args = [*args[:at], *args[at + 1 :], "--", args[at]]
        return super().parse_args(ctx, args)

    def _query(self, args: list[str]) -> int:
        """The place of a query that begins with a minus sign; -1 for none."""
        if "--" in args:
            return -1
        flags = {name for each in self.params if getattr(each, "is_flag", False) for name in each.opts}
        for at, arg in enumerate(args):
            value_of_option = at > 0 and args[at - 1].startswith("--") and args[at - 1] not in flags
            is_value = value_of_option and "=" not in args[at - 1]
            if len(arg) > 2 and arg[0] == "-" and (arg[1].isalpha() or arg[1] in '"\u201c(') and not is_value:
                return at
        return -1
