"""What click lacks: numbers with a fault in a user's words, words of a table, a query that begins with a minus sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Number(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  (generic in new releases of click alone)
    """A number, whose bounds the verb demands: `'many' is not a whole number`."""

    def __init__(self, of: type[int] | type[float]) -> None:
        self.of, self.name = of, "whole number" if of is int else "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or a fault in a user's words."""
        try:
            return self.of(value)
        except ValueError:
            from anagnosis.wording import shortened

            self.fail(f"{shortened(str(value))!r} is not a {self.name}", param, ctx)


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
