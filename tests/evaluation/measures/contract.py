"""Instances of each kind that a measure judges, and lines of predictions for them, to try the measure on.

An instance has three candidates, or the labels of the kind. Where a measure compares the texts of cloze answers, a
candidate's name is four words (NAMES), and the word vectors of different words are orthogonal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from tempfile import mkdtemp

import numpy as np
import pyarrow as pa

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold, from_batches
from anagnosis.datasets.kinds.kind import EXACT, HELD, IDEAL, Kind
from anagnosis.datasets.kinds.question import YESNO, RelevantItems
from anagnosis.datasets.kinds.table import each_kind
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.evaluation.protocols import protocols_for
from anagnosis.io.counts import Counts
from anagnosis.predictions.annotators import Matching
from anagnosis.predictions.prediction import FoundSnippet, Prediction
from anagnosis.word_vectors import answer_vectors, word2vec

RIGHT = (0, 1, 2, 2, 1, None, 0, 3)
SEEDS = range(3)
SYNONYM = "synonym"  # of every right free answer
NAMES = {key: " ".join(f"{key}{word}" for word in ("one", "two", "three", "four")) for key in ("a", "b", "c")}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a predictions file. scores: of the candidates, in their order."""

    answer: str | list[str] | None
    scores: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """An instance. right: the place of its right key, None where it is withheld, or no sentence holds the answer.

    type: of a question with a free answer; its right answers are the right key and SYNONYM. Of a cloze question they
    are the NAMES of the right key, and SYNONYM.
    """

    keys: tuple[str, ...]
    right: int | None
    type: str = ""


Pairs = Sequence[tuple[Asked, Line | None]]
ByHand = Callable[[Pairs, str], float]  # (instances with gold answer, of sentences all; protocol) → the value


@dataclass(frozen=True, slots=True)
class Trial:
    """A measure with one of the kinds that it judges, and a protocol."""

    measure: Measure
    kind: Kind
    protocol: str
    columns: frozenset[str]

    def asked(self, right: Sequence[int | None] = RIGHT) -> list[Asked]:
        """Instances whose right candidate is at these places; a place past the last candidate begins anew."""
        found: list[Asked] = []
        for n, place in enumerate(right):
            if place is None and self.measure.retrieved:
                continue
            type = (
                self.kind.labels[n % len(self.kind.labels)] if self.measure.free and self.kind.labels else ""
            )
            keys = self.kind.labels if self.kind.labels and not type else ("a", "b", "c")
            if type == YESNO:
                keys = ("Yes", "no")
            elif HELD in self.columns:
                keys = ("0", "1", "2")
            found.append(Asked(keys, None if place is None else place % len(keys), type))
        return found

    def gold(self, asked: Sequence[Asked]) -> Gold:
        """The gold side of the instances, in the columns that the kind gives."""
        free = self.measure.free
        labels = self.kind.labels
        keys = [labels if free and labels else one.keys for one in asked]
        answers = [labels.index(one.type) if free and labels else one.right for one in asked]
        every = [key for own in keys for key in own]
        columns: dict[str, object] = {
            "id": pa.array([f"d{n}:0" for n in range(len(asked))], pa.string()),
            "document": pa.array([f"d{n}" for n in range(len(asked))], pa.string()),
            "candidates": pa.array([len(own) for own in keys], pa.int32()),
            "answer": pa.array([-1 if answer is None else answer for answer in answers], pa.int32()),
            "key": pa.array(every, pa.string()),
        }
        if self.texts:
            columns["names"] = pa.array([1] * len(every), pa.int32())
            columns["name"] = pa.array([NAMES[key] for key in every], pa.string())
        if HELD in self.columns:
            held = [n == one.right for one in asked for n in range(len(one.keys))]
            columns[HELD] = pa.array(held, pa.bool_())
        if EXACT in self.columns or self.texts:
            right = [None if one.right is None else one.keys[one.right].lower() for one in asked]
            columns[EXACT] = [key and [[NAMES[key] if self.texts else key, SYNONYM]] for key in right]
        if self.measure.ideal:
            right = ["" if one.right is None else one.keys[one.right] for one in asked]
            columns[IDEAL] = [[paragraph(key)] if key else [] for key in right]
        vectors = _vectors() if self.measure.vectors else None
        made = from_batches([columns], "contract", "test")
        made = replace(made, labels=labels, kind=self.kind.name, vectors=vectors)
        if not self.measure.retrieved:
            return made
        relevant = tuple(retrieved_items(None if one.right is None else one.keys[one.right]) for one in asked)
        return replace(made, relevant=lambda: relevant)

    @property
    def texts(self) -> bool:
        """Whether candidates are compared by their names."""
        return self.measure.free and not self.kind.labels

    def statistics(self, pairs: Pairs) -> tuple[Gold, Statistics]:
        """The gold side of the instances, and what the measure says of the lines, which are read in any order."""
        gold = self.gold([asked for asked, _ in pairs])
        matching = Matching(gold)
        for row in random.Random(1).sample(range(len(pairs)), len(pairs)):
            line = pairs[row][1]
            if line is not None:
                (keys,) = gold.keys(np.array([row]))
                matching.add(row, self.prediction(f"d{row}:0", line, keys), keys)
        return gold, self.measure.of_run(gold, matching.matched("system", Counts()), self.protocol)

    def prediction(self, ident: str, line: Line, keys: Sequence[str]) -> Prediction:
        """A line as the measure reads it: with an answer and scores, retrieved items, or a paragraph."""
        if self.measure.retrieved:
            items = retrieved_items(line.answer)
            snippets = [each for each in items.snippets if isinstance(each, FoundSnippet)]
            return Prediction(ident, documents=list(items.documents), snippets=snippets)
        if self.measure.ideal and line.answer is not None:
            return Prediction(ident, ideal=paragraph(line.answer))
        scored = line.scores is not None and (self.texts or not self.measure.free)
        return Prediction(
            ident, line.answer, dict(zip(keys, line.scores or (), strict=True)) if scored else None
        )

    def value(self, pairs: Pairs, times: Floats | None = None) -> float:
        """Of a split. times: how often each scored instance counts (default: 1)."""
        gold, statistics = self.statistics(pairs)
        every = gold.holds_answer is not None or self.measure.retrieved
        rows = np.arange(len(gold)) if every else np.flatnonzero(gold.answer >= 0)
        counted = np.ones(len(rows)) if times is None else times
        return float(statistics.value(np.asarray(counted @ statistics.of_instances[rows])))

    def shifted(self, by: int) -> list[tuple[Asked, Line | None]]:
        """Answers so many places beside the right one; where nothing is right, the lowest scores, else the highest."""
        found: list[tuple[Asked, Line | None]] = []
        for one in self.asked():
            size = len(one.keys)
            if one.right is None:
                found.append((one, Line(one.keys[0], [9.0 if by else -9.0] * size)))
                continue
            place = (one.right + by) % size
            scores = [float(n == place) - float(n == one.right) / 2 for n in range(size)]
            found.append((one, Line(one.keys[place], scores)))
        return found


def trials(measure: Measure) -> Iterator[Trial]:
    """One for each protocol of each kind that the measure judges."""
    for kind in each_kind():
        if kind.name in measure.kinds:
            empty = pa.RecordBatch.from_pylist(
                [], pa.schema([kind.schema.field(name.partition(".")[0]) for name in kind.gold.columns])
            )
            columns = frozenset(kind.gold.convert(empty))
            for protocol in protocols_for(kind, [measure]):
                yield Trial(measure, kind, protocol, columns)


def _vectors() -> answer_vectors.AnswerVectors:
    """Word vectors of NAMES and SYNONYM; no two words are alike."""
    words = ["</s>", *" ".join(NAMES.values()).split(), SYNONYM]
    word2vec.write(path := f"{mkdtemp()}/contract.txt", words, np.eye(len(words), dtype=np.float32))
    return answer_vectors.AnswerVectors(path)


def paragraph(answer: str | Sequence[str]) -> str:
    """An ideal answer: four words of each name, none of which another name has."""
    names = [answer] if isinstance(answer, str) else answer
    return " ".join(f"{name}one {name}two-{name}three, {name}four" for name in names)


def retrieved_items(answer: str | Sequence[str] | None) -> RelevantItems:
    """A document and a snippet of ten characters of each name."""
    texts = (answer,) if isinstance(answer, str) else tuple(answer or ())
    snippets = tuple(FoundSnippet(text, "abstract", 0, "abstract", 9, text) for text in texts)
    return RelevantItems(documents=texts, snippets=snippets)


def mixed(
    trial: Trial, seed: int, right: Sequence[int | None] = RIGHT * 4, strays: bool = True
) -> list[tuple[Asked, Line | None]]:
    """Lines of all sorts: right, wrong, tied, null, no candidate's, none at all; of free answers several, too."""
    drawn = random.Random(seed)
    found: list[tuple[Asked, Line | None]] = []
    for one in trial.asked(right):
        answers: list[str | list[str] | None] = [*one.keys, None]
        if trial.measure.free or trial.measure.retrieved:
            answers += [drawn.choices([*one.keys, SYNONYM.upper(), "x"], k=count) for count in (2, 6, 12)]
            # Right at one place only, on both sides of BioASQ's cuts of five and ten answers.
            answers += [["x"] * place + [SYNONYM] for place in (4, 5, 9, 10)]
        if strays and one.right is not None:
            answers += ["stranger", "another stranger"][: 1 + drawn.randrange(2)]
        line = Line(
            drawn.choice(answers), drawn.choice([None, [float(drawn.randrange(2)) for _ in one.keys]])
        )
        found.append((one, drawn.choice([None, line, line, line])))
    return found


def tied(trial: Trial) -> list[tuple[Asked, Line | None]]:
    """The first candidate as answer, and one score for all of them."""
    return [(one, Line(one.keys[0], [1.0] * len(one.keys))) for one in trial.asked()]


def silent(trial: Trial) -> list[tuple[Asked, Line | None]]:
    """Lines without an answer."""
    return [(one, Line(None)) for one in trial.asked()]
