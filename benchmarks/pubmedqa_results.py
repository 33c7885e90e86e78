"""docs/results_pubmedqa.md: PubMedQA's published systems, people, and readers of ours on the 500 questions of test.

    python benchmarks/pubmedqa_results.py ori_pqal.json --answers mirage.jsonl \\
        --run NAME=FOLDER=RECIPE:CELL --run … > docs/results_pubmedqa.md

ori_pqal.json: the authors' file (docs/inputs.md). --answers: one JSON object a line with `id` and a field for each
system, its label (`gold` is passed over). The page is made of the four systems of MIRAGE (repository
Teddy-XiongGZ/MIRAGE, folder prediction/pubmedqa), whose letters A, B, C are yes, no, maybe and whose unreadable answers
are A, as its evaluation has them. --run, as often as there are systems: a folder that `anagnosis train … --folds 10`
made; RECIPE:CELL may be left away and is the recipe whose table expected.CELL holds the paper's figures, such as
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
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.scoring import Score
from anagnosis.files import open_input
from anagnosis.reports.renderers.markdown import render
from anagnosis.reports.report import Block, Column, Estimate, Heading, Listing, Plot, Report, Table, Text

HEAD = """# Results: PubMedQA

All on the 500 questions of the published test set, with 95 % intervals. "Yes" everywhere has an accuracy of 55.20 and a
macro-F1 of 23.71. Figures of systems that read different things do not belong in one table
([evaluation](evaluation.md)): each section names what was read.

Made by `python benchmarks/pubmedqa_results.py`, which says where each file comes from. Majority is the label that is
most frequent in train; it stands in every ranking. ori_pqal.json is the authors' file; its labels are people's.
"""

PUBLISHED_SYSTEMS = """## Four published systems under each protocol

```text
python benchmarks/pubmedqa_results.py ori_pqal.json --answers mirage_predictions.jsonl
```

GPT-3.5 and GPT-4 as MIRAGE (Xiong et al. 2024) ran and published them: `cot` reasons from the **question alone**,
`medrag32` has 32 retrieved snippets of text beside it, which may hold the very abstract and its conclusion. Neither is
the paper's setting, which gives question and context; so this is a protocol of its own, and says nothing beside
the paper's figures or ours below. An answer that MIRAGE could not read counts there as yes, and does here (one each in
`gpt35_cot` and `gpt4_medrag32`). MIRAGE publishes accuracies: 36.00, 39.60, 67.40 and 70.60.
"""

PEOPLE = """## People

```text
anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
anagnosis agreement built/pqal --people --split test
```

The two annotators whose labels lie in the dataset, against the final label that both helped to make. Reasoning-free
saw the long answer, reasoning-required did not.
"""

OURS = """## Readers trained here, ten folds

A fold is a model, all of seed 0. The rows come from these commands; `built/pqa` is what `build
pubmedqa` makes of the abstracts below, `vectors.bin` what `anagnosis vectors` trains on them.

```text
anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
anagnosis build pubmedqa abstracts.xml.gz --set tagger=crf --set model=genia.crf --out built/pqa
anagnosis vectors abstracts.xml.gz medline/ --out vectors.bin
anagnosis train pubmedqa-shallow-features --data built/pqal --folds 10 --out runs/shallow
anagnosis train pubmedqa-shallow-features-multiphase --data built/pqal --also built/pqa \\
    --set pseudo_answer=over-share --set phases=multi-phase --folds 10 --out runs/shallow-multi
anagnosis train pubmedqa-shallow-features --data built/pqal --set auxiliary=0.1 --folds 10 \\
    --out runs/shallow-auxiliary
anagnosis train pubmedqa-bilstm --data built/pqal --set vectors=vectors.bin --folds 10 --out runs/bilstm
anagnosis train pubmedqa-esim --data built/pqal --encoder models/minilm --folds 10 --out runs/esim
anagnosis train pubmedqa-encoder --data built/pqal --encoder models/minilm --set epochs=3 --set rate=1e-4 \\
    --folds 10 --out runs/minilm
anagnosis decide runs/shallow built/pqal --rule macro-f1 --out runs/shallow-rule
anagnosis decide runs/shallow built/pqal --rule never-maybe --out runs/shallow-never
python benchmarks/pubmedqa_results.py ori_pqal.json --run "shallow=runs/shallow=pubmedqa-shallow-features" \\
    --run "MiniLM=runs/minilm=pubmedqa-encoder"
```

The other schedules are `--set phases=` `phase-1-final`, `phase-2-final` and `single-phase`; "auxiliary" adds `--set
auxiliary=0.1`.

A system is ten models, one a fold, each trained on 450 questions; its figures are means over the ten, and each
question's credit is the mean of its ten. Beside them the paper's cell, where it has one, from other weights and other
settings than its authors told ([recipes](recipes.md)).

In phases, PQA-A has 946 questions and PQA-U 239: `anagnosis build pubmedqa` with the trained tagger (`--set
tagger=crf`) on 10,839 structured abstracts as MEDLINE XML (design/pubmedqa_titles.md). By default, with the rule
tagger, the same abstracts as JSON lines give 941 and 241. The authors had 211,269 and 61,249. Answers became
pseudo-labels by `pseudo_answer=over-share`. "All data" adds the questions built from MEDLINE's samples (196) and JATS
(32). BiLSTM reads word vectors that `anagnosis vectors` trained on the same abstracts and on MEDLINE's samples; ESIM
those of MiniLM (6 layers, 384 wide), not BioELMo's. The row MiniLM is the encoder classifier with it, three epochs at
a rate of 1e-4; it stands beside the paper's BioBERT. A fold of it took 7 to 23 minutes on one core that other work
shared.

MiniLM in phases (all data, two folds, three epochs a phase) ends at "yes" everywhere: 94 % of what PQA-A has to teach
here is "yes", the pseudo-labels follow, and 450 questions did not lead it back. The shallow reader is not shown to
gain from phases: with all data 56.68 beside 55.00 without, +1.68 [−0.66, +4.04], p .17 for these models, and no less
for the recipes, where the larger p of models and recipes counts. Nor is any row shown to be above "yes" everywhere
(55.20), which stands in the ranking.
"""
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
        expected: Any = anagnosis.recipe(recipe)["expected"] if recipe else {}
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
        print(HEAD)
        if options.answers:
            print(PUBLISHED_SYSTEMS)
            files = [*written(options.answers, Path(scratch) / "answers"), majority]
            print(published_systems(dataset, files))
        print(PEOPLE)
        print(people(dataset))
        if options.run:
            print(OURS)
            print(trained(dataset, options.run, Run(MAJORITY, majority, {})))


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


def published_systems(dataset: Dataset, files: Sequence[Path]) -> str:
    """Both protocols side by side, each class, paired tests, and the types of questions."""
    by_protocol = {
        protocol: anagnosis.score(dataset, files, protocol=protocol, view=QUESTION_ONLY)["test"]
        for protocol in ("fixed", "official")
    }
    made = anagnosis.report(dataset, files, view=QUESTION_ONLY)
    told = [
        protocols_table(by_protocol),
        *tables(
            made, drop=("Accuracy of all systems", "Accuracy and macro-F1", "What was counted", "Confidence")
        ),
    ]
    return text(told)


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


def people(dataset: Dataset) -> str:
    """Accuracy, macro-F1 and kappa of both annotators."""
    wanted = ("Macro-F1 of people", "Agreement of people")
    made = anagnosis.agreement_report(dataset, stored=True, split="test")
    return text(
        [block for block in made.blocks if isinstance(block, Table) and block.caption.startswith(wanted)]
    )


def trained(dataset: Dataset, runs: Sequence[Run], majority: Run) -> str:
    """Each system beside its published cell, then the ranking and all tests, within each view.

    majority: reads nothing, so it stands in every view.
    """
    systems = [run.system for run in (*runs, majority)]
    *scores, least = anagnosis.score(dataset, systems, split="test")["test"]
    views: dict[str, list[tuple[Run, Score]]] = {}
    for run, score in zip(runs, scores, strict=True):
        views.setdefault(seen(score), [(majority, least)]).append((run, score))
    blocks: list[Block] = []
    for view, rows in views.items():
        blocks.append(Heading(f"Reading: {view}", 3))
        blocks.append(beside_the_paper(rows))
        if len(rows) > 1:
            own = [run.system for run, _ in rows]
            blocks += tables(anagnosis.compare_report(dataset, own, split="test"))
    return text(blocks)


def beside_the_paper(rows: Sequence[tuple[Run, Score]]) -> Table:
    return Table(
        "On test, beside the paper",
        (
            Column("system"),
            Column("accuracy (%)", "percent", "high"),
            Column("published (%)", "percent"),
            Column("macro-F1 (%)", "percent", "high"),
            Column("published (%)", "percent"),
            *(Column(f"F1 of {label}", "percent") for label in ("yes", "no", "maybe")),
            Column("models", "count"),
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
                len(score.spread.accuracies),
                score.spread.deviation,
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


def worth(score: Score) -> tuple[Estimate, Estimate | None]:
    """Accuracy and macro-F1."""
    accuracy, own = score.by_document, score.classes
    return (
        Estimate(accuracy.value, accuracy.interval.low, accuracy.interval.high),
        Estimate(own.macro_f1, own.interval.low, own.interval.high) if own else None,
    )


def percent(value: float | None) -> float | None:
    return None if value is None else value / 100


def tables(made: Report, drop: Sequence[str] = ()) -> Iterator[Block]:
    """Tables, verdicts in words, and the break-down by type of question, up to what did not fit; no other picture."""
    for block in made.blocks:
        if isinstance(block, Heading) and "fit" in block.text:
            return
        if isinstance(block, Table) and not block.caption.startswith(tuple(drop)):
            yield block
        elif isinstance(block, Plot) and "question type" in block.title:
            yield block.data
        elif (isinstance(block, Text) and not block.text.startswith("Not here")) or (
            isinstance(block, Listing) and not block.caption and _verdicts(block)
        ):
            yield block


def _verdicts(block: Listing) -> bool:
    return any(" and " in each.label for each in block.items)


def text(blocks: Sequence[Block]) -> str:
    return render(Report("", tuple(blocks))).partition("\n")[2]


if __name__ == "__main__":
    main()
