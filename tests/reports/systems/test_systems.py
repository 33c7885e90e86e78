from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from tests.golds import Row as GoldRow
from tests.golds import gold_of
from tests.predictions.matched import match
from tests.reports.conftest import Scored
from tests.reports.stored import check_stored
from tests.rows import each_row

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.breakdown import Breakdown, Slice
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.systems import System, Training
from anagnosis.predictions.notes import TrainingNote
from anagnosis.reports.report import Block, Plot, Text
from anagnosis.reports.systems.breakdowns import breakdown_blocks
from anagnosis.reports.systems.problems import problems, warnings
from anagnosis.reports.systems.results import detail_blocks, files_of, score_blocks
from anagnosis.reports.systems.systems import LINES, Row, facts, rows_of, systems_table


def _scores(scored: Scored) -> list[Score]:
    train = Gold.of(scored.dataset, "train")
    return [
        score(
            scored.gold,
            replace(System.alone(each), view="global", place=place),
            protocol="expected",
            train=train,
        )
        for place, each in enumerate(scored.matched)
    ]


def whole(rows: list[Row], *notes: str) -> list[Block]:
    files, passed_over = files_of([(row.name, split, of) for row in rows for split, of in row.scores.items()])
    shown = [*warnings(files, passed_over), *score_blocks(rows, "test", notes=notes)]
    return [*shown, *detail_blocks(rows, "test"), *problems(files, passed_over)]


def test_a_report_of_systems_has_every_part(scored: Scored) -> None:
    first, *others = _scores(scored)
    known = replace(first, training=Training(18, 3312.0, 12_872_800))
    right, often, *_ = scored.matched
    runs = score(scored.gold, System("own", (right, often), place=9), protocol="expected", unit="instance")
    rows = rows_of([known, *others, replace(runs, view="global")])
    check_stored("systems", whole(rows, "A note."))
    alone = rows_of(_scores(scored)[:1])
    listed = facts("biomrc", {"train": 2760, "test": 246}, {"test": "af3a"}, view="", unit="document")
    check_stored("one-system", (listed, *whole(alone)))


@each_row(
    ("seconds", "written"),
    [
        (3312.0, "18 × 0.92 h"),
        (2340.0, "18 × 0.65 h"),
        (600.0, "18 × 0.17 h"),
        (599.0, "18 × 10.0 min"),
        (100.0, "18 × 1.7 min"),
        (99.4, "18 × 99 s"),
        (41.2, "18 × 41 s"),
        (4.25, "18 × 4.2 s"),
        (0.364, "18 × 0.36 s"),
    ],
)
def test_training_is_written_as_the_paper_writes_it(seconds: float, written: str, scored: Scored) -> None:
    known = Training(18, seconds, 12_872_800)
    first, *others = _scores(scored)
    table = systems_table(rows_of([replace(first, training=known), *others]))
    assert table.rows[0][5:] == (written.replace(" ", "\u00a0"), 12_872_800)


def test_the_training_of_several_runs_is_a_mean_and_sizes_that_differ_are_not_shown() -> None:
    notes = [
        TrainingNote(5, 10.0, 600, 60),
        TrainingNote(6, 14.0, 600, 61),
        TrainingNote(6, None, 600, 60),
    ]
    assert Training.of(notes[:2]) == Training(5.5, 12.0, 600, None)
    assert Training.of(notes[1:]) == Training(6.0, None, 600, None)
    assert Training.of(notes[:1]) == Training(5, 10.0, 600, 60)


def test_a_row_has_the_training_that_any_of_its_splits_tells(scored: Scored) -> None:
    (one, *_) = _scores(scored)
    known = Training(3, 1.0)
    rows = rows_of([replace(one, split="dev"), replace(one, training=known), one])
    assert [(row.name, row.training) for row in rows] == [("right", known), ("right (2)", Training())]


@each_row(
    ("names", "rows"),
    [
        ({"dev": ["base4-dev"], "test": ["base4-test"]}, {"base4": ["dev", "test"]}),
        ({"dev": ["dev.base4"], "test": ["base4"]}, {"base4": ["dev", "test"]}),
        ({"dev": ["base4_dev_n3"], "test": ["base4_n3"]}, {"base4_n3": ["dev", "test"]}),
        ({"dev": ["dev"], "test": ["test"]}, {"dev": ["dev"], "test": ["test"]}),
        ({"dev": ["a"], "test": ["b"]}, {"a": ["dev"], "b": ["test"]}),
        ({"test": ["base4-test", "contest"]}, {"base4-test": ["test"], "contest": ["test"]}),
        ({"test": ["a", "a"]}, {"a": ["test"], "a (2)": ["test"]}),
    ],
)
def test_the_files_of_a_system_for_several_splits_are_one_row(
    names: dict[str, list[str]], rows: dict[str, list[str]], scored: Scored
) -> None:
    (any_score, *_) = _scores(scored)
    given = [replace(any_score, name=name, split=split) for split, own in names.items() for name in own]
    assert {row.name: list(row.scores) for row in rows_of(given)} == rows


def test_a_picture_says_that_neighbouring_groups_were_joined(scored: Scored) -> None:
    own = {"accuracy": estimate(np.ones(20))}
    groups = tuple(Slice(label, 20, own, {}) for label in ("2–4", "5"))
    score = replace(_scores(scored)[0], breakdowns=(Breakdown("candidates", groups),))
    (plot,) = breakdown_blocks(rows_of([score]), "test")
    assert isinstance(plot, Plot)
    assert plot.drawing == "accuracy_by_candidates"
    assert plot.description.endswith("Neighbouring groups are joined until each has 20 instances.")
    assert [row[:2] for row in plot.data.rows] == [("2–4", 20), ("5", 20)]


def test_many_systems_are_shown_in_several_pictures(scored: Scored) -> None:
    many = _scores(scored) * 4
    blocks = breakdown_blocks(rows_of(many), "test")
    plots = [plot for plot in blocks if isinstance(plot, Plot) and "type" in plot.title]
    assert [len(plot.data.columns) - 2 for plot in plots] == [LINES, LINES, len(many) - 2 * LINES]
    assert len({plot.title for plot in plots}) == 3


def test_an_answer_that_a_rule_gave_is_counted_and_no_warning(tmp_path: Path) -> None:
    gold = replace(gold_of([GoldRow(str(n), LABELS, n % 3) for n in range(6)]), labels=LABELS)
    lines = [
        {"id": str(n), "answer": "no", "scores": {"yes": 0.7, "no": 0.3, "maybe": 0.0}} for n in range(6)
    ]
    (tmp_path / "ruled.jsonl").write_text("\n".join(map(json.dumps, lines)))
    ruled = score(gold, System("ruled", (match(tmp_path / "ruled.jsonl", gold),)), protocol="fixed")
    files, passed_over = files_of([("ruled", "test", ruled)])
    assert not [*warnings(files, passed_over)]
    *_, text = problems(files, passed_over)
    assert isinstance(text, Text)
    assert (text.tone, text.text.split(":")[0]) == ("note", "No problem, 6 times")
