"""The systems of a dataset, split and view, beside what `report` says of the same files."""

from __future__ import annotations

from pathlib import Path

from tests.leaderboard.boards import decisions, lines, made_board, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset


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
        assert own.verdict == ("tied" if gain.holm > 0.05 else "better" if gain.difference > 0 else "worse")
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
