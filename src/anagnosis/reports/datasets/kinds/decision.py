"""Decisions to look at: Table 1 of PubMedQA beside the published figures; and one instance with the
labels of gold, people and systems."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.pubmedqa.statistics import DecisionStatistics, Figures
from anagnosis.evaluation.dataset_statistics import SYSTEMS, InstanceWithAnswers
from anagnosis.reports.datasets.dataset import NO_ANSWER
from anagnosis.reports.report import Block, ColumnOf, Report, Run, Table, listing, table

_ROWS = (
    "Number of QA pairs",
    "Prop. of yes (%)",
    "Prop. of no (%)",
    "Prop. of maybe (%)",
    "Avg. question length",
    "Avg. context length",
    "Avg. long answer length",
)
_TREEBANK = "Lengths are in words as NLTK's word_tokenize counts them, as in the paper."
_BLANKS = (
    "Lengths are in words that blanks separate, which are fewer than the paper's: for its way of counting, "
    'pip install "anagnosis[punkt]".'
)
_SAW = {"reasoning_free": "with the long answer", "reasoning_required": "without the long answer"}
_Line = tuple[str, str | Run]


def statistics_blocks(record: DecisionStatistics) -> Iterator[Block]:
    """The size."""
    yield size_table(record)


def size_table(record: DecisionStatistics) -> Table:
    """Table 1: each subset here, and the published one beside it."""

    def of_figures(name: str, figures: Figures) -> ColumnOf:
        shares = [figures.labels.get(label) for label in LABELS]
        percent = [None if each is None else 100 * each for each in shares]
        cells = [figures.instances, *percent, figures.question, figures.context, figures.long_answer]
        return f"PQA-{name}", "number", lambda row: cells[row]

    columns: list[ColumnOf] = [("", _ROWS.__getitem__)]
    for name, subset in record.subsets.items():
        columns += [
            of_figures(f"{name} here", subset.figures),
            of_figures(f"{name} published", subset.published),
        ]
    how = _TREEBANK if record.words == "treebank" else _BLANKS
    return table("Table 1 of PubMedQA for this dataset", columns, range(len(_ROWS)), notes=(how,))


def instance_report(record: InstanceWithAnswers[DecisionInstance]) -> Report:
    """Facts, question, context by section, long answer; who answered what."""
    instance = record.instance
    facts = {
        "document": instance.id,
        "subset": f"PQA-{instance.subset}",
        "date": instance.date,
        "split": record.split,
        "mesh": ", ".join(instance.mesh),
    }
    question: list[_Line] = [
        ("title", instance.title or ""),
        ("question", Run(instance.question, strong=True)),
        *((section.label or "context", section.text) for section in instance.context),
        ("long answer", instance.long_answer or "withheld"),
    ]
    labels = [("label", instance.label or "none")]
    labels += [(f"{name} ({_SAW[name]})" if name in _SAW else name, of) for name, of in instance.annotators]
    for given in sorted(record.answers, key=lambda answer: answer.group == SYSTEMS):
        label = given.note or NO_ANSWER if given.candidate is None else LABELS[given.candidate]
        labels.append((given.name, f"{label}, right" if instance.label == label else label))
    blocks = (
        listing(facts.items()),
        listing(question, "Question and context"),
        listing(labels, "Yes, no or maybe"),
    )
    return Report(f"Instance {instance.id}", blocks)
