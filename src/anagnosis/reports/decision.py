"""One decision to look at: question, context, long answer, and the labels of gold, people and systems."""

from __future__ import annotations

from collections.abc import Iterable

from anagnosis.datasets.decision import LABELS, DecisionInstance
from anagnosis.reports.instance import NO_ANSWER, SYSTEMS, GivenAnswer
from anagnosis.reports.report import Item, Listing, Report, Run, item

_SAW = {"reasoning_free": "with the long answer", "reasoning_required": "without the long answer"}


def decision_report(instance: DecisionInstance, answers: Iterable[GivenAnswer] = (), *, split: str) -> Report:
    """Facts, question, context by section, long answer; who answered what."""
    facts = {
        "document": instance.id,
        "subset": f"PQA-{instance.subset}",
        "date": instance.date,
        "split": split,
        "mesh": ", ".join(instance.mesh),
    }
    asked = [
        Item("question", (Run(instance.question, strong=True),)),
        *(item(section.label or "context", section.text) for section in instance.context),
        item("long answer", instance.long_answer or "withheld"),
    ]
    told = [item("label", instance.label or "none")]
    told += [item(f"{name} ({_SAW[name]})" if name in _SAW else name, of) for name, of in instance.annotators]
    for given in sorted(answers, key=lambda answer: answer.group == SYSTEMS):
        label = given.note or NO_ANSWER if given.candidate is None else LABELS[given.candidate]
        told.append(item(given.who, f"{label}, right" if instance.label == label else label))
    return Report(
        f"Instance {instance.id}",
        (
            Listing(tuple(item(name, text) for name, text in facts.items() if text)),
            Listing(tuple(asked), "Question and context"),
            Listing(tuple(told), "Yes, no or maybe"),
        ),
    )
