"""What is fitted on a run is not taken for never made when it is gone, and can be made anew when it is damaged."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from anagnosis.checksums import is_intact
from anagnosis.errors import DamagedError
from anagnosis.training.runs import fitted
from anagnosis.training.runs.fitted import forget, forget_damaged, read_fitted, write_fitted


class Fit(msgspec.Struct):
    weights: str
    temperature: float


MADE = Fit("9f2c", 1.25)


def test_what_was_fitted_comes_back_and_what_never_was_is_none(tmp_path: Path) -> None:
    assert read_fitted(tmp_path, "calibration.json", Fit, "again") is None
    write_fitted(tmp_path, "calibration.json", MADE)
    assert read_fitted(tmp_path, "calibration.json", Fit, "again") == MADE
    forget(tmp_path, "calibration.json")
    assert read_fitted(tmp_path, "calibration.json", Fit, "again") is None


def test_what_is_gone_or_changed_is_refused_until_it_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    for harm in (path.unlink, lambda: path.write_bytes(path.read_bytes().replace(b"1.25", b"1.35"))):
        write_fitted(tmp_path, path.name, MADE)
        harm()
        with pytest.raises(DamagedError, match=r"calibration\.json: is .*; again$"):
            read_fitted(tmp_path, path.name, Fit, "again")
        forget_damaged(tmp_path)
        assert read_fitted(tmp_path, path.name, Fit, "again") is None


def test_a_list_that_is_damaged_is_refused_and_then_forgotten(tmp_path: Path) -> None:
    write_fitted(tmp_path, "calibration.json", MADE)
    (tmp_path / fitted.FILE).write_bytes(b"{")
    with pytest.raises(DamagedError, match=r"fitted\.json: cannot be read"):
        read_fitted(tmp_path, "held_out.json", Fit, "again")
    forget_damaged(tmp_path)
    assert read_fitted(tmp_path, "calibration.json", Fit, "again") == MADE


def test_one_that_was_killed_before_its_name_was_written_is_read(tmp_path: Path) -> None:
    write_fitted(tmp_path, "calibration.json", MADE)
    (tmp_path / fitted.FILE).unlink()
    assert read_fitted(tmp_path, "calibration.json", Fit, "again") == MADE
    assert is_intact(tmp_path / "calibration.json")
