"""What is fitted on a run is not taken for never made when it is gone, and can be made anew when it is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.checksums import is_intact
from anagnosis.io.folders import FITTED
from anagnosis.training.calibration.parameters import (
    Parameters,
    forget,
    forget_damaged,
    read,
    read_unbound,
    write,
)


class Fit(Parameters, frozen=True):
    file: ClassVar[str] = "calibration.json"
    remedy: ClassVar[str] = "again"

    weights: str
    temperature: float

    @property
    def digests(self) -> tuple[str, ...]:
        return (self.weights,)


class Other(Fit, frozen=True):
    file: ClassVar[str] = "held_out.json"


MADE = Fit("9f2c", 1.25)


def test_what_was_fitted_comes_back_and_what_never_was_is_none(tmp_path: Path) -> None:
    assert read_unbound(tmp_path, Fit) is None
    write(tmp_path, MADE)
    assert read_unbound(tmp_path, Fit) == MADE
    forget(tmp_path, "calibration.json")
    assert read_unbound(tmp_path, Fit) is None


def test_what_is_gone_or_changed_is_refused_until_it_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    for harm in (path.unlink, lambda: path.write_bytes(path.read_bytes().replace(b"1.25", b"1.35"))):
        write(tmp_path, MADE)
        harm()
        with pytest.raises(DamagedError, match=r"calibration\.json: is .*; again$"):
            read_unbound(tmp_path, Fit)
        forget_damaged(tmp_path)
        assert read_unbound(tmp_path, Fit) is None


def test_a_list_that_is_damaged_is_refused_and_then_forgotten(tmp_path: Path) -> None:
    write(tmp_path, MADE)
    (tmp_path / FITTED).write_bytes(b"{")
    with pytest.raises(DamagedError, match=r"fitted\.json: cannot be read"):
        read_unbound(tmp_path, Other)
    forget_damaged(tmp_path)
    assert read_unbound(tmp_path, Fit) == MADE


def test_one_that_was_killed_before_its_name_was_written_is_read(tmp_path: Path) -> None:
    write(tmp_path, MADE)
    (tmp_path / FITTED).unlink()
    assert read_unbound(tmp_path, Fit) == MADE
    assert is_intact(tmp_path / "calibration.json")


def test_parameters_for_other_weights_are_refused(tmp_path: Path) -> None:
    write(tmp_path, MADE)
    assert read(tmp_path, Fit, ("9f2c",)) == MADE
    for digests in ((), ("77de",), ("9f2c", "9f2c")):
        with pytest.raises(InputError, match=r"calibration\.json: was fitted for other weights; again$"):
            read(tmp_path, Fit, digests)
