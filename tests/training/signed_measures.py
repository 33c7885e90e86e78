"""A package of somebody else with measures of cloze questions: one with values below zero, one that errors raise."""

from __future__ import annotations

from anagnosis.evaluation.measures import GROUP

SOURCE = """
import numpy as np
from anagnosis.evaluation.measures.measure import Measure

SHARED = dict(kinds=("cloze",), unit="number", source="none")

def signs(gold, matched, protocol):
    return np.where(matched.choice == gold.answer, -0.25, -0.75)

def wrong(gold, matched, protocol):
    return (matched.choice != gold.answer).astype(float)

SIGNS = Measure(name="signs", what="-1/4 or -3/4.", values=signs, lowest=-0.75, highest=-0.25, **SHARED)
# What prefers the weights that accuracy likes least.
WRONG = Measure(name="wrong", what="Wrong answers.", values=wrong, **SHARED)
"""
POINTS = {GROUP: "".join(f"{name} = signed_measures:{name.upper()}\n" for name in ("signs", "wrong"))}
