"""What every measure must do, as checks.

A check raises AssertionError, which names the kind and the protocol and says what was expected. It makes instances of
each kind that the measure judges, with three candidates (or the labels of the kind), and lines of predictions for them.
Where a measure compares the texts of cloze answers, a candidate's name is four words (NAMES), and the word vectors of
different words are orthogonal.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from tempfile import mkdtemp

import numpy as np
import pyarrow as pa

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold, from_batches
from anagnosis.datasets.kinds import KINDS
from anagnosis.datasets.kinds.kind import EXACT, HELD, IDEAL, Kind
from anagnosis.datasets.kinds.question import YESNO, RelevantItems, Triple
from anagnosis.datasets.kinds.table import each_kind
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.evaluation.protocols import protocols_for
from anagnosis.io.counts import Counts
from anagnosis.predictions.annotators import Matched, Matching
from anagnosis.predictions.prediction import FoundSnippet, Prediction
from anagnosis.word_vectors import answer_vectors, word2vec

RIGHT = (0, 1, 2, 2, 1, None, 0, 3)
SEEDS = range(3)
SYNONYM = "synonym"  # of every right free answer
NAMES = {key: " ".join(f"{key}{word}" for word in ("one", "two", "three", "four")) for key in ("a", "b", "c")}
_CLOSE = 1e-9


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
    by_hand: ByHand | None = None
    columns: frozenset[str] = field(default_factory=frozenset[str])

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
        right = [() if one.right is None else (one.keys[one.right],) for one in asked]
        relevant = tuple(map(retrieved_items, right))
        return replace(made, relevant=lambda: relevant)

    @property
    def texts(self) -> bool:
        """Whether candidates are compared by their names."""
        return self.measure.free and not self.kind.labels

    def value(self, pairs: Pairs, order: Sequence[int] | None = None, times: Floats | None = None) -> float:
        """Of a split. order: in which the lines are read. times: how often each scored instance counts (default: 1)."""
        gold = self.gold([asked for asked, _ in pairs])
        run = _matched(
            gold,
            [line for _, line in pairs],
            order or range(len(pairs)),
            scored=not self.measure.free or self.texts,
        )
        try:
            statistics = self.measure.of_run(gold, run, self.protocol)
        except InputError as fault:
            raise AssertionError(f"{self.kind.name}, {self.protocol}: {fault.what}") from fault
        every = gold.holds_answer is not None or self.measure.retrieved
        rows = np.arange(len(gold)) if every else np.flatnonzero(gold.answer >= 0)
        counted = np.ones(len(rows)) if times is None else times
        return float(statistics.value(np.asarray(counted @ statistics.of_instances[rows])))

    def shifted(self, by: int, right: Sequence[int | None] = RIGHT) -> list[tuple[Asked, Line | None]]:
        """Answers so many places beside the right one; where nothing is right, the lowest scores, else the highest."""
        found: list[tuple[Asked, Line | None]] = []
        for one in self.asked(right):
            size = len(one.keys)
            if one.right is None:
                found.append((one, Line(one.keys[0], [9.0 if by else -9.0] * size)))
                continue
            place = (one.right + by) % size
            scores = [float(n == place) - float(n == one.right) / 2 for n in range(size)]
            found.append((one, Line(one.keys[place], scores)))
        return found

    def same(self, value: float, expected: float, what: str) -> None:
        """Demand a value."""
        equal = math.isclose(value, expected, rel_tol=_CLOSE, abs_tol=_CLOSE)
        self.demand(
            equal or (math.isnan(value) and math.isnan(expected)), f"{what}: expected {expected}, got {value}"
        )

    def demand(self, holds: bool, what: str) -> None:
        """Raise AssertionError with the kind and the protocol unless it holds."""
        if not holds:
            raise AssertionError(f"{self.measure.name}, {self.kind.name}, {self.protocol}: {what}")

    def worse(self, value: float, than: float) -> bool:
        """Whether a value is worse than another one by this measure."""
        return value < than if self.measure.higher_is_better else value > than


def trials(measure: Measure, by_hand: ByHand | None = None) -> Iterator[Trial]:
    """One for each protocol of each kind that the measure judges."""
    for kind in each_kind():
        if kind.name in measure.kinds:
            empty = pa.RecordBatch.from_pylist(
                [], pa.schema([kind.schema.field(name.partition(".")[0]) for name in kind.gold.columns])
            )
            columns = frozenset(kind.gold.convert(empty))
            for protocol in protocols_for(kind, [measure]):
                yield Trial(measure, kind, protocol, by_hand, columns)


def check(measure: Measure, by_hand: ByHand | None = None) -> None:
    """Every check of CHECKS. by_hand: a plain count of the definition, beside which values are held."""
    found = [*trials(measure, by_hand)]
    if not found:
        raise AssertionError(f"{measure.name}: judges none of the kinds {', '.join(KINDS)}")
    for trial in found:
        for each in CHECKS:
            each(trial)


def it_declares_what_it_is(trial: Trial) -> None:
    measure = trial.measure
    words = {"name": measure.name, "what": measure.what, "source": measure.source}
    empty = [name for name, text in words.items() if not text.strip()]
    trial.demand(not empty, f"says nothing of {', '.join(empty)}")
    unknown = [name for name in measure.kinds if name not in KINDS]
    trial.demand(not unknown, f"judges unknown kinds: {', '.join(unknown)}")
    trial.demand(measure.unit in ("percent", "number"), f"unknown unit {measure.unit!r}")
    trial.demand(measure.lowest < measure.highest, "lowest is not below highest")
    trial.demand(
        (measure.values is None) != (measure.statistics is None), "needs either values or statistics"
    )


def a_perfect_system_has_the_best_value_of_the_range(trial: Trial) -> None:
    best = trial.measure.highest if trial.measure.higher_is_better else trial.measure.lowest
    if math.isfinite(best):
        trial.same(trial.value(trial.shifted(0)), best, "a perfect system")


def no_other_system_is_better_and_a_wrong_one_is_worse(trial: Trial) -> None:
    perfect, wrong = trial.value(trial.shifted(0)), trial.value(trial.shifted(1))
    trial.demand(trial.worse(wrong, perfect), f"wrong answers everywhere: {wrong}, perfect ones: {perfect}")
    for seed in SEEDS:
        value = trial.value(_mixed(trial, seed))
        trial.demand(not trial.worse(perfect, value), f"mixed answers: {value}, perfect ones: {perfect}")


def values_lie_in_the_range(trial: Trial) -> None:
    measure = trial.measure
    for pairs in (trial.shifted(1), *(_mixed(trial, seed) for seed in SEEDS)):
        value = trial.value(pairs)
        inside = measure.lowest - _CLOSE <= value <= measure.highest + _CLOSE
        trial.demand(inside, f"{value} is not in [{measure.lowest:g}, {measure.highest:g}]")


def values_are_those_counted_by_hand(trial: Trial) -> None:
    if trial.by_hand is None:
        return
    some = (trial.shifted(0), trial.shifted(1), _tied(trial, 1.0), _silent(trial))
    for pairs in (*some, *(_mixed(trial, seed) for seed in SEEDS)):
        counted = [each for each in pairs if each[0].right is not None or HELD in trial.columns]
        trial.same(trial.value(pairs), trial.by_hand(counted, trial.protocol), "counted by hand")


def a_draw_has_the_value_of_the_instances_drawn(trial: Trial) -> None:
    """Intervals draw instances with replacement and only add up what the measure gave of each."""
    pairs = _mixed(trial, 3, right=[place for place in RIGHT * 6 if place is not None], strays=False)
    drawn = random.Random(5).choices(range(3), k=len(pairs))
    repeated = [pairs[n] for n, count in enumerate(drawn) for _ in range(count)]
    times = np.array(drawn, np.float64)
    trial.same(trial.value(pairs, times=times), trial.value(repeated), "instances drawn repeatedly")


def the_order_of_the_lines_changes_nothing(trial: Trial) -> None:
    for seed in SEEDS:
        pairs = _mixed(trial, seed)
        order = [*range(len(pairs))]
        first = trial.value(pairs, order)
        random.Random(seed).shuffle(order)
        trial.same(trial.value(pairs, order), first, "lines in another order")


def tied_scores_are_worth_the_same_whatever_they_are(trial: Trial) -> None:
    low, high = (trial.value(_tied(trial, score)) for score in (1.0, 5.0))
    trial.same(high, low, "all scores 5, beside all scores 1")
    perfect = trial.value(trial.shifted(0))
    trial.demand(not trial.worse(perfect, low), f"all candidates tied: {low}, perfect answers: {perfect}")


def no_answer_is_worth_as_much_as_no_line_and_less_than_the_right_one(trial: Trial) -> None:
    silent, perfect = trial.value(_silent(trial)), trial.value(trial.shifted(0))
    trial.demand(trial.worse(silent, perfect), f"no answers: {silent}, perfect ones: {perfect}")
    if trial.measure.retrieved or trial.protocol == "organisers-9":
        return
    half = [(one, line if n % 2 else Line(None)) for n, (one, line) in enumerate(trial.shifted(0))]
    absent = [(one, line if n % 2 else None) for n, (one, line) in enumerate(half)]
    trial.same(trial.value(absent), trial.value(half), "missing lines, beside lines without an answer")


def an_instance_without_gold_counts_as_it_says(trial: Trial) -> None:
    if trial.measure.name == "pooled_auc":  # whose other sentences count
        return
    pairs = trial.shifted(0)
    other = [
        (one, Line(one.keys[-1], [*map(float, range(len(one.keys)))]) if one.right is None else line)
        for one, line in pairs
    ]
    without = [(one, None if one.right is None else line) for one, line in pairs]
    for name, changed in (("another answer", other), ("no line", without)):
        trial.same(trial.value(changed), trial.value(pairs), f"{name} where the gold answer is withheld")


CHECKS: tuple[Callable[[Trial], None], ...] = (
    it_declares_what_it_is,
    a_perfect_system_has_the_best_value_of_the_range,
    no_other_system_is_better_and_a_wrong_one_is_worse,
    values_lie_in_the_range,
    values_are_those_counted_by_hand,
    a_draw_has_the_value_of_the_instances_drawn,
    the_order_of_the_lines_changes_nothing,
    tied_scores_are_worth_the_same_whatever_they_are,
    no_answer_is_worth_as_much_as_no_line_and_less_than_the_right_one,
    an_instance_without_gold_counts_as_it_says,
)


def _vectors() -> answer_vectors.AnswerVectors:
    """Word vectors of NAMES and SYNONYM; no two words are alike."""
    words = ["</s>", *" ".join(NAMES.values()).split(), SYNONYM]
    word2vec.write(path := f"{mkdtemp()}/contract.txt", words, np.eye(len(words), dtype=np.float32))
    return answer_vectors.AnswerVectors(path)


def paragraph(answer: str | Sequence[str]) -> str:
    """An ideal answer: four words of each name, none of which another name has."""
    names = [answer] if isinstance(answer, str) else answer
    return " ".join(f"{name}one {name}two-{name}three, {name}four" for name in names)


def retrieved_items(texts: Sequence[str]) -> RelevantItems:
    """A document, a concept, a snippet of ten characters and a triple of each name."""
    snippets = tuple(FoundSnippet(text, "abstract", 0, "abstract", 9, text) for text in texts)
    return RelevantItems(tuple(texts), tuple(texts), snippets, tuple(Triple(text, "", "") for text in texts))


def retrieving(ident: str, answer: str | list[str] | None) -> Prediction:
    """A line that retrieves the items of these names; without any none."""
    items = retrieved_items(() if answer is None else (answer,) if isinstance(answer, str) else answer)
    snippets = [snippet for snippet in items.snippets if isinstance(snippet, FoundSnippet)]
    return Prediction(
        ident,
        documents=list(items.documents),
        concepts=list(items.concepts),
        snippets=snippets,
        triples=list(items.triples),
    )


def _matched(gold: Gold, lines: Sequence[Line | None], order: Sequence[int], *, scored: bool) -> Matched:
    """The lines as a file in this order would be matched. scored: with their scores."""
    matching = Matching(gold)
    for row in order:
        line = lines[row]
        if line is None:
            continue
        (keys,) = gold.keys(np.array([row]))
        scores = None if line.scores is None or not scored else dict(zip(keys, line.scores, strict=True))
        prediction = Prediction(f"d{row}:0", line.answer, scores)
        if gold.relevant is not None:
            prediction = retrieving(f"d{row}:0", line.answer)
        elif gold.ideal is not None and line.answer is not None:
            prediction = Prediction(f"d{row}:0", ideal=paragraph(line.answer))
        matching.add(row, prediction, keys)
    return matching.matched("system", Counts())


def _mixed(
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


def _tied(trial: Trial, score: float) -> list[tuple[Asked, Line | None]]:
    """The first candidate as answer, and one score for all of them."""
    return [(one, Line(one.keys[0], [score] * len(one.keys))) for one in trial.asked()]


def _silent(trial: Trial) -> list[tuple[Asked, Line | None]]:
    """Lines without an answer."""
    return [(one, Line(None)) for one in trial.asked()]
