"""What readers that are invented in tests reach on questions that are invented too."""

from __future__ import annotations

from anagnosis.calibration.held_out import MACRO_F1, MRR, NEWEST, TEST, HeldOut
from anagnosis.calibration.parameters import FORMAT

DECISIONS = HeldOut(FORMAT, ("0",), MACRO_F1, 0.53, 0.49, 0.57, 0.24, 500, "invented", TEST)
NAMES = HeldOut(FORMAT, ("0",), MRR, 0.27, 0.22, 0.34, None, 224, "invented", NEWEST)
