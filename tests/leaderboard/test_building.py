"""From submissions to a board: who is ranked where, what is not scored, and that nothing depends on order."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path

import pytest
from tests.leaderboard.boards import decisions, lines, made_board, people, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.leaderboard.board import Board, Standing


def only(found: Board) -> Standing:
    ((standing,),) = (part.standings for part in found.parts)
    return standing


def test_systems_that_no_test_tells_apart_share_a_range_of_ranks(tmp_path: Path, built: Dataset) -> None:
    for name, share, seed in (("good", 0.97, 1), ("twin", 0.97, 2), ("poor", 0.3, 3)):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)})
    found = only(made_board(tmp_path, built))
    assert {row.submission: row.ranks for row in found.rows} == {
        "good": (1, 2),
        "twin": (1, 2),
        "poor": (3, 3),
    }
    assert [row.against_next for row in found.rows] == ["tied", "better", ""]
    assert found.family == 3


def test_views_are_never_mixed(tmp_path: Path, built: Dataset) -> None:
    for name, view in (("a", "global"), ("b", "names"), ("c", "")):
        submit(tmp_path, name, {"test.jsonl": lines(built, 0.5, 1)}, view=view)
    found = made_board(tmp_path, built)
    assert [(part.view, [row.submission for row in part.standings[0].rows]) for part in found.parts] == [
        ("global", ["a"]),
        ("names", ["b"]),
        ("", ["c"]),
    ]
    assert all(part.standings[0].family == 0 for part in found.parts)
    assert all(
        part.standings[0].rows[0].ranks is None for part in found.parts
    )  # nothing is ranked against them


def test_files_of_one_split_are_runs_of_one_system(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "runs", {f"seed-{n}.jsonl": lines(built, 0.6, n) for n in range(3)})
    found = made_board(tmp_path, built)
    assert found.parts[0].results[0].files == ("seed-0.jsonl", "seed-1.jsonl", "seed-2.jsonl")
    assert len(only(found).rows) == 1


def test_the_line_of_progress_rises_only_where_a_difference_is_earned(tmp_path: Path, built: Dataset) -> None:
    for name, share, seed, day in (
        ("first", 0.5, 1, date(2024, 1, 1)),
        ("twin", 0.52, 1, date(2024, 2, 1)),
        ("better", 0.95, 3, date(2024, 3, 1)),
        ("worse", 0.4, 4, date(2024, 4, 1)),
    ):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)}, date=day)
    steps = only(made_board(tmp_path, built)).progress
    assert [(step.submission, step.best) for step in steps] == [
        ("first", True),
        ("twin", False),
        ("better", True),
        ("worse", False),
    ]


def test_people_stand_apart_as_the_mean_of_a_group(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "system", {"test.jsonl": lines(built, 0.5)})
    asked = lines(built, 1.0)[:20]
    wrong = [{**row, "answer": None} for row in asked[10:]]
    submit(
        tmp_path, "people", {"a.jsonl": people(asked, "ann"), "b.jsonl": people([*asked[:10], *wrong], "bea")}
    )
    found = only(made_board(tmp_path, built))
    assert [row.submission for row in found.rows] == ["system"]
    (row,) = found.people
    assert (row.group, row.people, row.figure.value, row.figure.n) == ("experts", 2, 0.75, 20)


def test_a_bad_submission_is_named_and_stops_nothing(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "good", {"test.jsonl": lines(built, 0.5)})
    submit(tmp_path, "bad", {"test.jsonl": lines(built, 0.5)[1:]}, date=date(2026, 8, 2))
    found = made_board(tmp_path, built)
    assert [system.submission for system in found.systems] == ["good"]
    ((refused,),) = ([*found.refused],)
    assert refused.submission == "bad"
    assert [fault.partition(" (")[0] for fault in refused.faults] == [
        "system.toml: date: 2026-08-02 is after today, 2026-08-01",
        "test.jsonl: 1 id has no line",
    ]


def test_the_name_of_a_refused_folder_is_shown_as_one_line(tmp_path: Path, built: Dataset) -> None:
    place = submit(tmp_path, "esc\x1b[31m\nred", {"t.jsonl": b"{}\n"})
    (place.parent / os.fsdecode(b"bad\xff")).mkdir()
    names = [refused.submission for refused in made_board(tmp_path, built).refused]
    assert len(names) == 2
    assert all(name.isprintable() for name in names)
    assert json.dumps(names).encode()


def test_a_dataset_without_answers_is_refused(tmp_path: Path, built: Dataset) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    with pytest.raises(InputError, match="is a public copy, which holds no answers to score against"):
        made_board(tmp_path, public)


def test_files_find_their_dataset_among_several(tmp_path: Path, built: Dataset) -> None:
    other = decisions(tmp_path)
    submit(tmp_path, "a", {"cloze.jsonl": lines(built, 0.5), "decisions.jsonl": lines(other, 0.5)}, view="")
    found = made_board(tmp_path, built, other)
    assert [(part.dataset, part.kind) for part in found.parts] == [
        ("BioMRC", "cloze"),
        ("PubMedQA", "decision"),
    ]


def test_figures_are_those_of_report(tmp_path: Path, built: Dataset) -> None:
    rows = {name: lines(built, share, seed) for name, share, seed in (("a", 0.9, 1), ("b", 0.5, 2))}
    folders = {name: submit(tmp_path, name, {"test.jsonl": own}) for name, own in rows.items()}
    ((part,), (standing,)) = ((found := made_board(tmp_path, built)).parts, found.parts[0].standings)
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
        assert own.verdict == ("tied" if gain.p > 0.05 else "better" if gain.difference > 0 else "worse")
        assert gain.hard is not None
        assert own.hard is not None
        assert own.hard.value == gain.hard.value
    for result, scored in zip(part.results, same.systems, strict=True):
        kept = [each for each in scored.breakdowns if len(each.slices) > 1]
        assert [each.factor for each in result.breakdowns] == [each.factor for each in kept]


def test_every_usual_measure_of_a_kind_has_a_standing(tmp_path: Path) -> None:
    built = decisions(tmp_path)
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.8)}, view="question-only")
    submit(tmp_path, "b", {"test.jsonl": lines(built, 0.4, 3)}, view="question-only")
    (part,) = made_board(tmp_path, built).parts
    assert [standing.measure for standing in part.standings] == ["accuracy", "macro_f1"]
    assert part.dates == ("1990", "2013")
    (only,) = made_board(tmp_path, built, measures=["macro_f1"]).parts
    assert [standing.measure for standing in only.standings] == ["macro_f1"]


def test_predictions_for_other_datasets_are_faults_or_left_out_where_that_is_asked(
    tmp_path: Path, built: Dataset
) -> None:
    rows = lines(built, 0.5)
    foreign = [{**row, "dataset": "f" * 64} for row in rows]
    submit(tmp_path, "both", {"a.jsonl": rows, "b.jsonl": foreign})
    submit(tmp_path, "foreign", {"b.jsonl": foreign})
    submit(tmp_path, "mixed", {"b.jsonl": [*foreign[:1], *rows[1:]]})
    submit(tmp_path, "unsaid", {"b.jsonl": [{"id": "x", "answer": "y"}]})
    strict = made_board(tmp_path, built)
    assert [each.submission for each in strict.refused] == ["both", "foreign", "mixed", "unsaid"]
    found = made_board(tmp_path, built, leave_out_others=True)
    assert [(each.submission, each.files) for each in found.other_datasets] == [
        ("both", ("b.jsonl",)),
        ("foreign", ("b.jsonl",)),
    ]
    assert [system.submission for system in found.systems] == ["both"]
    assert [each.submission for each in found.refused] == ["mixed", "unsaid"]
