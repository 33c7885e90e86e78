"""Recipes: TOML files with all settings of a build or a training.

A recipe names its dataset or reader (`dataset = "biomrc"` or `reader = "neighbour-overlap"`); the config record of that
dataset or reader checks the other keys. An error lists all problems of a recipe, with the most similar known keys for
an unknown one.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
import tomli_w

from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike, naming_faults, refuse_special
from anagnosis.wording import reworded, shortened, values_in_words

Config = TypeVar("Config", bound=msgspec.Struct)


def names() -> list[str]:
    """The recipes that come with anagnosis."""
    folder = resources.files("anagnosis.recipes")
    return sorted(
        entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")
    )


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
            return tomllib.loads(_written(given) if given.endswith(".toml") or "/" in given else text(given))
    except RecursionError as fault:
        raise InputError("not TOML: its brackets are nested too deeply", given, "mend that line") from fault
    except ValueError as fault:
        raise InputError(f"not TOML: {fault}", given, "mend that line") from fault


def _written(path: str) -> str:
    refuse_special(path)
    return Path(path).read_text("utf-8")


def assignments(pairs: Sequence[str]) -> dict[str, Any]:
    """`--set key=value` options as data; a value is read as TOML, and as a bare word where TOML fails."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise InputError(
                f"{pair!r} is not key=value", "--set", "write for example --set minimum_sentences=12"
            )
        try:
            values[key.strip()] = tomllib.loads(f"value = {value}")["value"]
        except RecursionError as fault:
            raise InputError(
                f"the brackets of {key.strip()!r} are nested too deeply", "--set", "write a plainer value"
            ) from fault
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
    unknown = False
    given: dict[str, Any] = {}
    for key, value in values.items():
        if key in apart:
            continue
        if key not in fields:
            unknown = True
            near = difflib.get_close_matches(key, fields, n=2, cutoff=0.5)
            faults.append(f"unknown key {key!r}" + (f" (did you mean {' or '.join(near)}?)" if near else ""))
            continue
        try:
            given[key] = msgspec.convert(value, fields[key].type)
        except msgspec.ValidationError:
            faults.append(f"{key}: {_misfit(fields[key].type, value)}")
    missing = [name for name, field in fields.items() if field.required and name not in values]
    faults += [f"the field {name!r} is missing" for name in missing]
    if not faults:
        try:
            return msgspec.convert(given, config)
        except msgspec.ValidationError as fault:
            faults.append(reworded(fault))
    remedy = f"known keys: {', '.join(fields) or 'none'}" if unknown else ""
    if missing and not unknown:
        remedy = f"give {' '.join(f'--set {name}={_placeholder(fields[name].type)}' for name in missing)}"
    raise InputError(
        f"{len(faults)} problem{'s' if len(faults) > 1 else ''}: {'; '.join(faults)}", where, remedy
    )


def _placeholder(wanted: Any) -> str:
    """What stands for a value in a remedy: the first of its type's examples."""
    examples = [
        example
        for meta in get_args(wanted)[1:]
        if isinstance(meta, msgspec.Meta)
        for example in meta.examples or ()
    ]
    return str(examples[0]) if examples else "VALUE"


def _misfit(wanted: Any, value: Any) -> str:
    """The fault of one value in words: what it is, and what its key takes."""
    described = [meta.description for meta in get_args(wanted)[1:] if isinstance(meta, msgspec.Meta)]
    shown = shortened(repr(value) if isinstance(value, str) else json.dumps(value, default=str))
    if isinstance(value, str) and any(described):
        return f"{shown} does not fit; {described[0]}"
    return f"{shown} is not {values_in_words(wanted)}"


def spelled_out(name: Mapping[str, str], config: msgspec.Struct) -> dict[str, Any]:
    """The whole recipe as data: what it is for, then every key with its value."""
    values = {key: value for key, value in msgspec.to_builtins(config).items() if value is not None}
    return {**name, **values}


def dumps(recipe: Mapping[str, Any]) -> str:
    """A recipe as TOML text, keys in the order given."""
    return tomli_w.dumps(dict(recipe))


def digest(recipe: Mapping[str, Any]) -> str:
    """The SHA-256 of a spelled-out recipe, in hexadecimal."""
    return hashlib.sha256(dumps(recipe).encode()).hexdigest()
