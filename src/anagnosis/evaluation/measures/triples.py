"""Measures of the triples that a system retrieves for a question of BioASQ's phase A."""

from __future__ import annotations

from anagnosis.evaluation.measures.retrieved_items import measures_of

(
    TRIPLE_PRECISION,
    TRIPLE_RECALL,
    TRIPLE_F1,
    TRIPLE_MAP,
    TRIPLE_GMAP,
) = measures_of("triples", "triple", "subject, predicate and object")
