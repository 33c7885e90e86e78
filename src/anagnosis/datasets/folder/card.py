"""The card of a dataset folder: a README.md whose header the Hugging Face hub and `datasets` read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from anagnosis.datasets.definition import definition_of
from anagnosis.datasets.folder.receipt import Receipt
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.datasets.splits import HUB_SPLITS, SPLITS
from anagnosis.wording import counted

# Of the recipe of a public copy: split → what of its answers is left out. Of its receipt: what that cannot hide.
WITHHELD = "withheld"


def card(recipe: Mapping[str, Any], receipt: Receipt) -> str:
    """The text of README.md: metadata header, counts, how it was made and whom to cite."""
    name = str(recipe.get("dataset", "dataset"))
    known = definition_of(name)
    rows, documents = split_rows(receipt), receipt.documents
    left_out: Mapping[str, str] = recipe.get(WITHHELD, {})  # of a public copy
    scored = "whoever holds the dataset scores it"
    withheld = [f"The {split} split is without {what}: {scored}.\n" for split, what in left_out.items()]
    return "\n".join(
        [
            "---",
            f"pretty_name: {known.title} built by anagnosis",
            "language: [en]",
            "license: other",
            "task_categories: [question-answering]",
            *_configs(rows, receipt),
            "---",
            "",
            f"# {known.title}, built by anagnosis {receipt.version}",
            "",
            known.what or f"It holds {kind_of(recipe).holds}.",
            "",
            "| split | instances |",
            "| --- | --- |",
            *(f"| {split} | {count:,} |" for split, count in rows.items()),
            "",
            *withheld,
            f"From {counted(len(receipt.inputs), 'file')}, {counted(documents.read, 'document')} read, "
            f"{documents.kept:,} kept.",
            "`receipt.json` counts every drop, repair and refusal; `recipe.toml` spells out every choice.",
            "`anagnosis check` on this folder verifies all of it.",
            "",
            "The texts keep the licence of their sources, which this program does not know.",
            *([known.citation] if known.citation else []),
            "",
        ]
    )


def _configs(rows: Mapping[str, int], receipt: Receipt) -> list[str]:
    """Which files are which split, for `datasets`; nothing for a dataset without rows.

    The cache of `datasets` knows a folder by its last name and this header alone, not by its files. The version, three
    numbers since it takes no other, is the beginning of the digest of the parts, so that other data are another entry.
    """
    if not rows:
        return []
    parts = "".join(part.sha256 for split in rows for part in receipt.parts(split))
    digest = hashlib.sha256(parts.encode()).digest()
    version = ".".join(str(int.from_bytes(digest[at : at + 4])) for at in (0, 4, 8))
    files = (
        line
        for split in rows
        for line in (f"  - split: {HUB_SPLITS[split]}", f"    path: data/{split}-*.parquet")
    )
    return ["configs:", "- config_name: default", f"  version: {version}", "  data_files:", *files]


def split_rows(receipt: Receipt) -> dict[str, int]:
    """Instances of each split, from the receipt's outputs."""
    parts = {split: receipt.parts(split) for split in SPLITS}
    return {split: sum(part.rows or 0 for part in own) for split, own in parts.items() if own}
