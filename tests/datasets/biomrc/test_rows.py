"""The four lists of the authors' JSON, read side by side and written one after the other."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.datasets.biomrc.rows import Row, first_entities, read_rows, write_rows
from anagnosis.errors import InputError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ROW = st.builds(Row, TEXT, TEXT, st.lists(TEXT, max_size=3), TEXT)


def written(rows: list[Row]) -> bytes:
    stream = io.BytesIO()
    assert write_rows(rows, stream) == len(rows)
    return stream.getvalue()


@given(rows=st.lists(ROW, max_size=4))
def test_the_bytes_are_those_of_json_dumps_and_give_the_rows_again(
    rows: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> None:
    abstracts, titles, entities, answers = (
        (list(column) for column in zip(*rows)) if rows else ([], [], [], [])
    )
    whole = {"abstracts": abstracts, "titles": titles, "entities_list": entities, "answers": answers}
    assert written(rows) == json.dumps(whole).encode()
    path = tmp_path_factory.mktemp("rows") / "rows.json"
    path.write_bytes(written(rows))
    said: list[str] = []
    assert list(read_rows(path, said.append)) == rows
    assert not said
    assert first_entities(path) == (rows[0].entities if rows else None)


@pytest.mark.parametrize("separators", [(",", ":"), (" , ", ": ")])
def test_other_spacing_is_read_and_told(separators: tuple[str, str], tmp_path: Path) -> None:
    rows = [Row("a\n", "b\n", ["@entity0"], "@entity0"), Row("c\n", "d\n", [], "@entity1")]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(json.loads(written(rows)), separators=separators))
    said: list[str] = []
    assert list(read_rows(path, said.append)) == rows
    assert len(said) == 1
    assert str(path.stat().st_size) in said[0]
    assert str(len(written(rows))) in said[0]


def test_an_unescaped_letter_and_half_a_surrogate_pair_are_told(tmp_path: Path) -> None:
    for number, text in enumerate(('"é"', '"\\ud800"')):
        path = tmp_path / f"{number}.json"
        path.write_text(f'{{"abstracts": [{text}], "titles": [""], "entities_list": [[]], "answers": [""]}}')
        said: list[str] = []
        assert len(list(read_rows(path, said.append))) == 1
        assert said


@each_row(
    ("text", "line"),
    [
        ("", "too early"),
        ("[]", "the list abstracts expected, '[' found"),
        ("{}", "the key abstracts expected"),
        ('{"data": []}', "the key abstracts expected"),
        ('{"titles": [], "abstracts": [], "entities_list": [], "answers": []}', "the key abstracts expected"),
        ('{"abstracts": "x"}', "the list abstracts expected"),
        (
            '{"abstracts": [1], "titles": [""], "entities_list": [[]], "answers": [""]}',
            "item 0 of abstracts is no text",
        ),
        (
            '{"abstracts": [""], "titles": [""], "entities_list": [""], "answers": [""]}',
            "item 0 of entities_list is no list",
        ),
        (
            '{"abstracts": [""], "titles": [""], "entities_list": [[null]], "answers": [""]}',
            "an item of entities_list[0] is no text",
        ),
        (
            '{"abstracts": ["", ""], "titles": [""], "entities_list": [[]], "answers": ["", ""]}',
            "titles, entities_list has 1 items",
        ),
        (
            '{"abstracts": [], "titles": [], "entities_list": [], "answers": [""]}',
            "abstracts, titles, entities_list has 0 items",
        ),
        (
            '{"abstracts": [], "titles": [], "entities_list": [], "answers": [], "more": []}',
            "the end of the object expected",
        ),
        ('{"abstracts": [], "titles": [], "entities_list": [], "answers": []} x', "stands behind"),
        ('{"abstracts": ["', "too early"),
    ],
)
def test_another_structure_is_refused_in_one_line(text: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(InputError) as fault:
        list(read_rows(path))
    assert line in str(fault.value)
    assert str(fault.value).startswith("broken.json:")
    assert "\n" not in str(fault.value)


def test_no_temporary_file_stays_behind(tmp_path: Path) -> None:
    write_rows([Row("a", "b", [], "c")], io.BytesIO(), spool=tmp_path)
    assert not list(tmp_path.iterdir())
