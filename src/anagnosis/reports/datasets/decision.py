"""One decision to look at: question, context, long answer, and the labels of gold, people and systems; and samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance, Subset
from anagnosis.reports.datasets.instance import NO_ANSWER, SYSTEMS, GivenAnswer
from anagnosis.reports.report import Block, Heading, Item, Listing, Report, Run, Text, item

_SAW = {"reasoning_free": "with the long answer", "reasoning_required": "without the long answer"}


LONGEST_SAMPLE = 280  # letters of a section; Figure 1 of the paper cuts about there
CUT = " […]"


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
        *_title(instance),
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


def sample_blocks(samples: Mapping[Subset, Sequence[DecisionInstance]]) -> Iterator[Block]:
    """Some instances of each subset with their sections cut, as Figure 1 and Table 2 have them."""
    if not any(samples.values()):
        return
    yield Heading("Samples")
    yield Text(
        f"Drawn at random by the seed. Sections of more than {LONGEST_SAMPLE} letters end in{CUT}.", "note"
    )
    for subset, instances in samples.items():
        for instance in instances:
            yield Listing(tuple(_sampled(instance)), f"PQA-{subset}: {instance.id}")


def _sampled(instance: DecisionInstance) -> Iterator[Item]:
    yield from _title(instance)
    yield Item("question", (Run(cut(instance.question), strong=True),))
    for section in instance.context:
        yield item(cut(section.label or "context", 40), cut(section.text))
    yield item("long answer", "withheld" if instance.long_answer is None else cut(instance.long_answer))
    yield item("label", instance.label or "none")


def _title(instance: DecisionInstance) -> list[Item]:
    """The statement that became the question, as Table 2 has it."""
    return [] if instance.title is None else [item("title", cut(instance.title))]


def cut(text: str, longest: int = LONGEST_SAMPLE) -> str:
    """The text, or its beginning up to a blank and a mark that more follows."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0] + CUT
