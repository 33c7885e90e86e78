"""The scores of one question for each kind of items, by an edition; None where the question does not count."""

from __future__ import annotations

from collections.abc import Callable

from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.evaluation.phase_a.editions import Edition
from anagnosis.evaluation.phase_a.items import ItemScores, item_scores, triple_scores
from anagnosis.evaluation.phase_a.snippets import snippet_scores


def document_scores(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """None where the edition leaves the question out."""
    if edition.leaves_out and not gold.documents:
        return None
    return item_scores(retrieved.documents, gold.documents, edition)


def concept_scores(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """Of a question that has gold and retrieved concepts; None elsewhere, and where documents are left out."""
    left_out = edition.leaves_out and not gold.documents
    if left_out or not gold.concepts or not retrieved.concepts:
        return None
    return item_scores(retrieved.concepts, gold.concepts, edition)


def snippets_of(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """None where the edition leaves the question out."""
    if edition.leaves_out and not gold.snippets:
        return None
    return snippet_scores(retrieved.snippets, gold.snippets, edition)


def triples_of(retrieved: RelevantItems, gold: RelevantItems, edition: Edition) -> ItemScores | None:
    """Of a question that has gold triples; None elsewhere, and where snippets are left out."""
    left_out = edition.leaves_out and not gold.snippets
    return None if left_out or not gold.triples else triple_scores(retrieved.triples, gold.triples, edition)


# kind of items → how a question is scored.
SCORES: dict[str, Callable[[RelevantItems, RelevantItems, Edition], ItemScores | None]] = {
    "concepts": concept_scores,
    "documents": document_scores,
    "snippets": snippets_of,
    "triples": triples_of,
}
