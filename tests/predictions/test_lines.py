from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.predictions import Answer, FoundSnippet, Prediction, read, write
from anagnosis.predictions.lines import LONGEST_LINE, numbered
from anagnosis.predictions.problems import LONGEST_NAME, NAMED, Problem, problems_found

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
PREDICTIONS = st.builds(
    Prediction,
    id=TEXT,
    answer=st.none() | TEXT,
    scores=st.none() | st.dictionaries(TEXT, FINITE, max_size=3),
    dataset=st.none() | TEXT,
    annotator=st.none() | TEXT,
    group=st.none() | TEXT,
    knowledge=st.none() | st.sampled_from(["context", "prior", "both", "none"]),
    seconds=st.none() | st.floats(0, allow_infinity=False),
)
PLACES = st.integers(0, 9)
ANSWERS = st.builds(Answer, TEXT, st.none() | FINITE) | st.builds(
    lambda text, snippet, begin, length: Answer(text, None, snippet, begin, begin + length),
    TEXT,
    PLACES,
    PLACES,
    PLACES,
)
SNIPPETS = st.builds(FoundSnippet, TEXT, TEXT, st.none() | PLACES, TEXT, st.none() | PLACES, TEXT)
OF_QUESTIONS = st.builds(
    Prediction,
    id=TEXT,
    dataset=st.none() | TEXT,
    answers=st.none() | st.lists(ANSWERS, max_size=3),
    ideal=st.none() | TEXT,
    documents=st.none() | st.lists(TEXT, max_size=3),
    snippets=st.none() | st.lists(SNIPPETS, max_size=2),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "system.jsonl"


@given(st.lists(PREDICTIONS | OF_QUESTIONS, max_size=4))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, predictions: list[Prediction]
) -> None:
    path = tmp_path_factory.mktemp("round") / "trip.jsonl"
    assert write(path, predictions) == len(predictions)
    assert list(read(path)) == predictions


@each_row(
    ("prediction", "line"),
    [
        (
            Prediction("1:0", "gene/1", {"gene/1": 0.1, "gene/2": -2.0}, "3f"),
            '{"id":"1:0","answer":"gene/1","scores":{"gene/1":0.1,"gene/2":-2.0},"dataset":"3f"}\n',
        ),
        (Prediction("1:9", None), '{"id":"1:9","answer":null}\n'),
        # Exact answers have no null beside them.
        (
            Prediction(
                "q", answers=[Answer("gene", 0.5, 0, 0, 4)], ideal="A gene.", documents=["http://x/1"]
            ),
            '{"id":"q","answers":[{"text":"gene","score":0.5,"snippet":0,"begin":0,"end":4}],'
            '"ideal":"A gene.","documents":["http://x/1"]}\n',
        ),
    ],
)
def test_a_line_has_the_fields_of_the_contract(prediction: Prediction, line: str, tmp_path: Path) -> None:
    write(tmp_path / "system.jsonl", [prediction])
    assert (tmp_path / "system.jsonl").read_text() == line


def test_compressed_files_windows_line_ends_byte_order_mark_and_a_last_line_without_end_are_read(
    file: Path,
) -> None:
    text = '\ufeff{"id": "a", "answer": "x"}\r\n{"answer": null, "id": "b"}'
    file.write_bytes(gzip.compress(text.encode()))
    assert [(p.id, p.answer) for p in read(file)] == [("a", "x"), ("b", None)]


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_finite_number_is_not_written_and_no_file_appears(
    file: Path, score: float
) -> None:
    for bad in (
        Prediction("b", "x", {"x": 1.0, "y": score}),
        Prediction("b", answers=[Answer("y", score)]),
    ):
        with pytest.raises(InputError, match=r"system\.jsonl: b: the score of y is"):
            write(file, [Prediction("a", "x"), bad])
        assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": "b", "answer": "x", "answer": "y"}', "the key 'answer' stands twice"),
        ('{"id": "b", "\\u0061nswer": "x", "answer" : "y"}', "the key 'answer' stands twice"),
        ('{"id": "b", "answer": "x", "scores": {"x": 1, "y": 2, "x": 3}}', "the key 'x' stands twice"),
        ('{"id": "b", "answers": [{"text": "x", "score": 1, "text": "y"}]}', "the key 'text' stands twice"),
        ('{"id": "b", "answer": "x", "note": {"of": [{"a": 1, "a": 2}]}}', "the key 'a' stands twice"),
        ('{"id": "b", "answer": "x", "note": ' + '{"a": ' * 990 + "1" + "}" * 990 + "}", "recursion depth"),
        ('{"id": "b", "answer": "x", "scores": {"x": NaN}}', "not JSON, which has no NaN or Infinity"),
        ('{"id": "b", "answer": "x", "scores": {"x": 1e999}}', "out of range"),
        ('{"id": "b", "answer": "x", "scores": {"x": null}}', "Expected `float`, got `null`"),
        (
            '{"id": "b", "answer": "x", "scores": [0.5]}',
            r"Expected `object \| null`, got `array` - at `\$\.scores`",
        ),
        ('{"id": "b"}', "the field 'answer' is missing"),
        ('{"answer": "b"}', "Object missing required field `id`"),
        ('{"id": "b", "answers": null}', "the field 'answer' is missing"),
        ('{"id": "b", "answer": "x", "answers": []}', "it has both answer and answers"),
        ('{"id": "b", "answers": [{"text": "x", "rank": 1}]}', r"rank.*answers\[0\]"),
        ('{"id": "b", "answers": [{"text": "x", "begin": 1}]}', "place is a snippet, begin and end"),
        (
            '{"id": "b", "answers": [{"text": "x", "snippet": 0, "begin": 3, "end": 2}]}',
            "ends before it begins",
        ),
        ('{"id": "b", "answers": [{"text": "x", "snippet": -1}]}', "Expected `int` >= 0"),
        (
            '{"id": "b", "answer": "x", "knowledge": "guess"}',
            r"Invalid enum value 'guess' - at `\$\.knowledge`",
        ),
        ('{"id": "b", "answer": "x", "seconds": -1}', "Expected `float` >= 0"),
        ('{"id": "b", "answer": "x"', "not JSON"),
        ('{"id": "b", "answer": "x"} {}', "not JSON"),
        ('[{"id": "b", "answer": "x"}]', "Expected `object`"),
        ("b\tx", "not JSON.*.b x."),
    ],
)
def test_a_line_that_is_no_prediction_is_refused_with_file_and_line(file: Path, line: str, what: str) -> None:
    file.write_text(f'{{"id": "a", "answer": "x"}}\n\n{line}\n')
    with pytest.raises(InputError, match=rf"^system\.jsonl:3: .*{what}.*; a line is {{"):
        list(read(file))


@each_row(
    "text",
    [
        '[{"id": "a", "answer": "x, y"}, {"id": "b", "answer": null}]\n',
        '\n[\n {"id": "a", "answer": "x, y"},\n {"id": "b", "answer": null}\n]',
        'id,answer\na,"x, y"\nb,\n',
        '\ufeffanswer;"id";note\r\nx, y;a;n\r\n\r\n;b;\r\n',
        "id\tanswer\na\tx, y\nb\t\n",
    ],
    ids=["a list", "a list of several lines", "CSV", "a spreadsheet's semicolons", "tabs"],
)
def test_a_json_list_and_a_table_are_read_as_lines_are(file: Path, text: str) -> None:
    file.write_text(text, newline="")
    assert [(each.id, each.answer) for each in read(file)] == [("a", "x, y"), ("b", None)]


@each_row(
    ("text", "fault"),
    [
        ('[{"id": "a", "answer": "x"}, {"id": "a"}]', "system.jsonl:2: the field 'answer' is missing"),
        ('[{"id": "a", "answer": "x"}, {"id', "system.jsonl: the text ends too early"),
        ('[{"id": "a", "answer": "x", "answer": "y"}]', "system.jsonl:1: .*twice"),
        ("id,answer\na,x, y\n", "system.jsonl:2: 3 cells under a header of 2"),
        ("id,label\na,x\n", "system.jsonl:2: the field 'answer' is missing"),
        ("id,answer,scores\na,x,{'x': 1}\n", r"system.jsonl:2: .*\$\.scores"),
    ],
)
def test_what_is_no_prediction_of_a_list_or_a_table_is_refused_with_its_place(
    file: Path, text: str, fault: str
) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match=fault):
        list(read(file))


def test_text_that_is_not_utf_8_is_refused(file: Path) -> None:
    file.write_bytes(b'{"id": "\xff", "answer": "x"}\n')
    with pytest.raises(InputError, match=r"^system\.jsonl:1: not UTF-8"):
        list(read(file))


def test_a_line_without_end_is_not_read_into_memory(file: Path) -> None:
    file.write_bytes(b" " + b"x" * (LONGEST_LINE + 10))
    with pytest.raises(InputError, match=r"^system\.jsonl:1: the line is longer"):
        list(read(file))


def test_empty_lines_and_unknown_fields_are_counted_and_passed_over(file: Path) -> None:
    lines = [
        {"id": "a", "answer": "x", "model": "big", "scores": {"x": 1}},
        None,
        {"id": "b", "answer": None, "model": "big", "prompt": "Which"},
        {"id": "c", "answer": "x"},
    ]
    file.write_text("\n".join(json.dumps(line) if line else " " for line in lines))
    problems = Counts()
    assert [(number, p.id) for number, p in numbered(file, problems)] == [(1, "a"), (3, "b"), (4, "c")]
    assert problems_found(problems) == {
        "blank": Problem(1, ("line 2",)),
        "unknown_fields": Problem(2, ("model", "prompt")),
    }
    assert next(read(file)).scores == {"x": 1.0}


def test_all_problems_are_counted_and_the_first_different_ones_named() -> None:
    problems = Counts()
    for number in range(NAMED + 3):
        problems.add("unknown", f"id{number // 2}")
    problems.add("missing", "x" * 200)
    assert list(problems_found(problems).items()) == [
        ("missing", Problem(1, ("x" * LONGEST_NAME,))),
        ("unknown", Problem(8, ("id0", "id1", "id2", "id3"))),
    ]
