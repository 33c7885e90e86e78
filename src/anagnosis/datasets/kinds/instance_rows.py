"""Instances as rows of Arrow tables, for kinds whose datasets are small enough to make an object for each row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

Row = Callable[[Any], dict[str, Any]]


def tables(row: Row, schema: pa.Schema, instances: Iterable[Any], rows: int) -> Iterator[pa.Table]:
    """Instances as tables of at most `rows` rows."""
    coming = iter(instances)
    while group := [row(instance) for instance in islice(coming, rows)]:
        yield pa.Table.from_pylist(group, schema=schema)


class InstanceRows:
    """Instances of a schema, gathered; `table` gives what was gathered and starts anew."""

    def __init__(self, row: Row, schema: pa.Schema) -> None:
        self.row = row
        self.schema = schema
        self.rows: list[dict[str, Any]] = []

    def add(self, instance: Any) -> None:
        """Add one instance."""
        self.rows.append(self.row(instance))

    def table(self) -> pa.Table:
        """All that was gathered since the last call."""
        gathered, self.rows = self.rows, []
        return pa.Table.from_pylist(gathered, schema=self.schema)
