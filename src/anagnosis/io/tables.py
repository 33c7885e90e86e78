"""Results as tables: Arrow tables and pandas frames of records, and packages that only such users have."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from anagnosis.errors import InputError
from anagnosis.showing import WithReport

if TYPE_CHECKING:
    import pyarrow as pa


class WithTable(WithReport):
    """A record with a report and a table. _COLUMNS: column → name of its Arrow type."""

    __slots__ = ()
    _COLUMNS: ClassVar[Mapping[str, str]]

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """The table's rows, a value for each column, None where there is none."""
        raise NotImplementedError  # each record has its own rows

    def table(self) -> pa.Table:
        """The record as an Arrow table."""
        import pyarrow as pa

        schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in self._COLUMNS.items()])
        return pa.Table.from_pylist(
            [dict(zip(self._COLUMNS, row, strict=True)) for row in self._rows()], schema
        )

    def to_pandas(self) -> Any:
        """The table as a pandas frame. InputError: pandas is not installed."""
        demand_package("pandas")
        return self.table().to_pandas()


def demand_package(name: str) -> Any:
    """The package of that name, imported. InputError: it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as fault:
        raise InputError(f"this needs {name}, which is not installed", "", f"pip install {name}") from fault
