"""A dataset of decisions to look at: Tables 1 to 3 of PubMedQA beside the published figures, topics (Figure 3), what
the receipt counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.decision import DecisionInstance, Subset
from anagnosis.datasets.pubmedqa.characteristics import QUESTION_TYPE, Characteristics
from anagnosis.datasets.pubmedqa.statistics import PUBLISHED, Statistics
from anagnosis.evaluation.over_represented import Topic
from anagnosis.reports.datasets.dataset import drops, facts, repairs
from anagnosis.reports.datasets.decision import sample_blocks
from anagnosis.reports.datasets.question_types import label_blocks, type_blocks
from anagnosis.reports.report import Block, Cell, Column, Heading, Listing, Plot, Report, Table, item

TOPICS = 20
_ROWS = {
    "instances": "Number of QA pairs",
    "yes": "Prop. of yes (%)",
    "no": "Prop. of no (%)",
    "maybe": "Prop. of maybe (%)",
    "question": "Avg. question length",
    "context": "Avg. context length",
    "long": "Avg. long answer length",
}


def decisions_report(
    dataset: Dataset,
    found: Mapping[Subset, Statistics],
    counted: str,
    fingerprints: Mapping[str, str],
    topics: tuple[int, Sequence[Topic]] | None = None,
    labels: Characteristics | None = None,
    samples: Mapping[Subset, Sequence[DecisionInstance]] | None = None,
) -> Report:
    """What `show` shows. counted: the way in which words were counted (language/words.py).

    topics: those over-represented against so many other documents, None where there was nothing to compare with.
    labels: of a user's file. samples: of each subset, to be shown.
    """
    lines = (*facts(dataset, fingerprints), *_dates(found))
    told = [item(name, text) for name, text in lines if text]
    if labels is not None:
        told.append(item("labels", labels.file.told(labels.instances)))
    return Report(
        f"The dataset {dataset.folder.name}",
        (
            Heading("Facts"),
            Listing(tuple(told)),
            Heading("Size"),
            size_table(found, counted),
            *sample_blocks(samples or {}),
            *(() if labels is not None and QUESTION_TYPE in labels.file.columns else type_blocks(found)),
            *(label_blocks(labels) if labels is not None else ()),
            *(block for subset, own in found.items() if own.topics for block in _topics(subset, own)),
            *(_over_represented(*topics) if topics is not None else ()),
            *drops(dataset.receipt),
            *repairs(dataset.receipt),
        ),
    )


def size_table(found: Mapping[Subset, Statistics], counted: str) -> Table:
    """Table 1: each subset here, and the published one beside it."""
    columns = [Column("")]
    cells: list[Sequence[float | None]] = []
    for subset, own in found.items():
        columns += [Column(f"PQA-{subset} here", "number"), Column(f"PQA-{subset} published", "number")]
        cells.append([*own.figures().values()])
        cells.append([PUBLISHED[subset].get(name) for name in _ROWS])
    rows: list[tuple[Cell, ...]] = [
        (label, *(values[number] for values in cells)) for number, label in enumerate(_ROWS.values())
    ]
    how = (
        "Lengths are in words as NLTK's word_tokenize counts them, as in the paper."
        if counted == "treebank"
        else "Lengths are in words that blanks separate, which are fewer than the paper's: for its way of counting, "
        'pip install "anagnosis[punkt]".'
    )
    return Table("Table 1 of PubMedQA for this dataset", tuple(columns), tuple(rows), (how,))


def _topics(subset: Subset, own: Statistics) -> Iterator[Block]:
    # Of topics that are as frequent the first by name, so that each run shows the same ones.
    most = sorted(own.topics.items(), key=lambda topic: (-topic[1], topic[0]))[:TOPICS]
    rows: list[tuple[Cell, ...]] = [(name, count, count / own.instances) for name, count in most]
    yield Heading(f"Topics of PQA-{subset}")
    columns = (Column("descriptor"), Column("instances", "count"), Column("share (%)", "percent"))
    yield Plot(
        f"The most frequent topics of PQA-{subset}",
        f"MeSH descriptors, of {len(own.topics):,} different ones; Figure 3 of PubMedQA.",
        "share_of_each",
        Table(f"Topics of PQA-{subset}, the numbers", columns, tuple(rows)),
        open=True,
    )


def _over_represented(documents: int, topics: Sequence[Topic]) -> Iterator[Block]:
    yield Heading("Over-represented topics")
    yield Table(
        f"Topics that stand here more often than in {documents:,} other documents",
        (
            Column("descriptor"),
            Column("here (%)", "percent"),
            Column("there (%)", "percent"),
            Column("z", "number"),
            Column("p, two-tailed", "p"),
            Column("Holm", "p"),
        ),
        tuple((t.name, t.here, t.there, t.z, t.p, t.holm) for t in topics),
        (
            "Two-proportion z-tests at .05, Holm's correction over all descriptors of which five or more are "
            "expected on each side (PubMedQA, appendix B). Only what has descriptors counts.",
        ),
    )


def _dates(found: Mapping[Subset, Statistics]) -> Iterator[tuple[str, str]]:
    for subset, own in found.items():
        without = f" ({own.instances - own.dated:,} without)" if own.dated < own.instances else ""
        yield f"dates, PQA-{subset}", f"{own.first_date} to {own.last_date}{without}" if own.dated else ""
