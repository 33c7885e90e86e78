"""Numbers of recipes: each key has both bounds, and what is beyond them is named in one line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import msgspec
import pytest
from msgspec import inspect
from tests.rows import each_row

from anagnosis import readers
from anagnosis.datasets.bioasq.cloze import ClozeRecipe
from anagnosis.datasets.bioasq.evidence import EvidenceRecipe
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.datasets.bioread.article import BioReadRecipe
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.pubmedqa.build import PubMedQARecipe
from anagnosis.datasets.sampling import SampleRecipe
from anagnosis.errors import InputError
from anagnosis.readers.predict import options_record
from anagnosis.recipes import load
from anagnosis.recipes.values import MOST


def records() -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """What the keys of a recipe are checked against: of each dataset, and of each reader."""
    built = (BioMRCRecipe, BioReadRecipe, CliCRRecipe, PubMedQARecipe, EvidenceRecipe, ClozeRecipe)
    for made in (*built, SampleRecipe):
        yield made.__name__, made
    for name in readers.READERS:
        try:
            entry = readers.find(name)
        except InputError:  # the extra train is not installed
            continue
        yield (
            name,
            entry.Config if hasattr(entry, "prepare") else options_record(name),
        )


def numbers(kind: inspect.Type) -> Iterator[inspect.IntType | inspect.FloatType]:
    match kind:
        case inspect.IntType() | inspect.FloatType():
            yield kind
        case inspect.Metadata():
            yield from numbers(kind.type)
        case inspect.UnionType():
            for one in kind.types:
                yield from numbers(one)
        case inspect.DictType():
            yield from numbers(kind.value_type)
        case inspect.ListType() | inspect.VarTupleType():
            yield from numbers(kind.item_type)
        case inspect.StructType():
            for field in kind.fields:
                yield from numbers(field.type)
        case _:
            pass


def is_number(kind: inspect.Type) -> bool:
    """Whether a key takes a number, alone or beside something else, such as a share in quotes."""
    match kind:
        case inspect.Metadata():
            return is_number(kind.type)
        case inspect.UnionType():
            return any(is_number(one) for one in kind.types)
        case _:
            return isinstance(kind, inspect.IntType | inspect.FloatType)


RECORDS = dict(records())
KEYS = [
    (name, field.name)
    for name, record in RECORDS.items()
    for field in msgspec.structs.fields(record)
    if is_number(inspect.type_info(field.type))
]
HOSTILE = ["9223372036854775808", "1180591620717411303424", "-1", "nan", "inf", "-inf", "1e400", "-1e400"]


@each_row("name", RECORDS)
def test_every_number_of_a_recipe_has_a_least_and_a_most(name: str) -> None:
    for field in msgspec.structs.fields(RECORDS[name]):
        for number in numbers(inspect.type_info(field.type)):
            assert number.ge is not None or number.gt is not None, field.name
            assert number.le is not None or number.lt is not None, field.name


@each_row(("name", "key"), KEYS, ids=[f"{name} {key}" for name, key in KEYS])
def test_a_number_beyond_its_bounds_is_named(name: str, key: str) -> None:
    needed = {field.name: "x" for field in msgspec.structs.fields(RECORDS[name]) if field.required}
    for written in HOSTILE:
        value = tomllib.loads(f"value = {written}")["value"]
        with pytest.raises(InputError) as told:
            load.configured(RECORDS[name], {**needed, key: value}, "mine.toml")
        line = str(told.value)
        assert line.startswith(f"mine.toml: 1 problem: {key}: "), line
        assert " is not a " in line
        assert "\n" not in line


def test_whole_numbers_end_where_32_bits_do() -> None:
    key, words = "minimum_sentences", r"2147483648 is not a whole number from 0 to 2,147,483,647"
    assert load.configured(BioMRCRecipe, {key: MOST}, "").minimum_sentences == MOST
    with pytest.raises(InputError, match=words):
        load.configured(BioMRCRecipe, {key: MOST + 1}, "")
