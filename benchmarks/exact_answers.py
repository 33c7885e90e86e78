"""How fast exact answers to BioASQ's questions are scored: every protocol, every measure, and their ratio.

    python benchmarks/exact_answers.py golden-*.tar.gz

All questions of the golden files are one split. To each a made-up system gives, by seed, five answers (ten to a list):
names of the question's snippets, with a right synonym or its beginning among them in two questions of three. Bar: all
protocols together score 4,461 questions in 10 seconds of one core. The organisers' program stops at flat lists and at
questions without a gold answer, so lists have the shape that each edition reads here, the system leaves questions
without a gold answer unanswered, and yes/no questions without one are left out. For regressions compare the ratio, all
protocols beside `thesis`.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anagnosis
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import KIND, LIST, YESNO, QuestionInstance
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.phase_b import equality
from anagnosis.language import fuzzy
from anagnosis.names import same_entity
from anagnosis.predictions import Answer, Matched, Prediction, match, write

BAR, QUESTIONS = 10.0, 4_461
CACHES = (fuzzy.processed, same_entity.word_forms)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        anagnosis.import_dataset(options.files, layout="bioasq", out=folder / "all")
        every = store.instances(anagnosis.load(folder / "all"), "train", of=QuestionInstance)
        asked = (each for each in every if each.type != YESNO or each.exact is not None)
        dataset = writing.write(folder / "asked", {"train": asked}, {"dataset": "bioasq", "kind": "question"})
        file = folder / "answers.jsonl"
        write(file, answered(store.instances(dataset, "train", of=QuestionInstance)))
        gold = replace(Gold.of(dataset, "train", free=True), exact_json=None)
        run = match(file, gold)
        print(f"{len(gold):,} questions; a similarity is {equality.LEVEL} or more")
        before = peak()
        seconds = {protocol: timed(gold, run, protocol) for protocol in KIND.free_protocols}
        for protocol, taken in seconds.items():
            print(f"{protocol:14} {taken:6.2f} s")
        total = sum(seconds.values())
        scaled = total * QUESTIONS / len(gold)
        print(f"all protocols  {total:6.2f} s; {total / seconds['thesis']:.1f} times thesis alone")
        print(f"at most {peak():,} MB, {peak() - before:,} MB more than import and matching took before")
        print(
            f"{QUESTIONS:,} questions: {scaled:.2f} s, bar {BAR:g} s: {'kept' if scaled <= BAR else 'MISSED'}"
        )


def answered(instances: Iterator[QuestionInstance]) -> Iterator[Prediction]:
    """A line for each question."""
    drawn = random.Random(0)
    for instance in instances:
        if instance.exact is None:
            yield Prediction(instance.id, None)
            continue
        if instance.type == YESNO:
            yield Prediction(instance.id, drawn.choice(["yes", "no"]))
            continue
        words = " ".join(snippet.text for snippet in instance.snippets[:5]).split() or ["none"]
        count = 10 if instance.type == LIST else 5
        starts = [drawn.randrange(len(words)) for _ in range(count)]
        texts = [" ".join(words[start : start + drawn.randint(1, 4)]) for start in starts]
        synonyms = [synonym for entry in instance.exact for synonym in entry]
        if drawn.random() < 2 / 3:
            right = drawn.choice(synonyms)
            texts[drawn.randrange(count)] = right if drawn.random() < 1 / 2 else f"{right} {texts[0]}"
        yield Prediction(instance.id, answers=[Answer(text) for text in texts])


def peak() -> int:
    """The most memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def timed(gold: Gold, run: Matched, protocol: str) -> float:
    """Seconds of one core for all measures of a protocol, with nothing remembered from an earlier one."""
    for cache in CACHES:
        cache.cache_clear()
    start = time.process_time()
    for name in KIND.free_measures:
        named(name).of_run(gold, run, protocol)
    return time.process_time() - start


if __name__ == "__main__":
    main()
