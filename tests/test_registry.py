"""Names to implementations: our own table first, other packages' entry points after."""

from __future__ import annotations

import importlib.metadata
import sys
from importlib.metadata import EntryPoint

import pytest

from anagnosis.errors import InputError
from anagnosis.registry import find, is_known, known, referenced

TABLE = {"json": "json", "dumps": "json:dumps"}


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    """What other packages give in the group `anagnosis.things`; tests add to it."""
    points: list[EntryPoint] = []

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return points


def point(name: str, value: str, group: str = "anagnosis.things") -> EntryPoint:
    return EntryPoint(name, value, group)


def test_a_name_stands_for_a_module_or_an_attribute_of_it() -> None:
    import json

    assert find(TABLE, "json", "thing", group="anagnosis.things") is json
    assert find(TABLE, "dumps", "thing", group="anagnosis.things") is json.dumps


def test_an_unknown_name_gets_the_nearest(foreign: list[EntryPoint]) -> None:
    foreign.append(point("dump", "json:dump"))
    with pytest.raises(InputError, match=r"unknown thing 'dumsp'; did you mean dump or dumps\?"):
        find(TABLE, "dumsp", "thing", group="anagnosis.things")


def test_another_packages_entry_point_is_found(foreign: list[EntryPoint]) -> None:
    foreign += [point("theirs", "fractions:Fraction"), point("not ours", "x:y", "other.group")]
    assert find(TABLE, "theirs", "thing", group="anagnosis.things").__name__ == "Fraction"
    assert known(TABLE, "anagnosis.things") == {**TABLE, "theirs": "fractions:Fraction"}
    with pytest.raises(InputError, match="unknown thing 'theirs'"):
        find(TABLE, "theirs", "thing")


def test_a_listing_loads_nothing(foreign: list[EntryPoint]) -> None:
    foreign.append(point("broken", "no_such_module_at_all"))
    assert [*known({"this": "this"}, "anagnosis.things")] == ["this", "broken"]
    assert "this" not in sys.modules


def test_a_foreign_package_that_does_not_load_is_told_when_it_is_asked_for(foreign: list[EntryPoint]) -> None:
    foreign.append(point("broken", "no_such_module_at_all:x"))
    with pytest.raises(InputError, match=r"no_such_module_at_all:x: does not load"):
        find(TABLE, "broken", "thing", group="anagnosis.things")


@pytest.mark.parametrize("name", ["json", "theirs"])
def test_a_name_given_twice_is_refused(name: str, foreign: list[EntryPoint]) -> None:
    foreign += [point("theirs", "a:b"), point(name, "c:d")]
    with pytest.raises(InputError, match=f"entry points anagnosis.things: the name '{name}' is given twice"):
        known(TABLE, "anagnosis.things")


def test_the_same_entry_point_seen_twice_is_one(foreign: list[EntryPoint]) -> None:
    """As when a package is installed and lies on the path beside it."""
    foreign += [point("theirs", "a:b"), point("theirs", "a:b")]
    assert known({}, "anagnosis.things") == {"theirs": "a:b"}


@pytest.mark.parametrize("path", ["anagnosis.no_such_module:it", "anagnosis.registry:no_such_name"])
def test_a_reference_of_a_record_that_does_not_load_is_one_line(path: str) -> None:
    assert referenced("anagnosis.registry:find") is find
    with pytest.raises(InputError, match="does not load") as caught:
        referenced(path)
    assert caught.value.where == path


def test_known_names_are_looked_for_in_the_table_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise AssertionError("entry points were read")

    monkeypatch.setattr("importlib.metadata.entry_points", refuse)
    assert is_known({"ours": "json"}, "anagnosis.toys", "ours")
    assert find(TABLE, "dumps", "thing", group="anagnosis.things")
    with pytest.raises(AssertionError, match="entry points were read"):
        is_known({"ours": "json"}, "anagnosis.toys", "theirs")
