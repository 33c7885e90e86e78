"""Measures: what an answer is worth. Each file defines one `Measure` (measure.py)."""

GROUP = "anagnosis.measures"

# name → where its `Measure` is.
MEASURES = {
    "accuracy": "anagnosis.evaluation.measures.accuracy:ACCURACY",
}
