"""One sample for each kind of instances, on which the contract in test_contract.py is tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance, Retrieval, SourceSentence
from anagnosis.datasets.kinds.question import SNIPPETS, QuestionInstance, Snippet

SCHEMAS = Path(__file__).parents[2] / "samples" / "kinds"


class Sample(NamedTuple):
    """Instances of a kind.

    instance: sound, with a gold answer. right: the places of its right answers. withheld: the same without them.
    targets: fields that hold gold in what a view shows. views: name of a view in which both differ → (the target of the
    instance, fields that hold gold). faulty: name of a fault → the instance with it.
    otherwise: name of a withholding → the instance with other gold, and nothing else of it changed.
    schema: the text of the kind's Arrow schema, which no change of the program may change.
    """

    instance: Any
    right: Sequence[int]
    withheld: Any
    targets: frozenset[str]
    faulty: Mapping[str, Any]
    schema: str
    views: Mapping[str, tuple[int, frozenset[str]]] = {}
    otherwise: Mapping[str, Any] = {}


def sample(name: str) -> Sample:
    """The sample of a kind."""
    return SAMPLES[name]()


def schema(name: str) -> str:
    return (SCHEMAS / f"{name}.txt").read_text("utf-8").rstrip("\n")


def cloze() -> Sample:
    passage = "IL-2 (interleukin-2) stops colitis. IL-2 is cheap."
    found = ClozeInstance(
        id="7:10",
        document="7",
        date="2020",
        passage=passage,
        question="Effect of XXXX on colitis",
        mentions=tuple(
            PassageMention(((start, start + len(text)),), candidate)
            for start, text, candidate in (
                (0, "IL-2", 0),
                (6, "interleukin-2", 0),
                (27, "colitis", 1),
                (36, "IL-2", 0),
            )
        ),
        question_mentions=(PassageMention(((18, 25),), 1),),
        candidates=(
            Candidate("gene/3558", "Gene", 57, ("IL-2", "interleukin-2")),
            Candidate("disease/D003092", "Disease", 3, ("colitis",)),
        ),
        answer=0,
        answers=("IL-2",),
        answer_identifiers=("C0021756",),
        answer_types=("treatment",),
        answer_origins=("dataset",),
    )
    change = msgspec.structs.replace
    return Sample(
        found,
        (0,),
        change(found, answer=None),
        frozenset({"answer"}),
        {
            "answer": change(found, answer=2),
            "candidates_repeat": change(found, candidates=found.candidates[:1] * 2),
            "candidates_and_mentions": change(found, mentions=found.mentions[2:3]),
            "answer_columns": change(found, answer_types=("treatment", "test")),
        },
        schema("cloze"),
        otherwise={
            "answers": change(
                found,
                answer=1,
                answers=("bowel inflammation", "colitis"),
                answer_identifiers=("", "C0009319"),
                answer_types=("problem", "problem"),
                answer_origins=("dataset", "UMLS"),
            )
        },
    )


def decision() -> Sample:
    context = (ContextSection("METHODS", "We gave tea."), ContextSection("RESULTS", "All slept."))
    found = DecisionInstance("11", "Does tea help?", context, "Tea helps.", "maybe")
    change = msgspec.structs.replace
    return Sample(
        found,
        (2,),
        change(found, label=None),
        frozenset({"answer"}),
        {
            "question": change(found, question=" "),
            "label": change(found, label="perhaps"),
            "subset": change(found, subset="U"),
        },
        schema("decision"),
        otherwise={
            "labels": change(
                found,
                label="no",
                long_answer="Tea does not help.",
                annotators=(("reasoning_free", "no"),),
                title="Tea does not help.",
                place=7,
                fields=("final_decision", "LONG_ANSWER", "reasoning_free_pred"),
            ),
        },
    )


def question() -> Sample:
    snippet = Snippet("http://www.ncbi.nlm.nih.gov/pubmed/7", "abstract", 0, "abstract", 4, "IL-2")
    found = QuestionInstance(
        "5" * 24, "factoid", "Which gene stops colitis?", ("7",), (snippet,), (("IL-2", "interleukin-2"),)
    )
    change = msgspec.structs.replace
    return Sample(
        found,
        (1,),
        change(found, type=""),
        frozenset({"answer"}),
        {
            "question": change(found, question=""),
            "type": change(found, type="essay"),
            "exact": change(found, exact=((),)),
        },
        schema("question"),
        otherwise={
            "answers": change(
                found,
                exact=(("interleukin",),),
                ideal=("Interleukin.",),
                text='{"exact_answer": "interleukin"}',
                place=9,
            ),
            "documents": change(found, exact=None, documents=("9", "10"), snippets=()),
        },
        views={SNIPPETS: (0, frozenset({"type"}))},
    )


def evidence() -> Sample:
    sentences = tuple(
        SourceSentence("7", "Tea", text, held)
        for text, held in (("Tea is hot.", False), ("It helps.", True), ("It does.", True))
    )
    ranked = Retrieval(
        (1.5,),
        ("title", *["abstract"] * 2),
        (0, 0, 10),
        ("7", "9"),
        (Snippet("7", "title", 0, "title", 11, "Tea is hot."),),
    )
    found = EvidenceInstance("3:7", "Does tea help?", sentences, ranked)
    change = msgspec.structs.replace
    return Sample(
        found,
        (1, 2),
        change(found, sentences=tuple(change(one, held=None) for one in sentences)),
        frozenset({"held"}),
        {
            "question": change(found, question=""),
            "sentences": change(found, sentences=()),
            "retrieval": change(found, retrieval=change(ranked, begins=(0, 0))),
            "sentence_empty": change(found, sentences=(change(sentences[0], text=" "),)),
        },
        schema("evidence"),
        otherwise={
            "sentences": change(
                found,
                sentences=tuple(change(one, held=not one.held) for one in sentences),
                retrieval=change(ranked, documents=("9",), snippets=()),
            )
        },
    )


SAMPLES = {"cloze": cloze, "decision": decision, "question": question, "evidence": evidence}
