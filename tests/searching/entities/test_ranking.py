"""The ranking of names, and the file of a fitted reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from tests.measured import NAME_WEIGHTS

from anagnosis.errors import InputError
from anagnosis.searching.entities import ranking
from anagnosis.searching.entities.confidence import CONFIDENCE
from anagnosis.searching.entities.features import FEATURES


def test_the_weights_by_hand_are_of_features() -> None:
    assert set(ranking.BY_HAND) <= set(FEATURES)
    row = np.zeros((1, len(FEATURES)))
    row[0, FEATURES.index("near")] = 0.5
    assert ranking.scores(row) == pytest.approx(0.5 * ranking.BY_HAND["near"])


def test_a_confidence_is_a_logistic_function_of_its_features() -> None:
    row = np.zeros((1, len(CONFIDENCE)))
    row[0, CONFIDENCE.index("log odds")] = 2.0
    assert ranking.confidences(row, {"log odds": 1.0}) == pytest.approx(1 / (1 + np.exp(-2)))


def test_a_stored_reader_is_loaded_and_a_damaged_one_is_one_line(tmp_path: Path) -> None:
    ranking.store_name_weights(tmp_path, NAME_WEIGHTS)
    assert ranking.load_name_weights(tmp_path) == NAME_WEIGHTS
    (tmp_path / ranking.FILE).write_text("{")
    with pytest.raises(InputError, match="readers make --data DATA --out READERS --replace"):
        ranking.load_name_weights(tmp_path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": 0}, "another version"),
        ({"features": {"nearby": 1.0}}, "another version"),
        ({"confidence": {"nearby": 1.0}}, "another version"),
        ({"least": 1.5}, "no numbers"),
    ],
)
def test_a_reader_of_another_version_is_refused(tmp_path: Path, change: dict[str, object], why: str) -> None:
    ranking.store_name_weights(tmp_path, replace(NAME_WEIGHTS, **change))
    with pytest.raises(InputError, match=why):
        ranking.load_name_weights(tmp_path)
