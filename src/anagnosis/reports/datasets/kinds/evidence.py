"""Questions with sentences to look at: how many hold the answer; and one question with its sentences."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.evidence_statistics import EvidenceStatistics
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.evaluation.dataset_statistics import InstanceWithAnswers
from anagnosis.reports.datasets.kind_reports import KindReports
from anagnosis.reports.report import Block, Cell, Column, Item, Listing, Report, Run, Table, item

_GOLD = {True: "gold", None: "unjudged"}
# field of a split → the row of the table.
_ROWS = {
    "instances": "instances",
    "different_questions": "questions that differ",
    "different_documents": "documents that differ",
    "documents_in_train": "documents that train has too",
    "sentences": "sentences",
    "sentences_mean": "sentences an instance, mean",
    "sentences_median": "sentences an instance, median",
    "words_mean": "words a sentence, mean",
    "gold_sentences": "gold sentences",
    "gold_share": "gold (%)",
    "one_kind": "instances with one kind of sentence",
    "unjudged_sentences": "unjudged sentences",
}
_PERCENT = ("gold_share",)


def instance_report(record: InstanceWithAnswers[EvidenceInstance]) -> Report:
    """One question with its sentences, the gold ones marked, and the scores of systems."""
    instance = record.instance
    listed: list[Item] = []
    for place, sentence in enumerate(instance.sentences):
        notes = [_GOLD[sentence.held]] if sentence.held is not False else []
        for answer in record.answers:
            score = answer.scores[place] if answer.scores else None
            notes.append(f"{answer.name} {'–' if score is None else f'{score:.3f}'}")
        label = f"{place} ({', '.join(notes)})" if notes else str(place)
        listed.append(Item(label, (Run(sentence.text, strong=bool(sentence.held)),)))
    documents = [sentences[0] for sentences in instance.documents()]
    titles = [item(f"document {each.document}", each.title) for each in documents if each.title]
    blocks: tuple[Block, ...] = (
        Listing((item("split", record.split), item("documents", str(len(documents))), *titles)),
        Listing((Item("question", (Run(instance.question, strong=True),)),)),
        Listing(tuple(listed), "Sentences"),
    )
    return Report(f"Instance {instance.id}", blocks)


def statistics_blocks(record: EvidenceStatistics) -> Iterator[Block]:
    """How many questions and sentences each split has."""
    rows: list[tuple[Cell, ...]] = []
    for field, label in _ROWS.items():
        numbers = [split[field] for split in record.splits.values()]
        if field == "documents_in_train" and set(numbers) == {None}:
            continue
        if field == "unjudged_sentences" and not any(numbers):
            continue
        factor = 100 if field in _PERCENT else 1
        rows.append((label, *(None if number is None else factor * number for number in numbers)))
    columns = (Column(""), *(Column(split, "number") for split in record.splits))
    yield Table("Questions and their sentences", columns, tuple(rows))


REPORTS = KindReports(statistics_blocks, instance_report)
