"""The card of a dataset folder: a README.md whose header the Hugging Face hub and `datasets` read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from anagnosis.datasets.definition import definition_of
from anagnosis.datasets.folder.receipt import Receipt
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.datasets.splits import SPLITS
from anagnosis.wording import counted

# Of the recipe of a public copy: split → what of its answers is left out. Of its receipt: what that cannot hide.
WITHHELD = "withheld"


def card(recipe: Mapping[str, Any], receipt: Receipt) -> str:
    """The text of README.md: metadata header, counts, how it was made and how it is read."""
    name = str(recipe.get("dataset", "dataset"))
    known = definition_of(name)
    title = known.title
    rows = split_rows(receipt)
    total = sum(rows.values())
    documents = receipt.documents
    left_out: Mapping[str, str] = recipe.get(WITHHELD, {})  # of a public copy
    scored = "whoever holds the dataset scores it"
    withheld = [f"The {split} split is without {what}: {scored}." for split, what in left_out.items()]
    first, last = receipt.choices.get("first_date", ""), receipt.choices.get("last_date", "")
    return "\n".join(
        [
            "---",
            f"pretty_name: {title} built by anagnosis",
            "language: [en]",
            "license: other",
            "license_name: see-the-sources",
            "task_categories: [question-answering]",
            "tags: [biomedical, question-answering, machine-reading-comprehension]",
            f"size_categories: [{_size(total)}]",
            *_configs(rows, receipt),
            "---",
            "",
            f"# {title}, built by anagnosis {receipt.version}",
            "",
            known.what or f"It holds {kind_of(recipe).holds}.",
            "",
            "| split | instances |",
            "| --- | --- |",
            *(f"| {split} | {count:,} |" for split, count in rows.items()),
            f"| total | {total:,} |",
            "",
            *([*withheld, ""] if withheld else []),
            *([f"Publication dates: {first} to {last}.", ""] if first else []),
            "## How it was made",
            "",
            f"From {counted(len(receipt.inputs), 'file')}, {documents.read:,} documents read, {documents.kept:,} kept.",
            "`receipt.json` counts every drop by rule, every repair and every refusal; `recipe.toml` spells out",
            f"every choice (sha256 {receipt.recipe_sha256[:16]}). `anagnosis check` on this folder verifies all of it.",
            "",
            "## Licence and citation",
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
    files = (line for split in rows for line in (f"  - split: {split}", f"    path: data/{split}-*.parquet"))
    return ["configs:", "- config_name: default", f"  version: {version}", "  data_files:", *files]


def split_rows(receipt: Receipt) -> dict[str, int]:
    """Instances of each split, from the receipt's outputs."""
    parts = {split: receipt.parts(split) for split in SPLITS}
    return {split: sum(part.rows or 0 for part in own) for split, own in parts.items() if own}


def _size(rows: int) -> str:
    words = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
    return next((word for limit, word in words.items() if rows < limit), "1M<n<10M")
