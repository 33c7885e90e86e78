"""Figures of docs/results.md: all baselines on datasets rebuilt from public PubTator corpora, with tests.

    python benchmarks/results.py FOLDER [BIOMRC_FOLDER] > docs/figures/baselines.json && make docs

FOLDER holds the corpora named in docs/inputs.md as *.pubtator.gz; BIOMRC_FOLDER, if given, published BioMRC files
(large/, lite/, tiny/), whose instances are scored too. What the page says of sizes goes to standard error.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anagnosis
import figures
from anagnosis.datasets.folder.store import Dataset
from anagnosis.reports.report import Block, Heading, Report

BASELINES = {
    "random": "random-candidate",
    "BASE1": "first-entity",
    "BASE2": "last-entity",
    "BASE3": "most-frequent-entity",
    "BASE3+": "most-frequent-unless-alone",
    "BASE4": "neighbour-overlap",
    "bioread-BASE4": "ngram-occurrences",
    "question-words": "question-words",
    "entity-prior": "entity-prior",
    "best-position": "best-position",
}
COUNTING = ("question-words", "entity-prior", "best-position")  # fitted on train, so not scored there


def main() -> None:
    corpora = sorted(Path(sys.argv[1]).glob("*.pubtator.gz"))
    parts: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "biomrc"
        dataset = anagnosis.build("biomrc", corpora, folder / "dataset", settings={"split": "document"})
        documents = dataset.receipt.documents
        rows = ", ".join(f"{split} {count:,}" for split, count in dataset.sizes.items())
        print(
            f"{documents.read:,} documents read, {documents.kept:,} kept, "
            f"{dataset.receipt.instances.kept:,} instances: {rows}",
            file=sys.stderr,
        )
        parts["biomrc"] = figures.tables(_up_to_breakdowns(compared(dataset, folder)))
        if len(sys.argv) > 2:
            parts["published"] = [published(Path(sys.argv[2]), Path(scratch))]
    print(figures.written(parts))


def compared(dataset: Dataset, folder: Path) -> Report:
    """Table 3 for the baselines on all three splits, and the tests on test."""
    splits = ("train", "dev", "test")
    files: list[str] = []
    for split in splits:
        for name, reader in BASELINES.items():
            if split == "train" and reader in COUNTING:
                continue
            path = folder / f"{name}-{split}.jsonl"
            anagnosis.predict(reader, dataset, path, split=split)
            files.append(f"{name}={path}")
    return anagnosis.report(anagnosis.evaluate(dataset, files))


def _up_to_breakdowns(report: Report) -> Iterator[Block]:
    for block in report.blocks:
        if isinstance(block, Heading) and block.text == "Where systems are right":
            return
        yield block


def published(folder: Path, scratch: Path) -> dict[str, Any]:
    """Expected number right of the basic baselines on published files, Setting A."""
    names = ["random", "BASE1", "BASE2", "BASE3", "BASE3+", "BASE4"]
    rows: list[list[str]] = []
    for file in sorted(folder.glob("*/*.json")):
        if file.stem.endswith("_B"):
            continue
        dataset = anagnosis.import_dataset(file, scratch / file.stem)
        ((split, count),) = dataset.sizes.items()
        right: list[str] = []
        for name in names:
            out = scratch / f"{file.stem}-{name}.jsonl"
            anagnosis.predict(BASELINES[name], dataset, out, split=split)
            right.append(f"{anagnosis.score(dataset, [out]).on(split)[0].estimate.value * count:.4f}")
        rows.append([f"{file.parent.name}/{file.name}", str(count), *right])
    return {"columns": ["file", "instances", *names], "rows": rows}


if __name__ == "__main__":
    main()
