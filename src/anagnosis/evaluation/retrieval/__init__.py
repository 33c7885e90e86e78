"""Retrieval: what a ranking of documents is worth, beside judgements of which document is relevant to which query.

Topics, judgements and runs are files that other programs read and write too (`judgements.py`,
`runs.py`). A measure gives one value a query (`measures.py`); means, intervals and tests only read those (`scoring.py`,
`comparison.py`). Nothing here knows an index: a system is its run.
"""

# name → where it is. Each is called with the grades of what was retrieved, those of all that is relevant, a cutoff.
RETRIEVAL_MEASURES = {
    "ndcg": "anagnosis.evaluation.retrieval.measures:ndcg",
    "ndcg_exp": "anagnosis.evaluation.retrieval.measures:ndcg_exp",
    "map": "anagnosis.evaluation.retrieval.measures:average_precision",
    "recall": "anagnosis.evaluation.retrieval.measures:recall",
    "precision": "anagnosis.evaluation.retrieval.measures:precision",
    "reciprocal_rank": "anagnosis.evaluation.retrieval.measures:reciprocal_rank",
    "judged": "anagnosis.evaluation.retrieval.measures:judged",
}

# The names that other programs and papers have for them.
ALIASES = {"mrr": "reciprocal_rank", "rr": "reciprocal_rank", "ap": "map", "p": "precision"}

# Measures that tell how far the others can be trusted, not how good a system is; they are not tested.
OF_JUDGEMENTS = frozenset({"judged"})

DEFAULT_MEASURES = ("ndcg@10", "map", "reciprocal_rank@10", "recall@100", "judged@10")
