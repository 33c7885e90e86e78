"""How far one can rely on what a system says of its own answers: calibration, and risk by coverage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Codes, Floats, Longs
from anagnosis.evaluation.probabilities.calibration_error import Calibration, calibration
from anagnosis.evaluation.probabilities.risk_coverage import RiskCoverage, risk_coverage
from anagnosis.evaluation.systems import System


@dataclass(frozen=True, slots=True)
class Confidence:
    """calibration: of the answers of all runs together. risk_coverage: of each run for itself, then means."""

    calibration: Calibration
    risk_coverage: RiskCoverage


def confidence_of(system: System, rows: Longs, credits: Floats, units: Codes) -> Confidence | None:
    """None where the lines do not tell a probability for every answer, or nothing was answered.

    rows: int64 [m], the instances that count. credits: float64 [runs, m]. units: int [m], what is independent.
    """
    found = [run.confidence[rows] for run in system.runs if run.confidence is not None]
    probabilities = np.array(found, np.float64)
    if len(found) < len(system.runs) or np.isnan(probabilities).any() or not probabilities.any():
        return None
    every = np.tile(units, len(system.runs))
    return Confidence(
        calibration(probabilities.ravel(), credits.ravel(), every), risk_coverage(probabilities, credits)
    )
