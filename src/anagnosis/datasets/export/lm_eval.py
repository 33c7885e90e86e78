"""One view of a dataset as tasks for lm-evaluation-harness (https://github.com/EleutherAI/lm-evaluation-harness).

    FOLDER/anagnosis_biomrc_names_test.yaml     the task: prompt, choices, measure; and so for dev
    FOLDER/anagnosis_biomrc_names_test.jsonl    its questions, one a line
    FOLDER/questions.py                         finds the questions beside itself, wherever the folder lies

A question of a cloze dataset is `id`, `document`, `passage` and `question` (with ____ for the hidden mention),
`choices` (the candidates as the view writes them), `gold` (index of the answer, -1 where none), `keys` (of the
candidates) and `dataset` (the split's fingerprint). One of a decision has as `passage` what is read beside the
question, a line a section, and yes, no and maybe as choices and keys. The harness keeps all of it in its log of
samples, which is thereby a predictions file.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.export.trainable import write_lines
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import lacking
from anagnosis.io.files import write_text
from anagnosis.progress import Progress

UNKNOWN = -1  # lm-eval asks for a number; as an index it never equals that of a choice
LOADER = "questions.py"
BLANK = "____"

_LOADER = '''\
"""Hands lm-evaluation-harness the questions that lie beside this file."""

import json
from pathlib import Path

import datasets


def load(files, **_):
    """files: split -> name of its file. Whatever else the harness passes on is not for us."""
    folder = Path(__file__).resolve().parent
    found = {}
    for split, name in files.items():
        with (folder / name).open(encoding="utf-8") as stream:
            found[split] = datasets.Dataset.from_list([json.loads(line) for line in stream])
    return datasets.DatasetDict(found)
'''

_TASK = """\
# Written by anagnosis; its docs/language_models.md says how to run it and how to score the samples.
task: {task}
custom_dataset: !function questions.load
dataset_kwargs:
  files:
    {split}: {file}
test_split: {split}
num_fewshot: 0
output_type: multiple_choice
doc_to_text: |-
{prompt}
doc_to_choice: choices
doc_to_target: gold
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: acc_norm
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1
  dataset: {dataset}
  view: {view}
  split: {split}
  fingerprint: {fingerprint}
"""


def tasks(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write the tasks of a view into OUT: one a split but train, which has one if it stands alone.

    view: None for the usual one.
    """
    prompts = dataset.kind.prompts
    if prompts is None:
        raise lacking(dataset.kind, "tasks for language models", str(dataset.folder))
    name = view or prompts.view
    dataset.demand_view(name)
    splits = [split for split, rows in dataset.sizes.items() if rows]
    evaluated = [split for split in splits if split != "train"] or splits
    # lm-eval gives commas and stars a meaning.
    word = re.sub(r"[^A-Za-z0-9]+", "_", dataset.name).strip("_") or "dataset"
    written: list[Exported] = []
    with Progress(f"export {name}", sum(map(dataset.size, evaluated)), "instances") as progress:
        for split in evaluated:
            notes: Counter[str] = Counter()
            stem, fingerprint = f"anagnosis_{word}_{name}_{split}", store.fingerprint(dataset, split)
            rows = _answerable(dataset, split, name, fingerprint, notes, progress)
            count = write_lines(out / f"{stem}.jsonl", rows)
            task = _TASK.format(
                task=stem,
                split=split,
                # A text in quotes is written alike in JSON and YAML.
                file=json.dumps(f"{stem}.jsonl"),
                prompt="\n".join(f"  {line}".rstrip() for line in prompts.texts[name].split("\n")),
                dataset=word,
                view=name,
                fingerprint=json.dumps(fingerprint),
            )
            write_text(out / f"{stem}.yaml", task)
            written.append(Exported(out / f"{stem}.yaml", count, dict(+notes)))
    if written:
        write_text(out / LOADER, _LOADER)
    return written


def _question(row: dict[str, Any], gap: tuple[int, int] | None) -> dict[str, Any]:
    """row: of a view. gap: the place of the hidden mention in the question."""
    question, gold = row["question"], row["answer_index"]
    return {
        "id": row["id"],
        "document": row.get("document", row["id"]),
        "passage": row["passage"],
        "question": question if gap is None else question[: gap[0]] + BLANK + question[gap[1] :],
        "choices": row["candidates"],
        "gold": UNKNOWN if gold is None else gold,
        "keys": row.get("keys", row["candidates"]),
    }


def _answerable(
    dataset: store.Dataset,
    split: str,
    view: str,
    fingerprint: str,
    notes: Counter[str],
    progress: Progress,
) -> Iterator[dict[str, Any]]:
    """The questions that have choices. notes: gets what is odd about them."""
    viewed = dataset.viewer(view)
    for instance in store.instances(dataset, split):
        shown = viewed(instance)
        row = _question(dataset.kind.rows.row(instance, shown), getattr(shown, "placeholder", None))
        progress.advance()
        if not row["choices"]:
            notes["left_out_without_candidates"] += 1
            continue
        notes["candidates_written_alike"] += len(set(row["choices"])) < len(row["choices"])
        notes["without_answer"] += row["gold"] == UNKNOWN
        yield row | {"dataset": fingerprint}
