"""Measures of the snippets that a system retrieves for a question of BioASQ's phase A."""

from __future__ import annotations

from anagnosis.evaluation.measures.retrieved_items import measures_of

(
    SNIPPET_PRECISION,
    SNIPPET_RECALL,
    SNIPPET_F1,
    SNIPPET_MAP,
    SNIPPET_GMAP,
) = measures_of("snippets", "snippet", "characters", bounded=False)
