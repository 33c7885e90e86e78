"""How sure systems are: the table, both pictures, and who is left out and told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.golds import Row, gold_of

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.systems import System
from anagnosis.predictions import match
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.report import Block, Estimate, Plot, Report, Table, Text
from anagnosis.reports.systems.confidence import confidence_blocks
from anagnosis.reports.systems.results import problem_blocks
from anagnosis.reports.systems.systems import LINES
from anagnosis.reports.systems.systems import Row as RowOfSystem

N = 40


@pytest.fixture
def gold() -> Gold:
    made = gold_of([Row(str(n), LABELS, (0, 0, 1, 2)[n % 4]) for n in range(N)])
    return replace(made, labels=LABELS)


def worth(folder: Path, gold: Gold, name: str, sure: Sequence[float], answer: str = "yes") -> Score:
    """A system that answers the same everywhere. sure: its probability of yes, the rest being no."""
    lines = [
        {"id": str(n), "answer": answer, "scores": {"yes": p, "no": 1 - p, "maybe": 0.0}}
        for n, p in enumerate(sure)
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return score(gold, System(name, (match(path, gold),)), protocol="fixed")


def blocks(*scores: Score) -> list[Block]:
    rows = [RowOfSystem(each.name, {"test": each}) for each in scores]
    return list(confidence_blocks(rows, "test"))


def test_the_table_tells_what_is_said_and_what_is_true(tmp_path: Path, gold: Gold) -> None:
    said = [0.9] * (N // 2) + [0.6] * (N // 2)
    table = next(block for block in blocks(worth(tmp_path, gold, "a", said)) if isinstance(block, Table))
    name, confidence, accuracy, binned, chance, error, p, area, best, blind = table.rows[0]
    assert (name, confidence, accuracy, blind) == ("a", pytest.approx(0.75), 0.5, 0.5)
    assert binned == pytest.approx((0.4 + 0.1) / 2)
    assert isinstance(error, Estimate)
    assert 0.05 < error.low < error.value <= binned < error.high
    assert isinstance(p, float)
    assert p < 0.01
    assert isinstance(chance, float)
    assert 0.05 < chance < 0.15
    assert area == pytest.approx(0.5)
    assert isinstance(best, float)
    assert best < 0.2


def test_both_pictures_hold_every_system(tmp_path: Path, gold: Gold) -> None:
    said = [(n % 10) / 20 + 0.5 for n in range(N)]
    made = [worth(tmp_path, gold, f"s{number}", said) for number in range(LINES + 1)]
    pictures = [block for block in blocks(*made) if isinstance(block, Plot)]
    assert [plot.drawing for plot in pictures] == ["reliability", "risk_by_coverage"] * 2
    assert {row[0] for row in pictures[0].data.rows} == {f"s{number}" for number in range(LINES)}
    assert [column.name for column in pictures[3].data.columns] == ["coverage", "answered", f"s{LINES}"]
    assert sum(int(str(row[1])) for row in pictures[2].data.rows) == N
    assert pictures[3].data.rows[-1][:2] == (1.0, N)


def test_who_tells_no_probabilities_is_named_and_alone_gives_nothing(tmp_path: Path, gold: Gold) -> None:
    loud = worth(tmp_path, gold, "loud", [7.0] * N)
    assert loud.confidence is None
    assert blocks(loud) == []
    found = blocks(worth(tmp_path, gold, "sure", [0.7] * N), loud)
    (told,) = [block.text for block in found if isinstance(block, Text)]
    assert told == "Not here, since not every answer has a probability: loud."


def test_one_line_without_probabilities_is_enough(tmp_path: Path, gold: Gold) -> None:
    assert worth(tmp_path, gold, "a", [0.7] * (N - 1) + [3.0]).confidence is None
    assert worth(tmp_path, gold, "b", [0.7] * (N - 1)).confidence is not None  # a missing one is unanswered


@pytest.mark.parametrize("suffix", RENDERERS)
def test_every_format_shows_it(tmp_path: Path, gold: Gold, suffix: str) -> None:
    said = [(n % 10) / 20 + 0.5 for n in range(N)]
    shown = render(Report("R", tuple(blocks(worth(tmp_path, gold, "sure", said)))), suffix)
    assert "How sure systems are" in shown
    assert "AURC" in shown


def test_an_answer_that_a_rule_gave_is_counted_and_no_warning(tmp_path: Path, gold: Gold) -> None:
    ruled = worth(tmp_path, gold, "ruled", [0.7] * N, answer="no")
    found = list(problem_blocks([RowOfSystem("ruled", {"test": ruled})]))
    (text,) = [block for block in found if isinstance(block, Text)]
    assert (text.text, text.tone) == (f"answer_not_on_top {N}.", "plain")
