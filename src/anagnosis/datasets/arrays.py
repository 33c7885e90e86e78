"""Arrow arrays from numbers and texts, and back, without pandas; instances as rows of Arrow tables.

`pa.array`, `pa.scalar`, `Array.fill_null` and `Array.to_numpy` import pandas wherever it is installed, frames or not:
a third of a report's time (design/performance.md). Other packages bring pandas along; we use none of it. So the gold
side of a dataset, which every command that scores reads first, goes through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from anagnosis.array_types import AnyArray

Row = Callable[[Any], dict[str, Any]]
_TYPES: dict[Any, pa.DataType] = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
N = TypeVar("N", np.int32, np.int64)
Record = TypeVar("Record")


def from_numbers(values: NDArray[N]) -> pa.Array:
    """An array, without nulls, that shares the memory of int32 or int64 values."""
    kind = pa.int32() if values.dtype == np.int32 else pa.int64()
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def to_numbers(array: pa.Array) -> AnyArray:
    """The values of an array of numbers without nulls, read-only: the memory is the array's."""
    return np.from_dlpack(array)


def from_texts(texts: Sequence[str]) -> pa.StringArray:
    """An array of texts, none of them null."""
    encoded = [text.encode() for text in texts]
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(one) for one in encoded], out=ends[1:])
    if ends[-1] > np.iinfo(np.int32).max:
        raise pa.ArrowCapacityError("a string array holds 2 GiB at most")
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(encoded))]
    found: Any = pa.Array.from_buffers(pa.string(), len(encoded), buffers)
    return found


def without_nulls(array: pa.Array, value: int) -> pa.Array:
    """An int32 array with a value in place of its nulls."""
    import pyarrow.compute as pc

    return pc.call_function("coalesce", [array, from_numbers(np.full(len(array), value, np.int32))])


def tables(row: Row, schema: pa.Schema, instances: Iterable[Any], rows: int) -> Iterator[pa.Table]:
    """Instances as tables of at most `rows` rows."""
    coming = iter(instances)
    while group := [row(instance) for instance in islice(coming, rows)]:
        yield pa.Table.from_pylist(group, schema=schema)


def instances(record: type[Record], batch: pa.RecordBatch | pa.Table) -> Iterator[Record]:
    """The instances of a batch whose columns are a record's fields."""
    return (msgspec.convert(row, record) for row in batch.to_pylist())


def schema_of(record: type[Any], **given: pa.DataType) -> pa.Schema:
    """The columns of a record: a tuple is a list, a record a struct, an int has 64 bits, what may be None may be null.

    given: name of a field → its type, where it is another.
    """
    return pa.schema([_field(name, hint, given.get(name)) for name, hint in get_type_hints(record).items()])


def _field(name: str, hint: Any, given: pa.DataType | None = None) -> pa.Field[Any]:
    some = (
        [each for each in get_args(hint) if each is not NoneType] if get_origin(hint) is UnionType else [hint]
    )
    return pa.field(name, given or _type(some[0]), some != [hint])


def _type(hint: Any) -> pa.DataType:
    if get_origin(hint) is tuple:
        return pa.list_(_field("item", get_args(hint)[0]))
    if hint in _TYPES:
        return _TYPES[hint]
    return pa.struct([_field(name, own) for name, own in get_type_hints(hint).items()])


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
