"""What readers that are invented in tests reach on questions that are invented too."""

from __future__ import annotations

from anagnosis.calibration.held_out import MRR, NEWEST, HeldOut
from anagnosis.calibration.parameters import FORMAT
from anagnosis.searching.records.conclusions import StanceFigures

NAMES = HeldOut(FORMAT, ("0",), MRR, 0.27, 0.22, 0.34, None, 224, "invented", NEWEST)
STANCES = StanceFigures(200, 0.6, 0.9, 0.84, 0.94, 0.5, 0.7, 0.72, "invented questions", "2026-01-02")
