"""Training rates of AS-Reader and AOA-Reader, beside the published programs.

    python benchmarks/recurrent_readers.py [--instances N] [--rounds N] [--threads 1 2]

The published programs cost 1.6 (AS) and 5.3 to 5.5 (AOA) times what their two bare GRUs cost on the same batches,
forward and backward. So two plain `nn.GRU` are timed here, in the same rounds: batches of 100 in file order, padded,
d = 30, h = 100; that is one GRU unit, and the programs' time follows from it.

Ours are whole training steps at V = 222,000 with dropout, gradient and Adam over the whole embedding table, batches
of 100 neighbours in length. Synthetic instances with the lengths of BIOMRC LITE; seconds of the processor for one
thread, of the wall clock for more, the best round of each.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable

from anagnosis.encoders import cpu

# OpenMP reads these settings once, when torch is loaded: so what loads torch comes after this line.
os.environ.update(cpu.CALM_THREADS)

import numpy as np
import torch
from torch import nn

from anagnosis.readers import attention_over_attention, attention_sum
from anagnosis.readers.recurrent.inputs import ClozeBatch, ClozeExample, collate

WORDS, EMBEDDING, HIDDEN, BATCH = 222_000, 30, 100, 100
UNITS = {"AS": (1.6, 1.6), "AOA": (5.3, 5.5)}
READERS: dict[str, Callable[[], nn.Module]] = {
    "AS": lambda: attention_sum.AttentionSum(WORDS, attention_sum.Config()),
    "AOA": lambda: attention_over_attention.AttentionOverAttention(WORDS, attention_over_attention.Config()),
}


def synthetic(count: int) -> list[ClozeExample]:
    """Passages of 254 tokens on average (84 to 543), titles of 14 (3 to 40), 6.8 candidates, 15.6 mentions."""
    dice = random.Random(1)
    draw = np.random.default_rng(1)
    examples: list[ClozeExample] = []
    for name in range(count):
        length = int(min(543, max(84, dice.gauss(254, 62))))
        asked = int(min(40, max(3, dice.gauss(14, 5))))
        candidates = int(min(20, max(2, dice.gauss(6.8, 2.9) + 0.5)))
        tokens = sorted(dice.sample(range(length), max(candidates, int(dice.gauss(15.6, 4)))))
        owners = [*range(candidates), *(dice.randrange(candidates) for _ in tokens[candidates:])]
        dice.shuffle(owners)
        places = np.array(list(zip(tokens, owners)), "<i4")
        passage = draw.integers(4, WORDS, length).astype("<i4")
        examples.append(
            ClozeExample(
                id=str(name),
                size=length + asked,
                target=dice.randrange(candidates),
                passage=passage.tobytes(),
                question=draw.integers(4, WORDS, asked).astype("<i4").tobytes(),
                places=places.tobytes(),
                placeholder=0,
                candidates=candidates,
            )
        )
    return examples


def in_batches(examples: list[ClozeExample]) -> list[ClozeBatch]:
    return [collate(examples[begin : begin + BATCH]) for begin in range(0, len(examples), BATCH)]


def bare_grus(batches: list[ClozeBatch]) -> Callable[[], None]:
    grus = [nn.GRU(EMBEDDING, HIDDEN, batch_first=True, bidirectional=True) for _ in range(2)]
    pairs = [
        (gru, torch.randn(*ids.shape, EMBEDDING), torch.ones(*ids.shape, 2 * HIDDEN))
        for batch in batches
        for gru, ids in zip(grus, (batch.passage, batch.question))
    ]

    def run() -> None:
        for gru, inputs, gradient in pairs:
            out, _ = gru(inputs.detach().requires_grad_())
            out.backward(gradient)

    return run


def training(model: nn.Module, batches: list[ClozeBatch]) -> Callable[[], None]:
    adam = torch.optim.Adam(model.parameters(), lr=0.001, fused=True)

    def run() -> None:
        model.train()
        for batch in batches:
            adam.zero_grad()
            model(batch).losses["answer"].mean().backward()
            adam.step()

    return run


def seconds(runs: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """The best of some rounds, in which all take turns."""
    clock = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            started = clock()
            run()
            best[name] = min(best[name], clock() - started)
    return best


def measure(examples: list[ClozeExample], rounds: int) -> None:
    torch.manual_seed(0)
    torch.set_flush_denormal(True)
    unsorted = in_batches(examples)
    ordered = in_batches(sorted(examples, key=lambda example: len(example.passage)))
    models = {name: make() for name, make in READERS.items()}
    runs = {"unit": bare_grus(unsorted)}
    for name, model in models.items():
        runs[name] = training(model, ordered)
    for run in runs.values():
        run()  # to warm up
    took = seconds(runs, rounds)
    count, unit = len(examples), took["unit"]
    print(
        f"  two bare nn.GRU, padded, file order: {unit / len(unsorted):.3f} s a batch of {BATCH} (one GRU unit)"
    )
    for name, (low, high) in UNITS.items():
        ours = took[name]
        span = f"{low}" if low == high else f"{low} to {high}"
        print(
            f"  {name}: published {span} units, {count / unit / high:.0f} instances/s; ours {ours / unit:.2f} units, "
            f"{count / ours:.0f} instances/s: {low * unit / ours:.2f} times, both flushed"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    examples = synthetic(options.instances)
    lengths = [len(example.passage) / 4 for example in examples]
    print(
        f"{len(examples)} instances: passages of {min(lengths):.0f} to {max(lengths):.0f} tokens, "
        f"{sum(lengths) / len(lengths):.0f} on average"
    )
    for threads in options.threads:
        torch.set_num_threads(threads)
        print(f"{threads} thread{'s' * (threads > 1)}:")
        measure(examples, options.rounds)


if __name__ == "__main__":
    main()
