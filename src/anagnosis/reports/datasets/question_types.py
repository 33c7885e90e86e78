"""What is asked and what it takes to answer: Table 3 and Figure 4 of PubMedQA."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from anagnosis.datasets.kinds.decision import LABELS, Subset
from anagnosis.datasets.pubmedqa import question_types
from anagnosis.datasets.pubmedqa.characteristics import PUBLISHED, QUESTION_TYPE, Characteristics
from anagnosis.datasets.pubmedqa.statistics import Statistics
from anagnosis.reports.report import Block, Cell, Column, Heading, Plot, Table

SHOWN_LABELS = 8  # of a column in the picture; the others are one
OTHERS = "others"
COLUMNS_IN_A_PICTURE = 3  # as Figure 4 has


def type_blocks(found: Mapping[Subset, Statistics]) -> Iterator[Block]:
    """The question types of each subset by rule, and how each is answered."""
    if not found:
        return
    yield Heading("Question types")
    for subset, own in found.items():
        yield _types(subset, own)


def label_blocks(labels: Characteristics) -> Iterator[Block]:
    """The shares of a user's labels, and how they go together with the question types."""
    yield Heading("Labels of the file")
    for column in labels.columns:
        if column != QUESTION_TYPE or QUESTION_TYPE in labels.file.columns:
            yield _shares(labels, column)
    yield _flows(labels)


def _types(subset: Subset, own: Statistics) -> Table:
    rows: list[tuple[Cell, ...]] = []
    labelled = any(label for _, label in own.types)
    for name, asks in question_types.QUESTION_TYPES.items():
        count = sum(number for (kind, _), number in own.types.items() if kind == name)
        answered = [own.types[name, label] for label in LABELS]
        shares = (number / sum(answered) if sum(answered) else None for number in answered)
        published = question_types.PUBLISHED[name] / 100 if subset == "L" else None
        rows.append(
            (
                asks,
                count,
                count / own.instances if own.instances else None,
                *([published] if subset == "L" else []),
                *(shares if labelled else []),
            )
        )
    paper = (
        " In the paper other people judged 200 of these questions, and 1.5 % had no type. The rules decide "
        "otherwise: fewer influences (26 against 36.5 % of PQA-L), more relations."
        if subset == "L"
        else ""
    )
    return Table(
        f"{'Table 3 of PubMedQA: question types' if subset == 'L' else 'Question types'} of PQA-{subset}",
        (
            Column("question type"),
            Column("instances", "count"),
            Column("share (%)", "percent"),
            *([Column("published (%)", "percent")] if subset == "L" else []),
            *([Column(f"{label} (%)", "percent") for label in LABELS] if labelled else []),
        ),
        tuple(rows),
        (
            "Told by rules on the question's words, which agree on 90 of 100 of PQA-L with a person, who also wrote "
            f"the rules.{paper}",
        ),
    )


def _shares(labels: Characteristics, column: str) -> Table:
    shares = labels.shares(column)
    total = sum(count for _, count in shares)
    published = PUBLISHED.get(column, {})
    rows: list[tuple[Cell, ...]] = []
    for label, count in shares:
        paper = [published[label] / 100 if label in published else None] if published else []
        rows.append((label, count, count / total if total else None, *paper))
    part = f"Table 3 of PubMedQA for these labels: {column}" if published else f"Labels: {column}"
    return Table(
        part,
        (
            Column(column),
            Column("instances", "count"),
            Column("share (%)", "percent"),
            *([Column("published (%)", "percent")] if published else []),
        ),
        tuple(rows),
        (f"Of {total:,} instances that have this label.",),
    )


def _flows(labels: Characteristics) -> Plot:
    """Figure 4: each column beside the next, those of the paper first."""
    known = [column for column in PUBLISHED if column != QUESTION_TYPE and column in labels.columns]
    others = [column for column in labels.columns[1:] if column not in known]
    chain = [QUESTION_TYPE, *known, *others][:COLUMNS_IN_A_PICTURE]
    rows: list[tuple[Cell, ...]] = []
    for first, second in pairwise(chain):
        together = labels.together(first, second)
        total = together.total()
        left, right = _order(labels, first), _order(labels, second)
        merged: Counter[tuple[str, str]] = Counter()
        for (one, other), count in together.items():
            merged[one if one in left else OTHERS, other if other in right else OTHERS] += count
        for one in left:
            for other in right:
                if merged[one, other]:
                    number = merged[one, other]
                    rows.append((first, one, second, other, number, number / total))
    columns = (
        Column("column"),
        Column("label"),
        Column("next column"),
        Column("its label"),
        Column("instances", "count"),
        Column("share (%)", "percent"),
    )
    return Plot(
        "How the labels go together",
        f"Of {labels.instances:,} labelled instances, {', '.join(chain)}; as Figure 4 of PubMedQA. The width of a band "
        "is its share of the instances that have both labels.",
        "flows",
        Table("How the labels go together, the numbers", columns, tuple(rows)),
        open=True,
    )


def _order(labels: Characteristics, column: str) -> list[str]:
    if column == QUESTION_TYPE and QUESTION_TYPE not in labels.file.columns:
        return [*question_types.QUESTION_TYPES]
    found = [label for label, count in labels.shares(column) if count]
    return found if len(found) <= SHOWN_LABELS else [*found[: SHOWN_LABELS - 1], OTHERS]
