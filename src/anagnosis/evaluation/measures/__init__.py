"""Measures: what an answer is worth. Each file defines one `Measure` (measure.py)."""

GROUP = "anagnosis.measures"

# name → where its `Measure` is.
MEASURES = {
    "accuracy": "anagnosis.evaluation.measures.accuracy:ACCURACY",
    "macro_f1": "anagnosis.evaluation.measures.macro_f1:MACRO_F1",
    "auc": "anagnosis.evaluation.measures.auc:AUC",
    "pooled_auc": "anagnosis.evaluation.measures.pooled_auc:POOLED_AUC",
    "best_sentence": "anagnosis.evaluation.measures.best_sentence:BEST_SENTENCE",
}
