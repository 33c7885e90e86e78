"""Decisions to look at: Tables 1 to 3 of PubMedQA beside the published figures, samples; and one instance with the
labels of gold, people and systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa.statistics import DecisionStatistics, Figures
from anagnosis.evaluation.dataset_statistics import SYSTEMS, InstanceWithAnswers
from anagnosis.reports.datasets.kind_reports import NO_ANSWER, KindReports
from anagnosis.reports.datasets.question_types import type_blocks
from anagnosis.reports.report import (
    Block,
    Cell,
    Column,
    Heading,
    Item,
    Listing,
    Report,
    Run,
    Table,
    Text,
    item,
)

_ROWS = (
    "Number of QA pairs",
    "Prop. of yes (%)",
    "Prop. of no (%)",
    "Prop. of maybe (%)",
    "Avg. question length",
    "Avg. context length",
    "Avg. long answer length",
)


def statistics_blocks(record: DecisionStatistics) -> Iterator[Block]:
    """Size, samples, question types."""
    yield size_table(record)
    yield from sample_blocks(record.samples)
    yield from type_blocks(record.subsets)


def size_table(record: DecisionStatistics) -> Table:
    """Table 1: each subset here, and the published one beside it."""
    columns = [Column("")]
    cells: list[Sequence[float | None]] = []
    for name, subset in record.subsets.items():
        columns += [Column(f"PQA-{name} here", "number"), Column(f"PQA-{name} published", "number")]
        cells += [_column(subset.figures), _column(subset.published)]
    rows: list[tuple[Cell, ...]] = [
        (label, *(values[number] for values in cells)) for number, label in enumerate(_ROWS)
    ]
    how = (
        "Lengths are in words as NLTK's word_tokenize counts them, as in the paper."
        if record.words == "treebank"
        else "Lengths are in words that blanks separate, which are fewer than the paper's: for its way of counting, "
        'pip install "anagnosis[punkt]".'
    )
    return Table("Table 1 of PubMedQA for this dataset", tuple(columns), tuple(rows), (how,))


def _column(figures: Figures) -> list[float | None]:
    shares = [figures.labels.get(label) for label in LABELS]
    percent = [None if share is None else 100 * share for share in shares]
    return [figures.instances, *percent, figures.question, figures.context, figures.long_answer]


_SAW = {"reasoning_free": "with the long answer", "reasoning_required": "without the long answer"}


LONGEST_SAMPLE = 280  # letters of a section; Figure 1 of the paper cuts about there
CUT = " […]"


def decision_report(record: InstanceWithAnswers[DecisionInstance]) -> Report:
    """Facts, question, context by section, long answer; who answered what."""
    instance = record.instance
    facts = {
        "document": instance.id,
        "subset": f"PQA-{instance.subset}",
        "date": instance.date,
        "split": record.split,
        "mesh": ", ".join(instance.mesh),
    }
    question = [
        *_title(instance),
        Item("question", (Run(instance.question, strong=True),)),
        *(item(section.label or "context", section.text) for section in instance.context),
        item("long answer", instance.long_answer or "withheld"),
    ]
    labels = [item("label", instance.label or "none")]
    labels += [
        item(f"{name} ({_SAW[name]})" if name in _SAW else name, of) for name, of in instance.annotators
    ]
    for given in sorted(record.answers, key=lambda answer: answer.group == SYSTEMS):
        label = given.note or NO_ANSWER if given.candidate is None else LABELS[given.candidate]
        labels.append(item(given.name, f"{label}, right" if instance.label == label else label))
    return Report(
        f"Instance {instance.id}",
        (
            Listing(tuple(item(name, text) for name, text in facts.items() if text)),
            Listing(tuple(question), "Question and context"),
            Listing(tuple(labels), "Yes, no or maybe"),
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


REPORTS = KindReports(statistics_blocks, decision_report)
