"""A predictions file beside the datasets of a board: everything that `score` would count, a board refuses."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.leaderboard.boards import jsonl, lines, people
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard import examining
from anagnosis.leaderboard.examining import Examined, examined
from anagnosis.leaderboard.golds import Golds


def looked_at(
    folder: Path, built: Dataset, content: bytes | Sequence[dict[str, Any]], name: str = "a.jsonl"
) -> Examined:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else jsonl(content))
    return examined(path, Golds((built,)), name)


def test_a_sound_file_belongs_to_its_split(tmp_path: Path, built: Dataset) -> None:
    found = looked_at(tmp_path, built, lines(built, 0.5))
    assert (found.faults, found.place, found.split, len(found.matched)) == ((), 0, "test", 1)


def test_a_public_copy_does_as_well_as_the_dataset(tmp_path: Path, built: Dataset) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    rows = lines(built, 0.5)
    assert looked_at(tmp_path, public, rows).faults == ()
    wrong = [*rows[2:], rows[2], {"id": "x", "answer": "y"}]
    faults = [looked_at(tmp_path, each, wrong).faults for each in (public, built)]
    assert [fault.partition(" (")[0] for fault in faults[0]] == [
        fault.partition(" (")[0] for fault in faults[1]
    ]


def test_all_faults_of_a_file_are_reported_at_once(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    dev = lines(built, 0.5, split="dev")[0]
    content = jsonl(
        [
            *rows[2:],
            {**rows[3]},
            {"id": "strange", "answer": "x"},
            {**dev, "dataset": rows[0]["dataset"]},
            {**rows[1], "dataset": "0" * 64},
            {**rows[0], "note": "x"},
        ]
    )
    found = looked_at(
        tmp_path, built, content + b'{"id": "1"}\n{"id": "2", "answer": "x", "scores": {"a": "b"}}\n'
    )
    assert [fault.partition(" (")[0] for fault in found.faults] == [
        f"line {len(rows) + 4}: the field 'answer' is missing",
        f"line {len(rows) + 5}: scores: a number is wanted, not text",
        "1 line is made for another dataset or split",
        "1 line repeats an id",
        "1 id is not in the dataset",
        "1 id is of another split",
        "1 line has fields that no prediction has",
    ]


@each_row("score", [b"NaN", b"1e999", b"-Infinity", b'"0.5"', b"null", b"true"])
def test_a_score_that_is_no_finite_number_is_a_fault(tmp_path: Path, built: Dataset, score: bytes) -> None:
    rows = lines(built, 0.5)
    last = json.dumps({**rows[-1], "scores": {"x": 7}}).encode().replace(b"7", score)
    (fault, *_) = looked_at(tmp_path, built, jsonl(rows[:-1]) + last + b"\n").faults
    assert fault.startswith(f"line {len(rows)}: ")


def test_fields_of_the_gold_are_named(tmp_path: Path, built: Dataset) -> None:
    rows = [{**row, "passage": "…"} for row in lines(built, 0.5)]
    (fault,) = looked_at(tmp_path, built, rows).faults
    assert fault == f"{len(rows)} lines have fields of the dataset, as its gold has ('passage', …)"


def test_a_missing_id_is_a_fault_of_a_system_and_none_of_people(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)[1:]
    assert [fault.partition(" (")[0] for fault in looked_at(tmp_path, built, rows).faults] == [
        "1 id has no line"
    ]
    assert looked_at(tmp_path, built, people(rows, "ann")).faults == ()
    (fault,) = looked_at(tmp_path, built, [*people(rows[:5], "ann"), *rows[5:]]).faults
    assert fault == "some lines have an annotator and others have none"


def test_a_fault_of_lines_is_counted_once_however_many_people_a_file_has(
    tmp_path: Path, built: Dataset
) -> None:
    rows = [{**row, "mood": "good"} for row in lines(built, 0.5)[:6]]
    content = jsonl([row for who in ("ann", "bea", "cy") for row in people(rows, who)]) + b"\n"
    found = looked_at(tmp_path, built, content)
    assert found.faults == ("18 lines have fields that no prediction has ('mood', …)",)
    assert found.notes["blank"].count == 1
    twice = [row for who in ("ann", "bea", "cy") for row in (*people(rows[:2], who), *people(rows[:1], who))]
    assert [fault.partition(" (")[0] for fault in looked_at(tmp_path, built, twice).faults] == [
        "3 lines repeat an id",
        "9 lines have fields that no prediction has",
    ]


def test_a_log_of_lm_eval_is_refused_since_it_holds_the_gold(tmp_path: Path, built: Dataset) -> None:
    sample = {"doc": {"id": "1", "keys": ["a"]}, "target": "0", "filtered_resps": [["-1.0", "False"]]}
    (fault,) = looked_at(tmp_path, built, [sample]).faults
    assert fault == "is a log of lm-evaluation-harness, which holds the gold (the field 'target')"


def test_a_bomb_is_refused_at_the_limit_of_unpacked_bytes(tmp_path: Path, built: Dataset) -> None:
    bomb = gzip.compress(b"\n" * (examining.LARGEST_FILE + 1), 9)
    assert len(bomb) < 1 << 20
    (fault,) = looked_at(tmp_path, built, bomb, "a.jsonl.gz").faults
    assert fault == "has more than 256 MiB unpacked"


def test_one_json_object_has_a_lower_limit_since_it_is_read_whole(
    tmp_path: Path, built: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examining, "LARGEST_OBJECT", 100)
    answers = {row["id"]: row["answer"] for row in lines(built, 0.5)}
    (fault,) = looked_at(tmp_path, built, json.dumps(answers).encode()).faults
    assert fault == "has more than 0 MiB unpacked in one JSON object"


def test_answers_by_id_are_taken(tmp_path: Path, built: Dataset) -> None:
    answers = {row["id"]: row["answer"] for row in lines(built, 0.5)}
    assert looked_at(tmp_path, built, json.dumps(answers).encode()).faults == ()


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", ""), (b"\n\n", ""), (b'{"a": 1}\n' * 9, " (line 1: the field 'id' is missing)")],
)
def test_a_file_without_predictions_is_a_fault(
    tmp_path: Path, built: Dataset, content: bytes, why: str
) -> None:
    assert looked_at(tmp_path, built, content).faults == (f"holds no predictions{why}",)


def test_a_file_for_another_dataset_is_named_with_both_fingerprints(tmp_path: Path, built: Dataset) -> None:
    rows = [{**row, "dataset": "f" * 64} for row in lines(built, 0.5)]
    (fault,) = looked_at(tmp_path, built, rows).faults
    assert fault.startswith("made for another dataset or split (ffffffffffff; here: built train ")


def test_ids_of_no_dataset_are_a_fault(tmp_path: Path, built: Dataset) -> None:
    (fault,) = looked_at(tmp_path, built, [{"id": "x", "answer": "y"}]).faults
    assert fault == "none of its ids is in a dataset of this board (the first is 'x')"


def test_ids_of_two_datasets_need_a_fingerprint(tmp_path: Path, built: Dataset) -> None:
    part = api.sample(built, tmp_path / "part", settings={"train": 0, "dev": 0, "test": 10})
    rows = lines(part, 0.5)
    golds = Golds((built, part))
    path = tmp_path / "a.jsonl"
    path.write_bytes(jsonl(rows))
    assert (examined(path, golds, "a").place, examined(path, golds, "a").faults) == (1, ())
    path.write_bytes(jsonl([{key: row[key] for key in ("id", "answer")} for row in rows]))
    assert examined(path, golds, "a").faults == ("its ids lie in several splits (built test, part test)",)


def test_many_broken_lines_are_counted_and_the_first_are_quoted(tmp_path: Path, built: Dataset) -> None:
    found = looked_at(tmp_path, built, jsonl(lines(built, 0.5)) + b"{}\n" * 1000)
    assert len(found.faults) == 6
    assert found.faults[-1] == "and 995 more lines that are no predictions"
