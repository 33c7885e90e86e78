"""The reports of `show`: of a dataset, which begins and ends alike for each kind (kinds/), and of an instance.

Of a dataset: its size and the tables of its kind, what every rule dropped, repairs, facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anagnosis import registry
from anagnosis.datasets.folder.receipt import Receipt
from anagnosis.datasets.shortcuts import Shortcut
from anagnosis.evaluation.dataset_statistics import DatasetStatistics, InstanceWithAnswers
from anagnosis.reports.datasets.kinds import KIND_REPORTS
from anagnosis.reports.report import Block, Cell, ColumnOf, Heading, Plot, Report, Table, Text, listing, table
from anagnosis.wording import counted

SHOWN_REFUSALS = 10
SHOWN_INPUTS = 3
NO_ANSWER = "no answer"


def statistics_report(record: DatasetStatistics[Any]) -> Report:
    """The report of a dataset: its size; then the tables of its kind, its receipt and facts."""
    size, *tables = _of_kind(record.kind).statistics_blocks(record.statistics)
    return Report(
        f"The dataset {record.folder}", (size,), (*tables, *_receipt(record.receipt), *_facts(record))
    )


def instance_report(record: InstanceWithAnswers[Any]) -> Report:
    """The page of one instance."""
    return _of_kind(record.kind).instance_report(record)


def _of_kind(kind: str) -> Any:
    return registry.load(KIND_REPORTS[kind])


def _facts(record: DatasetStatistics[Any]) -> Iterator[Block]:
    """What the folder is and what it was made of."""
    receipt = record.receipt
    facts = {"dataset": record.dataset}
    if record.text_form is not None:
        facts["text"] = f"{record.text_form}, numbers {record.numbering}"
    facts |= {f"fingerprint, {split}": own.fingerprint for split, own in record.splits.items()}
    facts |= {"recipe": f"sha256 {receipt.recipe_sha256}", "made by": f"anagnosis {receipt.version}"}
    if receipt.inputs:
        size = sum(source.bytes for source in receipt.inputs)
        names = first([source.name for source in receipt.inputs], SHOWN_INPUTS)
        facts["inputs"] = f"{counted(len(receipt.inputs), 'file')}, {size:,} bytes: {names}"
    facts |= {name.replace("_", " "): _text(choice) for name, choice in receipt.choices.items()}
    yield Heading("Facts")
    yield listing(facts.items())


def _text(choice: object) -> str:
    if isinstance(choice, Mapping):
        return ", ".join(f"{name} {_text(value)}" for name, value in choice.items())
    return ", ".join(map(_text, choice)) if isinstance(choice, list | tuple) else str(choice)


def shortcut_table(shortcuts: Sequence[Shortcut]) -> Table | Text:
    """A line for each structural shortcut of some instance, its share of the instances in each split."""
    absent = ", ".join(f"{each.name} ({each.meaning})" for each in shortcuts if not each.instances)
    present = [shortcut for shortcut in shortcuts if shortcut.instances]
    if not present:
        return Text(f"No instance has a structural shortcut, of {absent}.")

    def in_split(split: str) -> ColumnOf:
        return f"{split} (%)", "percent", lambda each: share(*each.by_split.get(split, (0, 0)))

    return table(
        "Structural shortcuts",
        [
            ("shortcut", lambda each: each.name),
            ("what it means", lambda each: each.meaning),
            ("instances", "count", lambda each: each.instances),
            ("of", "count", lambda each: each.of),
            ("share (%)", "percent", lambda each: share(each.instances, each.of)),
            *map(in_split, dict.fromkeys(split for shortcut in shortcuts for split in shortcut.by_split)),
        ],
        present,
        notes=[f"In no instance: {absent}."] if absent else [],
    )


def _receipt(receipt: Receipt) -> Iterator[Block]:
    """What is left out of documents and instances, by rule; repairs; what was refused or noted, with its place."""
    documents, instances = receipt.documents, receipt.instances
    if documents.read:
        yield Heading("Documents")
        steps = {"refused": documents.refused, **documents.dropped}
        funnel = _funnel("Documents, rule by rule", "read", documents.read, steps)
        what = f"Of {documents.read:,} documents read, {documents.kept:,} are kept."
        title = "Documents left after each rule"
        yield Plot(title, what, "left_after_each_rule", funnel, repeated=True)
        yield funnel
        made = instances.kept + sum(instances.dropped.values())
        yield _funnel("Instances, rule by rule", "made", made, instances.dropped)
    elif instances.dropped:
        yield Heading("Left out")
        yield counts_table("Left out, by reason", "reason", "instances", instances.dropped)
    if receipt.repairs:
        yield Heading("Repairs")
        yield counts_table("Repairs and warnings", "name", "times", receipt.repairs)
    for heading, places in (("Refused", receipt.refusals), ("Noted", receipt.notes)):
        if places:
            yield Heading(f"{heading}, with its place")
            yield listing((place.where, place.why) for place in places[:SHOWN_REFUSALS])
        if len(places) > SHOWN_REFUSALS:
            yield Text(f"{len(places) - SHOWN_REFUSALS:,} more are in receipt.json.", "note")


def _funnel(caption: str, first: str, whole: int, steps: Mapping[str, int]) -> Table:
    """Each rule in the paper's order with what it leaves."""
    rows: list[tuple[str, int | None, int]] = [(first, None, whole)]
    for rule, dropped in steps.items():
        rows.append((rule, dropped, rows[-1][2] - dropped))
    return table(
        caption,
        [
            ("rule", lambda row: row[0]),
            ("dropped", "count", lambda row: row[1]),
            ("left", "count", lambda row: row[2]),
            ("left (%)", "percent", lambda row: share(row[2], whole)),
        ],
        rows,
        notes=(
            "The first rule that fails drops it, in this order; docs/receipts.md has a sentence on each.",
        ),
    )


def counts_table(caption: str, name: str, counted: str, counts: Mapping[str, Cell]) -> Table:
    """Counts by name."""
    return table(
        caption, [(name, lambda row: row[0]), (counted, "count", lambda row: row[1])], counts.items()
    )


def first(names: Sequence[str], shown: int) -> str:
    """The first few, and a sign where there are more."""
    return ", ".join([*names[:shown], *(["…"] if len(names) > shown else [])])


def share(count: int, whole: int) -> float | None:
    """0 to 1; None of nothing."""
    return count / whole if whole else None
