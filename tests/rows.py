"""One test for a table of cases: every row is tried, and those that fail are named together."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]
_IN_FULL = 20  # failures that are told in full; of the others the rows are named
Ids = Iterable[str] | Callable[[Any], Any] | None


def each_row(names: str | Iterable[str], rows: Iterable[Any], ids: Ids = None) -> Callable[[Test], Test]:
    """Takes what `pytest.mark.parametrize` takes, and makes one test of all rows.

    A row has its own folder `tmp_path`, its own `monkeypatch`, and in `capsys` and `capfd` its own output. The rows
    share all other fixtures, so a test that changes one of those needs `parametrize`. Two tables, one decorator above
    the other, are tried pair by pair.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = list(_named(columns, list(rows), ids))
    assert table, "the table has no rows"

    def of_rows(test: Test) -> Test:
        @wraps(test)
        def every_row(*instance: Any, **fixtures: Any) -> None:
            failures: dict[str, BaseException] = {}
            skipped: list[str] = []
            for number, (name, values) in enumerate(table):
                try:
                    with _of_one_row(fixtures, number) as own:
                        test(*instance, **own, **dict(zip(columns, values, strict=True)))
                except pytest.skip.Exception as reason:
                    skipped.append(str(reason))
                except (Exception, pytest.fail.Exception) as failure:
                    failures[f"row {number} [{name}]"] = failure
            if failures:
                lines = [f"{row}: {_said(failure)}" for row, failure in failures.items()]
                others = list(failures)[_IN_FULL:]
                lines[_IN_FULL:] = ["and " + ", ".join(others)] if others else []
                head = f"{len(failures)} of {len(table)} rows fail"
                raise AssertionError("\n".join([head, *lines])) from next(iter(failures.values()))
            if skipped:
                pytest.skip(skipped[0])

        signature = inspect.signature(test)
        kept = [each for name, each in signature.parameters.items() if name not in columns]
        every_row.__signature__ = signature.replace(parameters=kept)  # pyright: ignore[reportAttributeAccessIssue]
        return every_row

    return of_rows


def _named(columns: list[str], rows: list[Any], ids: Ids) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each row's name and its values, one a column."""
    given = None if ids is None or callable(ids) else list(ids)
    assert given is None or len(given) == len(rows), "as many ids as rows"
    for number, row in enumerate(rows):
        own, values = None, row
        if isinstance(row, type(pytest.param())):
            assert not row.marks, "a row with a mark is a test of its own"
            own, values = row.id, row.values
        elif len(columns) == 1:
            values = (row,)
        if own is None and given is not None:
            own = given[number]
        if own is None:
            own = ", ".join(_shown(value, ids) for value in values)
        assert len(values) == len(columns), f"row {number} [{own}] has {len(values)} values"
        yield own, tuple(values)


def _shown(value: Any, ids: Ids) -> str:
    name = ids(value) if callable(ids) else None
    return f"{value!r:.60}" if name is None else str(name)


@contextmanager
def _of_one_row(fixtures: Mapping[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """The fixtures as one row has them."""
    own = dict(fixtures)
    if "tmp_path" in own:
        own["tmp_path"] = fixtures["tmp_path"] / str(number)
        own["tmp_path"].mkdir()
    for name in own.keys() & {"capsys", "capfd"}:
        own[name].readouterr()
    if "monkeypatch" not in own:
        yield own
        return
    with fixtures["monkeypatch"].context() as patch:
        yield own | {"monkeypatch": patch}


def _said(failure: BaseException) -> str:
    """What failed, and in which line of the test."""
    frames = [frame for frame in traceback.extract_tb(failure.__traceback__) if frame.filename != __file__]
    where = f" (line {frames[0].lineno})" if frames else ""
    return f"{type(failure).__name__}{where}: {failure}"
