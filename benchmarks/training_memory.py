"""Peak memory of a training on data of BIOMRC's sizes: LITE, 87,500 instances, and LARGE, 700,000.

    python benchmarks/training_memory.py [--scale 0.01] [--steps N] [--threads N] [--only LITE] [--keep FOLDER]

AS-Reader with the recipe biomrc-attention-sum-local, on synthetic data that is streamed to disk first: passages of 254
words and questions of 14 out of 222,000, 6.8 candidates, 15.6 mentions, one dev instance to 14 of train. Each training
has a process of its own: it counts the words, encodes both parts, takes N steps and is judged on all of dev. Peak
memory is that process's largest resident set, torch included. Both sizes have the same words, so that their models are
equal; --scale makes fewer instances of fewer words. Bars: LITE under 6 GB, LARGE no more than LITE.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# What loads anything is imported where it is used: a process that starts another lends it its own peak.

SIZES = {"LITE": 87_500, "LARGE": 700_000}
TRAIN_TO_DEV = 14
WORDS, ENTITIES = 222_000, 60_000
RECIPE = "biomrc-attention-sum-local"
BAR = 6_000  # MB


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=float, default=1.0, help="of the instances and of the words")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=SIZES)
    parser.add_argument("--keep", type=Path, help="keep the data here, or use it if it is there")
    options = parser.parse_args()
    peaks: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in [options.only] if options.only else SIZES:
            rows, words = round(SIZES[name] * options.scale), round(WORDS * options.scale)
            data = (options.keep or Path(scratch)) / f"{name}-{rows}"
            if not (data / "receipt.json").exists():
                told = alone("generated", str(data), rows, words)
                print(f"{name}: {rows:,} instances generated in {told['seconds']:.0f} s")
            told = alone("trained", str(data), str(Path(scratch) / name), options.steps, options.threads)
            peaks[name] = told["peak"]
            print(
                f"{name}: peak {told['peak']:,} MB; {told['words']:,} words; {told['rows']:,} instances counted and "
                f"encoded in {told['preparing']:.0f} s, {told['rows'] / told['preparing']:,.0f} instances/s; "
                f"{told['steps'] / told['stepping']:.1f} steps/s over {told['steps']} steps of {told['batch']}; "
                f"judged {told['dev'] / told['judging']:,.0f} instances/s",
                flush=True,
            )
    if "LITE" in peaks:
        print(f"LITE under {BAR:,} MB: {'yes' if peaks['LITE'] < BAR else 'no'}")
    if len(peaks) == 2:
        print(
            f"LARGE beside LITE: {peaks['LARGE'] - peaks['LITE']:+,} MB, {peaks['LARGE'] / peaks['LITE']:.2f} times"
        )


def alone(work: str, *given: Any) -> dict[str, Any]:
    """What the function of that name says, in a process of its own."""
    words = [sys.executable, __file__, "--work", work, json.dumps(given)]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def generated(folder: str, rows: int, words: int) -> dict[str, Any]:
    from anagnosis.datasets.folder import writing

    started = time.monotonic()
    found = instances(words)
    splits = {
        name: itertools.islice(found, count)
        for name, count in (("train", rows), ("dev", max(1, rows // TRAIN_TO_DEV)))
    }
    writing.write(folder, splits, {"dataset": "synthetic, shaped like BIOMRC"})
    return {"seconds": time.monotonic() - started}


def instances(words: int) -> Iterator[Any]:
    """Without end. Words by Zipf's law; an entity has one name; the answer is any candidate."""
    import random

    import numpy as np

    from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention

    dice, draw = random.Random(1), np.random.default_rng(1)
    shares = 1 / np.arange(6, words + 6)
    limits = np.cumsum(shares / shares.sum())
    texts = np.array([f"{'bdfgklmnprstvz'[n % 14]}o{n:x}" for n in range(words)], object)

    def drawn(mean: float, deviation: float, least: int, most: int) -> int:
        return int(min(most, max(least, dice.gauss(mean, deviation) + 0.5)))

    def running(count: int) -> list[str]:
        return texts[np.minimum(np.searchsorted(limits, draw.random(count)), words - 1)].tolist()

    for number in itertools.count():
        length, candidates = drawn(254, 62, 84, 543), drawn(6.8, 2.9, 2, 20)
        places = sorted(dice.sample(range(length), max(candidates, drawn(15.6, 4, 2, 40))))
        owners = [*range(candidates), *dice.choices(range(candidates), k=len(places) - candidates)]
        dice.shuffle(owners)
        numbers = dice.sample(range(ENTITIES), candidates)
        tokens, asked = running(length), running(drawn(13, 5, 2, 39))
        for place, owner in zip(places, owners, strict=True):
            tokens[place] = f"entity {numbers[owner]}"
        asked.insert(dice.randrange(len(asked) + 1), "XXXX")
        ends = np.cumsum([len(token) + 1 for token in tokens]) - 1
        answer = dice.randrange(candidates)
        yield ClozeInstance(
            id=f"{number}:0",
            document=str(number),
            date="",
            passage=" ".join(tokens),
            question=" ".join(asked),
            mentions=tuple(
                PassageMention(((int(ends[place]) - len(tokens[place]), int(ends[place])),), owner)
                for place, owner in zip(places, owners, strict=True)
            ),
            question_mentions=(),
            candidates=tuple(Candidate(f"synthetic/{n}", "Gene", n, (f"entity {n}",)) for n in numbers),
            answer=answer,
            answers=(f"entity {numbers[answer]}",),
        )


def trained(data: str, out: str, steps: int, threads: int) -> dict[str, Any]:
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # as the command line does
    from anagnosis import cpu

    cpu.calm_threads()
    from anagnosis.datasets.folder import store
    from anagnosis.recipes import load as recipes
    from anagnosis.training.loop import history
    from anagnosis.training.train import train

    started = time.monotonic()
    run = train(recipes.load(RECIPE), store.load(data), out, device="cpu", threads=threads, steps=steps)
    wall, last = time.monotonic() - started, history.read(run.folder)[-1]
    assert run.facts.dev is not None
    return {
        "peak": peak(),
        "rows": run.facts.train.rows + run.facts.dev.rows,
        "dev": run.facts.dev.rows,
        "words": run.facts.words // run.recipe["embedding"],
        "batch": run.config.batch,
        "steps": last.step,
        "stepping": last.seconds,
        "judging": run.facts.total_seconds - last.seconds,
        "preparing": wall - run.facts.total_seconds,
    }


def peak() -> int:
    """MB."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) // 1000
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // (1_000_000 if sys.platform == "darwin" else 1_000)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work = {"generated": generated, "trained": trained}[sys.argv[2]]
        print(json.dumps(work(*json.loads(sys.argv[3]))))
    else:
        main()
