"""A board of many submissions: CPU beside the floor of decoding all lines, seconds, and peak memory.

    python benchmarks/leaderboard.py [--submissions 100] [--answers 6250] [--hidden]

The dataset is synthetic (instances that mean nothing), with a train part, so that readers without reading have
something to count in. The systems answer it with a score for every candidate, from 30 to 90 % of it right, and every
eighth shares some of its highest scores. The floor, in this same run, decodes each line as JSON and does nothing with
it. Bars: 120 seconds and 1 GB for 100 submissions of 6,250 answers (BioMRC LITE's test). A second build of the same
files must give the same bytes.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

import msgspec

import anagnosis
from anagnosis.datasets.folder import store, writing
from anagnosis.predictions import Prediction, write
from score_predictions import CANDIDATES, instances, timed

LOWEST, HIGHEST = 0.3, 0.9
FIRST = date(2024, 1, 1)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--answers", type=int, default=6250)
    parser.add_argument("--hidden", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        every = [*instances(2 * given.answers)]
        splits = {"train": every[given.answers :], "test": every[: given.answers]}
        dataset = writing.write(folder / "dataset", splits, {"dataset": "synthetic", "text_form": "original"})
        fingerprint = store.fingerprint(dataset, "test")
        for number in range(given.submissions):
            submit(folder / "submissions", number, given.submissions, given.answers, fingerprint)
        files = sorted((folder / "submissions").glob("*/test.jsonl"))
        floor = timed(
            lambda: [msgspec.json.decode(line) and None for file in files for line in file.open("rb")]
        )
        hidden = ["test"] if given.hidden else []
        started = time.perf_counter()
        built = timed(lambda: build(folder, dataset, "site", hidden, given.submissions))
        seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        again = timed(lambda: build(folder, dataset, "again", hidden, given.submissions))
        pages = {path.relative_to(folder / "site"): path.read_bytes() for path in files_of(folder / "site")}
        same = pages == {
            path.relative_to(folder / "again"): path.read_bytes() for path in files_of(folder / "again")
        }
        size = sum(file.stat().st_size for file in files) / 1e6
        print(f"{given.submissions:,} submissions of {given.answers:,} answers, {size:,.0f} MB of lines")
        print(f"floor {floor:.1f} CPU-s; build {built:.1f} CPU-s, {built / floor:.1f} times; {seconds:.0f} s")
        print(f"a second build {again:.1f} CPU-s; the same bytes: {same}")
        print(f"{len(pages):,} files of {sum(map(len, pages.values())) / 1e6:.1f} MB in all")
        print(f"resident memory at most {peak} MB")


def submit(folder: Path, number: int, of: int, answers: int, fingerprint: str) -> None:
    place = folder / f"system-{number:03}"
    place.mkdir(parents=True)
    entered = FIRST + timedelta(5 * number)
    (place / "system.toml").write_text(
        f'name = "System {number}"\nteam = "Team {number % 9}"\ndate = {entered}\nview = "global"\n'
        f'training_data = "the train part"\ntraining_cutoff = {FIRST}\n'
    )
    draw = random.Random(number)
    share = LOWEST + (HIGHEST - LOWEST) * number / of
    write(place / "test.jsonl", (line(draw, row, share, number, fingerprint) for row in range(answers)))


def line(draw: random.Random, row: int, share: float, number: int, fingerprint: str) -> Prediction:
    article = row // 2
    chosen = row % CANDIDATES if draw.random() < share else draw.randrange(CANDIDATES)
    keys = [f"synthetic/{article * 3 + place}" for place in range(CANDIDATES)]
    scores = {key: round(draw.random(), 6) for key in keys}
    scores[keys[chosen]] = 2.0
    if number % 8 == 0 and draw.random() < 0.3:
        scores[keys[draw.randrange(CANDIDATES)]] = 2.0
    return Prediction(f"{article}:{row % 2}", keys[chosen], scores, fingerprint)


def build(folder: Path, dataset: store.Dataset, out: str, hidden: list[str], per_month: int) -> None:
    anagnosis.build_leaderboard(
        folder / "submissions", [dataset], folder / out, hidden=hidden, per_month=per_month
    )


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


if __name__ == "__main__":
    main()
