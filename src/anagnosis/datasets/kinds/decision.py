"""The decision instance of PubMedQA: a question to answer with yes, no or maybe, in memory and in Parquet.

    subset   L: labelled by people; U: not labelled; A: labelled by the rule that made it (PubMedQA, 3.1)

What a reader sees of a decision are PubMedQA's settings (section 3.3), made on the way out:

    reasoning-required   question and context; the long answer can teach beside the label
    reasoning-free       question and long answer
    question-only        the question, as some harnesses ask it

`place` and `fields` hold what the authors' own file needs to come back byte for byte: where the instance stood in it,
and which keys it had, in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal

import msgspec
import pyarrow as pa

from anagnosis.datasets.arrays import schema_of, tables
from anagnosis.datasets.kinds import fixed_labels
from anagnosis.datasets.kinds.kind import (
    GoldColumns,
    Kind,
    Rows,
    View,
)
from anagnosis.errors import unknown_name

LABELS = ("yes", "no", "maybe")
Subset = Literal["L", "U", "A"]
SUBSETS: tuple[Subset, ...] = ("L", "U", "A")
REQUIRED, FREE, QUESTION = "reasoning-required", "reasoning-free", "question-only"


class ContextSection(msgspec.Struct, frozen=True, gc=False):
    """A part of the abstract that is not its conclusion. label: as printed, empty where there is none."""

    label: str
    text: str


class DecisionInstance(msgspec.Struct, frozen=True, gc=False):
    """A question, the abstract without its conclusion, and the conclusion."""

    id: str  # the document's, a PMID
    question: str  # the title, or what a statement title became
    context: tuple[ContextSection, ...]
    long_answer: str | None  # the conclusion, None where it is withheld
    label: str | None  # one of LABELS, None where unlabelled or withheld
    # (name, label) of those who answered: reasoning_free saw the long answer, reasoning_required did not
    annotators: tuple[tuple[str, str], ...] = ()
    mesh: tuple[str, ...] = ()  # names of descriptors
    year: str | None = None  # as the source writes it
    date: str = ""  # ISO, empty where unknown
    subset: Subset = "L"
    place: int = 0  # from 0, in the file that it was read from; 0 where it was built
    fields: tuple[str, ...] = ()  # the keys of the authors' object, in its order
    title: str | None = None  # the statement that became the question and tells the label


class Posed(msgspec.Struct, frozen=True, gc=False):
    """A decision as a reader gets it.

    read: what stands beside the question. answer: index into LABELS, None where unlabelled. long_answer: for an
    auxiliary loss; empty where it is read, withheld or none of the reader's.
    """

    id: str
    question: str
    read: tuple[ContextSection, ...]
    answer: int | None
    long_answer: str = ""

    @property
    def text(self) -> str:
        """What is read beside the question, as one text."""
        return " ".join(section.text for section in self.read)

    @property
    def target(self) -> int:
        """The answer, -1 for none."""
        return -1 if self.answer is None else self.answer


_ANNOTATOR = pa.struct([pa.field("name", pa.string(), False), pa.field("label", pa.string(), False)])
DECISION_SCHEMA = schema_of(
    DecisionInstance,
    annotators=pa.list_(pa.field("item", _ANNOTATOR, False)),
    subset=pa.string(),
    place=pa.int32(),
)


def instances(batch: pa.RecordBatch | pa.Table) -> Iterator[DecisionInstance]:
    """The instances of a batch of DECISION_SCHEMA."""
    for row in batch.to_pylist():
        row["context"] = tuple(ContextSection(**section) for section in row["context"])
        row["annotators"] = tuple((each["name"], each["label"]) for each in row["annotators"])
        row["mesh"], row["fields"] = tuple(row["mesh"]), tuple(row["fields"])
        yield DecisionInstance(**row)


def row(instance: DecisionInstance) -> dict[str, Any]:
    """The instance as a row of DECISION_SCHEMA."""
    annotators = [{"name": name, "label": label} for name, label in instance.annotators]
    return {**msgspec.to_builtins(instance), "annotators": annotators}


def posed(instance: DecisionInstance, view: str) -> Posed:
    """The instance in one of VIEWS."""
    if view not in VIEWS:
        raise unknown_name("view", view, VIEWS)
    read, long_answer = VIEWS[view](instance)
    answer = None if instance.label is None else LABELS.index(instance.label)
    return Posed(instance.id, instance.question, read, answer, long_answer)


def passage(viewed: Posed) -> str:
    """What is read beside the question, a line for each section, without their labels."""
    return "\n".join(section.text for section in viewed.read)


# What is read beside the question, and the long answer that an auxiliary loss may use.
VIEWS: dict[str, Callable[[DecisionInstance], tuple[tuple[ContextSection, ...], str]]] = {
    REQUIRED: lambda instance: (instance.context, instance.long_answer or ""),
    FREE: lambda instance: ((ContextSection("", instance.long_answer or ""),), ""),
    QUESTION: lambda instance: ((), ""),
}


def _view(name: str) -> View:
    return lambda instance, text_form, numbering: posed(instance, name)


def faults(instance: DecisionInstance, text_form: str = "") -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of one decision; the invariants of docs/formats.md."""
    if not instance.question.strip():
        yield "question", "the question is empty"
    for whose, label in (("", instance.label), *instance.annotators):
        if label is not None and label not in LABELS:
            yield "label", f"the label {f'of {whose} ' if whose else ''}is {label!r}"
    if instance.subset not in SUBSETS:
        yield "subset", f"the subset is {instance.subset!r}"
    if instance.subset == "U" and instance.label is not None:
        yield "subset", f"an unlabelled instance has the label {instance.label!r}"


# Keys of the authors' object that hold what is withheld.
_TELLING = ("final_decision", "reasoning_required_pred", "reasoning_free_pred", "LONG_ANSWER")


def _without_label(instance: DecisionInstance) -> DecisionInstance:
    """The title of a statement tells its label, the place in a file may, and the conclusion decides: people who read it
    are right nine times in ten (PubMedQA, Table 5).
    """
    return msgspec.structs.replace(
        instance,
        label=None,
        annotators=(),
        long_answer=None,
        title=None,
        place=0,
        fields=tuple(key for key in instance.fields if key not in _TELLING),
    )


_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_ROWS = Rows(
    {
        "id": (_TEXT, lambda instance, viewed: viewed.id),
        "question": (_TEXT, lambda instance, viewed: viewed.question),
        "passage": (_TEXT, lambda instance, viewed: passage(viewed)),
        "sections": (_TEXTS, lambda instance, viewed: [section.label for section in viewed.read]),
        "long_answer": (_TEXT, lambda instance, viewed: viewed.long_answer or None),
        "candidates": (_TEXTS, lambda instance, viewed: [*LABELS]),
        "answer": (_TEXT, lambda instance, viewed: instance.label),
        "answer_index": (pa.int32(), lambda instance, viewed: viewed.answer),
        "subset": (_TEXT, lambda instance, viewed: instance.subset),
        "date": (_TEXT, lambda instance, viewed: instance.date),
    }
)

KIND = Kind(
    name="decision",
    holds="questions for yes, no or maybe",
    record=DecisionInstance,
    schema=DECISION_SCHEMA,
    tables=partial(tables, row, DECISION_SCHEMA),
    instances=instances,
    labels=LABELS,
    keys=lambda instance: [*LABELS],
    gold=GoldColumns(("id", "label"), partial(fixed_labels.gold_side, labels=LABELS, right="label")),
    faults=faults,
    views={name: _view(name) for name in VIEWS},
    usual_view=REQUIRED,
    rows=_ROWS,
    withholdings={"labels": _without_label},
    statistics="anagnosis.datasets.pubmedqa.statistics:decision_statistics",
    layout="pubmedqa",
)
