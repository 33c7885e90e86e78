"""What readers that are invented in tests reach on questions that are invented too."""

from __future__ import annotations

from anagnosis.searching.entities.ranking import BY_HAND, FORMAT, NameWeights
from anagnosis.searching.records.conclusions import StanceFigures
from anagnosis.searching.records.names import NameFigures

NAMES = NameFigures(200, 0.2, 50, 0.7, 0.56, 0.81, 0.8, "invented questions", "2026-01-02")
# Every ranked name is sure enough.
NAME_WEIGHTS = NameWeights(FORMAT, BY_HAND, {"log odds": 1.0}, 0.0, "invented", "00", 100, NAMES)
STANCES = StanceFigures(200, 0.6, 0.9, 0.84, 0.94, 0.5, 0.7, 0.72, "invented questions", "2026-01-02")
