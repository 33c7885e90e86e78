"""What verbs take: from the annotation of each parameter come the check of a call, the command line and the docs.

    def search(folder: IndexFolder, question: str, *, limit: Annotated[int, Option("Number of papers.", 1, 1000)] = 10)

`verb` wraps each function of `anagnosis.api`, and `serve`. A call with a wrong kind of value (a path for a list of
paths), a number out of bounds or an unknown word is an InputError that names the parameter, before anything is read.
So is what the system refuses meanwhile, and brackets that nest too deeply.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
import os
import re
from collections import abc
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from anagnosis.errors import ON_COMMAND_LINE, ArgumentError, InputError, unknown_name
from anagnosis.io.paths import PathLike, naming_faults

P = ParamSpec("P")
R = TypeVar("R")
MANY = 2**31 - 1
REQUIRED = inspect.Parameter.empty
_OPTION = re.compile(r"`[^`]*`|(?<![^\s(\[])--[a-z][a-z-]*(?!\.?\w)")  # and commands; never a part of a path
_DEVICE = re.compile(r"auto|cpu|cuda(?::\d{1,3})?|mps")


@dataclass(frozen=True, slots=True)
class Option:
    """What holds of a parameter. Of several in an annotation, the last that says something counts.

    help: for the command line and the documentation. least, most: of a number. choices: words, where no table below the
    verbs refuses others. flag: its name on the command line, where it is not that of a keyword; "--any/--none" has both
    values of a flag, "--no=" turns the value round. metavar: what it is, for an argument such as DATASET_FOLDER.
    """

    help: str = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] | Callable[[], Sequence[str]] = ()
    flag: str = ""
    metavar: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a verb. kinds: alternatives, `os.PathLike` for a path. option: None for Python callers alone."""

    name: str
    kinds: tuple[Any, ...]
    option: Option | None
    default: Any
    by_name: bool

    @property
    def flag(self) -> str:
        """Its option on the command line, as `Option.flag` has it."""
        return (self.option and self.option.flag) or f"--{self.name.replace('_', '-')}"

    @property
    def given(self) -> str:
        """The argument that says the same as the option."""
        return f"{self.name}=False" if self.flag.endswith("=") else self.name


def parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    """Name → parameter, in their order."""
    function = inspect.unwrap(function)
    found: dict[str, Parameter] = {}
    for name, each in inspect.signature(function).parameters.items():
        kinds, options = _read(eval(each.annotation, {}, _Names(function.__globals__)))
        option = functools.reduce(_and, options) if options else None
        found[name] = Parameter(name, kinds, option, each.default, each.kind is each.KEYWORD_ONLY)
    return found


class _Names(dict[str, Any]):
    """The names of a module; those that are imported for type checkers alone are classes without a value."""

    def __missing__(self, name: str) -> Any:
        builtins: dict[str, Any] = self["__builtins__"]
        return builtins[name] if name in builtins else type(name, (), {"__module__": "builtins"})


def _read(hint: Any) -> tuple[tuple[Any, ...], list[Option]]:
    """The alternatives of an annotation, and its options, the outermost last."""
    if isinstance(hint, ForwardRef):  # of shared.py
        return _read(eval(hint.__forward_arg__, {}, _Names({**globals(), "PathLike": PathLike})))
    if get_origin(hint) is Annotated:
        inner, *options = get_args(hint)
        kinds, others = _read(inner)
        return kinds, [*others, *options]
    if get_origin(hint) is Literal:
        return (str,), [Option(choices=get_args(hint))]
    if get_origin(hint) not in (Union, UnionType):
        return (type(None) if hint is None else hint,), []
    read = [_read(each) for each in get_args(hint)]
    kinds = [kind for each, _ in read for kind in each]
    if Path in kinds:
        kinds = [os.PathLike, *(kind for kind in kinds if kind not in (str, Path))]
    return tuple(kinds), [option for _, options in read for option in options]


def _and(first: Option, second: Option) -> Option:
    said = {each.name: getattr(second, each.name) for each in fields(Option)}
    return replace(first, **{name: value for name, value in said.items() if value not in ("", None, ())})


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which checks what it is given; its signature and documentation have every parameter."""
    signature, known = inspect.signature(function), parameters(function)

    def check_call(given: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        for name in named:
            if name not in known:
                remedy = f"it takes {', '.join(known)}"
                raise InputError(f"unknown argument {name!r}", function.__name__, remedy)
        try:
            bound = signature.bind(*given, **named).arguments
        except TypeError as fault:
            raise InputError(str(fault), function.__name__, "see its documentation") from fault
        for name, value in bound.items():
            check(known[name], value)

    @functools.wraps(function)
    def generating(*given: P.args, **named: P.kwargs) -> R:
        check_call(given, named)
        return cast(R, _naming_each(cast("Iterator[Any]", function(*given, **named)), known))

    @functools.wraps(function)
    def calling(*given: P.args, **named: P.kwargs) -> R:
        check_call(given, named)
        with _naming_faults(known):
            return function(*given, **named)

    made = generating if inspect.isgeneratorfunction(function) else calling
    plain = [
        each.replace(annotation=functools.reduce(operator.or_, known[name].kinds))
        for name, each in signature.parameters.items()
    ]
    made.__signature__ = signature.replace(parameters=plain)  # pyright: ignore[reportAttributeAccessIssue]
    made.__doc__ = _documentation(function.__doc__ or "", known)
    return made


def _documentation(text: str, known: Mapping[str, Parameter]) -> str:
    """A docstring, whose part behind a form feed is no help of a command, with a line for each option."""
    options = [(each, each.option.help) for each in known.values() if each.option and each.option.help]
    lines = "\n".join(f"{each.given}: {help}" for each, help in options)
    return _in_python(f"{inspect.cleandoc(text)}\n\n{lines}".replace("\f", ""), known)


def _in_python(text: str, known: Mapping[str, Parameter]) -> str:
    """The text with arguments in place of options, but in commands, which stand in back quotes."""
    names: dict[str, str] = {}
    for name, each in known.items():
        flag, _, opposite = each.flag.partition("/")
        names |= {flag.removesuffix("="): each.given, opposite: f"{name}=False"}
    return _OPTION.sub(lambda found: names.get(found[0], found[0]), text)


def _naming_each(found: Iterator[Any], known: Mapping[str, Parameter]) -> Generator[Any]:
    with _naming_faults(known):
        yield from found


@contextmanager
def _naming_faults(known: Mapping[str, Parameter]) -> Generator[None]:
    """Name what the system refuses, which the user can repair, and a file that nests without end."""
    try:
        with naming_faults(None, "check the path, its rights and the disk"):
            yield
    except InputError as fault:
        if not ON_COMMAND_LINE.get():
            said = (fault.what, fault.where, fault.remedy)
            fault.what, fault.where, fault.remedy = (_in_python(text, known) for text in said)
        raise
    except RecursionError as fault:
        raise InputError("the input is nested too deeply", "", "write it with fewer brackets") from fault
    except UnicodeEncodeError as fault:
        if fault.reason != "surrogates not allowed":
            raise
        # Arrow and the engine open paths in UTF-8 alone.
        what = "holds bytes that are not UTF-8, which a file of this kind cannot have in its path"
        raise InputError(what, str(fault.object)[:200], "rename it, or choose another") from fault


def check(parameter: Parameter, value: Any) -> None:
    """ArgumentError: a value is not what the annotation of its parameter says."""
    name, option = parameter.name, parameter.option or Option()
    kind = next((each for each in parameter.kinds if _is(value, each)), None)
    if kind is None:
        shown = _shown(value)
        if isinstance(value, str | bytes | os.PathLike) and any(map(inner_kinds, parameter.kinds)):
            raise ArgumentError(f"{shown} is one where a list is meant", name, f"write [{shown}]")
        words = " or ".join(dict.fromkeys(map(in_words, parameter.kinds)))
        raise ArgumentError(f"{shown} is not {words}", name, f"give {words}")
    if kind in (int, float):
        least, most = option.least or 0, option.most or 0  # every number has bounds: a test holds that
        if not least <= value <= most:
            raise ArgumentError(
                f"{_shown(value)} is out of range", name, f"give a number from {least:,} to {most:,}"
            )
    if kind is str:
        choices = option.choices() if callable(option.choices) else option.choices
        if choices and value not in choices:
            fault = unknown_name(name, value, choices)
            raise ArgumentError(fault.what, name, fault.remedy)
        if name == "device" and not _DEVICE.fullmatch(value):
            raise ArgumentError(f"unknown device {value!r}", name, "auto, cpu, cuda, cuda:N or mps")
    if (kind is str or inner_kinds(kind) == (str,)) and "FOLDER" not in option.metavar:
        # No text of ours has half of a surrogate pair, and no engine or file takes it.
        for text in (value,) if kind is str else value:
            try:
                text.encode()
            except UnicodeEncodeError as fault:
                what = f"{_shown(text)} holds bytes that are not UTF-8"
                raise ArgumentError(what, name, "write it in UTF-8") from fault


def inner_kinds(kind: Any) -> tuple[Any, ...]:
    """The alternatives of what a list has; empty for what is no list."""
    return _read(get_args(kind)[0])[0] if get_origin(kind) in (abc.Sequence, abc.Iterable) else ()


def _is(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind."""
    match get_origin(kind) or kind:
        case abc.Iterable:  # it may be read only once
            return isinstance(value, Iterable) and not isinstance(value, str | bytes | os.PathLike | Mapping)
        case abc.Sequence:
            listed = isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping)
            return listed and all(any(_is(each, one) for one in inner_kinds(kind)) for each in value)
        case abc.Mapping:
            texts = get_args(kind)[1] is str
            return isinstance(value, Mapping) and not (
                texts and any(not isinstance(each, str) for pair in value.items() for each in pair)
            )
        case abc.Callable:
            return callable(value)
        case made if made is tuple:
            pair = isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2
            return pair and isinstance(value[0], str) and _is(value[1], os.PathLike)
        case os.PathLike:
            path = os.fspath(value) if isinstance(value, str | os.PathLike) else ""
            return path != "" and "\0" not in path
        case made if made is float:
            return _is_int(value) or (isinstance(value, float) and not math.isnan(value))
        case made if made is int:
            return _is_int(value)
        case made:
            # A class of ours is not imported for this.
            return any(base.__name__ == made.__name__ for base in type(value).__mro__)


def _is_int(value: Any) -> bool:
    return not isinstance(value, bool | type) and hasattr(value, "__index__")


_WORDS = {
    "Mapping": "a table of keys and values",
    "NoneType": "None",
    "PathLike": "a path",
    "bool": "True or False",
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "tuple": "a pair of a name and a path",
}


def in_words(kind: Any) -> str:
    if inner := inner_kinds(kind):
        return f"a list, each {' or '.join(map(in_words, inner))}"
    name = (get_origin(kind) or kind).__name__
    return _WORDS.get(name, f"a {name} of anagnosis")


def _shown(value: Any) -> str:
    from anagnosis.wording import shortened

    if _is_int(value) and abs(value) >= 1 << 128:
        return "a number of more than 128 bits"  # Python writes no number of over 4,300 digits
    return shortened(repr(value))


def refuse_options(whose: str, **options: Any) -> None:
    """InputError: options are given that have no effect on `whose`."""
    given = [
        f"--{name.replace('settings', 'set').replace('_', '-')}"
        for name, value in options.items()
        if value not in (None, {})
    ]
    if given:
        what = f"{' and '.join(given)} {'does' if len(given) == 1 else 'do'} not apply to {whose}"
        raise InputError(what, "", "leave it out" if len(given) == 1 else "leave them out")
