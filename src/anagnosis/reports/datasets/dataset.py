"""What the report of any dataset shows of its folder: facts, what every rule dropped, repairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from anagnosis.datasets.folder.receipt import Receipt
from anagnosis.datasets.shortcuts import Shortcut, ShortcutCount
from anagnosis.evaluation.dataset_statistics import DatasetStatistics
from anagnosis.reports.report import Block, Cell, Column, Heading, Listing, Plot, Report, Table, Text, item
from anagnosis.wording import counted

SHOWN_REFUSALS = 10
SHOWN_INPUTS = 3
SHOWN_IDS = 1  # of instances with a shortcut


def facts_report(
    record: DatasetStatistics[Any],
    size: Block,
    tables: Iterable[Block] = (),
) -> Report:
    """The report of a dataset: its size; then the tables of its kind, its receipt and facts."""
    receipt = record.receipt
    listed = Listing(tuple(item(name, text) for name, text in _facts(record) if text))
    rest = (*tables, *left_out(receipt), *drops(receipt), *repairs(receipt), Heading("Facts"), listed)
    return Report(f"The dataset {record.folder}", (size,), rest)


def _facts(record: DatasetStatistics[Any]) -> Iterator[tuple[str, str]]:
    """(name, what) of what the folder is and what it was made of."""
    receipt = record.receipt
    yield "dataset", record.dataset
    if record.text_form is not None:
        yield "text", f"{record.text_form}, numbers {record.numbering}"
    for split, facts in record.splits.items():
        yield f"fingerprint, {split}", facts.fingerprint
    yield "recipe", f"sha256 {receipt.recipe_sha256}"
    yield "made by", f"anagnosis {receipt.version}"
    size = sum(source.bytes for source in receipt.inputs)
    names = first([source.name for source in receipt.inputs], SHOWN_INPUTS)
    if receipt.inputs:
        yield "inputs", f"{counted(len(receipt.inputs), 'file')}, {size:,} bytes: {names}"
    for name, choice in receipt.choices.items():
        yield name.replace("_", " "), _text(choice)


def _text(choice: object) -> str:
    if isinstance(choice, Mapping):
        return ", ".join(f"{name} {_text(value)}" for name, value in choice.items())
    if isinstance(choice, list | tuple):
        return ", ".join(map(_text, choice))
    return str(choice)


def shortcut_table(shortcuts: Sequence[Shortcut]) -> Table | Text:
    """A line for each structural shortcut of some instance, its share of the instances in each split."""
    splits = list(dict.fromkeys(split for shortcut in shortcuts for split in shortcut.by_split))
    absent = ", ".join(shortcut.name for shortcut in shortcuts if not shortcut.instances)
    rows: list[tuple[Cell, ...]] = []
    for shortcut in shortcuts:
        if not shortcut.instances:
            continue
        in_splits = [shortcut.by_split.get(split, ShortcutCount()) for split in splits]
        shares = [share(count.instances, count.of) for count in in_splits]
        counts = (shortcut.instances, shortcut.of, shortcut.share)
        rows.append((shortcut.name, shortcut.meaning, *counts, *shares, first(shortcut.ids, SHOWN_IDS)))
    if not rows:
        return Text(f"No instance has a structural shortcut, of {absent}.")
    return Table(
        "Structural shortcuts",
        (
            Column("shortcut"),
            Column("what it means"),
            Column("instances", "count"),
            Column("of", "count"),
            Column("share (%)", "percent"),
            *(Column(f"{split} (%)", "percent") for split in splits),
            Column("first ids"),
        ),
        tuple(rows),
        (f"In no instance: {absent}.",) if absent else (),
    )


def left_out(receipt: Receipt) -> Iterator[Block]:
    """Instances of the authors' files that the dataset lacks, by reason; `drops` shows those of a build."""
    if receipt.instances.dropped and not receipt.documents.read:
        yield Heading("Left out")
        columns = (Column("reason"), Column("instances", "count"))
        yield Table("Left out, by reason", columns, tuple(receipt.instances.dropped.items()))


def drops(receipt: Receipt) -> Iterator[Block]:
    """Two funnels: of documents and of instances, each rule in the paper's order with what it leaves."""
    documents, instances = receipt.documents, receipt.instances
    if documents.read:
        yield Heading("Documents")
        steps = {"refused": documents.refused, **documents.dropped}
        funnel = _funnel("Documents, rule by rule", "read", documents.read, steps)
        yield Plot(
            "Documents left after each rule",
            f"Of {documents.read:,} documents read, {documents.kept:,} are kept.",
            "left_after_each_rule",
            funnel,
            repeated=True,
        )
        yield funnel
        made = instances.kept + sum(instances.dropped.values())
        yield _funnel("Instances, rule by rule", "made", made, instances.dropped)


def _funnel(caption: str, first: str, whole: int, steps: Mapping[str, int]) -> Table:
    rows: list[tuple[Cell, ...]] = [(first, None, whole, share(whole, whole))]
    left = whole
    for rule, dropped in steps.items():
        left -= dropped
        rows.append((rule, dropped, left, share(left, whole)))
    return Table(
        caption,
        (Column("rule"), Column("dropped", "count"), Column("left", "count"), Column("left (%)", "percent")),
        tuple(rows),
        ("The first rule that fails drops it; rules are tried in this order.",),
    )


def repairs(receipt: Receipt) -> Iterator[Block]:
    """Repairs and warnings, and what was refused or noted, with its place."""
    if receipt.repairs:
        yield Heading("Repairs")
        yield Table(
            "Repairs and warnings",
            (Column("name"), Column("times", "count")),
            tuple(receipt.repairs.items()),
        )
    headings = {"Refused, with its place": receipt.refusals, "Noted, with its place": receipt.notes}
    for heading, places in headings.items():
        if places:
            yield Heading(heading)
            shown = places[:SHOWN_REFUSALS]
            yield Listing(tuple(item(place.where, place.why) for place in shown))
            if len(places) > len(shown):
                yield Text(f"{len(places) - len(shown):,} more are in receipt.json.", "note")


def first(names: Sequence[str], shown: int) -> str:
    """The first few, and a sign where there are more."""
    return ", ".join([*names[:shown], *(["…"] if len(names) > shown else [])])


def share(count: int, whole: int) -> float | None:
    """0 to 1; None of nothing."""
    return count / whole if whole else None
