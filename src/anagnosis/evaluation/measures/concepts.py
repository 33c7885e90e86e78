"""Measures of the concepts that a system retrieves for a question of BioASQ's phase A."""

from __future__ import annotations

from anagnosis.evaluation.measures.retrieved_items import measures_of

(
    CONCEPT_PRECISION,
    CONCEPT_RECALL,
    CONCEPT_F1,
    CONCEPT_MAP,
    CONCEPT_GMAP,
) = measures_of("concepts", "concept", "addresses", empty_left_out=True)
