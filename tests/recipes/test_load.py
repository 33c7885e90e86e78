"""Recipes: read, set, checked with all problems at once, spelled out and hashed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect

from anagnosis import readers
from anagnosis.datasets.bioasq.evidence import EvidenceRecipe
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.datasets.bioread.article import BioReadRecipe
from anagnosis.datasets.clicr.report import CliCRRecipe
from anagnosis.datasets.pubmedqa.build import PubMedQARecipe
from anagnosis.datasets.sampling import SampleRecipe
from anagnosis.errors import InputError
from anagnosis.readers.predict import options_record
from anagnosis.recipes import load
from anagnosis.recipes.load import MOST


def records() -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """What the keys of a recipe are checked against: of each dataset, and of each reader."""
    built = (BioMRCRecipe, BioReadRecipe, CliCRRecipe, PubMedQARecipe, EvidenceRecipe)
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


RECORDS = dict(records())
HOSTILE = ["9223372036854775808", "1180591620717411303424", "-1", "nan", "inf", "-inf", "1e400", "-1e400"]


@pytest.mark.parametrize("name", RECORDS)
def test_every_number_of_a_recipe_has_a_least_and_a_most(name: str) -> None:
    for field in msgspec.structs.fields(RECORDS[name]):
        for number in numbers(inspect.type_info(field.type)):
            least = number.gt if number.ge is None else number.ge
            assert least is not None, field.name
            assert least >= 0, field.name
            assert number.le is not None or number.lt is not None, field.name


@pytest.mark.parametrize("written", HOSTILE)
@pytest.mark.parametrize(
    ("record", "key"),
    [(BioMRCRecipe, "minimum_sentences"), (BioReadRecipe, "share_of_articles"), (SampleRecipe, "train")],
)
def test_a_number_beyond_its_bounds_is_named(record: type[msgspec.Struct], key: str, written: str) -> None:
    value = tomllib.loads(f"value = {written}")["value"]
    with pytest.raises(InputError) as told:
        load.configured(record, {key: value}, "mine.toml")
    line = str(told.value)
    assert line.startswith(f"mine.toml: 1 problem: {key}: "), line
    assert " does not fit; " in line
    assert "\n" not in line


def test_whole_numbers_end_where_32_bits_do() -> None:
    key, words = (
        "minimum_sentences",
        "2147483648 does not fit; Expected `int` <= 2147483647",
    )
    assert load.configured(BioMRCRecipe, {key: MOST}, "").minimum_sentences == MOST
    with pytest.raises(InputError, match=words):
        load.configured(BioMRCRecipe, {key: MOST + 1}, "")


class Salt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    grams: int = 3
    kind: str = "sea"
    fine: bool = False
    of: dict[str, int] = {}


def test_every_recipe_that_comes_along_is_for_something_and_says_what_in_its_first_line() -> None:
    for name in load.names():
        recipe = load.load(name)
        assert {"dataset", "reader", "sample_of", "trains"} & set(recipe), name
        assert load.headline(name).endswith("."), name


def test_three_faults_are_told_at_once_with_the_nearest_keys() -> None:
    values = {"gram": 4, "kind": 5, "fine": "very", "sea": 1, "dataset": "salt"}
    with pytest.raises(InputError) as told:
        load.configured(Salt, values, "mine.toml", apart=("dataset",))
    assert str(told.value) == (
        "mine.toml: 4 problems: unknown key 'gram' (did you mean grams?); kind: 5 does not fit; "
        "Expected `str`, got `int`; "
        "fine: 'very' does not fit; Expected `bool`, got `str`; "
        "unknown key 'sea'; known keys: grams, kind, fine, of"
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("minimum_sentences", -1),
        ("minimum_sentences", 9.5),
        ("minimum_sentences", True),
        ("split", "random"),
        ("split_weights", {"train": 1, "dev": 1}),
        ("split_weights", {"train": -1, "dev": 1, "test": 1}),
        ("split_weights", {"train": 0, "dev": 0, "test": 0}),
        ("split_weights", {"train": 1, "dev": 1, "test": 1, "val": 1}),
        ("split_weights", {"train": float("inf"), "dev": 1, "test": 1}),
        ("seed", -1),
        ("seed", 1 << 64),
        ("since", "last June"),
        ("since", "2024-6-1"),
        ("since", "2024-13"),
        ("since", "2023-02-29"),
        ("since", 2024),
    ],
)
def test_a_value_that_cannot_be_is_told_with_its_key(key: str, value: object) -> None:
    with pytest.raises(InputError, match=f"mine: 1 problem: {key}: "):
        load.configured(BioMRCRecipe, {key: value}, "mine")


def test_missing_keys_are_named_beside_other_faults_with_the_options_that_give_them() -> None:
    config = msgspec.defstruct("Config", [("run", str), ("size", int), ("seed", int, 0)])
    missing = "2 problems: the field 'run' is missing; the field 'size' is missing"
    with pytest.raises(InputError, match=f"^mine: {missing}; give --set run=VALUE --set size=VALUE$"):
        load.configured(config, {}, "mine")
    with pytest.raises(
        InputError,
        match="seed: 'x' does not fit; Expected `int`, got `str`; the field 'size' is missing; give",
    ):
        load.configured(config, {"run": "a", "seed": "x"}, "mine")
    with pytest.raises(
        InputError, match=r"unknown key 'sise' .*; the field 'size' is missing; known keys: run, size, s"
    ):
        load.configured(config, {"run": "a", "sise": 1}, "mine")


def test_an_unknown_recipe_gets_the_nearest() -> None:
    with pytest.raises(InputError, match=r"unknown recipe 'biomcr'; did you mean biomrc"):
        load.load("biomcr")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (None, "mine.toml: no such file or directory; check the path of the recipe"),
        (b"split = head\n", "mine.toml: not TOML: "),
        (b"a = 1\na = 2\n", "mine.toml: not TOML: "),
        (b"a = '\xff'\n", "mine.toml: not TOML: "),
    ],
    ids=["missing", "bare word", "key twice", "latin-1"],
)
def test_a_file_that_is_no_recipe_is_told(content: bytes | None, line: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as told:
        load.load(path)
    assert str(told.value).startswith(f"{tmp_path}/{line}")


@pytest.mark.parametrize(
    ("pair", "value"),
    [
        ("a=12", 12),
        ("a=1.5", 1.5),
        ("a=true", True),
        ("a = 'head'", "head"),
        ("a=head", "head"),
        ("a=x=y", "x=y"),
        ("a=", ""),
        ("a={b = 1, c = 2}", {"b": 1, "c": 2}),
        ("a=[1, 2]", [1, 2]),
    ],
)
def test_a_set_value_is_read_as_toml_and_else_as_a_word(pair: str, value: object) -> None:
    assert load.assignments([pair]) == {"a": value}


@pytest.mark.parametrize("pair", ["minimum_sentences", "=3", " = 3"])
def test_a_setting_without_key_or_value_is_told(pair: str) -> None:
    with pytest.raises(InputError, match="is not key=value; write for example --set minimum_sentences=12"):
        load.assignments([pair])


def test_a_recipe_is_spelled_out_with_every_default_and_reads_back_the_same() -> None:
    spelled = load.spelled_out({"dataset": "biomrc"}, BioMRCRecipe(minimum_sentences=12))
    assert next(iter(spelled)) == "dataset"
    assert spelled["minimum_sentences"] == 12
    assert set(spelled) == {"dataset", *BioMRCRecipe.__struct_fields__}
    again = tomllib.loads(load.dumps(spelled))
    assert again == spelled
    assert load.configured(BioMRCRecipe, again, "x", apart=("dataset",)) == BioMRCRecipe(minimum_sentences=12)
