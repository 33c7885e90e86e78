"""What a request may ask, as the verbs of `anagnosis.api` declare it: names, bounds, defaults and refusals.

An address names a parameter as the command line does (`section` for `sections`), but the question is `q`, and
`synonyms=false` says what `--no-synonyms` says. A server's own limits are in limits.py.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
from starlette.datastructures import QueryParams

from anagnosis.api import searching
from anagnosis.api.options import REQUIRED, Option, Parameter, check, in_words, inner_kinds, parameters
from anagnosis.errors import ArgumentError
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.web.limits import LONGEST, MOST_VALUES

FILTERS = parameters(searching.filters)
_PUBLIC = {
    "question": "q",
    "ident": "id",
    "ids": "id",
    "no_synonyms": "synonyms",
    "sections": "section",
    **{one.names: one.field for one in NAME_FILTERS},
}
FILTER_NAMES = tuple(_PUBLIC.get(name, name) for name in FILTERS)
# What concerns the machine of the server, as whatever is a path does.
_LOCAL = ("device", "threads", "replace", "judge", "endpoint", "key_env")
# Ids and names are looked up as they are; lines of a quotation may end with a hyphen.
_AS_GIVEN = ("ident", "ids", "quotation", *FILTERS)
# Control characters and half of surrogate pairs have no place in a question; bidirectional marks could make a page show
# another one.
_BLANKED = ("Cc", "Cs", "Zl", "Zp")
_BIDIRECTIONAL = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def public_name(name: str) -> str:
    """A parameter of a verb, as an address has it."""
    return _PUBLIC.get(name, name)


def is_list(parameter: Parameter) -> bool:
    """Whether it may be given several times."""
    return any(map(inner_kinds, parameter.kinds))


def accepted(verb: Callable[..., Any], **most: int) -> dict[str, Parameter]:
    """Name in an address → parameter of a verb. most: what a server allows at most of one, below the verb's bound."""
    every = parameters(verb)
    if every.pop("filters", None):
        every |= FILTERS
    found = dict[str, Parameter]()
    for name, each in every.items():
        if each.option is not None and name not in _LOCAL and os.PathLike not in each.kinds:
            bound = replace(each.option, most=most.get(name, each.option.most))
            found[public_name(name)] = replace(each, option=bound)
    return found


def number(name: str, least: int, most: int) -> Parameter:
    """A whole number that no verb takes, such as that of a page; the least where none is given."""
    return Parameter(name, (int,), Option("", least, most), least, True)


def read(takes: Mapping[str, Parameter], query: QueryParams, *, strict: bool = True) -> dict[str, Any]:
    """The arguments for a verb, by their names. takes: what it accepts. What is empty counts as not given.

    ArgumentError: one is wrong or missing; strict: or unknown, or given twice, as other sites may add parameters to a
    shared address.
    """
    given = dict[str, Any]()
    for name in query:
        if name in takes:
            each, given_values = takes[name], query.getlist(name)
            if len(given_values) > MOST_VALUES:
                raise ArgumentError(f"is given more than {MOST_VALUES} times", each.name, "give fewer")
            values = [one for one in given_values if one or (strict and {bool, int} & {*each.kinds})]
            if strict and len(values) > 1 and not is_list(each):
                raise ArgumentError("is given more than once", name, "give it once")
            if values:
                given[each.name] = _value(each, values)
        elif strict:
            raise ArgumentError("unknown parameter", name[:100], f"there are {', '.join(takes) or 'none'}")
    for name, each in takes.items():
        if each.default is REQUIRED and each.name not in given:
            raise ArgumentError("is missing", name, "give it")
    filters = {name: given.pop(name) for name in FILTERS if name in given}
    return given | {"filters": searching.filters(**filters)} if filters else given


def cleaned(text: str) -> str:
    """A text in one line, without control characters."""
    if text.isprintable():
        return " ".join(text.split())
    kept = (" " if unicodedata.category(each) in _BLANKED else each for each in _BIDIRECTIONAL.sub("", text))
    return " ".join("".join(kept).split())


def _value(parameter: Parameter, values: list[str]) -> Any:
    """What was given for a parameter; of one that is no list the last."""
    name = parameter.name
    if not is_list(parameter):
        values = values[-1:]
    if any(len(value) > LONGEST for value in values):
        raise ArgumentError(f"has more than {LONGEST} characters", name, "shorten it")
    kind = next((kind for kind in parameter.kinds if kind in (bool, int)), str)
    if kind is not str:
        try:
            value = msgspec.convert(values[0], kind, strict=False)
        except msgspec.ValidationError:
            words = in_words(kind)
            raise ArgumentError(f"{values[0][:40]!r} is not {words}", name, f"give {words}") from None
        made: Any = not value if name.startswith("no_") else value
    else:
        texts = values if name in _AS_GIVEN else [*map(cleaned, values)]
        made = texts if is_list(parameter) else texts[0]
    check(parameter, made)
    return made


ID = {"id": parameters(searching.related)["ident"]}
# A question, which may lack, and what joins its words.
WORDS = {
    name: each for name, each in accepted(searching.search).items() if name in ("q", "synonyms", "without")
}
