"""Cloze instances become columns, and come back."""

from __future__ import annotations

import msgspec
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.datasets.kinds.samples import sample
from tests.instances import instances

from anagnosis.datasets.kinds import cloze_columns
from anagnosis.datasets.kinds.cloze_columns import WITHOUT_ANSWER_COLUMNS
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.table import CLOZE


@given(st.lists(instances(), max_size=6), st.integers(1, 4))
def test_what_goes_into_tables_comes_out_the_same(made: list[ClozeInstance], rows: int) -> None:
    tables = list(cloze_columns.tables(made, rows))
    assert [i for table in tables for i in cloze_columns.instances(table)] == made
    assert all(table.schema.equals(WITHOUT_ANSWER_COLUMNS) for table in tables)
    assert [t.num_rows for t in tables] == [min(rows, len(made) - at) for at in range(0, len(made), rows)]
    for table in tables:
        table.validate(full=True)


KNOWN = instances(answer_columns=True).filter(lambda each: len(each.answers) > 0)


@given(
    st.lists(KNOWN, min_size=1, max_size=6), st.lists(st.integers(0, 5), min_size=1, max_size=12), st.data()
)
def test_any_part_of_a_batch_gives_its_rows(
    made: list[ClozeInstance], order: list[int], data: st.DataObject
) -> None:
    # Rows repeat, next to each other and apart: what is kept from the row before must be that row's.
    rows = [made[place % len(made)] for place in order]
    (table,) = cloze_columns.tables(rows, len(rows))
    start = data.draw(st.integers(0, len(rows)))
    length = data.draw(st.integers(0, len(rows) - start))
    part = table.slice(start, length)
    assert list(cloze_columns.instances(part)) == rows[start : start + length]
    for batch in part.to_batches(max_chunksize=2):
        assert list(cloze_columns.instances(batch)) == list(
            cloze_columns.instances(pa.Table.from_batches([batch]))
        )
    several = pa.concat_tables([table, part, table])
    assert list(cloze_columns.instances(several)) == [*rows, *rows[start : start + length], *rows]


def test_equal_numbers_and_names_that_belong_together_otherwise_are_another_row() -> None:
    spans, names = ((0, 1), (2, 3), (4, 5)), ("a", "b", "c")

    def made(cut: int) -> ClozeInstance:
        """Three spans and three names, parted between two mentions and two candidates."""
        return msgspec.structs.replace(
            sample(CLOZE).instance,
            mentions=(PassageMention(spans[:cut], 0), PassageMention(spans[cut:], 0)),
            candidates=(Candidate("k", "", 0, names[:cut]), Candidate("l", "", 1, names[cut:])),
        )

    rows = [made(1), made(2), made(2), made(1)]
    (table,) = cloze_columns.tables(rows, 4)
    assert list(cloze_columns.instances(table)) == rows
