"""How sure systems are: the table, both pictures, and who is left out and told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.golds import Row, gold_of
from tests.predictions.matched import match
from tests.reports.stored import check_stored

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.systems import System
from anagnosis.reports.report import Block, Plot, Text
from anagnosis.reports.systems.confidence import confidence_blocks
from anagnosis.reports.systems.problems import problems, warnings
from anagnosis.reports.systems.results import files_of
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


def test_the_table_and_both_pictures_tell_what_is_said_and_what_is_true(tmp_path: Path, gold: Gold) -> None:
    said = [0.9] * (N // 2) + [0.6] * (N // 2)
    own = worth(tmp_path, gold, "a", said)
    assert own.confidence is not None
    # Half are right: 0.9 and 0.6 are said of them.
    assert own.confidence.calibration.error == pytest.approx((0.4 + 0.1) / 2)
    assert own.confidence.risk_coverage.area == pytest.approx(0.5)
    rising = [(n % 10) / 20 + 0.5 for n in range(N)]
    check_stored("confidence", blocks(own, worth(tmp_path, gold, "b", rising)))
    many = [replace(own, name=f"s{number}") for number in range(LINES + 1)]
    pictures = [block.title for block in blocks(*many) if isinstance(block, Plot)]
    assert [title.rpartition(", ")[2] for title in pictures] == ["systems 1 to 6"] * 2 + [
        "systems 7 to 7"
    ] * 2


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


def test_an_answer_that_a_rule_gave_is_counted_and_no_warning(tmp_path: Path, gold: Gold) -> None:
    ruled = worth(tmp_path, gold, "ruled", [0.7] * N, answer="no")
    files, passed_over = files_of([("ruled", "test", ruled)])
    assert not [*warnings(files, passed_over)]
    *_, text = problems(files, passed_over)
    assert isinstance(text, Text)
    assert (text.tone, text.text.split(":")[0]) == ("note", f"No problem, {N} times")
