from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golds import Row, gold_of, instance, plain
from tests.predictions.matched import match
from tests.rows import each_row

from anagnosis.datasets.folder import writing
from anagnosis.errors import InputError
from anagnosis.predictions import (
    OUTSIDE,
    UNANSWERED,
    Matched,
    match_each,
    match_files,
    matching,
    split_of,
)

ROWS = [
    Row(
        "1:0",
        ["gene/1", "gene/2", "disease/D1"],
        0,
        names=[["TP53", "p53"], ["MDM2"], ["cancer", "p53"]],
        numbers=[12, 7, 30],
    ),
    Row("1:5", ["disease/D1", "gene/2"], 1, names=[["Cancer", "CANCER"], ["12"]], numbers=[30, 7]),
    Row("2:0", ["gene/3", "gene/4"], 1, names=[["A b"], ["a  B"]], numbers=[12, 13]),
]


GOLD = gold_of(ROWS)
File = Callable[..., Path]


@pytest.fixture
def file(tmp_path: Path) -> File:
    """Writes lines to a file."""

    def write(*lines: Any, name: str = "base4.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return write


def line(id: str, answer: str | None, **more: Any) -> dict[str, Any]:
    return {"id": id, "answer": answer, **more}


def counts(matched: Matched) -> dict[str, int]:
    return {name: problem.count for name, problem in matched.problems.items()}


def test_the_highest_score_may_be_shared(file: File) -> None:
    found = match(
        file(
            line("1:0", "gene/1", scores={"disease/D1": 0.5, "gene/2": 0.25, "gene/1": 0.5}),
            line("1:5", "gene/2", scores={"disease/D1": -3, "gene/2": -3.5}),
            line("2:0", "gene/4"),
        ),
        GOLD,
    )
    assert found.tied.tolist() == [2, 1, 0]
    assert found.on_top.tolist() == [True, False, False]
    assert counts(found) == {"answer_not_on_top": 1}
    assert found.problems["answer_not_on_top"].first == ("1:5",)


def test_scores_that_leave_out_candidates_or_name_strangers_are_counted(file: File) -> None:
    found = match(
        file(
            line("1:0", None, scores={"gene/1": -9, "gene/2": -10}),
            line("1:5", "gene/2", scores={"gene/9": 5, "gene/2": 1, "disease/D1": 0}),
            line("2:0", "gene/3", scores={"7": 1}),
        ),
        GOLD,
    )
    assert found.tied.tolist() == [1, 1, 0]
    assert found.on_top.tolist() == [True, True, False]
    assert counts(found) == {"partial_scores": 2, "foreign_scores": 2}


def test_the_first_line_of_an_id_counts_and_strangers_and_missing_instances_are_named(file: File) -> None:
    found = match(file(line("1:0", "gene/2"), line("9:9", "gene/1"), line("1:0", "gene/1")), GOLD)
    assert found.choice.tolist() == [1, UNANSWERED, UNANSWERED]
    assert counts(found) == {"missing": 2, "repeated": 1, "unknown": 1}
    assert found.problems["missing"].first == ("1:5", "2:0")
    assert found.problems["repeated"].first == ("1:0",)
    assert found.problems["unknown"].first == ("9:9",)


@pytest.mark.parametrize(
    ("id", "answer", "choice", "problem"),
    [
        ("1:0", "gene/2", 1, None),
        ("1:0", "@entity7", 1, "from_number"),
        ("1:0", "entity30", 2, "from_number"),
        ("1:0", "12", 0, "from_number"),
        ("1:0", "-12", OUTSIDE, "unmapped"),
        ("1:0", " tp53", 0, "from_name"),
        ("1:0", "p53", OUTSIDE, "unmapped"),
        ("1:5", "cancer", 0, "from_name"),
        ("1:5", "12", 1, "from_name"),
        ("2:0", "A b", 0, "from_name"),
        ("2:0", "a  B", 1, "from_name"),
        ("2:0", "a b", OUTSIDE, "unmapped"),
        ("2:0", "", OUTSIDE, "unmapped"),
    ],
)
def test_an_answer_is_a_key_or_the_number_or_name_of_one_candidate(
    file: File, id: str, answer: str, choice: int, problem: str | None
) -> None:
    others = [line(row.id, row.candidates[0]) for row in ROWS if row.id != id]
    found = match(file(line(id, answer), *others), GOLD)
    assert found.choice[GOLD.ids.rows([id])[0]] == choice
    assert counts(found) == ({problem: 1} if problem else {})


def test_a_number_that_is_another_candidates_name_names_none(file: File) -> None:
    gold = gold_of([Row("1:0", ["a", "b"], names=[["7"], []], numbers=[1, 7])])
    assert counts(match(file(line("1:0", "7")), gold, kept=True)) == {"unmapped": 1}


def test_answers_that_are_none_of_fixed_labels_are_counted_by_their_text(file: File) -> None:
    gold = replace(plain(3), labels=("k0", "k1", "k2"))
    found = match(file(*(line(f"d{i}:0", answer) for i, answer in enumerate(["maybe", "maybe", "k2"]))), gold)
    assert (found.strays, found.typed, found.free) == ({"maybe": 2}, 1, 2)


def test_lines_made_for_another_dataset_are_refused_or_counted(file: File) -> None:
    path = file(
        line("1:0", "gene/1", dataset=GOLD.fingerprint),
        line("1:5", "gene/2", dataset="f" * 64),
        line("2:0", "gene/4"),
    )
    with pytest.raises(
        InputError,
        match=rf"^base4\.jsonl:2: made for another.*\(f{{12}}; here: test {GOLD.fingerprint[:12]}\)",
    ):
        match(path, GOLD)
    found = match(path, GOLD, check_fingerprint=False)
    assert counts(found) == {"wrong_fingerprint": 1}
    assert found.choice.tolist() == [0, 1, 1]


@each_row(
    ("lines", "what"),
    [
        ([], "base4.jsonl: holds no predictions"),
        ([line("7:7", "x"), line("8:8", "x")], "base4.jsonl: none of its ids is in the test split .*'7:7'.* as '1:0'"),
        ([line("1:0", None, annotator="a", group="b"), line("1:5", None, annotator="a")], ":2: annotator a was .* b"),
        ([line("1:0", None, annotator=f"a{n}") for n in range(3)], "base4.jsonl:3: more than 2 annotators"),
    ],
)  # fmt: skip
def test_a_file_that_fits_no_split_is_refused(
    lines: list[dict[str, Any]], what: str, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "LARGEST_CROWD", 2)
    with pytest.raises(InputError, match=what):
        match_each(file(*lines), GOLD)


def test_several_people_may_share_a_file(file: File) -> None:
    ann = {"annotator": "ann", "group": "experts"}
    path = file(
        line("1:0", "gene/1", **ann, knowledge="both", seconds=12.5),
        line("1:0", "gene/2", annotator="bob"),
        line("1:5", None, **ann, knowledge="none"),
        line("2:0", "gene/4", **ann),
        line("1:5", "gene/2", annotator="bob", seconds=3),
    )
    first, second = match_each(path, GOLD)
    assert (first.annotator, first.group, first.choice.tolist()) == ("ann", "experts", [0, UNANSWERED, 1])
    assert (second.annotator, second.group, second.choice.tolist()) == ("bob", None, [1, 1, UNANSWERED])
    assert first.seconds.tolist()[0] == 12.5
    assert np.isnan(first.seconds[1:]).all()
    assert (counts(first), counts(second)) == ({}, {"missing": 1})


def test_the_split_of_a_file_is_the_one_its_ids_lie_in(file: File) -> None:
    splits = {
        "train": plain(3).ids,
        "test": gold_of(ROWS).ids,
        "dev": gold_of([Row("1:0", ["x"]), Row("5:0", ["x"])]).ids,
    }
    assert split_of(file(line("9:9", None), line("1:0", None), line("2:0", None)), splits) == "test"
    assert split_of(file(line("5:0", None), line("1:0", None)), splits) == "dev"
    with pytest.raises(InputError, match=r"several splits \(1 in test, 1 in dev\).*--split"):
        split_of(file(line("1:0", None)), splits)
    with pytest.raises(InputError, match=r"several splits \(1 in train, 1 in test\)"):
        split_of(file(line("d0:0", None), line("2:0", None)), splits)
    with pytest.raises(InputError, match="none of its ids"):
        split_of(file(line("x", None)), splits)
    with pytest.raises(
        InputError, match="standard input: it can be read only once; name the split: --split train or"
    ):
        split_of("-", splits)
    assert split_of("-", {"test": splits["test"]}) == "test"


def test_files_are_held_against_the_split_they_share(tmp_path: Path, file: File) -> None:
    dataset = writing.write(
        tmp_path / "built",
        {"dev": [instance(Row("5:0", ["x", "y"]))], "test": map(instance, ROWS)},
        {"dataset": "biomrc"},
    )
    one = file(line("1:0", "gene/1"), line("5:0", "x"), name="one.jsonl")
    two = file(line("2:0", "gene/3"), name="two.jsonl.gz")
    gold, found = match_files([two, two], dataset)
    assert (gold.split, [matched.name for matched in found]) == ("test", ["two", "two"])
    gold, found = match_files([one, two], dataset, "test")
    assert [counts(matched) for matched in found] == [{"missing": 2, "unknown": 1}, {"missing": 2}]
    with pytest.raises(InputError, match=r"dev\.jsonl: dev; two\.jsonl\.gz: test"):
        match_files([file(line("5:0", "x"), name="dev.jsonl"), two], dataset)
    with pytest.raises(InputError, match=r"no split 'train'"):
        match_files([two], dataset, "train")


@pytest.mark.parametrize("block", [1, 7, 4096])
def test_blocks_gaps_and_disorder_do_not_change_what_is_matched(
    file: File, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(matching, "BLOCK", block)
    gold = plain(60)
    dice = random.Random(block)
    lines = [
        line(f"d{i}:0", f"k{i % 3}", scores={f"k{j}": (i * j) % 4 for j in range(3)})
        for i in range(60)
        if i % 11
    ]
    lines += [line(f"s{i}", "k0") for i in range(5)] + lines[:3]
    expected = [i % 3 if i % 11 else UNANSWERED for i in range(60)]
    for shuffle in (False, True):
        if shuffle:
            dice.shuffle(lines)
        found = match(file(*lines), gold)
        assert found.choice.tolist() == expected
        assert found.tied[:5].tolist() == [0, 1, 1, 1, 3]
        assert {name: n for name, n in counts(found).items() if name != "answer_not_on_top"} == {
            "missing": 6,
            "repeated": 3,
            "unknown": 5,
        }


def test_memory_does_not_grow_with_the_lines_of_a_file(tmp_path: Path) -> None:
    import tracemalloc

    gold = plain(2000)
    once = "".join(
        json.dumps(line(f"d{i}:0", "k1", scores={"k0": 0.1, "k1": 0.7, "k2": 0.2}, model="x" * 200)) + "\n"
        for i in range(2000)
    )
    peaks: list[int] = []
    for times in (5, 20):
        path = tmp_path / f"{times}.jsonl"
        with path.open("w") as stream:
            stream.writelines(once for _ in range(times))
        tracemalloc.start()
        match(path, gold)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.1
