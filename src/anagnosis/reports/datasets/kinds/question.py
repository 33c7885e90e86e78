"""A dataset of BioASQ's questions to look at: how many of each type, their snippets and answers; and one question with
its snippets."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.bioasq.statistics import QuestionStatistics
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.kinds.table import lacking, named
from anagnosis.evaluation.dataset_statistics import InstanceWithAnswers
from anagnosis.reports.datasets.kind_reports import KindReports
from anagnosis.reports.report import Block, Column, Item, Listing, Report, Run, Table, item


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
    names = sorted({name for counts in record.splits.values() for name in counts})
    names.sort(key=lambda name: name != "questions")
    columns = (Column(""), *(Column(split, "number") for split in record.splits))
    rows = tuple((name, *(counts.get(name, 0) for counts in record.splits.values())) for name in names)
    yield Table("Questions, documents, snippets", columns, rows)
    for split, files in record.files.items():
        listed = tuple((file or "no file", count) for file, count in files.items())
        yield Table(f"Files of {split}", (Column("file"), Column("questions", "count")), listed)


REPORTS = KindReports(statistics_blocks, question_report)
