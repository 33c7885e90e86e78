"""A few instances, as a reader that learns gets a split, and as it puts them into a batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anagnosis.datasets.kinds.decision import ContextSection, Posed
from anagnosis.datasets.kinds.evidence import EvidenceInstance, Retrieval, SourceSentence
from anagnosis.datasets.kinds.question import Snippet, SnippetQuestion
from anagnosis.readers.learning import ViewedSplit


def viewed_split(*found: Any, name: str = "train", kept: Path | None = None) -> ViewedSplit:
    return ViewedSplit(name, f"{len(found)} views", len(found), lambda: iter(found), kept, "/data")


def batch_of(learner: Any, *found: Any) -> Any:
    """All of them in one batch."""
    return learner.collate(list(learner.encode(viewed_split(*found))))


def snippet_question(
    *snippets: str, answers: tuple[tuple[str, ...], ...] | None = (("tea",),), type: str = "factoid"
) -> SnippetQuestion:
    return SnippetQuestion("1", type, "which cells ?", snippets, answers)


def posed(question: str = "Does tea help?", *read: str, id: str = "1") -> Posed:
    return Posed(id, question, tuple(ContextSection("", text) for text in read), 0, "Tea helps.")


def retrieved(
    *documents: tuple[str, ...], question: str, relevant: tuple[str, ...], gold: tuple[Snippet, ...] = ()
) -> EvidenceInstance:
    """Each document's sentences; those of document n are of d<n>, the first one is its title, and held if relevant."""
    sentences = [
        (f"d{n}", text, place) for n, texts in enumerate(documents) for place, text in enumerate(texts)
    ]
    return EvidenceInstance(
        "1",
        question,
        tuple(
            SourceSentence(name, "", text, not place and name in relevant) for name, text, place in sentences
        ),
        Retrieval(
            tuple(float(len(documents) - n) for n in range(len(documents))),
            tuple("abstract" if place else "title" for *_, place in sentences),
            tuple(100 * place for *_, place in sentences),
            relevant,
            gold,
        ),
    )
