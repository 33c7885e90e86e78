"""A dataset of BioASQ's questions to look at: how many of each type, their snippets and answers, what the receipt
counts; and one question with its snippets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anagnosis.datasets.bioasq.statistics import Statistics, statistics
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.question import TYPES, YESNO, QuestionInstance
from anagnosis.datasets.kinds.table import lacking
from anagnosis.reports.datasets.dataset import drops, left_out, repairs, sized_report
from anagnosis.reports.datasets.shown import Asked, Chosen, Shown, fingerprints
from anagnosis.reports.report import Block, Cell, Column, Item, Listing, Report, Run, Table, item


def question_report(instance: QuestionInstance, *, split: str) -> Report:
    """One question with its answers and snippets, each once."""
    facts = {"file": instance.file, "split": split, "type": instance.type}
    answers = [item("exact answer", text) for text in _entries(instance.exact or ())]
    answers += [item("ideal answer", text) for text in instance.ideal]
    snippets = [
        item(f"{snippet.pmid} {snippet.begin_section}", snippet.text)
        for snippet in dict.fromkeys(instance.snippets)
    ]
    blocks: list[Block] = [
        Listing(tuple(item(name, text) for name, text in facts.items() if text)),
        Listing((Item("question", (Run(instance.question, strong=True),)), *answers), "Question and answers"),
    ]
    if snippets:
        blocks.append(Listing(tuple(snippets), "Snippets"))
    return Report(f"Instance {instance.id}", tuple(blocks))


def _entries(exact: Sequence[Sequence[str]]) -> Iterator[str]:
    return (" = ".join(entry) for entry in exact)


def _sizes(found: Mapping[str, Statistics]) -> Table:
    columns = [Column("")]
    columns += [Column(split, "number") for split in found]
    rows: list[tuple[Cell, ...]] = [("questions", *(own.questions for own in found.values()))]
    for kind in TYPES:
        rows.append((kind, *(own.of_type(kind) for own in found.values())))
        if any(own.answered[kind] for own in found.values()):
            rows.append((f"{kind} with an exact answer", *(own.answered[kind] for own in found.values())))
    rows += [
        (f"{YESNO} answered yes", *(own.yes for own in found.values())),
        ("documents", *(own.documents for own in found.values())),
        ("documents that differ", *(len(own.distinct) for own in found.values())),
        ("snippets", *(own.all_snippets for own in found.values())),
        ("snippets that differ", *(len(own.unlike) for own in found.values())),
        ("snippets a question, mean", *(_mean(own) for own in found.values())),
        ("snippets a question, median", *(own.median_snippets for own in found.values())),
    ]
    for section in sorted({name for own in found.values() for name in own.sections}):
        rows.append(
            (f"snippets of {section or 'no section'}", *(own.sections[section] for own in found.values()))
        )
    return Table("Questions, documents, snippets", tuple(columns), tuple(rows))


def _mean(own: Statistics) -> float | None:
    return own.all_snippets / own.questions if own.questions else None


def _files(split: str, own: Statistics) -> Table:
    files = list(dict.fromkeys(file for file, _ in own.types))
    kinds = [kind for kind in (*TYPES, "") if own.of_type(kind)]
    rows: list[tuple[Cell, ...]] = []
    for file in files:
        counts = [own.types[file, kind] for kind in kinds]
        rows.append((file or "no file", sum(counts), *counts))
    return Table(
        f"Files of {split}",
        (
            Column("file"),
            Column("questions", "count"),
            *(Column(kind or "no type", "count") for kind in kinds),
        ),
        tuple(rows),
    )


def _dataset(dataset: Dataset, asked: Asked) -> Report:
    asked.refuse_topics(dataset)
    found = {
        split: statistics(store.instances(dataset, split, of=QuestionInstance)) for split in dataset.rows
    }
    return sized_report(
        dataset,
        _sizes(found),
        *(_files(split, own) for split, own in found.items()),
        *left_out(dataset.receipt),
        *drops(dataset.receipt),
        *repairs(dataset.receipt),
        splits=fingerprints(dataset),
    )


def _instance(chosen: Chosen) -> Report:
    chosen.refuse_view()
    if chosen.matched:
        raise lacking(chosen.dataset.kind, "answers in files", str(chosen.dataset.folder))
    return question_report(chosen.instance, split=chosen.split)


SHOWN = Shown(_dataset, _instance)
