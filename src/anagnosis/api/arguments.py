"""What the verbs take, checked at their door: kinds by the verbs' own annotations, bounds of numbers by BOUNDS.

Python checks no annotation. A path where a list of paths is meant would be walked letter by letter, "/" first; a limit
of 0 would give nothing, and one of 2**63 a panic. Each is an InputError here that names the parameter, before anything
is read. `checked` wraps every verb of `anagnosis.api`, and `serve`: a new one needs no line but its numbers' bounds.

It also names what a verb meets and does not expect: a file that the system refuses, brackets nested too deeply.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
import os
import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ForwardRef, ParamSpec, TypeVar, cast

from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import naming_faults, not_utf8
from anagnosis.wording import shortened

P = ParamSpec("P")
R = TypeVar("R")

MANY = 2**31 - 1
# (least, most) of every number that a verb takes, by the parameter's name or the verb's and the parameter's.
BOUNDS: dict[str, tuple[float, float]] = {
    "block_bytes": (1, 1 << 30),
    "depth": (1, 1_000_000),
    "dev_share": (0, 1),
    "dimension": (1, 65_536),
    "documents": (1, MANY),
    "draw": (1, MANY),
    "draws": (1, 100_000_000),
    "epochs": (1, 100_000),
    "folds": (1, 10),
    "idle": (1, 86_400),  # a day of seconds
    "limit": (1, MANY),
    "minimum_score": (0, 1_000_000),
    "ask.limit": (1, 100),
    "search.limit": (1, 1_000),
    "negative": (1, 1_000),
    "per_month": (1, MANY),
    "port": (0, 65_535),
    "recent": (0, MANY),
    "rate": (0, 1_000_000),
    "samples": (0, 1_000),
    "seed": (0, 2**32 - 1),  # as numpy takes them
    "seeds": (1, 1_000),
    "serve.workers": (1, 256),
    "threads": (1, 1_024),
    "threshold": (1, MANY),
    "tokens": (1, MANY),
    "trials": (1, 1_000_000),
    "window": (1, 1_000),
    "workers": (1, 1_024),
}


def _views() -> list[str]:
    from anagnosis.datasets.kinds.table import every_view

    return every_view()


def _precisions() -> tuple[str, ...]:
    from anagnosis.recipes.values import PRECISIONS

    return PRECISIONS


# The words that are taken, where no table below the verbs refuses others; by names as of BOUNDS.
CHOICES: dict[str, tuple[str, ...] | Callable[[], Sequence[str]]] = {
    "agreement.view": _views,
    "compare.view": _views,
    "hard_subset.view": _views,
    "evaluate.view": _views,
    "score.view": _views,
    "precision": _precisions,
    "table": ("formats", "datasets", "readers", "recipes", "measures", "retrieval_measures"),
    "unit": ("document", "instance"),
}
# Texts that may be the path of a folder, whose name may be any bytes.
_NAMES_OR_FOLDERS = frozenset(("cluster", "encoder"))
_DEVICE = re.compile(r"auto|cpu|cuda(?::\d{1,3})?|mps")
_UNPACKED = re.compile(r"Unpack\[(\w+)\]")
_MANY_OF = re.compile(r"(Sequence|Iterable)\[(.+)\]")


def checked(verb: Callable[P, R]) -> Callable[P, R]:
    """The verb, which checks what it is given. InputError: where an argument is not what its annotation says."""
    signature, kinds = inspect.signature(verb), _kinds(verb)
    collecting = next((one.name for one in signature.parameters.values() if one.kind is one.VAR_KEYWORD), "")

    def check(given: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        try:
            bound = signature.bind(*given, **named).arguments
        except TypeError as fault:
            raise InputError(str(fault), verb.__name__, "see its documentation") from fault
        rest: dict[str, Any] = bound.pop(collecting, {})
        for name, value in {**bound, **rest}.items():
            if name not in kinds:
                raise InputError(f"unknown argument {name!r}", verb.__name__, f"it takes {', '.join(kinds)}")
            _check(verb.__name__, name, value, kinds[name])

    if inspect.isgeneratorfunction(verb):

        @functools.wraps(verb)
        def generating(*given: P.args, **named: P.kwargs) -> R:
            check(given, named)
            return cast(R, _naming_each(cast("Iterator[Any]", verb(*given, **named))))

        return generating

    @functools.wraps(verb)
    def calling(*given: P.args, **named: P.kwargs) -> R:
        check(given, named)
        with _naming_faults():
            return verb(*given, **named)

    return calling


def _naming_each(found: Iterator[Any]) -> Generator[Any]:
    with _naming_faults():
        yield from found


@contextmanager
def _naming_faults() -> Generator[None]:
    """What the system refuses is the user's to mend; so is a file that nests without end."""
    try:
        with naming_faults(None, "check the path, its rights and the disk"):
            yield
    except RecursionError as fault:
        raise InputError("the input is nested too deeply", "", "write it with fewer brackets") from fault
    except UnicodeEncodeError as fault:
        if fault.reason != "surrogates not allowed":
            raise
        # Arrow and the engine open paths in UTF-8 alone.
        raise not_utf8(str(fault.object)) from fault


def _kinds(verb: Callable[..., Any]) -> dict[str, str]:
    """Parameter → its annotation as text; those of a typed dictionary in the place of its `**`."""
    found = dict[str, str]()
    for name, parameter in inspect.signature(verb).parameters.items():
        unpacked = _UNPACKED.fullmatch(parameter.annotation)
        if unpacked is None:
            found[name] = parameter.annotation
            continue
        fields: Mapping[str, ForwardRef] = verb.__globals__[unpacked[1]].__annotations__  # pyright: ignore[reportFunctionMemberAccess]
        found |= {name: field.__forward_arg__ for name, field in fields.items()}
    return found


def _check(verb: str, name: str, value: Any, kind: str) -> None:
    wanted = _alternatives(kind)
    for each in wanted:
        if _is(value, each):
            if each in ("int", "float"):
                _check_bounds(verb, name, value)
            elif each == "str":
                _check_choice(verb, name, value)
            if each in ("str", "Sequence[str]") and name not in _NAMES_OR_FOLDERS:
                _check_characters(name, (value,) if each == "str" else value)
            return
    if isinstance(value, str | bytes | os.PathLike) and any(_MANY_OF.fullmatch(each) for each in wanted):
        raise InputError(f"{_shown(value)} is one where a list is meant", name, f"write [{_shown(value)}]")
    if isinstance(value, str) and "PathLike" in wanted:
        raise InputError(f"{_shown(value)} is no path", name, "name a file or a folder")
    words = " or ".join(dict.fromkeys(_in_words(each) for each in wanted))
    raise InputError(f"{_shown(value)} is not {words}", name, f"give {words}")


def _check_bounds(verb: str, name: str, value: Any) -> None:
    least, most = next(BOUNDS[key] for key in _keys(verb, name) if key in BOUNDS)
    if not least <= value <= most:
        raise InputError(
            f"{_shown(value)} is out of range", name, f"give a number from {least:,} to {most:,}"
        )


def _check_choice(verb: str, name: str, value: str) -> None:
    choices = next((CHOICES[key] for key in _keys(verb, name) if key in CHOICES), ())
    known = choices() if callable(choices) else choices
    if known and value not in known:
        raise unknown_name(name, value, known, name)
    if name == "device" and not _DEVICE.fullmatch(value):
        raise InputError(f"unknown device {value!r}", name, "auto, cpu, cuda, cuda:N or mps")


def _check_characters(name: str, texts: Iterable[str]) -> None:
    """Refuse a text with half of a surrogate pair: no text of ours has it, and no engine or file takes it."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as fault:
            raise InputError(
                f"{_shown(text)} holds bytes that are not UTF-8", name, "write it in UTF-8"
            ) from fault


def _is(value: Any, kind: str) -> bool:
    """Whether a value is of the kind that an annotation names."""
    if many := _MANY_OF.fullmatch(kind):
        if isinstance(value, str | bytes | os.PathLike | Mapping):
            return False
        if many[1] == "Iterable":  # it may be read only once
            return isinstance(value, Iterable)
        each = _alternatives(many[2])
        return isinstance(value, Collection) and all(any(_is(one, kind) for kind in each) for one in value)
    if kind in _TESTS:
        return _TESTS[kind](value)
    # A class of ours, which is not imported for this.
    return any(base.__name__ == kind for base in type(value).__mro__)


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike) and "\0" not in (path := os.fspath(value)) and path != ""


def _is_named_path(value: Any) -> bool:
    match value:
        case (name, path):
            return isinstance(name, str) and _is_path(path)
        case _:
            return False


def _is_int(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def _is_float(value: Any) -> bool:
    return _is_int(value) or (isinstance(value, float) and not math.isnan(value))


def _is_table_of_texts(value: Any) -> bool:
    table = cast("Mapping[Any, Any]", value) if isinstance(value, Mapping) else {None: None}
    return all(isinstance(each, str) for pair in table.items() for each in pair)


_TESTS: dict[str, Callable[[Any], bool]] = {
    "PathLike": _is_path,
    "Callable[[str, Any], None]": callable,
    "Mapping[str, Any]": lambda value: isinstance(value, Mapping),
    "Mapping[str, str]": _is_table_of_texts,
    "None": lambda value: value is None,
    "bool": lambda value: isinstance(value, bool),
    "float": _is_float,
    "int": _is_int,
    "str": lambda value: isinstance(value, str),
    "tuple[str, PathLike]": _is_named_path,
}
_WORDS = {
    "PathLike": "a path",
    "Mapping[str, Any]": "a table of keys and values",
    "Mapping[str, str]": "a table of keys and texts",
    "None": "None",
    "bool": "True or False",
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "tuple[str, PathLike]": "a pair of a name and a path",
}


def _in_words(kind: str) -> str:
    if many := _MANY_OF.fullmatch(kind):
        return f"a list, each {' or '.join(_in_words(each) for each in _alternatives(many[2]))}"
    return _WORDS.get(kind, f"a {kind} of anagnosis")


def _alternatives(kind: str) -> list[str]:
    """`Sequence[PathLike | Dataset] | None` as its two kinds."""
    return re.split(r" \| (?![^\[]*\])", kind)


def _keys(verb: str, name: str) -> tuple[str, str]:
    """Those of a parameter: `ask.limit` before `limit`, for ask_report and ask_answer too, which take the same."""
    return f"{verb.removesuffix('_report').removesuffix('_answer')}.{name}", name


def _shown(value: Any) -> str:
    if _is_int(value) and abs(value) >= 1 << 128:
        return "a number of more than 128 bits"  # Python writes no number of over 4,300 digits
    return shortened(repr(value))


def refuse_options(whose: str, **options: Any) -> None:
    """Options that say nothing for what was asked."""
    given = [
        f"--{name.replace('settings', 'set').replace('_', '-')}"
        for name, one in options.items()
        if one not in (None, {})
    ]
    if given:
        what = f"{' and '.join(given)} {'does' if len(given) == 1 else 'do'} not apply to {whose}"
        raise InputError(what, "", "leave it out" if len(given) == 1 else "leave them out")
