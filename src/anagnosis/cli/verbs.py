"""Commands made of verbs: the parameters of a verb are its arguments and options, its documentation is their help."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_origin

import click

from anagnosis import api
from anagnosis.api.options import REQUIRED, Option, Parameter, inner_kinds, parameters
from anagnosis.cli import messages, output_options
from anagnosis.cli.messages import FULL
from anagnosis.cli.output_options import JSON, OUT, QUIET, REPLACE
from anagnosis.errors import ArgumentError, InputError

Verb = Callable[..., Any]
Then = Callable[[Any, Mapping[str, Any]], Sequence[str]]


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


def command(
    verb: Verb,
    example: str,
    *more: click.Parameter,
    without: Iterable[str] = (),
    optional: Iterable[str] = (),
    name: str = "",
    text: str = "",
) -> Callable[[Callable[..., None]], click.Command]:
    """A decorator: a function as a command, which gets the parameters of a verb by their names.

    more: parameters that the verb does not have. without: parameters of the verb that the command does not have;
    optional: those that it can do without. name, text: the command's name and help, where they are not those of the
    function, and of the function or else the verb.
    """

    def decorate(function: Callable[..., None]) -> click.Command:
        documentation = text or function.__doc__ or inspect.unwrap(verb).__doc__
        lines = "\n".join(f"  {line}" for line in example.strip("\n").splitlines())
        return click.Command(
            name or function.__name__.replace("_", "-"),
            callback=function,
            params=[*_parameters(verb, without, optional), *more, QUIET],
            help=documentation,
            epilog=f"\b\nExample:\n{lines}",
        )

    return decorate


def reported(verb: Verb, example: str, name: str = "") -> click.Command:
    """A command that gives the record of a verb to people, into a file or as data."""

    def run(out: str | None, replace: bool, as_json: bool, **given: Any) -> None:
        target = output_options.output_file(out, replace=replace)
        output_options.give(call(verb, {**given, "replace": replace}), target, as_json=as_json)

    name = name or verb.__name__.replace("_", "-")
    return command(verb, example, OUT, REPLACE, FULL, JSON, without=["replace"], name=name)(run)


def printed(
    verb: Verb,
    example: str,
    *more: click.Parameter,
    shows: str = "",
    then: Then | None = None,
    data: Callable[[Any, Mapping[str, Any]], Any] = lambda made, given: made,
    name: str = "",
    optional: Iterable[str] = (),
) -> click.Command:
    """A command that prints what a verb returned, and fails where files could not be read; as `show` and `command`."""

    def run(as_json: bool, **given: Any) -> None:
        made = call(verb, given)
        show(made, given, shows, then, data=data(made, given), as_json=as_json)
        messages.fail_on_refused_files(getattr(made, "repairs", {}), getattr(made, "refusals", ()))

    name = name or verb.__name__.replace("_", "-")
    return command(verb, example, *more, JSON, name=name, optional=optional)(run)


def show(
    made: Any, given: Mapping[str, Any], shows: str, then: Then | None = None, *, data: Any, as_json: bool
) -> None:
    """Print what a verb made of what was given: data for --json, else the fields `shows`, and what can be done next.

    then: gives the next commands. With --quiet nothing is printed but data; a command that writes its output to
    standard output prints on standard error.
    """
    if as_json:
        output_options.print_json(data)
    elif not messages.quiet():
        out = given.get("out")
        with contextlib.redirect_stdout(sys.stderr if out == "-" else sys.stdout):
            for each in made if isinstance(made, list) else [made]:
                messages.fields(each, shows.split())
            if made == []:
                print("nothing to write")
            elif out not in (None, "-"):
                messages.wrote(str(out), *(then(made, given) if then is not None else ()))


def call(verb: Verb, given: Mapping[str, Any]) -> Any:
    """The result of a verb. given: the values of a command line; those that the verb does not take are left out.

    InputError: as of the verb; of an argument by the name that the command line has for it.
    """
    taken = parameters(verb)
    values = {name: value for name, value in given.items() if name in taken}
    try:
        if "filters" in taken:
            values["filters"] = api.filters(**{name: given[name] for name in parameters(api.filters)})
        return verb(**values)
    except ArgumentError as fault:
        context = click.get_current_context()
        named = next((each for each in context.command.params if each.name == fault.where), None)
        option = named.opts[0] if isinstance(named, click.Option) else ""
        where = option or (named.human_readable_name if named else fault.where)
        raise InputError(fault.what, where, fault.remedy) from fault


def _parameters(verb: Verb, without: Iterable[str], optional: Iterable[str]) -> list[click.Parameter]:
    found: list[click.Parameter] = []
    for name, each in parameters(verb).items():
        if name == "filters":
            found += map(_parameter, parameters(api.filters).values())
        elif each.option is not None and name not in without:
            found.append(_parameter(replace(each, default=None) if name in optional else each))
    return found


def _parameter(parameter: Parameter) -> click.Parameter:
    """A parameter of a verb as an argument or option: an option where Python wants its name, or it has a flag."""
    option, kinds = parameter.option or Option(), parameter.kinds
    required = parameter.default is REQUIRED
    usual = None if required or parameter.default == () else parameter.default
    many = any(map(inner_kinds, kinds))
    given: dict[str, Any] = {"required": required, "metavar": option.metavar or None}
    if usual is not None:
        given |= {"default": usual}
    if not parameter.by_name and not option.flag:
        return click.Argument([parameter.name], nargs=-1 if many else 1, **given)
    flag = parameter.flag
    given |= {"help": f"{option.help} {_bounds(option)}".strip()}
    if bool in kinds:
        if flag.endswith("="):
            given |= {"default": False, "callback": lambda context, parameter, value: not value}
        elif "/" in flag:
            given |= {"default": None}  # click's own would be False
        return click.Option([flag.removesuffix("="), parameter.name], is_flag=True, **given)
    if any(get_origin(kind) is tuple for each in kinds for kind in inner_kinds(each)):
        given |= {"nargs": 2}
    elif (table := next((kind for kind in kinds if get_origin(kind) is Mapping), None)) is not None:
        many = True
        given |= {"callback": _batches if table == Mapping[str, str] else _settings}
    return click.Option(
        [flag, parameter.name],
        type=_type(kinds, option),
        multiple=many,
        show_default=bool(given.get("default")) or given.get("default") == 0,
        **given,
    )


def _bounds(option: Option) -> str:
    """As the help shows them; a bound that nobody meets is no help."""
    if option.most is None:
        return ""
    least = f"{option.least or 0:g}"
    return f"[{least} to {option.most:,g}]" if option.most < 100_000 else f"[from {least}]"


def _type(kinds: Sequence[Any], option: Option) -> Any:
    """A type of click; None for a text."""
    if option.choices and not callable(option.choices):
        return click.Choice(option.choices)
    for number in (int, float):
        if number in kinds:
            return Number(number)
    every = {*kinds, *(kind for each in kinds for kind in inner_kinds(each))}
    return (
        click.Path(allow_dash=True, readable=False)
        if any(kind.__name__ == "PathLike" for kind in every)
        else None
    )


def _settings(context: click.Context, parameter: click.Parameter, pairs: Sequence[str]) -> dict[str, Any]:
    """KEY=VALUE pairs as data."""
    from anagnosis.recipes.load import assignments

    return assignments(pairs)


def _batches(context: click.Context, parameter: click.Parameter, pairs: Sequence[str]) -> dict[str, str]:
    """Split → its batches; those of a split that is given twice are joined."""
    found: dict[str, str] = {}
    for each in pairs:
        split, sign, batches = each.partition("=")
        if not sign:
            raise click.BadParameter(f"{each!r} has no =, as in train=2B", param_hint=parameter.opts[0])
        found[split] = f"{found[split]},{batches}" if split in found else batches
    return found
