"""Language models among the systems: what their numbers are signed with, and how their answers vary with the seed."""

from __future__ import annotations

from typing import Any

from tests.evaluation.test_systems import THREE, compared
from tests.golds import gold_of, run_of
from tests.rows import each_row

from anagnosis.evaluation.intervals import wilson
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.signature import parsed
from anagnosis.evaluation.systems import System
from anagnosis.language_models.spending import Spent
from anagnosis.predictions import Matched
from anagnosis.predictions.annotators import OUTSIDE, UNANSWERED
from anagnosis.predictions.notes import ModelNote, Note

ASKED = ("model", "prompt", "context", "examples", "temperature", "order")


def note(**changes: Any) -> Note:
    given: dict[str, Any] = {"model": "qwen", "prompts": ("factoid@1-47e6cec22174",), "context": "snippets"}
    return Note(language_model=ModelNote(**given | changes))


def system(*runs: Matched, **changes: Any) -> System:
    """Runs of the seeds 0, 1, …"""
    return System("llm", tuple(runs), notes=tuple(note(seed=seed, **changes) for seed in range(len(runs))))


@each_row(
    ("changes", "signed"),
    [
        ({}, ["qwen", "factoid@1-47e6cec22174", "snippets", "0", "0", "0+1"]),
        (
            {"context": "none", "examples": 3, "train": "0123456789abcdef", "temperature": 0.7},
            ["qwen", "factoid@1-47e6cec22174", "none", "3-0123456789ab", "0.7", "0+1"],
        ),
        (
            {"spent": Spent(left_out=("temperature",))},
            ["qwen", "factoid@1-47e6cec22174", "snippets", "0", "left-out", "0+1"],
        ),
        ({"prompts": ("list@1-0a", "own-1b")}, ["qwen", "list@1-0a+own-1b", "snippets", "0", "0", "0+1"]),
    ],
)
def test_a_number_is_signed_with_what_was_asked(changes: dict[str, Any], signed: list[str]) -> None:
    gold, asked = gold_of(THREE), system(run_of([1, 0, 1]), run_of([1, 1, 0]), **changes)
    line = score(gold, asked, protocol="expected").signature
    assert f"|prompt:{signed[1]}|" in line
    assert [parsed(line)[name] for name in ASKED] == signed
    beside = parsed(compared(gold, System("plain", (run_of([0, 0, 0]),)), asked).signature)
    assert [beside[name] for name in ASKED] == [f"-,{each}" for each in signed]
    assert not {*ASKED} & {*parsed(score(gold, System("plain", asked.runs), protocol="expected").signature)}


TEXTS = [("a",), ("b",), ()]


@each_row(
    ("runs", "changed"),
    [
        ([run_of([1, 0, 1])], None),
        ([run_of([UNANSWERED] * 3)] * 2, None),  # lines with something else than answers
        ([run_of([1, 0, 1]), run_of([1, 0, 1])], 0),
        ([run_of([1, 0, 1]), run_of([1, 1, 1]), run_of([0, 1, 1])], 2 / 3),
        ([run_of([1, 0, 1]), run_of([1, 0, UNANSWERED])], 1 / 3),
        ([run_of([1, 0, UNANSWERED]), run_of([1, 1, UNANSWERED])], 1 / 2),
        # Answers that are no candidate differ where their texts do.
        ([run_of([OUTSIDE] * 3, texts=texts) for texts in (TEXTS, [("a",), ("c",), ()])], 1 / 2),
        ([run_of([1, 1, 1], texts=texts) for texts in (TEXTS, TEXTS[::-1])], 0),
    ],
)
def test_the_instances_that_not_all_runs_answer_alike(runs: list[Matched], changed: float | None) -> None:
    found = score(gold_of(THREE), system(*runs), protocol="expected", measures=["accuracy"]).changed
    assert (found is None) == (changed is None)
    if found is not None and changed is not None:
        assert found.value == changed
        assert found.interval == wilson(changed, float(found.n), "Wilson")
