"""What scores are taken apart by without a file of labels: what the questions of the dataset's kind are like."""

from __future__ import annotations

from pathlib import Path

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.submissions.label_factors import WORDS, factors_of


def test_decisions_are_taken_apart_by_what_the_question_asks(tmp_path: Path) -> None:
    rows = [
        DecisionInstance(str(n), question, (ContextSection("", "It did."),), None, "yes")
        for n, question in enumerate(("Does tea help?", "Is tea safe?", "Does milk help?"))
    ]
    dataset = writing.write(tmp_path / "built", {"test": rows}, {"dataset": "made", "kind": "decision"})
    (factor,) = factors_of(dataset, "test", None)
    assert factor.name == "question type"
    first, second, third = factor.code.tolist()
    assert first == third != second


def test_sentences_are_taken_apart_by_the_length_of_the_question(tmp_path: Path) -> None:
    sentences = (SourceSentence("1", "", "It does.", True),)
    rows = [
        EvidenceInstance(str(n), question, sentences)
        for n, question in enumerate(("Does tea help?", "Does tea help old people who cannot sleep?"))
    ]
    dataset = writing.write(tmp_path / "built", {"test": rows}, {"dataset": "made", "kind": "evidence"})
    (factor,) = factors_of(dataset, "test", None)
    assert factor.name == WORDS
    short, long = factor.code.tolist()
    assert short != long
