"""A dataset of BioASQ's questions to look at: how many of each type, their snippets and answers; and one question with
its snippets."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.bioasq.statistics import QuestionStatistics, SplitStatistics
from anagnosis.datasets.kinds.question import TYPES, YESNO, QuestionInstance
from anagnosis.datasets.kinds.table import lacking, named
from anagnosis.evaluation.dataset_statistics import InstanceWithAnswers
from anagnosis.reports.datasets.kind_reports import KindReports
from anagnosis.reports.report import Block, Cell, Column, Item, Listing, Report, Run, Table, item


def question_report(record: InstanceWithAnswers[QuestionInstance]) -> Report:
    """One question with its answers and snippets, each once."""
    if record.answers:
        raise lacking(named(record.kind), "answers in files", record.dataset)
    instance = record.instance
    facts = {"file": instance.file, "split": record.split, "type": instance.type}
    answers = [item("exact answer", " = ".join(entry)) for entry in instance.exact or ()]
    if instance.exact == ():
        answers.append(item("exact answer", "none"))
    answers += [item("ideal answer", text) for text in instance.ideal]
    snippets = [
        item(f"{snippet.pmid} {snippet.begin_section}".strip() or str(number), snippet.text)
        for number, snippet in enumerate(dict.fromkeys(instance.snippets), 1)
    ]
    blocks: list[Block] = [
        Listing(tuple(item(name, text) for name, text in facts.items() if text)),
        Listing((Item("question", (Run(instance.question, strong=True),)), *answers), "Question and answers"),
    ]
    if snippets:
        blocks.append(Listing(tuple(snippets), "Snippets"))
    return Report(f"Instance {instance.id}", tuple(blocks))


def statistics_blocks(record: QuestionStatistics) -> Iterator[Block]:
    """The size, and the files of each split."""
    yield _sizes(record)
    for name, split in record.splits.items():
        yield _files(name, split)


def _sizes(record: QuestionStatistics) -> Table:
    splits = record.splits.values()
    rows: list[tuple[Cell, ...]] = [("questions", *(split.questions for split in splits))]
    for kind in TYPES:
        rows.append((kind, *(split.types[kind].questions for split in splits)))
        answered = [split.types[kind].answered for split in splits]
        if any(answered):
            rows.append((f"{kind} with an exact answer", *answered))
    if any(split.types[YESNO].answered for split in splits):
        rows.append((f"{YESNO} answered yes", *(split.answered_yes for split in splits)))
    rows += [
        ("documents", *(split.documents for split in splits)),
        ("documents that differ", *(split.different_documents for split in splits)),
        ("snippets", *(split.snippets for split in splits)),
        ("snippets that differ", *(split.different_snippets for split in splits)),
        ("snippets a question, mean", *(split.snippets_mean for split in splits)),
        ("snippets a question, median", *(split.snippets_median for split in splits)),
    ]
    for section in sorted({section for split in splits for section in split.sections}):
        counts = (split.sections.get(section, 0) for split in splits)
        rows.append((f"snippets of {section or 'no section'}", *counts))
    columns = (Column(""), *(Column(name, "number") for name in record.splits))
    return Table("Questions, documents, snippets", columns, tuple(rows))


def _files(name: str, split: SplitStatistics) -> Table:
    kinds = [kind for kind, count in split.types.items() if count.questions]
    return Table(
        f"Files of {name}",
        (
            Column("file"),
            Column("questions", "count"),
            *(Column(kind or "no type", "count") for kind in kinds),
        ),
        tuple(
            (file.file or "no file", file.questions, *(file.types[kind] for kind in kinds))
            for file in split.files
        ),
    )


REPORTS = KindReports(statistics_blocks, question_report)
