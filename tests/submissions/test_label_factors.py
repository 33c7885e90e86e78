"""What scores are taken apart by without a file of labels: what the questions of the dataset's kind are like."""

from __future__ import annotations

from pathlib import Path

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.submissions.label_factors import WORDS, factors_of

ASKED = ("Does tea help?", "Is tea safe for old people who cannot sleep?", "Does milk help?")


def test_questions_are_taken_apart_by_what_they_ask_or_by_their_length(tmp_path: Path) -> None:
    context, sentences = (ContextSection("", "It did."),), (SourceSentence("1", "", "It does.", True),)
    rows = {
        "decision": [DecisionInstance(each, each, context, None, "yes") for each in ASKED],
        "evidence": [EvidenceInstance(each, each, sentences) for each in ASKED],
    }
    for kind, name in (("decision", "question type"), ("evidence", WORDS)):
        dataset = writing.write(tmp_path / kind, {"test": rows[kind]}, {"dataset": "made", "kind": kind})
        (factor,) = factors_of(dataset, "test", None)
        first, second, third = factor.code.tolist()
        assert factor.name == name
        assert first == third != second
