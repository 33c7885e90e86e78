"""Measures: what an answer is worth. A measure gives one credit an instance; intervals and tests only read those.

    credits(gold, matched, protocol) -> float64 [n], each in [0, 1]

Instances whose answer is withheld have no credit and are left out before (`scoring.scored_rows`).
"""

MEASURES = {
    "accuracy": "anagnosis.evaluation.measures.accuracy:credits",
}
