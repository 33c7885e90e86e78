"""Cloze instances as Arrow columns, gathered without an object a row; cloze_rows.py reads them back."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from anagnosis.array_types import Ints
from anagnosis.datasets.arrays import from_numbers
from anagnosis.datasets.kinds.cloze_instance import (
    ANSWER_COLUMNS,
    CLOZE_SCHEMA,
    ClozeInstance,
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
        counts = array("i", map(len, names))
        self.add_flat(keys, types, numbers, counts, [name for group in names for name in group])

    def add_flat(
        self,
        keys: Sequence[str],
        types: Sequence[str],
        numbers: Sequence[int],
        name_counts: Sequence[int],
        names: Sequence[str],
    ) -> None:
        """One row of candidates whose names lie in one list, so many of each; quickest where rows share them."""
        self.rows.append(len(keys))
        self.keys.extend(keys)
        self.types.extend(types)
        self.numbers.extend(numbers)
        self.name_counts.extend(name_counts)
        self.names.extend(names)

    def array(self, kind: pa.DataType) -> pa.Array:
        candidate = kind.value_type
        names = candidate.field("names").type
        names_array = pa.ListArray.from_arrays(
            offsets(self.name_counts), pa.array(self.names, pa.string()), type=names
        )
        candidates = pa.StructArray.from_arrays(
            [
                pa.array(self.keys, pa.string()),
                pa.array(self.types, pa.string()),
                _numbers(self.numbers),
                names_array,
            ],
            fields=list(candidate),
        )
        return pa.ListArray.from_arrays(offsets(self.rows), candidates, type=kind)


class ClozeColumns:
    """The columns of CLOZE_SCHEMA, growing row by row; `table` gives what was gathered and starts anew.

    answer_columns: whether every row tells the identifier, type and origin of each answer (ANSWER_COLUMNS).
    """

    def __init__(self, *, answer_columns: bool = False) -> None:
        self.schema = CLOZE_SCHEMA if answer_columns else WITHOUT_ANSWER_COLUMNS
        self._clear()

    def _clear(self) -> None:
        self.ids: list[str] = []
        self.documents: list[str] = []
        self.dates: list[str] = []
        self.passages: list[str] = []
        self.questions: list[str] = []
        self.mentions = MentionColumns()
        self.question_mentions = MentionColumns()
        self.candidates = CandidateColumns()
        self.answers: list[int | None] = []
        self.answer_names: list[Sequence[str]] = []
        self.labels: list[Sequence[str]] = []
        self.answer_identifiers: list[Sequence[str]] = []
        self.answer_types: list[Sequence[str]] = []
        self.answer_origins: list[Sequence[str]] = []

    def __len__(self) -> int:
        return len(self.ids)

    def add_row(
        self,
        ident: str,
        document: str,
        date: str,
        passage: str,
        question: str,
        answer: int | None,
        answers: Sequence[str],
        labels: Sequence[str] = (),
        of_answers: tuple[Sequence[str], Sequence[str], Sequence[str]] = ((), (), ()),
    ) -> None:
        """One instance but for its mentions, its question's mentions and its candidates, which the caller adds.

        of_answers: the identifier, type and origin of each answer.
        """
        self.ids.append(ident)
        self.documents.append(document)
        self.dates.append(date)
        self.passages.append(passage)
        self.questions.append(question)
        self.answers.append(answer)
        self.answer_names.append(answers)
        self.labels.append(labels)
        self.answer_identifiers.append(of_answers[0])
        self.answer_types.append(of_answers[1])
        self.answer_origins.append(of_answers[2])

    def add(self, instance: ClozeInstance) -> None:
        """One instance."""
        self.add_row(
            instance.id,
            instance.document,
            instance.date,
            instance.passage,
            instance.question,
            instance.answer,
            instance.answers,
            instance.labels,
            (instance.answer_identifiers, instance.answer_types, instance.answer_origins),
        )
        self.mentions.add_mentions(instance.mentions)
        self.question_mentions.add_mentions(instance.question_mentions)
        candidates = instance.candidates
        self.candidates.add(
            [c.key for c in candidates],
            [c.type for c in candidates],
            [c.number for c in candidates],
            [c.names for c in candidates],
        )

    def table(self) -> pa.Table:
        """Everything gathered since the last call, as a table of `schema`."""
        strings = pa.string()
        kinds = {field.name: field.type for field in CLOZE_SCHEMA}
        arrays = [
            pa.array(self.ids, strings),
            pa.array(self.documents, strings),
            pa.array(self.dates, strings),
            pa.array(self.passages, strings),
            pa.array(self.questions, strings),
            self.mentions.array(kinds["mentions"]),
            self.question_mentions.array(kinds["question_mentions"]),
            self.candidates.array(kinds["candidates"]),
            pa.array(self.answers, pa.int32()),
            _lists(self.answer_names, kinds["answers"]),
            _lists(self.labels, kinds["labels"]),
        ]
        if self.schema is CLOZE_SCHEMA:
            arrays += [_lists(getattr(self, name), kinds[name]) for name in ANSWER_COLUMNS]
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
