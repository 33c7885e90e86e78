"""Rules from probabilities to decisions: what they take, that they cannot lose what they look for, and limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.array_types import Floats
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration import decision_rules
from anagnosis.evaluation.calibration.decision_rules import PRICE, REACH, decided, offsets, worth
from anagnosis.evaluation.calibration.scaling import tempered
from anagnosis.evaluation.measures.macro_f1 import macro_f1

SCORES = st.lists(st.lists(st.floats(-6, 0), min_size=3, max_size=3), min_size=1, max_size=30)
NONE = np.zeros(3)


def probabilities(*rows: tuple[float, float, float]) -> Floats:
    return np.log(np.array(rows))


@given(SCORES)
def test_a_rule_never_lowers_what_it_is_chosen_for(scores: list[list[float]]) -> None:
    known = tempered(np.array(scores), 1)

    def gain(added: Floats) -> float:
        macro, accuracy = worth(np.exp(known), decided(known, added))
        return macro + PRICE * accuracy

    assert gain(offsets("macro-f1", LABELS, known)) >= gain(NONE) - 1e-9


def test_a_rare_label_is_taken_below_one_half_where_macro_f1_gains() -> None:
    known = probabilities(*[(0.9, 0.06, 0.04)] * 6, *[(0.06, 0.9, 0.04)] * 3, (0.5, 0.1, 0.4))
    added = offsets("macro-f1", LABELS, known)
    assert added[2] == pytest.approx(0.3)  # the nearest step beyond ln(.5 / .4)
    assert decided(known, NONE).tolist() == [0] * 6 + [1] * 3 + [0]
    assert decided(known, added).tolist() == [0] * 6 + [1] * 3 + [2]


@pytest.mark.parametrize(("apart", "taken"), [(REACH - 0.05, True), (REACH + 0.05, False)])
def test_no_label_is_raised_beyond_the_reach_of_the_grid(
    apart: float, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_rules, "PRICE", 0.0)
    # The last question's third label would bring more macro-F1 than it costs.
    rare = 0.9 * np.exp(-apart)
    known = probabilities(*[(0.98, 0.02, 1e-9)] * 60, (0.9, 0.1 - rare, rare))
    added = offsets("macro-f1", LABELS, known)
    assert np.abs(added).max() <= REACH + 1e-9
    assert bool(decided(known, added)[-1] == 2) is taken


@pytest.mark.parametrize(
    ("sure", "maybe", "rate", "taken"), [(3, 0.32, 1.945, False), (2, 0.35, 2.053, True)]
)
def test_a_point_of_accuracy_is_worth_two_of_macro_f1(
    sure: int, maybe: float, rate: float, taken: bool
) -> None:
    """The doubtful question, answered maybe, brings `rate` points of macro-F1 for each point of accuracy it costs."""
    known = probabilities(
        *[(0.9, 0.06, 0.04)] * sure, *[(0.06, 0.9, 0.04)] * (sure // 2), (0.96 - maybe, 0.04, maybe)
    )
    plain, other = decided(known, NONE), decided(known, NONE)
    other[-1] = 2
    (macro, accuracy), (macro_then, accuracy_then) = (worth(np.exp(known), own) for own in (plain, other))
    assert (macro_then - macro) / (accuracy - accuracy_then) == pytest.approx(rate, abs=1e-3)
    assert decided(known, offsets("macro-f1", LABELS, known))[-1] == (2 if taken else 0)


def test_never_maybe_takes_the_better_of_the_others() -> None:
    known = probabilities((0.2, 0.3, 0.5), (0.1, 0.05, 0.85), (0.6, 0.3, 0.1))
    added = offsets("never-maybe", LABELS, known)
    assert decided(known, added).tolist() == [1, 0, 0]
    assert decided(known, offsets("plain", LABELS, known)).tolist() == [2, 2, 0]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_worth_of_known_labels_is_the_macro_f1_that_scores_have(pairs: list[tuple[int, int]]) -> None:
    truth, answers = (np.array(each) for each in zip(*pairs, strict=True))
    macro, accuracy = worth(np.eye(3)[truth], answers)
    occurring = len(set(truth.tolist()) | set(answers.tolist()))
    assert macro * 3 == pytest.approx(macro_f1(truth, answers, 3) * occurring)
    assert accuracy == pytest.approx(np.mean(truth == answers))


@pytest.mark.parametrize(
    ("rule", "labels", "what"),
    [("best", LABELS, "unknown rule 'best'"), ("never-maybe", ("yes", "no"), "there is no label maybe")],
)
def test_what_is_no_rule_is_refused(rule: str, labels: tuple[str, ...], what: str) -> None:
    with pytest.raises(InputError, match=what):
        offsets(rule, labels, np.zeros((1, len(labels))))
