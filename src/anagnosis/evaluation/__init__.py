"""Evaluation: what predictions are worth, and whether a difference is real.

Predictions become one credit an instance (`measures/`), once; all else reads credits. `scoring.score` is one
system, `comparison.compare` several, `agreement.agreement` people beside them. Rankings of documents: `retrieval/`.
"""
