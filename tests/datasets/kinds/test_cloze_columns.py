"""Instances as Arrow columns and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.instances import instances

from anagnosis.datasets.kinds import cloze_columns as columns
from anagnosis.datasets.kinds import cloze_rows
from anagnosis.datasets.kinds.cloze_columns import WITHOUT_ANSWER_COLUMNS, ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import CLOZE_SCHEMA, ClozeInstance


@given(st.lists(instances(), max_size=6), st.integers(1, 4))
def test_what_goes_into_tables_comes_out_the_same(made: list[ClozeInstance], rows: int) -> None:
    tables = list(columns.tables(made, rows))
    assert [i for table in tables for i in cloze_rows.instances(table)] == made
    assert all(table.schema.equals(WITHOUT_ANSWER_COLUMNS) for table in tables)
    assert [t.num_rows for t in tables] == [min(rows, len(made) - at) for at in range(0, len(made), rows)]
    for table in tables:
        table.validate(full=True)


@given(
    st.lists(instances(answer_columns=True).filter(lambda i: len(i.answers)), max_size=6), st.integers(1, 4)
)
def test_what_is_known_of_each_answer_comes_out_the_same(made: list[ClozeInstance], rows: int) -> None:
    tables = list(columns.tables(made, rows))
    assert [i for table in tables for i in cloze_rows.instances(table)] == made
    assert all(table.schema.equals(CLOZE_SCHEMA) for table in tables)


def test_a_builder_gathers_the_columns_of_answers_where_it_says_so() -> None:
    gathered = ClozeColumns(answer_columns=True)
    assert gathered.table().schema.equals(CLOZE_SCHEMA)
    made = ClozeInstance(
        "1:0",
        "1",
        "",
        "p",
        "q",
        (),
        (),
        (),
        None,
        ("a", "b"),
        (),
        ("C1", ""),
        ("test", ""),
        ("dataset", "UMLS"),
    )
    gathered.add(made)
    assert list(cloze_rows.instances(gathered.table())) == [made]


@given(instances())
def test_a_slice_of_a_table_holds_its_own_rows(made: ClozeInstance) -> None:
    (table,) = columns.tables([made] * 3, 3)
    assert list(cloze_rows.instances(table.slice(1, 1))) == [made]
    assert [i for batch in table.to_batches(max_chunksize=1) for i in cloze_rows.instances(batch)] == [
        made
    ] * 3


def test_columns_start_anew_after_each_table() -> None:
    gathered = ClozeColumns()
    assert gathered.table().num_rows == 0
    made = ClozeInstance("1:0", "1", "", "p", "q", (), (), (), None, ())
    gathered.add(made)
    assert len(gathered) == 1
    assert list(cloze_rows.instances(gathered.table())) == [made]
    assert len(gathered) == 0
    assert gathered.table().num_rows == 0


def test_mentions_of_one_span_are_gathered_without_an_object_each() -> None:
    one, other = columns.MentionColumns(), columns.MentionColumns()
    one.add([0, 5], [3, 9], [1, 0])
    other.add_mentions([columns.PassageMention(((0, 3),), 1), columns.PassageMention(((5, 9),), 0)])
    kind = CLOZE_SCHEMA.field("mentions").type
    assert one.array(kind).equals(other.array(kind))


def test_only_the_answer_may_be_missing() -> None:
    assert [field.name for field in CLOZE_SCHEMA if field.nullable] == ["answer"]


def test_offsets_are_the_running_sum_from_zero() -> None:
    assert columns.offsets([2, 0, 3]).to_pylist() == [0, 2, 2, 5]
    assert columns.offsets([]).to_pylist() == [0]
