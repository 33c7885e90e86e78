"""Figures of docs/results_clicr.md: systems on e3c-cloze, beside Table 4 of CliCR.

    python benchmarks/clicr_results.py built/e3c-cloze --vectors words.bin --system "GA-Anonym=a.jsonl,b.jsonl" … \
        > docs/figures/clicr_e3c.json

--system names a row of SYSTEMS and its predictions of the test part, one file for each seed; a row without files has
the published figures alone. Then `make docs`.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import anagnosis
import figures
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.answer_texts import EXPECTED, answered
from anagnosis.predictions import match_files
from anagnosis.reports.systems.phases import published_results

# Name of a row → recipe, and the cell of its published results; None for what the paper has no figure of.
SYSTEMS: dict[str, tuple[str, str] | None] = {
    "rand-entity": ("clicr-rand-entity", ""),
    "maxfreq-entity": ("clicr-maxfreq-entity", ""),
    "sim-entity": ("clicr-sim-entity", ""),
    "lang-model": ("clicr-lang-model", ""),
    "SA-Anonym": ("clicr-stanford-attentive", "anonymous-title-last"),
    "SA-Ent": ("clicr-stanford-attentive", "marked-title-last"),
    "GA-Anonym": ("clicr-gated-attention", "anonymous"),
    "GA-Ent": ("clicr-gated-attention", "marked"),
    "GA-NoEnt": ("clicr-gated-attention", "plain"),
}
# Table 4's people, who answered 100 queries of dev; no recipe has them.
PEOPLE = {
    "expert, 100 of dev": ["35", "53.7", "0.46", "0.23", "0.67"],
    "novice, 100 of dev": ["31", "45.1", "0.43", "0.24", "0.62"],
}
# Measure → its heading, its key in the published results, and whether it is in percent.
MEASURES = {
    "exact-match": ("EM", "exact_match", True),
    "f1": ("F1", "f1", True),
    "bleu-2": ("B-2", "bleu_2", False),
    "bleu-4": ("B-4", "bleu_4", False),
    "embedding-average": ("E-avg", "embedding_average", False),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--vectors", type=Path, required=True, help="a word2vec file, for E-avg")
    parser.add_argument("--system", action="append", default=[], metavar="NAME=FILE,FILE")
    given = parser.parse_args()
    files = dict(system.split("=", 1) for system in given.system)
    if unknown := files.keys() - SYSTEMS.keys():
        raise SystemExit(f"no system {', '.join(unknown)}; there are {', '.join(SYSTEMS)}")
    with tempfile.TemporaryDirectory() as scratch:
        print(figures.written(results(given.dataset, files, given.vectors, Path(scratch))))


def results(
    dataset: Path, files: Mapping[str, str], vectors: Path, scratch: Path
) -> dict[str, list[dict[str, Any]]]:
    """Every system by every measure."""
    systems = without_views(files, scratch)
    found = anagnosis.score(dataset, systems, split="test", measures=[*MEASURES], vectors=vectors)
    scores = {score.name: score.measures for score in found.on("test")}
    words = {
        name: words_of_answers(dataset, paths) for name, paths in (system.split("=", 1) for system in systems)
    }
    rows: list[list[str]] = []
    for name, published in SYSTEMS.items():
        ours = [shown(scores[name][measure], measure) for measure in MEASURES] if name in files else [""] * 5
        seeds = str(files[name].count(",") + 1) if name in files else ""
        rows.append([name, *expected(published), *ours, words.get(name, ""), seeds])
    rows += [[name, *cells, *[""] * 7] for name, cells in PEOPLE.items()]
    headings = [heading for heading, _, _ in MEASURES.values()]
    table = {
        "columns": [
            "",
            *(f"CliCR, {heading}" for heading in headings),
            *(f"e3c-cloze, {heading}" for heading in headings),
            "words",
            "seeds",
        ],
        "rows": rows,
        "signatures": [scores[next(iter(files))][measure].signature for measure in MEASURES],
    }
    return {"systems": [table]}


def words_of_answers(dataset: Path, paths: str) -> str:
    """The mean number of words of the answers in the files of a system; of tied answers their mean."""
    gold, runs = match_files(paths.split(","), anagnosis.load(dataset), "test", free=True)
    given = [texts for run in runs for _, texts, _ in answered(gold, run, EXPECTED) if texts]
    means = [fmean(len(text.split()) for text in texts) for texts in given]
    return f"{fmean(means):.2f}" if means else ""


def without_views(files: Mapping[str, str], scratch: Path) -> list[str]:
    """Copies of predictions files without the notes beside them, which say what a system read."""
    systems: list[str] = []
    for number, (name, paths) in enumerate(files.items()):
        copies = [scratch / f"{number}-{seed}.jsonl" for seed, _ in enumerate(paths.split(","))]
        for copy, path in zip(copies, paths.split(","), strict=True):
            shutil.copyfile(path, copy)
        systems.append(f"{name}={','.join(map(str, copies))}")
    return systems


def expected(published: tuple[str, str] | None) -> list[str]:
    """The cells of Table 4."""
    if published is None:
        return [""] * len(MEASURES)
    recipe, cell = published
    printed = published_results()[recipe]
    printed = printed[cell] if cell else printed
    return [
        f"{printed[key]:.1f}" if percent else f"{printed[key]:.2f}" for _, key, percent in MEASURES.values()
    ]


def shown(value: Estimate, measure: str) -> str:
    """A value with its interval."""
    times, digits = (100, 1) if MEASURES[measure][2] else (1, 2)
    low, high = value.interval.low * times, value.interval.high * times
    return f"{value.value * times:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


if __name__ == "__main__":
    main()
