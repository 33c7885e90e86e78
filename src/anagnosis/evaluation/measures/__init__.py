"""Measures: what an answer is worth. Each file defines one `Measure` (measure.py)."""

GROUP = "anagnosis.measures"

# name → where its `Measure` is.
MEASURES = {
    "accuracy": "anagnosis.evaluation.measures.accuracy:ACCURACY",
    "macro_f1": "anagnosis.evaluation.measures.macro_f1:MACRO_F1",
    "auc": "anagnosis.evaluation.measures.auc:AUC",
    "pooled_auc": "anagnosis.evaluation.measures.pooled_auc:POOLED_AUC",
    "best_sentence": "anagnosis.evaluation.measures.best_sentence:BEST_SENTENCE",
    "factoid_strict": "anagnosis.evaluation.measures.factoid_strict:FACTOID_STRICT",
    "factoid_lenient": "anagnosis.evaluation.measures.factoid_lenient:FACTOID_LENIENT",
    "factoid_mrr": "anagnosis.evaluation.measures.factoid_mrr:FACTOID_MRR",
    "list_precision": "anagnosis.evaluation.measures.list_precision:LIST_PRECISION",
    "list_recall": "anagnosis.evaluation.measures.list_recall:LIST_RECALL",
    "list_f1": "anagnosis.evaluation.measures.list_f1:LIST_F1",
    "yesno_accuracy": "anagnosis.evaluation.measures.yesno_accuracy:YESNO_ACCURACY",
    "yesno_macro_f1": "anagnosis.evaluation.measures.yesno_macro_f1:YESNO_MACRO_F1",
}
