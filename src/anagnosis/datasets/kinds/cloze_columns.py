"""Cloze instances as Arrow columns, gathered without an object a row, and read back.

Nested columns are read as flat lists, a batch at a time, so that no row becomes dictionaries on its way. Neighbours
of one document have the same passage and often hundreds of mentions; what is equal in two rows running is made once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise, repeat
from typing import Any, cast

import numpy as np
import pyarrow as pa

from anagnosis.array_types import Ints
from anagnosis.datasets.arrays import from_numbers, to_numbers
from anagnosis.datasets.kinds.cloze_instance import (
    ANSWER_COLUMNS,
    CLOZE_SCHEMA,
    PLACEHOLDER,
    Candidate,
    ClozeInstance,
    MentionPlace,
    PassageMention,
)

WITHOUT_ANSWER_COLUMNS = pa.schema([field for field in CLOZE_SCHEMA if field.name not in ANSWER_COLUMNS])


_ONE = array("i", [1])


class MentionColumns:
    """list<struct<spans: list<struct<start, end>>, candidate>>, flattened, in arrays of 32 bits."""

    def __init__(self) -> None:
        self.rows = array("i")  # mentions a row
        self.spans = array("i")  # spans a mention
        self.starts = array("i")
        self.ends = array("i")
        self.candidates = array("i")

    def add(self, starts: Sequence[int], ends: Sequence[int], candidates: Sequence[int]) -> None:
        """One row of mentions of one span each; quickest from arrays of 32 bits."""
        self.rows.append(len(starts))
        self.spans.extend(_ONE * len(starts))
        self.starts.extend(starts)
        self.ends.extend(ends)
        self.candidates.extend(candidates)

    def add_mentions(self, mentions: Sequence[PassageMention]) -> None:
        """One row of mentions of any number of spans."""
        self.rows.append(len(mentions))
        for mention in mentions:
            self.spans.append(len(mention.spans))
            self.candidates.append(mention.candidate)
            for start, end in mention.spans:
                self.starts.append(start)
                self.ends.append(end)

    def array(self, kind: pa.DataType) -> pa.Array:
        mention = kind.value_type
        spans = mention.field("spans").type
        span = spans.value_type
        points = pa.StructArray.from_arrays([_numbers(self.starts), _numbers(self.ends)], fields=list(span))
        spans_array = pa.ListArray.from_arrays(offsets(self.spans), points, type=spans)
        mentions = pa.StructArray.from_arrays([spans_array, _numbers(self.candidates)], fields=list(mention))
        return pa.ListArray.from_arrays(offsets(self.rows), mentions, type=kind)


class CandidateColumns:
    """list<struct<key, type, number, names>>, flattened."""

    def __init__(self) -> None:
        self.rows = array("i")  # candidates a row
        self.keys: list[str] = []
        self.types: list[str] = []
        self.numbers = array("i")
        self.name_counts = array("i")  # names a candidate
        self.names: list[str] = []

    def add(
        self,
        keys: Sequence[str],
        types: Sequence[str],
        numbers: Sequence[int],
        names: Sequence[Sequence[str]],
    ) -> None:
        """One row of candidates."""
        self.rows.append(len(keys))
        self.keys.extend(keys)
        self.types.extend(types)
        self.numbers.extend(numbers)
        self.name_counts.extend(map(len, names))
        for group in names:
            self.names.extend(group)

    def array(self, kind: pa.DataType) -> pa.Array:
        names = pa.ListArray.from_arrays(
            offsets(self.name_counts),
            pa.array(self.names, pa.string()),
            type=kind.value_type.field("names").type,
        )
        texts = pa.array(self.keys, pa.string()), pa.array(self.types, pa.string())
        fields = [*texts, _numbers(self.numbers), names]
        candidates = pa.StructArray.from_arrays(fields, fields=list(kind.value_type))
        return pa.ListArray.from_arrays(offsets(self.rows), candidates, type=kind)


class ClozeColumns:
    """The columns of CLOZE_SCHEMA, growing row by row; `table` gives what was gathered and starts anew.

    answer_columns: whether every row tells the identifier, type and origin of each answer (ANSWER_COLUMNS).
    """

    def __init__(self, *, answer_columns: bool = False) -> None:
        self.schema = CLOZE_SCHEMA if answer_columns else WITHOUT_ANSWER_COLUMNS
        self._clear()

    def _clear(self) -> None:
        self.mentions, self.question_mentions = MentionColumns(), MentionColumns()
        self.candidates = CandidateColumns()
        self._plain: dict[str, list[Any]] = {name: [] for name in CLOZE_SCHEMA.names if name not in _NESTED}

    def __len__(self) -> int:
        return len(self._plain["id"])

    def add_question(
        self,
        ident: str,
        document: str,
        date: str,
        passage: str,
        mentions: tuple[Sequence[int], Sequence[int], Sequence[int]],
        line: str,
        hidden: tuple[int, int],
        others: Sequence[MentionPlace],
        candidates: tuple[Sequence[str], Sequence[str], Sequence[int], Sequence[Sequence[str]]],
        answer: int | None,
        answers: Sequence[str],
        labels: Sequence[str] = (),
        of_answers: tuple[Sequence[str], Sequence[str], Sequence[str]] = ((), (), ()),
    ) -> None:
        """One instance, whose question is a line with XXXX in place of a mention.

        mentions: starts, ends and candidates in the passage. hidden: where the mention stands in the line, and others:
        the line's other ones. candidates: keys, types, numbers and names. of_answers: the identifier, type and origin
        of each answer.
        """
        start, end = hidden
        question = line[:start] + PLACEHOLDER + line[end:]
        row = (ident, document, date, passage, question, answer, answers, labels, *of_answers)
        for column, value in zip(self._plain.values(), row, strict=True):
            column.append(value)
        self.mentions.add(*mentions)
        shift = len(question) - len(line)
        moved = [(a + shift, b + shift, of) if a >= end else (a, b, of) for a, b, of in others]
        self.question_mentions.add(
            [a for a, _, _ in moved], [b for _, b, _ in moved], [of for _, _, of in moved]
        )
        self.candidates.add(*candidates)

    def add(self, instance: ClozeInstance) -> None:
        """One instance."""
        for name, column in self._plain.items():
            column.append(getattr(instance, name))
        self.mentions.add_mentions(instance.mentions)
        self.question_mentions.add_mentions(instance.question_mentions)
        own = instance.candidates
        self.candidates.add(
            [c.key for c in own], [c.type for c in own], [c.number for c in own], [c.names for c in own]
        )

    def table(self) -> pa.Table:
        """Everything gathered since the last call, as a table of `schema`."""
        arrays: list[pa.Array] = []
        for name, kind in zip(self.schema.names, self.schema.types):
            if name in _NESTED:
                arrays.append(getattr(self, name).array(kind))
            elif pa.types.is_list(kind):
                arrays.append(_lists(self._plain[name], kind))
            else:
                arrays.append(pa.array(self._plain[name], kind))
        self._clear()
        return pa.Table.from_arrays(arrays, schema=self.schema)


def _numbers(numbers: array[int]) -> pa.Array:
    return from_numbers(np.array(numbers, np.int32))


def offsets(counts: Sequence[int] | Ints) -> pa.Array:
    """Arrow list offsets from the number of items in each row."""
    ends = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(np.asarray(counts, np.int32), out=ends[1:])
    return from_numbers(ends)


def _lists(rows: Sequence[Sequence[str]], kind: pa.DataType) -> pa.Array:
    items = [item for row in rows for item in row]
    return pa.ListArray.from_arrays(
        offsets([len(row) for row in rows]), pa.array(items, pa.string()), type=kind
    )


def tables(instances: Iterable[ClozeInstance], rows: int) -> Iterator[pa.Table]:
    """Instances as tables of at most `rows` rows; the first instance decides whether they have ANSWER_COLUMNS."""
    columns: ClozeColumns | None = None
    for instance in instances:
        columns = columns or ClozeColumns(answer_columns=bool(instance.answer_origins))
        columns.add(instance)
        if len(columns) == rows:
            yield columns.table()
    if columns is not None and len(columns):
        yield columns.table()


def instances(batch: pa.RecordBatch | pa.Table) -> Iterator[ClozeInstance]:
    """The instances of a batch of CLOZE_SCHEMA, with or without ANSWER_COLUMNS."""
    if isinstance(batch, pa.Table):
        yield from chain.from_iterable(map(instances, batch.to_batches()))
    elif batch.num_rows:
        columns: list[Iterable[Any]] = []
        for name, kind in zip(CLOZE_SCHEMA.names, CLOZE_SCHEMA.types):
            if name not in batch.schema.names:
                columns.append(repeat(()))
            elif name in _NESTED:
                columns.append(_NESTED[name](batch.column(name)))
            elif pa.types.is_list(kind):
                columns.append(_texts_of(batch.column(name)))
            else:
                columns.append(batch.column(name).to_pylist())
        yield from map(ClozeInstance, *columns)


def _mentions_of(column: pa.Array) -> Iterator[tuple[PassageMention, ...]]:
    """list<struct<spans: list<struct<start, end>>, candidate>>"""
    spans, candidates = _fields(column)
    starts, ends = map(_numbers_of, _fields(spans))
    begins, numbers = _numbers_of(spans.offsets), _numbers_of(candidates)
    counts = np.diff(begins).tolist()  # spans of each mention

    def made(starts: list[int], ends: list[int], numbers: list[int], counts: list[int]) -> Any:
        points = zip(starts, ends)
        return tuple([PassageMention(tuple(islice(points, count)), of) for count, of in zip(counts, numbers)])

    return _made_once(
        made,
        (
            (starts[begins[a] : begins[b]], ends[begins[a] : begins[b]], numbers[a:b], counts[a:b])
            for a, b in _ranges(column)
        ),
    )


def _candidates_of(column: pa.Array) -> Iterator[tuple[Candidate, ...]]:
    """list<struct<key, type, number, names: list<string>>>"""
    keys, types, numbers, names = _fields(column)
    flat: tuple[list[Any], ...] = (keys.to_pylist(), types.to_pylist(), _numbers_of(numbers))
    begins, surfaces = _numbers_of(names.offsets), names.values.to_pylist()
    flat = (*flat, np.diff(begins).tolist())  # names of each candidate

    def made(keys: Any, types: Any, numbers: Any, counts: list[int], names: list[str]) -> Any:
        every = iter(names)
        return tuple(map(Candidate, keys, types, numbers, [tuple(islice(every, count)) for count in counts]))

    return _made_once(
        made,
        ((*(each[a:b] for each in flat), surfaces[begins[a] : begins[b]]) for a, b in _ranges(column)),
    )


def _made_once(make: Callable[..., Any], rows: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """What is made of each row; of a row like the one before the same."""
    last, made = (), ()
    for row in rows:
        if row != last:
            last, made = row, make(*row)
        yield made


def _texts_of(column: pa.Array) -> Iterator[tuple[str, ...]]:
    """list<string>"""
    values = cast(pa.ListArray, column).values.to_pylist()
    return (tuple(values[first:end]) for first, end in _ranges(column))


def _fields(column: pa.Array) -> list[Any]:
    """The columns of a list of structs."""
    return cast(pa.StructArray, cast(pa.ListArray, column).values).flatten()


def _ranges(column: pa.Array) -> Iterator[tuple[int, int]]:
    """The place of each list's first value and the end of its last one."""
    return pairwise(_numbers_of(cast(pa.ListArray, column).offsets))


def _numbers_of(array: pa.Array) -> list[int]:
    return to_numbers(array).tolist()


_NESTED = {"mentions": _mentions_of, "question_mentions": _mentions_of, "candidates": _candidates_of}
