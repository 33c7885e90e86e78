"""What of topics, judgements and a system's results does not fit together, counted and reported by name."""

from __future__ import annotations

RETRIEVAL_PROBLEMS = {
    "blank": "empty lines",
    "judged_twice": "judgements that stand twice, with the same grade",
    "unjudged_query": "topics without a judgement; left out",
    "no_topic": "judged queries that are not among the topics; left out",
    "no_relevant": "judged queries without a relevant document; left out",
    "no_results": "queries for which the system gave nothing; every measure is 0",
    "unknown_query": "queries of the results that are not scored; left out",
    "never_retrieved": "relevant documents that stand in no result of any query",
    "not_in_index": "relevant documents that the index does not hold; no query can bring them",
}
