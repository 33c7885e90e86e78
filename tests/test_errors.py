"""One line for every mistake: where, what, and what to do."""

from __future__ import annotations

import pickle

import pytest

from anagnosis.errors import InputError, missing_extra, unknown_name


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("it ends at 9", "a.gz:3", "drop it"), "a.gz:3: it ends at 9; drop it"),
        (InputError("it ends at 9"), "it ends at 9"),
        (InputError("it ends at 9", remedy="drop it"), "it ends at 9; drop it"),
        (InputError("two\nlines\t of text", "a\nb"), "a b: two lines of text"),
    ],
)
def test_an_error_is_one_line(error: InputError, line: str) -> None:
    assert str(error) == line


def test_an_error_keeps_its_fields_on_the_way_from_a_worker() -> None:
    error = pickle.loads(pickle.dumps(InputError("what", "where", "remedy")))
    assert (error.what, error.where, error.remedy) == ("what", "where", "remedy")
    assert str(error) == "where: what; remedy"


def test_an_unknown_name_is_told_with_the_nearest_ones() -> None:
    known = ["first-entity", "last-entity", "chance"]
    assert str(unknown_name("reader", "frist-entity", known)) == (
        "unknown reader 'frist-entity'; did you mean first-entity or last-entity?"
    )


def test_an_unknown_name_like_none_is_told_with_all() -> None:
    assert str(unknown_name("reader", "zzz", ["b", "a"], "--reader")) == (
        "--reader: unknown reader 'zzz'; known: a, b"
    )
    assert str(unknown_name("reader", "zzz", [])) == "unknown reader 'zzz'; known: none"


def test_a_missing_extra_says_how_to_get_it() -> None:
    assert str(missing_extra("distributed", "cluster", "running on a cluster")) == (
        'running on a cluster needs distributed, which is not installed; pip install "anagnosis[cluster]"'
    )
