"""Names to implementations."""

from __future__ import annotations

import json

import pytest

from anagnosis.errors import InputError
from anagnosis.registry import find, referenced

TABLE = {"json": "json", "dumps": "json:dumps"}


def test_a_name_stands_for_a_module_or_an_attribute_of_it() -> None:
    assert find(TABLE, "json", "thing") is json
    assert find(TABLE, "dumps", "thing") is json.dumps


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(InputError, match=r"unknown thing 'dumsp'; did you mean dump or dumps\?"):
        find(TABLE, "dumsp", "thing", {"dump": "dumps"})


@pytest.mark.parametrize("path", ["anagnosis.no_such_module:it", "anagnosis.registry:no_such_name"])
def test_a_reference_of_a_record_that_does_not_load_is_one_line(path: str) -> None:
    assert referenced("anagnosis.registry:find") is find
    with pytest.raises(InputError, match="does not load") as caught:
        referenced(path)
    assert caught.value.where == path
