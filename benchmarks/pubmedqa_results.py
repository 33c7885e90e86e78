"""Figures of docs/results_pubmedqa.md: published systems, people, and our readers on the 500 questions of test.

    python benchmarks/pubmedqa_results.py ori_pqal.json --answers mirage.jsonl \\
        --run NAME=FOLDER=RECIPE:CELL --run … > docs/figures/pubmedqa.json && make docs

ori_pqal.json: the authors' file (docs/inputs.md). --answers: one JSON object a line with `id` and a field for each
system, its label (`gold` is passed over). The figures are those of the four systems of MIRAGE (repository
Teddy-XiongGZ/MIRAGE, folder prediction/pubmedqa), whose letters A, B, C are yes, no, maybe and whose unreadable answers
are A, as its evaluation has them. --run, as often as there are systems: a folder that `anagnosis train … --folds 10`
made; RECIPE:CELL may be left away and is the recipe of whose published results CELL holds the paper's figures, such as
pubmedqa-encoder:with_auxiliary.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

import anagnosis
import figures
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.scoring import Score
from anagnosis.io.files import open_input
from anagnosis.reports.report import Block, Column, Estimate, Listing, Report, Table
from anagnosis.reports.systems.measured import shown
from anagnosis.reports.systems.phases import published_results

QUESTION_ONLY = "question-only"
MAJORITY = "majority"


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder under a name. published: accuracy and macro-F1 in percent, by name."""

    name: str
    folder: Path
    published: dict[str, float]

    @classmethod
    def of(cls, argument: str) -> Run:
        name, folder, *told = argument.split("=", 2)
        recipe, _, cell = told[0].partition(":") if told else ("", "", "")
        expected: Any = published_results()[recipe] if recipe else {}
        for part in cell.split(".") if cell else ():
            if part not in expected:
                raise InputError(
                    f"no {part!r} among {', '.join(expected)}", argument, "name a cell of the recipe"
                )
            expected = expected[part]
        return cls(
            name, Path(folder), {key: expected[key] for key in ("accuracy", "macro_f1") if key in expected}
        )

    @property
    def system(self) -> str:
        return f"{self.name}={self.folder}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--run", action="append", type=Run.of, default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.questions, Path(scratch) / "pqal", layout="pubmedqa")
        majority = Path(scratch) / f"{MAJORITY}.jsonl"
        anagnosis.predict(MAJORITY, dataset, majority, split="test")
        parts: dict[str, list[dict[str, Any]]] = {}
        if options.answers:
            files = [*written(options.answers, Path(scratch) / "answers"), majority]
            parts["published"] = figures.tables(published_systems(dataset, files))
        parts["people"] = figures.tables(people(dataset))
        for view, blocks in trained(dataset, options.run, Run(MAJORITY, majority, {})):
            parts[view] = figures.tables(blocks)
    print(figures.written(parts))


def written(answers: Path, folder: Path) -> list[Path]:
    """A predictions file of each system, in the order of the fields."""
    lines: dict[str, list[bytes]] = {}
    with open_input(answers) as stream:
        for line in stream:
            fields = msgspec.json.decode(line)
            for system in fields.keys() - {"id", "gold"}:
                lines.setdefault(system, [])
            for system, own in lines.items():
                own.append(msgspec.json.encode({"id": fields["id"], "answer": fields[system]}) + b"\n")
    folder.mkdir()
    files = [folder / f"{system}.jsonl" for system in sorted(lines)]
    for file in files:
        file.write_bytes(b"".join(lines[file.stem]))
    return files


def published_systems(dataset: Dataset, files: Sequence[Path]) -> Iterator[Block]:
    """Both protocols side by side, each class, paired tests, and the types of questions."""
    by_protocol = {
        protocol: anagnosis.score(dataset, files, protocol=protocol, view=QUESTION_ONLY).on("test")
        for protocol in ("fixed", "official")
    }
    made = anagnosis.report(anagnosis.evaluate(dataset, files, view=QUESTION_ONLY))
    yield protocols_table(by_protocol)
    yield from tables(
        made, drop=("Accuracy of all systems", "Accuracy and macro-F1", "Counts on", "Confidence")
    )


def protocols_table(by_protocol: dict[str, list[Score]]) -> Table:
    columns = [Column("system")]
    for protocol in by_protocol:
        columns += [Column(f"accuracy, {protocol} (%)", "percent", "high")]
        columns += [Column(f"macro-F1, {protocol} (%)", "percent", "high")]
    rows = zip(*by_protocol.values(), strict=True)
    return Table(
        "The same predictions under both protocols",
        tuple(columns),
        tuple((own[0].name, *(cell for score in own for cell in worth(score))) for own in rows),
        ("The two differ only where an answer is no label; here none is.",),
        tuple(scores[0].signature for scores in by_protocol.values()),
    )


def people(dataset: Dataset) -> list[Block]:
    """Accuracy, macro-F1 and kappa of both annotators."""
    wanted = ("Macro-F1 of people", "Agreement of people")
    made = anagnosis.report(anagnosis.agreement(dataset, stored=True, split="test"))
    return [block for block in made.blocks if isinstance(block, Table) and block.caption.startswith(wanted)]


def trained(dataset: Dataset, runs: Sequence[Run], majority: Run) -> Iterator[tuple[str, list[Block]]]:
    """Of each view that was read: each system beside its published cell, then the ranking and all tests.

    majority: reads nothing, so it stands in every view.
    """
    systems = [run.system for run in (*runs, majority)]
    *scores, least = anagnosis.score(dataset, systems, split="test").on("test")
    views: dict[str, list[tuple[Run, Score]]] = {}
    for run, score in zip(runs, scores, strict=True):
        views.setdefault(seen(score), [(majority, least)]).append((run, score))
    for view, rows in views.items():
        names = [run.system for run, _ in rows]
        yield (
            view,
            [
                beside_the_paper(rows),
                *tables(anagnosis.report(anagnosis.compare(dataset, names, split="test"))),
            ],
        )


def beside_the_paper(rows: Sequence[tuple[Run, Score]]) -> Table:
    return Table(
        "On test, beside the paper",
        (
            Column("system"),
            Column("accuracy (%)", "percent", "high"),
            Column("published accuracy (%)", "percent"),
            Column("macro-F1 (%)", "percent", "high"),
            Column("published macro-F1 (%)", "percent"),
            *(Column(f"F1 of {label}", "percent") for label in ("yes", "no", "maybe")),
            Column("runs", "count"),
            Column("deviation (points)", "percent"),
        ),
        tuple(
            (
                run.name,
                worth(score)[0],
                percent(run.published.get("accuracy")),
                worth(score)[1],
                percent(run.published.get("macro_f1")),
                *((each.f1 for each in score.classes.scores) if score.classes else (None,) * 3),
                len(score.estimate.runs),
                score.estimate.deviation,
            )
            for run, score in rows
        ),
        (
            "Published: the cells of the paper's tables, means over ten models too. Deviation: of the accuracies of "
            "the models.",
        ),
        tuple(dict.fromkeys(score.signature for _, score in rows)),
    )


def seen(score: Score) -> str:
    """The view in the signature."""
    return next(part[5:] for part in score.signature.split("|") if part.startswith("view:"))


def worth(score: Score) -> tuple[Estimate | float | None, Estimate | float | None]:
    """Accuracy and macro-F1."""
    accuracy, macro_f1 = (score.measures[name] for name in ("accuracy", "macro_f1"))
    return shown(accuracy), shown(macro_f1)


def percent(value: float | None) -> float | None:
    return None if value is None else value / 100


def tables(made: Report, drop: Sequence[str] = ()) -> Iterator[Block]:
    """Tables and verdicts; no picture."""
    for block in made.blocks:
        if (isinstance(block, Table) and not block.caption.startswith(tuple(drop))) or isinstance(
            block, Listing
        ):
            yield block


if __name__ == "__main__":
    main()
