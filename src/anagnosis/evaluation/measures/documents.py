"""Measures of the documents that a system retrieves for a question of BioASQ's phase A."""

from __future__ import annotations

from anagnosis.evaluation.measures.retrieved_items import measures_of

(
    DOCUMENT_PRECISION,
    DOCUMENT_RECALL,
    DOCUMENT_F1,
    DOCUMENT_MAP,
    DOCUMENT_GMAP,
) = measures_of("documents", "document", "addresses")
