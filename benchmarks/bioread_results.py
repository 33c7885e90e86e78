"""Figures of docs/results_bioread.md: sizes, rules, baselines and readers on BioRead-like questions.

    python benchmarks/bioread_results.py craft CRAFT > docs/figures/bioread_craft.json
    python benchmarks/bioread_results.py annotated papers.jsonl.gz > docs/figures/bioread_annotated.json
    python benchmarks/bioread_results.py readers DATASET --run "AS, local=FOLDER" > docs/figures/bioread_readers.json

craft: CRAFT's archives (bioread_craft.py), split by its own parts. Questions are counted without the minima that only
Table 1 shows, as those counts are known; the table of rules has the recipes as they are. annotated: documents with
mentions, split by document. readers: a built dataset under Lite's limits; --run names a reader of READERS and the
folder of its runs, one for each seed; a reader without runs has the published figures alone. Then `make docs`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import anagnosis
import bioread_craft
import figures
from anagnosis.datasets.bioread.rules import INSTANCE_RULES
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.predictions import lines
from anagnosis.readers.predict import tied
from anagnosis.reports.systems.phases import published_results

Tables = list[dict[str, Any]]

LITE = "bioread-lite"
LIMITS = {"BioRead's limits": "bioread", "Lite's limits": LITE}
STRICT_LITE = (
    "maximum_passage_tokens",
    "maximum_question_tokens",
    "maximum_candidates",
    "minimum_passage_tokens",
)
NO_MINIMA = {"minimum_passage_tokens": 0, "minimum_question_tokens": 0, "minimum_candidates": 0}
BASELINES = {
    "BASE1 most frequent": "bioread-most-frequent-entity",
    "BASE2 first": "bioread-first-entity",
    "BASE3 last": "bioread-last-entity",
    "BASE4 n-grams": "bioread-ngram-occurrences",
}
BEFORE = ("sentence_left_out_by_recipe", "mention_overlapping", "mention_discontinuous")
AFTER = ("articles with questions", "questions left")
# Name of a row → recipe, and the cell of its published results; None for what the paper has no figure of.
READERS: dict[str, tuple[str, str] | None] = {
    "AS, local": ("bioread-attention-sum", ""),
    "AOA, local": ("bioread-attention-over-attention-local", ""),
    "AOA, global": ("bioread-attention-over-attention-global", ""),
    "AOA, global, 50 % of train": ("bioread-attention-over-attention-global", "half"),
    "AOA, global, 25 % of train": ("bioread-attention-over-attention-global", "quarter"),
    "AOA, local, one more softmax": None,
    "AOA, global, one more softmax": None,
}
SPLITS = ("train", "dev", "test")
JUDGED = ("dev", "test")
MEASURES = {
    "candidates, mean": ("candidates", "mean", "average_candidates"),
    "candidates, most": ("candidates", "largest", "maximum_candidates"),
    "candidates, fewest": ("candidates", "smallest", "minimum_candidates"),
    "passage, mean": ("passage", "mean", "average_passage_tokens"),
    "passage, longest": ("passage", "largest", "maximum_passage_tokens"),
    "passage, shortest": ("passage", "smallest", "minimum_passage_tokens"),
    "question, mean": ("question", "mean", "average_question_tokens"),
    "question, longest": ("question", "largest", "maximum_question_tokens"),
    "question, shortest": ("question", "smallest", "minimum_question_tokens"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    subjects = parser.add_subparsers(dest="subject", required=True)
    subjects.add_parser("craft").add_argument("source", type=Path)
    subjects.add_parser("annotated").add_argument("source", type=Path)
    trained = subjects.add_parser("readers")
    trained.add_argument("source", type=Path)
    trained.add_argument("--run", action="append", default=[], metavar="NAME=FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.subject == "craft":
            parts = craft(options.source, Path(scratch))
        elif options.subject == "annotated":
            parts = of_recipes([options.source], Path(scratch), {})
        else:
            parts = {"readers": [readers(anagnosis.load(options.source), options.run)]}
    print(figures.written(parts))


def craft(source: Path, scratch: Path) -> dict[str, Tables]:
    """All tables on CRAFT's articles."""
    papers = bioread_craft.documents(source)
    files = [scratch / f"{part}.jsonl" for part in papers]
    for file, part in zip(files, papers.values(), strict=True):
        anagnosis.write(part, file, format="jsonl")
    part_of = {paper.id: part for part, listed in papers.items() for paper in listed}
    given = {"sentences": "given"}
    datasets = {
        title: by_part(files, scratch / recipe, recipe, {**given, **NO_MINIMA}, part_of)
        for title, recipe in LIMITS.items()
    }
    found = measured(datasets["Lite's limits"], scratch)
    return {**found, "grams": [grams(datasets, scratch)], "rules": [rules(files, scratch, given)]}


def by_part(
    files: Sequence[Path], out: Path, recipe: str, settings: Mapping[str, Any], part_of: Mapping[str, str]
) -> Dataset:
    """The dataset whose splits are the parts, given as files in the order of the splits."""
    whole = anagnosis.build("bioread", files, out.with_suffix(".whole"), recipe=recipe, settings=settings)
    counts = dict.fromkeys(SPLITS, 0)
    for split in whole.sizes:
        for instance in store.instances(whole, split, of=ClozeInstance):
            counts[part_of[instance.document]] += 1
    return anagnosis.build(
        "bioread", files, out, recipe=recipe, settings={**settings, "split": "head", "split_weights": counts}
    )


def of_recipes(files: Sequence[Path], scratch: Path, settings: Mapping[str, Any]) -> dict[str, Tables]:
    """All tables on documents that are split by document, with the recipes as they are."""
    return measured(
        anagnosis.build("bioread", files, scratch / LITE, recipe=LITE, settings=settings), scratch
    )


def measured(dataset: Dataset, scratch: Path) -> dict[str, Tables]:
    """Sizes and baselines under Lite's limits, beside the paper's."""
    published = published_results()[LITE]
    return {f"size-{LITE}": [size(dataset, published)], f"baselines-{LITE}": [baselines(dataset, scratch)]}


def size(dataset: Dataset, published: Mapping[str, Any]) -> dict[str, Any]:
    """Table 1 of the paper: ours by split, then the published figures."""
    splits: Mapping[str, Any] = anagnosis.show(dataset).statistics.splits
    ours = [splits[split] for split in SPLITS]
    theirs = [published[split] for split in SPLITS]
    rows = [["instances", *(f"{x.instances:,}" for x in ours), *(f"{x['instances']:,}" for x in theirs)]]
    for name, (what, which, key) in MEASURES.items():
        form: Callable[[float], str] = "{:.1f}".format if which == "mean" else "{:,}".format
        values = [getattr(getattr(x, what), which) for x in ours] + [x[key] for x in theirs]
        rows.append([name, *map(form, values)])
    return {"columns": ["", *SPLITS, *(f"published, {split}" for split in SPLITS)], "rows": rows}


def baselines(dataset: Dataset, scratch: Path) -> dict[str, Any]:
    """Accuracy in percent; where several candidates score highest, by each of three rules."""
    rows: list[list[str]] = []
    for name, recipe in BASELINES.items():
        row = [name]
        for split in JUDGED:
            shares = accuracies(dataset, predicted(dataset, recipe, split, scratch), split)
            row += [f"{100 * share:.2f}" for share in shares.values()]
        expected = published_results()[recipe]
        row += [f"{expected[split]:.2f}" for split in JUDGED]
        rows.append(row)
    columns = ["", *(f"{split}, {rule}" for split in JUDGED for rule in TIES)]
    return {
        "columns": [*columns, *(f"published, {split}" for split in JUDGED)],
        "rows": rows,
    }


def predicted(dataset: Dataset, recipe: str, split: str, scratch: Path) -> Path:
    out = scratch / f"{Path(dataset.folder).name}-{split}-{recipe}.jsonl"
    reader = anagnosis.recipe(recipe)["reader"]
    anagnosis.predict(reader, dataset, out, split=split, recipe=recipe)
    return out


def accuracies(dataset: Dataset, file: Path, split: str) -> dict[str, float]:
    """{rule for ties: accuracy} of a predictions file."""
    right = dict.fromkeys(TIES, 0.0)
    count = 0
    instances = store.instances(dataset, split, of=ClozeInstance)
    for instance, prediction in zip(instances, lines.read(file), strict=True):
        assert instance.id == prediction.id
        best = tied(list((prediction.scores or {}).values()))
        count += 1
        for rule, choose in TIES.items():
            chosen = choose(best, instance)
            right[rule] += (instance.answer in chosen) / len(chosen)
    return {rule: value / count for rule, value in right.items()}


def at_random(best: Sequence[int], instance: ClozeInstance) -> Sequence[int]:
    """All of them, each with an equal share."""
    return best


def first(best: Sequence[int], instance: ClozeInstance) -> Sequence[int]:
    """The one that the passage mentions first."""
    place = {candidate: at for at, candidate in reversed(list(enumerate(_mentioned(instance))))}
    return [min(best, key=lambda candidate: place.get(candidate, len(place)))]


def most_frequent(best: Sequence[int], instance: ClozeInstance) -> Sequence[int]:
    """The one that the passage mentions most often; of several, the first."""
    mentioned = _mentioned(instance)
    often = [mentioned.count(candidate) for candidate in best]
    return first([x for x, times in zip(best, often, strict=True) if times == max(often)], instance)


def _mentioned(instance: ClozeInstance) -> list[int]:
    return [mention.candidate for mention in instance.mentions]


TIES = {"random": at_random, "first": first, "most frequent": most_frequent}


def grams(datasets: Mapping[str, Dataset], scratch: Path) -> dict[str, Any]:
    """BASE4's accuracy on dev by the length of its n-grams, ties at random."""
    rows: list[list[str]] = []
    for n in range(2, 7):
        rows.append([str(n)])
        for dataset in datasets.values():
            path = scratch / "grams.jsonl"
            anagnosis.predict(
                "ngram-occurrences", dataset, path, split="dev", settings={"n": n}, replace=True
            )
            (score,) = anagnosis.score(dataset, [path], split="dev").on("dev")
            rows[-1].append(f"{100 * score.estimate.value:.2f}")
    return {"columns": ["n", *datasets], "rows": rows}


def rules(files: Sequence[Path], scratch: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What each rule leaves out, by the paper's recipes and by the strict one, at both limits."""
    lite = anagnosis.recipe("bioread-lite")
    recipes: dict[str, tuple[str, dict[str, Any]]] = {
        "BioRead": ("bioread", {}),
        "BioRead, strict": ("bioread-strict", {}),
        "Lite": ("bioread-lite", {}),
        "Lite, strict": ("bioread-strict", {key: lite[key] for key in STRICT_LITE}),
    }
    columns: list[dict[str, int]] = []
    for number, (recipe, changed) in enumerate(recipes.values()):
        built = anagnosis.build(
            "bioread", files, scratch / f"rules-{number}", recipe=recipe, settings={**settings, **changed}
        )
        columns.append(dict(counted(built)))
    counts = dict.fromkeys(name for column in columns for name in column)
    names = [*BEFORE, *(rule for rule in INSTANCE_RULES if rule in counts), *AFTER]
    return {
        "columns": ["", *recipes],
        "rows": [[name, *(f"{column.get(name, 0):,}" for column in columns)] for name in names],
    }


def counted(dataset: Dataset) -> Iterator[tuple[str, int]]:
    receipt = dataset.receipt
    yield from ((name, receipt.repairs.get(name, 0)) for name in BEFORE)
    yield from receipt.instances.dropped.items()
    yield from zip(AFTER, (receipt.documents.kept, receipt.instances.kept), strict=True)


def readers(dataset: Dataset, runs: Sequence[str]) -> dict[str, Any]:
    """Accuracy in percent of trained readers, the mean over their seeds, beside the published figures."""
    folders = dict(run.split("=", 1) for run in runs)
    if unknown := folders.keys() - READERS.keys():
        raise SystemExit(f"no reader {', '.join(unknown)}; there are {', '.join(READERS)}")
    rows: list[list[str]] = []
    for name, published in READERS.items():
        row = [name, "", ""]
        if published is not None:
            recipe, cell = published
            expected = published_results()[recipe]
            expected = expected[cell] if cell else expected
            row[1:] = [f"{expected[split]:.2f}" for split in JUDGED]
        ours = reached(dataset, folders[name]) if name in folders else ("", "", "")
        rows.append([*row, *ours])
    return {
        "columns": [
            "",
            *(f"published, {split}" for split in JUDGED),
            *(f"CRAFT, {split}" for split in JUDGED),
            "seeds",
        ],
        "rows": rows,
    }


def reached(dataset: Dataset, folder: str) -> tuple[str, ...]:
    """Accuracy with its interval on each part, and how many runs the folder has."""
    seeds = [path.parent for path in sorted(Path(folder).glob("**/run.json"))]
    system = "reader=" + ",".join(map(str, seeds))
    cells: list[str] = []
    for split in JUDGED:
        (scored,) = anagnosis.score(dataset, [system], split=split).on(split)
        mean = scored.estimate
        cells.append(
            f"{100 * mean.value:.2f} [{100 * mean.interval.low:.2f}, {100 * mean.interval.high:.2f}]"
        )
    return (*cells, str(len(seeds)))


if __name__ == "__main__":
    main()
