"""Measures: what an answer is worth. Each file defines one `Measure` (measure.py)."""

GROUP = "anagnosis.measures"

# name → where its `Measure` is.
MEASURES = {
    "accuracy": "anagnosis.evaluation.measures.accuracy:ACCURACY",
    "exact-match": "anagnosis.evaluation.measures.exact_match:EXACT_MATCH",
    "f1": "anagnosis.evaluation.measures.f1:F1",
    "bleu-2": "anagnosis.evaluation.measures.bleu_2:BLEU_2",
    "bleu-4": "anagnosis.evaluation.measures.bleu_4:BLEU_4",
    "bleu-2-mean": "anagnosis.evaluation.measures.bleu_2_mean:BLEU_2_MEAN",
    "bleu-4-mean": "anagnosis.evaluation.measures.bleu_4_mean:BLEU_4_MEAN",
    "embedding-average": "anagnosis.evaluation.measures.embedding_average:EMBEDDING_AVERAGE",
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
    "yesno_f1_yes": "anagnosis.evaluation.measures.yesno_f1_yes:YESNO_F1_YES",
    "yesno_f1_no": "anagnosis.evaluation.measures.yesno_f1_no:YESNO_F1_NO",
}
