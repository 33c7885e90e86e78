"""The ranking of names, and the file of a fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from anagnosis.calibration.names import NameParameters
from anagnosis.calibration.parameters import FORMAT, write
from anagnosis.errors import InputError
from anagnosis.folder_names import ANSWERS
from anagnosis.searching.entities import ranking
from anagnosis.searching.entities.features import FEATURES


def test_the_weights_by_hand_are_of_features() -> None:
    assert set(ranking.BY_HAND) <= set(FEATURES)
    row = np.zeros((1, len(FEATURES)))
    row[0, FEATURES.index("near")] = 0.5
    assert ranking.scores(row) == pytest.approx(0.5 * ranking.BY_HAND["near"])


def test_a_file_that_is_none_of_ours_is_one_line(tmp_path: Path) -> None:
    assert ranking.fitted_of(tmp_path, ["x"]) is None
    (tmp_path / ANSWERS).write_text("{")
    with pytest.raises(InputError, match="anagnosis calibrate"):
        ranking.fitted_of(tmp_path, ["x"])


def test_a_fit_with_features_that_are_not_ours_is_refused(tmp_path: Path) -> None:
    made = NameParameters(FORMAT, ("x",), {"near": 1.0}, {}, {}, 0.5, "bioasq", 40, 20)
    write(tmp_path, made)
    assert ranking.fitted_of(tmp_path, ["x"]) == made
    write(tmp_path, replace(made, features={"nearby": 1.0}))
    with pytest.raises(InputError, match="made by another version"):
        ranking.fitted_of(tmp_path, ["x"])
