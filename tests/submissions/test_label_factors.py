"""What scores are taken apart by without a file of labels: what the questions of the dataset's kind are like."""

from __future__ import annotations

from pathlib import Path

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.submissions.label_factors import WORDS, factors_of

ASKED = ("Does tea help?", "Is tea safe for old people who cannot sleep?", "Does milk help?")


def test_questions_with_sentences_are_taken_apart_by_their_length(tmp_path: Path) -> None:
    sentences = (SourceSentence("1", "", "It does.", True),)
    rows = [EvidenceInstance(each, each, sentences) for each in ASKED]
    dataset = writing.write(tmp_path / "built", {"test": rows}, {"dataset": "made", "kind": "evidence"})
    (factor,) = factors_of(dataset, "test", None)
    first, second, third = factor.code.tolist()
    assert factor.name == WORDS
    assert first == third != second
