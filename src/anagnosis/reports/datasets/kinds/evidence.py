"""Questions with sentences to look at: how many hold the answer; and one question with its sentences."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.datasets.evidence_statistics import EvidenceStatistics
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.evaluation.dataset_statistics import InstanceWithAnswers
from anagnosis.reports.report import Block, ColumnOf, Report, Run, listing, table

_GOLD = {True: "gold", None: "unjudged"}
# field of a split → the row of the table.
_ROWS = {
    "instances": "instances",
    "documents": "documents that differ",
    "documents_in_train": "documents that train has too",
    "sentences": "sentences",
    "gold_sentences": "gold sentences",
    "gold_share": "gold (%)",
}


def instance_report(record: InstanceWithAnswers[EvidenceInstance]) -> Report:
    """One question with its sentences, the gold ones marked, and the scores of systems."""
    instance = record.instance
    listed: list[tuple[str, Run]] = []
    for place, sentence in enumerate(instance.sentences):
        notes = [_GOLD[sentence.held]] if sentence.held is not False else []
        for answer in record.answers:
            score = answer.scores[place] if answer.scores else None
            notes.append(f"{answer.name} {'–' if score is None else f'{score:.3f}'}")
        label = f"{place} ({', '.join(notes)})" if notes else str(place)
        listed.append((label, Run(sentence.text, strong=bool(sentence.held))))
    documents = [sentences[0] for sentences in instance.documents()]
    titles = [(f"document {each.document}", each.title) for each in documents]
    blocks = (
        listing([("split", record.split), ("documents", str(len(documents))), *titles]),
        listing([("question", Run(instance.question, strong=True))]),
        listing(listed, "Sentences"),
    )
    return Report(f"Instance {instance.id}", blocks)


def statistics_blocks(record: EvidenceStatistics) -> Iterator[Block]:
    """How many questions and sentences each split has."""

    def of_split(split: str) -> ColumnOf:
        def number(field: str) -> float | None:
            found = record.splits[split][field]
            return 100 * found if found is not None and field == "gold_share" else found

        return split, "number", number

    fields = [row for row in _ROWS if any(split[row] is not None for split in record.splits.values())]
    columns: list[ColumnOf] = [("", _ROWS.__getitem__), *map(of_split, record.splits)]
    yield table("Questions and their sentences", columns, fields)
