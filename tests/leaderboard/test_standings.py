"""What a standing tells: of a hidden split, of tests with too few draws, and of the systems by date."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from tests.leaderboard.boards import TODAY, decisions, lines, made_board, submit

from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.comparison import compare_every_pair
from anagnosis.evaluation.systems import System
from anagnosis.leaderboard.disclosure import SMALLEST_GROUP
from anagnosis.leaderboard.entries import entry
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.standings import _too_few_draws  # pyright: ignore[reportPrivateUsage]  (by itself)
from anagnosis.leaderboard.submission import submission
from anagnosis.reports.leaderboard.words import too_few_draws


def test_nothing_on_the_board_names_a_question(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5, 1)
    for row in rows[:7]:
        row["answer"] = "nothing of the kind"
    submit(tmp_path, "a", {"test.jsonl": rows})
    text = msgspec.json.encode(made_board(tmp_path, built, hidden=["test"])).decode()
    assert not [row["id"] for row in rows if row["id"] in text]


def test_a_hidden_split_tells_two_decimals_no_p_and_no_small_group(tmp_path: Path, built: Dataset) -> None:
    for name, share, seed in (("a", 0.9, 1), ("b", 0.5, 2)):
        submit(tmp_path, name, {f"{n}.jsonl": lines(built, share, seed + n) for n in range(3)})
    (part,) = made_board(tmp_path, built, hidden=["test"]).parts
    assert part.hidden
    (standing,) = part.standings
    numbers = [
        number
        for path, number in _leaves(json.loads(msgspec.json.encode(part)))
        if isinstance(number, float) and path[-1] in ("value", "low", "high")
    ]
    assert len(numbers) > 20
    assert all(number == round(number, 4) for number in numbers)
    assert [row.holm for row in standing.rows] == [None, None]
    assert all(row.hard is None for row in standing.rows)  # fewer than SMALLEST_GROUP questions are hard here
    assert all(
        group.n >= SMALLEST_GROUP
        for result in part.results
        for apart in result.breakdowns
        for group in apart.groups
    )
    # no value of a single run, by which three entries would stand in one
    assert {field.name for field in dataclasses.fields(standing.rows[0].figure)} == {
        "value",
        "low",
        "high",
        "n",
        "signature",
    }


def test_invented_people_tell_no_answer_of_a_hidden_split(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    one_each = [{**row, "annotator": f"p{n}", "group": f"g{n}"} for n, row in enumerate(rows)]
    submit(tmp_path, "invented", {"test.jsonl": one_each})
    submit(tmp_path, "few", {"test.jsonl": one_each[:1]})
    (part,) = made_board(tmp_path, built, hidden=["test"]).parts
    (row,) = part.standings[0].people
    assert (row.submission, row.group, row.people) == ("invented", "people", len(rows))
    (part,) = made_board(tmp_path, built).parts
    assert len(part.standings[0].people) == len(rows) + 1


def test_a_standing_says_where_more_draws_might_tell_systems_apart(tmp_path: Path) -> None:
    built = decisions(tmp_path)
    systems: list[System] = []
    for name, share in (("a", 1.0), ("b", 0.3)):
        place = submit(tmp_path, name, {"t.jsonl": lines(built, share)}, view="question-only")
        systems.append(entry(submission(place, TODAY), Golds((built,))).systems[0, "test"])
    gold = Gold.of(built, "test", tokens=True)
    found = compare_every_pair(
        gold, systems, protocol="fixed", unit="document", seed=0, measure="macro_f1", draws=500
    ).comparison
    assert _too_few_draws(found) is None
    # As one pair of a hundred, which no p of 500 draws can pass, and which no bound shows.
    tied = replace(found.differences[0], verdict="tied", p=1 / 501)
    among_many = replace(found, family=100, differences=(tied,))
    assert _too_few_draws(among_many) == 500
    assert _too_few_draws(replace(among_many, family=20)) is None
    assert _too_few_draws(replace(among_many, differences=(replace(tied, p=0.3),))) is None
    assert "500 drawn swaps cannot tell any two of so many systems apart (100 pairs)" in too_few_draws(
        500, 100
    )


def _leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        return [leaf for name, each in value.items() for leaf in _leaves(each, (*path, name))]
    if isinstance(value, list):
        return [leaf for each in value for leaf in _leaves(each, path)]
    return [(path, value)]


def test_systems_of_one_date_are_simultaneous_in_the_progress(tmp_path: Path, built: Dataset) -> None:
    entered = {"a": (0.1, 1), "b": (0.5, 1), "c": (0.8, 2), "d": (1.0, 2), "e": (0.2, 3)}
    for seed, (name, (share, month)) in enumerate(entered.items()):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)}, date=date(2024, month, 1))
    (part,) = made_board(tmp_path, built).parts
    steps = part.standings[0].progress
    assert [step.submission for step in steps] == [*entered]
    assert [step.submission for step in steps if step.best] == ["b", "d"]
