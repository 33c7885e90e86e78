"""Train every reader that learns on a dataset rebuilt from public corpora: figures of docs/results.md.

    python benchmarks/trainings.py CORPORA OUT [--encoder FOLDER] [--seeds 3] [--only NAME …] \
        > docs/figures/trainings.json && make docs

CORPORA holds the files named in docs/inputs.md as *.pubtator.gz. OUT/dataset is built with one copy of each text,
splits by document (65, 10 and 25 %) and abstracts of any number of sentences; OUT/runs gets a folder for each system.
Hours of work: what is there is not done again, and what was interrupted goes on. Only systems of three finished seeds
are reported: each view by itself on the test part. Without an encoder those that need one are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anagnosis
import figures
from anagnosis.datasets.folder.store import Dataset
from anagnosis.training.runs.run import finished_together

BUILD = {
    "minimum_sentences": 0,
    "drop_repeated_text": True,
    "split": "document",
    "split_weights": {"train": 65, "dev": 10, "test": 25},
}
# Articles that were annotated by people come before the same articles as a tagger saw them: the first copy is kept.
TAGGED = ("dnorm", "tmchem", "pubtatorcentral", "bc8-biored-train")
SEEDS = 3
HEURISTICS = {
    "BASE1": "first-entity",
    "BASE2": "last-entity",
    "BASE3": "most-frequent-entity",
    "BASE3+": "most-frequent-unless-alone",
    "BASE4": "neighbour-overlap",
}


@dataclass(frozen=True, slots=True)
class System:
    """recipe: its name. settings: what differs. encoded: whether it needs an encoder. shown:
    its name in tables, where that is another than its folder's.
    """

    recipe: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    encoded: bool = False
    shown: str = ""


# Chosen on the development part, seed 0, between dropouts of .2 and .5: AS had 44.5 and 45.8 %, AOA 49.6 and 43.9 %.
AS = {"dropout": 0.5}
# By its program's SGD at .1, made for 91,344 queries, SA stays at chance (17 % in 66 epochs); hence Adam.
SA = {"optimizer": "adam", "rate": 0.001, "patience": 10}
SYSTEMS = {
    "AS": System("biomrc-attention-sum-local", AS),
    "AOA": System("biomrc-attention-over-attention-local"),
    "SA": System("clicr-stanford-attentive", {**SA, "view": "local"}),
    "GA": System("clicr-gated-attention", {"view": "local"}),
    "SUM": System("biomrc-masked-encoder-sum", {}, encoded=True, shown="SUM, frozen"),
    "MAX": System("biomrc-masked-encoder-max", {}, encoded=True, shown="MAX, frozen"),
    "AS-global": System("biomrc-attention-sum-global", AS),
    "AOA-global": System("biomrc-attention-over-attention-global"),
    "SA-global": System("clicr-stanford-attentive", {**SA, "view": "global"}),
    "GA-global": System("clicr-gated-attention", {"view": "global"}),
}


@dataclass(frozen=True, slots=True)
class Group:
    """Systems of one table: of one view, trained on equally much, scored on one part."""

    name: str
    split: str
    systems: tuple[str, ...]


GROUPS = (
    Group("local", "test", ("AS", "AOA", "SA", "GA", "SUM", "MAX")),
    Group("global", "test", ("AS-global", "AOA-global", "SA-global", "GA-global")),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--encoder", default="")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--only", nargs="+", choices=SYSTEMS, metavar="NAME", default=list(SYSTEMS))
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    dataset = built(options.corpora, options.out)
    for name in options.only:
        system = SYSTEMS[name]
        if system.encoded and not options.encoder:
            print(f"{name}: left out, no encoder is named", file=sys.stderr)
            continue
        print(f"{name}:", file=sys.stderr)
        settings = {**system.settings, **({"encoder": options.encoder} if system.encoded else {})}
        anagnosis.train(
            system.recipe,
            dataset,
            options.out / "runs" / name,
            settings=settings,
            seeds=options.seeds,
            threads=options.threads,
        )
    print(figures.written(compared(options.out)))


def built(corpora: Path, out: Path) -> Dataset:
    files = sorted(
        corpora.glob("*.pubtator.gz"), key=lambda file: (any(tag in file.name for tag in TAGGED), file.name)
    )
    return anagnosis.build("biomrc", files, out / "dataset", settings=BUILD)


def compared(out: Path) -> dict[str, list[dict[str, Any]]]:
    """What is finished: accuracies, times, ranking and tests of each group."""
    dataset = anagnosis.load(out / "dataset")
    parts: dict[str, list[dict[str, Any]]] = {}
    for group in GROUPS:
        runs = [
            f"{SYSTEMS[name].shown or name}={out / 'runs' / name}"
            for name in group.systems
            if _seeds(out / "runs" / name) >= SEEDS
        ]
        if runs:
            files = [*heuristics(dataset, out, group.split), *runs]
            results = anagnosis.evaluate(dataset, files, split=group.split)
            parts[group.name] = figures.tables(anagnosis.report(results).blocks)
    return parts


def heuristics(dataset: Dataset, out: Path, split: str) -> Iterator[str]:
    """The predictions files of the readers that are not trained, which every view's figures stand beside."""
    for name, reader in HEURISTICS.items():
        path = out / "heuristics" / split / f"{name}.jsonl"
        anagnosis.predict(reader, dataset, path, split=split)
        yield str(path)


def _seeds(run: Path) -> int:
    """How many are finished together."""
    return len(finished_together(run)) if run.is_dir() else 0


if __name__ == "__main__":
    main()
