"""A question with sentences, for the tests of readers of sentences."""

from __future__ import annotations

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.readers.learning import ViewedSplit


def asked(
    question: str, *sentences: str, held: int | None = 0, title: str = "Tea", id: str = "1"
) -> EvidenceInstance:
    """Sentences of one document. held: which of them, None for none."""
    return EvidenceInstance(
        id,
        question,
        tuple(SourceSentence("d", title, text, place == held) for place, text in enumerate(sentences)),
    )


def viewed_split(*found: EvidenceInstance) -> ViewedSplit:
    return ViewedSplit("train", "d", len(found), lambda: iter(found))


# What a reader must bear: each gives every sentence a probability.
ODD = {
    "a question without known words": asked("Zyx qwv?", "Cold tea helps sleep.", "Nothing else."),
    "an empty question": asked("", "Cold tea helps sleep.", "Nothing else."),
    "one sentence": asked("Does cold tea help?", "Cold tea helps sleep."),
    "an empty sentence": asked("Does cold tea help?", "Cold tea helps sleep.", "", "   "),
    "a sentence without known words": asked("Does cold tea help?", "Cold tea helps sleep.", "β → γ!"),
    "none held": asked("Does cold tea help?", "Cold tea helps sleep.", "Nothing else.", held=None),
    "no title": asked("Does cold tea help?", "Cold tea helps sleep.", "Nothing else.", title=""),
    "a very long sentence": asked("Does cold tea help?", "cold tea " * 3000, "Nothing else."),
    "a very long question": asked("does cold tea help " * 300, "Cold tea helps sleep.", "Nothing else."),
}
