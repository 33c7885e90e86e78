"""Recipes: TOML files with all settings of a build or a training.

A recipe names its dataset or reader (`dataset = "biomrc"` or `reader = "neighbour-overlap"`); the config record of that
dataset or reader checks the other keys. An error lists all problems of a recipe, with the most similar known keys for
an unknown one.

Numbers have bounds, far above whatever a paper uses, so that what no machine can hold or draw is refused where it is
read: a whole number above 2**63 would end in an overflow deep inside torch, numpy or Arrow.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec
import tomli_w
from msgspec import Meta

from anagnosis.errors import InputError, unknown_name
from anagnosis.io.decoding import UNDECODABLE
from anagnosis.io.paths import PathLike, naming_faults, read_file
from anagnosis.wording import either, shortened

MOST = 2**31 - 1  # what a signed integer of 32 bits holds, and more than any dataset has of anything

Precision = Literal["auto", "float32", "bfloat16"]
PRECISIONS: tuple[str, ...] = get_args(Precision)
Count = Annotated[int, Meta(ge=0, le=MOST)]
# A number of instances, or a share of those that there are, of at most six decimal places.
CountOrShare = Annotated[
    Count | Annotated[str, Meta(pattern=r"\A(100(\.0{1,6})?|[0-9]{1,2}(\.[0-9]{1,6})?)%\Z")],
    Meta(description="write a number of instances, or a share of the split from 0% to 100%, such as 25%"),
]
Positive = Annotated[int, Meta(ge=1, le=MOST)]
# Word pieces of a sequence that holds a question and a part of a snippet; fewer leave one of them no place.
WindowSize = Annotated[int, Meta(ge=16, le=MOST)]
# Of the random draws; what a signed integer of 64 bits holds, as TOML's.
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
# Lengths of vectors. A square matrix of 65,536 has 16 GiB.
Width = Annotated[int, Meta(ge=1, le=65_536)]
# Layers, hops: each is made, and a step runs through all of them.
Depth = Annotated[int, Meta(ge=1, le=1_000)]
# The n of n-grams, in tokens; an n-gram of one holds no neighbour.
Grams = Annotated[int, Meta(ge=2, le=1_000)]
Share = Annotated[float, Meta(ge=0, lt=1)]
# Learning rates; the highest that is published here is 0.1.
Rate = Annotated[float, Meta(gt=0, le=1_000)]
# Factors and limits of the loss and the gradient, which are computed with 32 bits.
Weight = Annotated[float, Meta(ge=0, le=1e9)]
Config = TypeVar("Config", bound=msgspec.Struct)


def names() -> list[str]:
    """The recipes that come with anagnosis."""
    folder = resources.files("anagnosis.recipes")
    every = (entry.name for entry in folder.iterdir())
    return sorted(name.removesuffix(".toml") for name in every if name.endswith(".toml"))


def text(name: str) -> str:
    """The TOML text of a recipe that comes with anagnosis."""
    entry = resources.files("anagnosis.recipes") / f"{name}.toml"
    if not entry.is_file():
        raise unknown_name("recipe", name, names())
    return entry.read_text("utf-8")


def headline(name: str) -> str:
    """The first line of a recipe's opening comment."""
    return text(name).partition("\n")[0].removeprefix("#").strip()


def load(name_or_path: PathLike) -> dict[str, Any]:
    """A recipe by its name, or from a TOML file, as plain data."""
    given = str(name_or_path)
    try:
        with naming_faults(given, "check the path of the recipe"):
            is_path = given.endswith(".toml") or "/" in given
            return tomllib.loads(read_file(given).decode() if is_path else text(given))
    except UNDECODABLE as fault:
        raise InputError(f"not TOML: {fault}", given, "mend that line") from fault


def assignments(pairs: Sequence[str]) -> dict[str, Any]:
    """`--set key=value` options as data; a value is read as TOML, and as a bare word where TOML fails."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            remedy = "write for example --set minimum_sentences=12"
            raise InputError(f"{pair!r} is not key=value", "--set", remedy)
        try:
            values[key.strip()] = tomllib.loads(f"value = {value}")["value"]
        except RecursionError as fault:
            what = f"the brackets of {key.strip()!r} are nested too deeply"
            raise InputError(what, "--set", "write a plainer value") from fault
        except ValueError:
            values[key.strip()] = value
    return values


def configured(
    config: type[Config], values: Mapping[str, Any], where: str, *, apart: Sequence[str] = ()
) -> Config:
    """`values` as a checked config record. InputError: lists all problems.

    apart: keys that are not the config's (the name of the dataset or reader).
    """
    fields = {field.name: field for field in msgspec.structs.fields(config)}
    faults: list[str] = []
    given: dict[str, Any] = {}
    for key, value in values.items():
        if key in apart:
            continue
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=2, cutoff=0.5)
            faults.append(f"unknown key {key!r}" + (f" (did you mean {' or '.join(near)}?)" if near else ""))
            continue
        try:
            given[key] = msgspec.convert(value, fields[key].type)
        except msgspec.ValidationError as fault:
            shown = shortened(repr(value) if isinstance(value, str) else json.dumps(value, default=str))
            faults.append(f"{key}: {shown} does not fit; {_wanted(fields[key].type, fault)}")
    unknown = values.keys() - fields.keys() - {*apart}
    missing = [name for name, field in fields.items() if field.required and name not in values]
    faults += [f"the field {name!r} is missing" for name in missing]
    if not faults:
        try:
            return msgspec.convert(given, config)
        except msgspec.ValidationError as fault:
            faults.append(str(fault))
    remedy = f"known keys: {', '.join(fields) or 'none'}" if unknown else ""
    if missing and not unknown:
        remedy = f"give {' '.join(f'--set {name}=VALUE' for name in missing)}"
    problems = f"{len(faults)} problem{'s' if len(faults) > 1 else ''}"
    raise InputError(f"{problems}: {'; '.join(faults)}", where, remedy)


def _wanted(kind: Any, fault: msgspec.ValidationError) -> str:
    """What a key takes: by its description, its choices, or the fault of a value."""
    every = (argument for argument in get_args(kind) if isinstance(argument, Meta))
    described = [meta.description for meta in every if meta.description]
    choices = [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else []
    return described[0] if described else f"write {either(choices)}" if choices else str(fault)


def spelled_out(name: Mapping[str, str], config: msgspec.Struct) -> dict[str, Any]:
    """The whole recipe as data: what it is for, then every key with its value."""
    return {**name, **{key: value for key, value in msgspec.to_builtins(config).items() if value is not None}}


def dumps(recipe: Mapping[str, Any]) -> str:
    """A recipe as TOML text, keys in the order given."""
    return tomli_w.dumps(dict(recipe))


def digest(recipe: Mapping[str, Any]) -> str:
    """The SHA-256 of a spelled-out recipe, in hexadecimal."""
    return hashlib.sha256(dumps(recipe).encode()).hexdigest()
