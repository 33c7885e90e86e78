"""A dataset to look at: its size beside the paper's, what every rule dropped, repairs, its shortcuts.

All of it comes from the folder: the receipt, the statistics of its instances (BIOMRC, Table 2) and the
structural shortcut card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anagnosis.datasets.biomrc import statistics
from anagnosis.datasets.folder.receipt import Receipt
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.shortcuts import Shortcut
from anagnosis.reports.report import Block, Cell, Column, Heading, Listing, Plot, Report, Table, Text, item

SHOWN_REFUSALS = 10
SHOWN_IDS = 1
SHOWN_INPUTS = 3


def dataset_report(
    dataset: Dataset,
    columns: Mapping[str, statistics.Column],
    shortcuts: Sequence[Shortcut],
    fingerprints: Mapping[str, str],
    *,
    beside: str = "large",
) -> Report:
    """What `show` shows. columns: of `statistics.statistics`; fingerprints: split → its own;
    beside: which published dataset stands beside it ("large", "lite", "tiny", or "" for none).
    """
    receipt = dataset.receipt
    return Report(
        f"The dataset {dataset.folder.name}",
        (
            Heading("Facts"),
            Listing(tuple(item(name, text) for name, text in facts(dataset, fingerprints) if text)),
            Heading("Size"),
            size_table(columns, beside),
            *drops(receipt),
            *repairs(receipt),
            Heading("Shortcuts"),
            Text("What could be answered without reading: counts of the dataset itself, whatever reads it."),
            shortcut_table(shortcuts),
        ),
    )


def size_table(columns: Mapping[str, statistics.Column], beside: str) -> Table:
    """Table 2: our splits and their total, and beside them the published figures."""
    own = statistics.table(columns)
    theirs = statistics.published()[beside] if beside else ()
    names = list(theirs[0].values) if theirs else []
    rows: list[tuple[Cell, ...]] = []
    for number, line in enumerate(own):
        published = [theirs[number].values[name] for name in names]
        rows.append((line.label, *line.values.values(), *published))
    label = f"{beside.upper()} " if beside else ""
    return Table(
        f"Table 2 of BIOMRC for this dataset{f', beside the published {beside.upper()}' if beside else ''}",
        (
            Column(""),
            *(Column(split, "number") for split in columns),
            *(Column(label + name, "number") for name in names),
        ),
        tuple(rows),
        ("Lengths are in white-space tokens of the text with @entityN and XXXX in it.",),
    )


def shortcut_table(shortcuts: Sequence[Shortcut]) -> Table:
    """A line for each structural shortcut, its share of the instances in each split."""
    splits = list(dict.fromkeys(split for shortcut in shortcuts for split in shortcut.by_split))
    rows: list[tuple[Cell, ...]] = []
    for shortcut in shortcuts:
        shares = [_share(*shortcut.by_split.get(split, (0, 0))) for split in splits]
        counts = (shortcut.count, shortcut.asked, shortcut.share)
        rows.append((shortcut.name, shortcut.meaning, *counts, *shares, _first(shortcut.ids, SHOWN_IDS)))
    return Table(
        "Structural shortcuts",
        (
            Column("shortcut"),
            Column("what it means"),
            Column("instances", "count"),
            Column("asked of", "count"),
            Column("share (%)", "percent"),
            *(Column(f"{split} (%)", "percent") for split in splits),
            Column("first ids"),
        ),
        tuple(rows),
    )


def facts(dataset: Dataset, fingerprints: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(name, what) of what the folder is and what it was made of."""
    receipt = dataset.receipt
    yield "dataset", dataset.name
    if dataset.kind.entities:
        yield "text", f"{dataset.text_form}, numbers {dataset.numbering}"
    for split, fingerprint in fingerprints.items():
        yield f"fingerprint, {split}", fingerprint
    yield "recipe", f"sha256 {receipt.recipe_sha256}"
    yield "made by", f"anagnosis {receipt.version}"
    size = sum(source.bytes for source in receipt.inputs)
    names = _first([source.name for source in receipt.inputs], SHOWN_INPUTS)
    if receipt.inputs:
        yield "inputs", f"{_files(len(receipt.inputs))}, {size:,} bytes: {names}"
    for name, choice in receipt.choices.items():
        yield name.replace("_", " "), _told(choice)


def _files(count: int) -> str:
    return f"{count:,} file{'s' if count != 1 else ''}"


def _told(choice: object) -> str:
    if isinstance(choice, Mapping):
        return ", ".join(f"{name} {_told(value)}" for name, value in choice.items())
    if isinstance(choice, list | tuple):
        return ", ".join(map(_told, choice))
    return str(choice)


def drops(receipt: Receipt) -> Iterator[Block]:
    """Two funnels: of documents and of instances, each rule in the paper's order with what it leaves."""
    documents, instances = receipt.documents, receipt.instances
    if documents.read:
        yield Heading("Documents")
        steps = {"refused": documents.refused, **documents.dropped}
        yield Plot(
            "Documents left after each rule",
            f"Of {documents.read:,} documents read, {documents.kept:,} are kept.",
            "left_after_each_rule",
            _funnel("Documents, rule by rule", "read", documents.read, steps),
            open=True,
        )
        made = instances.kept + sum(instances.dropped.values())
        yield _funnel("Instances, rule by rule", "made", made, instances.dropped)


def _funnel(caption: str, first: str, whole: int, steps: Mapping[str, int]) -> Table:
    rows: list[tuple[Cell, ...]] = [(first, None, whole, _share(whole, whole))]
    left = whole
    for rule, dropped in steps.items():
        left -= dropped
        rows.append((rule, dropped, left, _share(left, whole)))
    return Table(
        caption,
        (Column("rule"), Column("dropped", "count"), Column("left", "count"), Column("left (%)", "percent")),
        tuple(rows),
        ("The first rule that says no drops it; the rules are asked in this order.",),
    )


def repairs(receipt: Receipt) -> Iterator[Block]:
    """Repairs and warnings, and what was refused, with its place."""
    if receipt.repairs:
        yield Heading("Repairs")
        yield Table(
            "Repairs and warnings",
            (Column("name"), Column("times", "count")),
            tuple(receipt.repairs.items()),
        )
    if receipt.refusals:
        yield Heading("Refused or left out, with its place")
        shown = receipt.refusals[:SHOWN_REFUSALS]
        yield Listing(tuple(item(refusal.where, refusal.why) for refusal in shown))
        if len(receipt.refusals) > len(shown):
            yield Text(f"{len(receipt.refusals) - len(shown):,} more stand in receipt.json.", "note")


def _first(names: Sequence[str], shown: int) -> str:
    return ", ".join([*names[:shown], *(["…"] if len(names) > shown else [])])


def _share(count: int, whole: int) -> float | None:
    return count / whole if whole else None
