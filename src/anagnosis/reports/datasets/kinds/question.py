"""A dataset of BioASQ's questions to look at: how many of each type, their snippets and answers; and one question with
its snippets."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.bioasq.statistics import QuestionStatistics
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.kinds.table import lacking, named
from anagnosis.evaluation.dataset_statistics import InstanceWithAnswers
from anagnosis.reports.datasets.dataset import counts_table
from anagnosis.reports.report import Block, ColumnOf, Report, Run, listing, table


def instance_report(record: InstanceWithAnswers[QuestionInstance]) -> Report:
    """One question with its answers and snippets, each once."""
    if record.answers:
        raise lacking(named(record.kind), "answers in files", record.dataset)
    instance = record.instance
    facts = {"file": instance.file, "split": record.split, "type": instance.type or ""}
    exact = ["none"] if instance.exact == () else [" = ".join(entry) for entry in instance.exact or ()]
    answers = [("exact answer", text) for text in exact] + [("ideal answer", text) for text in instance.ideal]
    question = ("question", Run(instance.question, strong=True))
    snippets = listing(
        (
            (f"{snippet.pmid} {snippet.begin_section}".strip() or str(number), snippet.text)
            for number, snippet in enumerate(dict.fromkeys(instance.snippets), 1)
        ),
        "Snippets",
    )
    blocks = listing(facts.items()), listing([question, *answers], "Question and answers")
    return Report(f"Instance {instance.id}", (*blocks, *([snippets] if snippets.items else [])))


def statistics_blocks(record: QuestionStatistics) -> Iterator[Block]:
    """The size, and the files of each split."""
    names = sorted(
        {name for counts in record.splits.values() for name in counts},
        key=lambda name: (name != "questions", name),
    )

    def of_split(split: str) -> ColumnOf:
        return split, "number", lambda name: record.splits[split].get(name, 0)

    yield table(
        "Questions, documents, snippets", [("", lambda name: name), *map(of_split, record.splits)], names
    )
    for split, files in record.files.items():
        listed = {file or "no file": count for file, count in files.items()}
        yield counts_table(f"Files of {split}", "file", "questions", listed)
