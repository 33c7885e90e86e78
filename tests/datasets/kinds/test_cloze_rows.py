"""Instances read back from columns: slices, several chunks, repeated rows, and folders without later columns."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.instances import instances

from anagnosis.datasets.kinds import cloze_columns, cloze_rows
from anagnosis.datasets.kinds.cloze_instance import ANSWER_COLUMNS, Candidate, ClozeInstance, PassageMention

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
    assert list(cloze_rows.instances(part)) == rows[start : start + length]
    for batch in part.to_batches(max_chunksize=2):
        assert list(cloze_rows.instances(batch)) == list(cloze_rows.instances(pa.Table.from_batches([batch])))
    several = pa.concat_tables([table, part, table])
    assert list(cloze_rows.instances(several)) == [*rows, *rows[start : start + length], *rows]


def test_equal_numbers_and_names_that_belong_together_otherwise_are_another_row() -> None:
    def made(cut: int) -> ClozeInstance:
        """Three spans and three names, parted between two mentions and two candidates."""
        spans, names = ((0, 1), (2, 3), (4, 5)), ("a", "b", "c")
        return ClozeInstance(
            "1",
            "1",
            "",
            "a b c",
            "XXXX",
            (PassageMention(spans[:cut], 0), PassageMention(spans[cut:], 0)),
            (),
            (Candidate("k", "", 0, names[:cut]), Candidate("l", "", 1, names[cut:])),
            None,
            (),
        )

    rows = [made(1), made(2), made(2), made(1)]
    (table,) = cloze_columns.tables(rows, 4)
    assert list(cloze_rows.instances(table)) == rows


@given(KNOWN)
def test_folders_from_before_the_columns_of_answers_have_none(made: ClozeInstance) -> None:
    (table,) = cloze_columns.tables([made], 1)
    (found,) = cloze_rows.instances(table.drop_columns([*ANSWER_COLUMNS]))
    assert (found.answer_identifiers, found.answer_types, found.answer_origins) == ((), (), ())
