"""What is asked: the question types of Table 3 of PubMedQA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anagnosis.datasets.kinds.decision import LABELS, Subset
from anagnosis.datasets.pubmedqa.statistics import SubsetStatistics
from anagnosis.reports.report import Block, Cell, Column, Heading, Table


def type_blocks(subsets: Mapping[Subset, SubsetStatistics]) -> Iterator[Block]:
    """The question types of each subset by rule, and how each is answered."""
    if not subsets:
        return
    yield Heading("Question types")
    for name, subset in subsets.items():
        yield _types(name, subset)


def _types(name: Subset, subset: SubsetStatistics) -> Table:
    rows: list[tuple[Cell, ...]] = []
    labelled = any(each.labels[label] for each in subset.question_types for label in LABELS)
    for each in subset.question_types:
        total = sum(each.labels.values())
        shares = (each.labels[label] / total if total else None for label in LABELS)
        published = [each.published] if name == "L" else []
        rows.append((each.asks, each.instances, each.share, *published, *(shares if labelled else [])))
    paper = (
        " In the paper other people judged 200 of these questions, and 1.5 % had no type. The rules decide "
        "otherwise: fewer influences (26 against 36.5 % of PQA-L), more relations."
        if name == "L"
        else ""
    )
    return Table(
        f"{'Table 3 of PubMedQA: question types' if name == 'L' else 'Question types'} of PQA-{name}",
        (
            Column("question type"),
            Column("instances", "count"),
            Column("share (%)", "percent"),
            *([Column("published (%)", "percent")] if name == "L" else []),
            *([Column(f"{label} (%)", "percent") for label in LABELS] if labelled else []),
        ),
        tuple(rows),
        (
            "Detected by rules on the question's words, which agree on 90 of 100 of PQA-L with a person, who also "
            f"wrote the rules.{paper}",
        ),
    )
