"""Thresholds of highlights, by hand."""

from __future__ import annotations

import msgspec
import numpy as np

from anagnosis.evaluation.calibration import highlight_thresholds
from anagnosis.evaluation.calibration.highlight_thresholds import Threshold


def test_thresholds_by_hand() -> None:
    """Ten sentences, the four surest of which hold the answer but for the third; another one far down does too."""
    probabilities = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1])
    held = np.array([True, True, False, True, False, False, False, True, False, False])
    found = highlight_thresholds.choose(probabilities, held)
    assert found.fair == Threshold(0.6, 0.75, 0.75, 4)
    assert found.weak == Threshold(0.2, 0.5, 1.0, 8)
    assert found.strong == Threshold(0.8, 1.0, 0.5, 2)


def test_thresholds_take_all_sentences_of_one_probability() -> None:
    probabilities = np.array([0.5, 0.5, 0.5, 0.1])
    held = np.array([True, True, False, False])
    found = highlight_thresholds.choose(probabilities, held)
    both = Threshold(0.5, 0.666667, 1.0, 3)
    assert (found.weak, found.fair) == (both, both)
    assert found.strong == msgspec.structs.replace(both, reached=False)
