"""Macro-F1, class by class, against a count by hand; its intervals and paired differences."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.test_intervals import f1_ends
from tests.golds import Row, gold_of
from tests.predictions.matched import match

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.errors import InputError
from anagnosis.evaluation.classes import Classes, classes, majority
from anagnosis.evaluation.comparison import compare_every_pair
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.macro_f1 import macro_f1
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.run_measurements import measure_runs, redrawn
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.systems import System
from anagnosis.evaluation.tested_pairs import Pair

ANSWERS = st.sampled_from((*LABELS, None))


def gold(truth: Sequence[str]) -> Gold:
    made = gold_of([Row(str(n), LABELS, LABELS.index(label)) for n, label in enumerate(truth)])
    return replace(made, labels=LABELS)


def system(folder: Path, held: Gold, *runs: Sequence[str | None]) -> System:
    matched = []
    for number, answers in enumerate(runs):
        path = folder / f"run{number}.jsonl"
        path.write_text(
            "".join(json.dumps({"id": str(n), "answer": of}) + "\n" for n, of in enumerate(answers))
        )
        matched.append(match(path, held))
    return System("s", tuple(matched))


def worth(folder: Path, truth: Sequence[str], *runs: Sequence[str | None]) -> Classes:
    held = gold(truth)
    return classes(held, system(folder, held, *runs), np.arange(len(truth)))


def macro(
    folder: Path, truth: Sequence[str], *runs: Sequence[str | None], protocol: str = "fixed", draws: int = 200
) -> Estimate:
    held = gold(truth)
    found = measure_runs(
        held, system(folder, held, *runs), named("macro_f1"), protocol, np.arange(len(truth))
    )
    return found.estimate(draws=draws)


def systems_of(folder: Path, held: Gold, *systems: Sequence[Sequence[str | None]]) -> list[System]:
    """Systems by the answers of their runs, each in a folder of its own."""
    for number in range(len(systems)):
        (folder / str(number)).mkdir()
    return [system(folder / str(number), held, *runs) for number, runs in enumerate(systems)]


def difference(
    held: Gold,
    systems: Sequence[System],
    *,
    protocol: str = "fixed",
    unit: str = "instance",
    draws: int = 500,
) -> Pair:
    found = compare_every_pair(
        held, systems, protocol=protocol, measure="macro_f1", unit=unit, seed=0, draws=draws
    )
    return found.against_next[0]


def by_hand(
    truth: Sequence[str], answers: Sequence[str | None], labels: Sequence[str | None] = LABELS
) -> float:
    found = []
    for label in labels:
        both = sum(t == a == label for t, a in zip(truth, answers, strict=True))
        total = list(truth).count(str(label)) + list(answers).count(label)
        found.append(2 * both / total if total else 0.0)
    return sum(found) / len(found)


@given(st.lists(st.tuples(st.sampled_from(LABELS), ANSWERS), min_size=1, max_size=40))
def test_it_is_the_mean_of_the_labels_f1(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str | None]]
) -> None:
    truth, answers = [t for t, _ in pairs], [a for _, a in pairs]
    folder = tmp_path_factory.mktemp("f1")
    found, mean = worth(folder, truth, answers), macro(folder, truth, answers)
    occurring = {*truth, *answers} - {None}
    assert mean.value == pytest.approx(by_hand(truth, answers, [*occurring]))
    assert sum(each.f1 for each in found.scores) / len(occurring) == pytest.approx(mean.value)
    assert sum(sum(row) for _, row in found.confusion) == pytest.approx(len(truth))
    own = named("macro_f1").of_run(gold(truth), system(folder, gold(truth), answers).runs[0], "fixed")
    both, either = (each.sum(0) for each in own.f1s(own.of_instances))
    assert (2 * both / np.maximum(both + either, 1)).sum() / len(occurring) == pytest.approx(mean.value)
    assert (mean.interval is None) == (len(truth) < 30)
    assert mean.interval is None or mean.interval.low <= mean.value <= mean.interval.high


def test_a_stray_word_is_a_class_of_its_own_under_official_and_refused_under_fixed(tmp_path: Path) -> None:
    truth = ["yes"] * 276 + ["no"] * 169 + ["maybe"] * 55
    answers = ["Yes", *truth[1:]]
    found = macro(tmp_path, truth, answers, protocol="official")
    assert found.value == pytest.approx(0.749546, abs=5e-7)
    assert worth(tmp_path, truth, answers).strays == {"Yes": 1}
    held = gold(truth)
    with pytest.raises(InputError, match="none of yes, no, maybe: 'Yes', 1 in all"):
        score(held, system(tmp_path, held, answers), protocol="fixed")


@pytest.mark.parametrize("protocol", ["fixed", "official"])
def test_a_label_that_occurs_nowhere_does_not_count(tmp_path: Path, protocol: str) -> None:
    truth, answers = ["yes", "yes", "no"], ["yes", "yes", "yes"]
    found = macro(tmp_path, truth, answers, protocol=protocol)
    assert found.value == pytest.approx(0.8 / 2)
    held = gold(truth)
    level = majority(held, np.arange(len(truth)))
    assert level.macro_f1 == found.value
    # An answer brings its label.
    assert macro(tmp_path, truth, ["yes", "yes", "maybe"], protocol=protocol).value == pytest.approx(1 / 3)


def test_a_label_of_gold_counts_in_draws_without_it_under_fixed_alone(tmp_path: Path) -> None:
    held = gold(["yes", "yes", "no"])
    answered = system(tmp_path, held, ["yes", "yes", "yes"])
    for protocol, most in (("fixed", 1 / 2), ("official", 1)):
        own = measure_runs(held, answered, named("macro_f1"), protocol, np.arange(3))
        assert redrawn([own], draws=200, seed=0)[0].max() == pytest.approx(most)


@pytest.mark.parametrize(
    ("answers", "what"),
    [
        (["yes"], "1 missing ids (1)"),
        (["yes", None], "1 answers are null"),
        (["yes", "no", "no"], "1 unknown ids (2)"),
    ],
)
def test_official_takes_all_and_only(tmp_path: Path, answers: list[str | None], what: str) -> None:
    held = gold(["yes", "no"])
    own = system(tmp_path, held, answers)
    with pytest.raises(InputError) as fault:
        score(held, own, protocol="official")
    assert what in fault.value.what


def test_under_fixed_what_is_missing_is_wrong(tmp_path: Path) -> None:
    held = gold(["yes", "no", "no"])
    found = score(held, system(tmp_path, held, ["yes", "no"]), protocol="fixed")
    assert found.estimate.value == pytest.approx(2 / 3)
    assert found.problems["missing"].count == 1
    assert found.classes
    assert found.classes.confusion[1] == ("no", (0.0, 1.0, 0.0, 1.0))


def test_a_class_has_wilsons_interval_also_where_no_answer_is_right(tmp_path: Path) -> None:
    truth = ["yes"] * 60 + ["no"] * 40
    answers = ["yes"] * 60 + ["no"] * 30 + ["yes"] * 10
    held = gold(truth)
    yes, no, maybe = classes(held, system(tmp_path, held, answers), np.arange(100)).scores
    for one, ends in ((yes, f1_ends(60, 70)), (no, f1_ends(30, 40))):
        assert (one.interval.low, one.f1, one.interval.high) == pytest.approx(ends)
    assert maybe.interval is None, "it does not occur"
    (never,) = [one for one in worth(tmp_path, truth, ["yes"] * 100).scores if one.label == "no"]
    assert never.f1 == never.interval.low == 0 < never.interval.high < 0.2


def test_p_is_the_share_of_swaps_that_are_as_far_apart(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    truth = ["yes", "no", "maybe"] * 30
    answers = [[t if random.random() < share else "yes" for t in truth] for share in (0.62, 0.55)]
    held = gold(truth)
    systems = systems_of(tmp_path, held, *([own] for own in answers))
    pair = difference(held, systems, draws=4_000)
    right, ours, theirs = (np.array([LABELS.index(each) for each in own]) for own in (truth, *answers))
    observed = abs(macro_f1(right, ours, 3) - macro_f1(right, theirs, 3))
    extreme = 0
    for swap in random.random((4_000, 90)) < 0.5:
        first, second = np.where(swap, theirs, ours), np.where(swap, ours, theirs)
        extreme += abs(macro_f1(right, first, 3) - macro_f1(right, second, 3)) >= observed - 1e-12
    assert 0.1 < extreme / 4_000 < 0.9
    assert pair.p_two_tailed == pytest.approx(extreme / 4_000, abs=0.04)


def test_a_label_that_is_answered_once_has_its_precision(tmp_path: Path) -> None:
    found = worth(tmp_path, ["yes", "no", "no", "maybe"], ["yes", "no", "yes", "no"])
    by_label = {each.label: each for each in found.scores}
    assert [by_label[label].precision for label in LABELS] == [0.5, 0.5, 0]
    assert [by_label[label].recall for label in LABELS] == [1, 0.5, 0]
    once = worth(tmp_path, ["yes", "no"], ["yes", None])
    assert [each.precision for each in once.scores] == [1, 0, 0]
    assert [each.answered for each in once.scores] == [1, 0, 0]


def test_under_official_a_difference_is_that_of_the_two_macro_f1s(tmp_path: Path) -> None:
    held = gold(["yes", "no", "yes", "no", "yes"])
    answers = ["yes", "no", "perhaps", "no", "1"], ["yes", "yes", "yes", "no", "no"]
    systems = systems_of(tmp_path, held, *([own] for own in answers))
    rows = np.arange(len(held))
    each = [measure_runs(held, own, named("macro_f1"), "official", rows).values[0] for own in systems]
    for order in ((0, 1), (1, 0)):
        pair = difference(held, [systems[place] for place in order], protocol="official", draws=50)
        assert pair.difference == pytest.approx(abs(each[0] - each[1]))


@pytest.mark.parametrize(("unit", "least"), [("instance", 2 / 2**8), ("document", 2 / 2**2)])
def test_what_is_swapped_are_instances_or_whole_documents(unit: str, least: float, tmp_path: Path) -> None:
    rows = [Row(str(n), LABELS, n % 2, document=str(n // 4)) for n in range(8)]
    held = replace(gold_of(rows), labels=LABELS)
    systems = systems_of(tmp_path, held, [["yes", "no"] * 4], [["no", "yes"] * 4])
    pair = difference(held, systems, unit=unit, draws=2000)
    assert pair.p_two_tailed == pytest.approx(least, abs=0.05)


def test_a_stray_answer_under_official_leaves_it_to_the_draws(tmp_path: Path) -> None:
    held = gold(["yes", "no", "maybe"] * 100)
    systems = systems_of(tmp_path, held, [["yes", "no", "maybe"] * 100], [["perhaps", *["yes"] * 299]])
    pair = difference(held, systems, protocol="official", draws=10)  # too few for any pair
    assert pair.p_two_tailed == 1 / 11
    assert pair.verdict == "tied"


def test_macro_f1_of_several_runs_is_tested_over_runs(tmp_path: Path) -> None:
    """One recipe answers 55 to 95 % right and the other 45 to 60 %: these runs differ, others may not."""
    random = np.random.default_rng(7)
    truth = ["yes", "no", "maybe"] * 100
    held = gold(truth)

    def run(share: float) -> list[str]:
        return [t if random.random() < share else LABELS[(LABELS.index(t) + 1) % 3] for t in truth]

    shares = (0.55, 0.75, 0.95), (0.45, 0.5, 0.6)
    systems = systems_of(tmp_path, held, *([run(share) for share in own] for own in shares))
    pair = difference(held, systems, draws=1000)
    assert pair.p_two_tailed < 0.01 < 0.05 < pair.over_runs.p == pair.p == pair.holm


def test_majority_is_worth_what_its_label_is_worth_as_every_answer(tmp_path: Path) -> None:
    truth = ["no", "yes", "no", "maybe", "no"]
    found = majority(gold(truth), np.arange(5))
    assert (found.label, found.accuracy) == ("no", 0.6)
    assert found.macro_f1 == pytest.approx(macro(tmp_path, truth, ["no"] * 5).value)
    assert majority(replace(gold(truth), labels=()), np.arange(5)) is None
