"""Commands whose query may begin with a minus sign: `search built/index "-children asthma"`."""

from __future__ import annotations

import click


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
