"""The standings of a part beside what `report` says of the same files, and what those of a hidden split tell."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.leaderboard.boards import TODAY, decisions, lines, submit

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.board import Board
from anagnosis.leaderboard.building import board
from anagnosis.leaderboard.disclosure import SMALLEST_GROUP


def made(folder: Path, *datasets: Dataset, **how: Any) -> Board:
    return board(folder / "submissions", datasets, today=TODAY, **how)


def test_figures_are_those_of_report(tmp_path: Path, built: Dataset) -> None:
    rows = {name: lines(built, share, seed) for name, share, seed in (("a", 0.9, 1), ("b", 0.5, 2))}
    folders = {name: submit(tmp_path, name, {"test.jsonl": own}) for name, own in rows.items()}
    ((part,), (standing,)) = ((found := made(tmp_path, built)).parts, found.parts[0].standings)
    same = api.evaluate(
        built,
        [f"{name}={folder / 'test.jsonl'}" for name, folder in folders.items()],
        view="global",
        shortcuts=True,
    )
    (comparison,) = same.comparisons
    assert standing.signature == comparison.signature
    for row, ranked, scored in zip(standing.rows, comparison.ranking, same.systems, strict=True):
        found_figure = row.figure
        assert (row.submission, found_figure.value) == (ranked.name, ranked.estimate.value)
        assert (found_figure.low, found_figure.high) == (
            ranked.estimate.interval.low,
            ranked.estimate.interval.high,
        )
        assert found_figure.signature == ranked.estimate.signature == scored.signature
    assert standing.rows[0].holm == comparison.against_next[0].holm
    assert same.shortcuts is not None
    measured = same.shortcuts.measures["accuracy"]
    assert [row.reader for row in standing.shortcuts] == [reader.name for reader in measured.readers]
    assert standing.hard == same.shortcuts.hard
    (gains,) = measured.gains
    for gain in gains.systems:
        (result,) = (each for each in part.results if each.submission == gain.name)
        own = result.gains["accuracy"]
        assert (own.over, own.difference.value) == (measured.best, gain.difference)
        assert own.verdict == ("tied" if gain.holm > 0.05 else "better" if gain.difference > 0 else "worse")
        assert gain.hard is not None
        assert own.hard is not None
        assert own.hard.value == gain.hard.value
    for result, scored in zip(part.results, same.systems, strict=True):
        kept = [each for each in scored.breakdowns if len(each.slices) > 1]
        assert [each.factor for each in result.taken_apart] == [each.factor for each in kept]


def test_every_usual_measure_of_a_kind_has_a_standing(tmp_path: Path) -> None:
    built = decisions(tmp_path)
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.8)}, view="question-only")
    submit(tmp_path, "b", {"test.jsonl": lines(built, 0.4, 3)}, view="question-only")
    (part,) = made(tmp_path, built).parts
    assert [standing.measure for standing in part.standings] == ["accuracy", "macro_f1"]
    assert part.dates == ("1990", "2013")
    (only,) = made(tmp_path, built, measures=["macro_f1"]).parts
    assert [standing.measure for standing in only.standings] == ["macro_f1"]


def test_a_cut_off_is_held_against_the_dates_of_the_papers(tmp_path: Path) -> None:
    built = decisions(tmp_path)
    dated = sorted(instance.year for instance in store.instances(built, "test") if instance.year is not None)
    cutoff = date(int(dated[len(dated) // 2]), 6, 1)
    before = sum(int(year) <= cutoff.year for year in dated) / len(dated)
    about = {"view": "question-only", "training_data": "text", "training_cutoff": cutoff}
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.8)}, **about)
    submit(tmp_path, "b", {"test.jsonl": lines(built, 0.8)}, view="question-only")
    results = {each.submission: each.dated_before for each in made(tmp_path, built).parts[0].results}
    assert results == {"a": pytest.approx(before), "b": None}
    assert 0 < before < 1


def test_a_hidden_split_tells_two_decimals_no_p_and_no_small_group(tmp_path: Path, built: Dataset) -> None:
    for name, share, seed in (("a", 0.9, 1), ("b", 0.5, 2)):
        submit(tmp_path, name, {f"{n}.jsonl": lines(built, share, seed + n) for n in range(3)})
    (part,) = made(tmp_path, built, hidden=["test"]).parts
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
        for apart in result.taken_apart
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
    (part,) = made(tmp_path, built, hidden=["test"]).parts
    (row,) = part.standings[0].people
    assert (row.submission, row.group, row.people) == ("invented", "people", len(rows))
    (part,) = made(tmp_path, built).parts
    assert len(part.standings[0].people) == len(rows) + 1


def test_the_hard_subset_of_hidden_labels_is_not_shown(tmp_path: Path) -> None:
    asked = decisions(tmp_path)
    for name, share in (("a", 0.9), ("b", 0.4)):
        submit(tmp_path, name, {"t.jsonl": lines(asked, share)}, view="reasoning-required")
    (part,) = made(tmp_path, asked).parts
    assert part.standings[0].hard
    assert all(row.hard is not None for row in part.standings[0].rows)
    (part,) = made(tmp_path, asked, hidden=["test"]).parts
    assert all(standing.hard is None for standing in part.standings)
    assert all(row.hard is None for standing in part.standings for row in standing.rows)
    assert all(gain.hard is None for result in part.results for gain in result.gains.values())


def test_nothing_on_the_board_names_a_question(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5, 1)
    for row in rows[:7]:
        row["answer"] = "nothing of the kind"
    submit(tmp_path, "a", {"test.jsonl": rows})
    text = msgspec.json.encode(made(tmp_path, built, hidden=["test"])).decode()
    assert not [row["id"] for row in rows if row["id"] in text]


def test_systems_of_one_date_are_simultaneous_in_the_progress(tmp_path: Path, built: Dataset) -> None:
    entered = {"a": (0.1, 1), "b": (0.5, 1), "c": (0.8, 2), "d": (1.0, 2), "e": (0.2, 3)}
    for seed, (name, (share, month)) in enumerate(entered.items()):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)}, date=date(2024, month, 1))
    (part,) = board(tmp_path / "submissions", [built], today=TODAY).parts
    steps = part.standings[0].progress
    assert [step.submission for step in steps] == [*entered]
    assert [step.submission for step in steps if step.best] == ["b", "d"]


def test_a_dataset_without_answers_is_refused(tmp_path: Path, built: Dataset) -> None:
    from anagnosis.errors import InputError

    public = api.withhold(built, tmp_path / "public").dataset
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    with pytest.raises(InputError, match="is a public copy, which holds no answers to score against"):
        made(tmp_path, public)


def test_files_find_their_dataset_among_several(tmp_path: Path, built: Dataset) -> None:
    other = decisions(tmp_path)
    submit(tmp_path, "a", {"cloze.jsonl": lines(built, 0.5), "decisions.jsonl": lines(other, 0.5)}, view="")
    found = made(tmp_path, built, other)
    assert [(part.dataset, part.kind) for part in found.parts] == [
        ("built", "cloze"),
        ("decisions", "decision"),
    ]


def test_two_datasets_of_one_name_are_told_apart(tmp_path: Path, built: Dataset) -> None:
    instances = [*store.instances(built, "test")][:30]
    again = writing.write(tmp_path / "more" / "built", {"test": instances}, {"dataset": "biomrc"})
    submit(tmp_path, "a", {"0.jsonl": lines(built, 0.5), "1.jsonl": lines(again, 0.5)})
    names = [part.dataset for part in made(tmp_path, built, again).parts]
    assert len(set(names)) == 2
    assert all(name.endswith("/built") for name in names)


def _leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        return [leaf for name, each in value.items() for leaf in _leaves(each, (*path, name))]
    if isinstance(value, list):
        return [leaf for each in value for leaf in _leaves(each, path)]
    return [(path, value)]
