"""Measures of texts beside a count by hand: plain loops over questions and lines, from the definition of each.

The name of a candidate is four words, no text has a word twice, and the vectors of different words are orthogonal.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from tests.golds import Row, instance

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.cloze import KIND
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import protocols_for
from anagnosis.io.counts import Counts
from anagnosis.predictions import Prediction
from anagnosis.predictions.annotators import Matching
from anagnosis.word_vectors import answer_vectors, word2vec

SYNONYM = "synonym"  # of every right answer
NAMES = {key: " ".join(f"{key}{word}" for word in ("one", "two", "three", "four")) for key in ("a", "b", "c")}
KEYS = [*NAMES]
QUESTIONS = 24
WORDS = [*" ".join(NAMES.values()).split(), SYNONYM]

Words = Sequence[str]
Asked = tuple[str, Prediction | None]  # the right key, and the line
ByHand = Callable[[Sequence[Asked], str], float]


def right_of(key: str) -> tuple[Words, Words]:
    return NAMES[key].split(), [SYNONYM]


def texts_of(line: Prediction | None, protocol: str) -> list[Words]:
    """The words of each text that answers; the names of the best candidates under `expected`."""
    if line is None:
        return []
    if protocol == "expected" and line.scores is not None:
        best = [key for key, score in line.scores.items() if score == max(line.scores.values())]
        return [NAMES[key].split() for key in best]
    answer = line.answer[0] if isinstance(line.answer, list) else line.answer
    return [] if answer is None else [NAMES.get(answer, answer).lower().split()]


def of_texts(value: Callable[[Words, Words], float]) -> ByHand:
    """The mean over questions of the mean over texts of the best value beside the two right answers."""

    def mean(asked: Sequence[Asked], protocol: str) -> float:
        total = 0.0
        for key, line in asked:
            texts = texts_of(line, protocol)
            total += sum(max(value(text, one) for one in right_of(key)) for text in texts) / max(
                len(texts), 1
            )
        return total / len(asked)

    return mean


def shared_words(text: Words, right: Words) -> float:
    """Rajpurkar et al. 2016."""
    both = len({*text} & {*right})
    precision, recall = both / len(text), both / len(right)
    return 2 * precision * recall / (precision + recall) if both else 0.0


def runs_of(text: Words, size: int) -> set[tuple[str, ...]]:
    return {tuple(text[start : start + size]) for start in range(len(text) - size + 1)}


def bleu_of(n: int, lines: Sequence[tuple[Words, float, Sequence[Words]]]) -> float:
    """Papineni et al. 2002 with the program's epsilons. lines: (words of an answer, its weight, right answers)."""
    product = 1.0
    for size in range(1, n + 1):
        every = sum(weight * len(runs_of(text, size)) for text, weight, _ in lines)
        hit = sum(
            weight * len(runs_of(text, size) & {run for one in right for run in runs_of(one, size)})
            for text, weight, right in lines
        )
        product *= (hit + 1e-15) / (every + 1e-9)
    length = sum(weight * len(text) for text, weight, _ in lines)
    wanted = sum(
        weight * min((abs(len(one) - len(text)), len(one)) for one in right)[1]
        for text, weight, right in lines
    )
    ratio = (length + 1e-15) / (wanted + 1e-9)
    return product ** (1 / n) * (math.exp(1 - 1 / ratio) if ratio < 1 else 1)


def over_all(n: int) -> ByHand:
    """BLEU of all answers together; each of k tied texts has the weight 1/k."""

    def value(asked: Sequence[Asked], protocol: str) -> float:
        lines: list[tuple[Words, float, Sequence[Words]]] = []
        for key, line in asked:
            texts = texts_of(line, protocol) or [[]]
            lines += [(text, 1 / len(texts), right_of(key)) for text in texts]
        return bleu_of(n, lines)

    return value


def of_each(n: int) -> ByHand:
    return of_texts(lambda text, right: bleu_of(n, [(text, 1.0, (right,))]))


def at_an_angle(text: Words, right: Words) -> float:
    """Šuster and Daelemans 2018: each known word is an axis of its own.

    Others are left out; as published they point into one direction of their own, and no text here is of both.
    """
    known = [word for word in text if word in WORDS]
    return len({*known} & {*right}) / math.sqrt(len(known) * len(right)) if known else 0.0


BY_HAND: dict[str, ByHand] = {
    "exact-match": of_texts(lambda text, right: float([*text] == [*right])),
    "f1": of_texts(shared_words),
    "bleu-2": over_all(2),
    "bleu-4": over_all(4),
    "bleu-2-mean": of_each(2),
    "bleu-4-mean": of_each(4),
    "embedding-average": of_texts(at_an_angle),
}


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Gold:
    names = [[name] for name in NAMES.values()]
    made = [
        msgspec.structs.replace(
            instance(Row(f"d{n}:0", KEYS, n % 3, names=names)), answers=(NAMES[KEYS[n % 3]], SYNONYM)
        )
        for n in range(QUESTIONS)
    ]
    path = str(tmp_path_factory.mktemp("vectors") / "words.txt")
    word2vec.write(path, ["</s>", *WORDS], np.eye(len(WORDS) + 1, dtype=np.float32))
    vectors = answer_vectors.AnswerVectors(path)
    return replace(Gold.of_instances(KIND, made, "test", free=True), vectors=vectors)


def lines_of(seed: int) -> list[Prediction | None]:
    """Right, wrong, several, null, tied and no candidate's answers, and none at all."""
    draw = random.Random(seed)
    found: list[Prediction | None] = []
    for n in range(QUESTIONS):
        several = draw.choices([*KEYS, SYNONYM.upper(), "x"], k=3)
        answer = draw.choice([*KEYS, None, SYNONYM, "stranger", "aone  Atwo bone", several])
        scores = draw.choice([None, {key: float(draw.randrange(2)) for key in KEYS}])
        found.append(draw.choice([None, *[Prediction(f"d{n}:0", answer, scores)] * 3]))
    return found


@pytest.mark.parametrize("name", BY_HAND)
def test_a_measure_of_texts_has_the_value_counted_by_hand_of_any_draw(name: str, gold: Gold) -> None:
    """Lines are read in any order; intervals draw questions with replacement."""
    for protocol in protocols_for(KIND, [named(name)]):
        for seed in range(4):
            lines, draw = lines_of(seed), random.Random(seed)
            matching = Matching(gold)
            for row in draw.sample(range(QUESTIONS), QUESTIONS):
                if (line := lines[row]) is not None:
                    matching.add(row, line, KEYS)
            found = named(name).of_run(gold, matching.matched("system", Counts()), protocol)
            for times in (np.ones(QUESTIONS), np.array(draw.choices(range(3), k=QUESTIONS), np.float64)):
                drawn = [(KEYS[n % 3], lines[n]) for n in range(QUESTIONS) for _ in range(int(times[n]))]
                value = float(found.value(times @ found.of_instances))
                assert value == pytest.approx(BY_HAND[name](drawn, protocol), rel=1e-9, abs=1e-9), protocol
