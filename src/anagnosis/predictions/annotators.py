"""The answers of one annotator, or of a system's whole file: lines become arrays over the split.

An answer is a candidate's text in the view that the system saw, or its key; a number or a name is taken for the one
candidate that has it.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from anagnosis.array_types import Bools, Floats, Floats32, Int8s, Ints
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import LIST
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.io.counts import Counts
from anagnosis.predictions.prediction import KNOWLEDGE, Prediction
from anagnosis.predictions.problems import NAMED, Problem, problems_found

UNANSWERED = -1
OUTSIDE = -2
TOKEN = "@entity"  # how texts of candidates begin in views with numbers
LONGEST_STRAY = 80
_ROUNDING = 1e-3  # by which probabilities may miss 1: of three digits each, or of single precision
_NUMBER = re.compile(r"(?:@?entity)?(\d{1,9})")


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Matched:
    """The answers of one system or person, in the order of the split's n instances.

    name: the file's, without its endings, or the model's of lm-eval. annotator, group: as its lines say.
    has_line: bool [n], whether there is a line.
    choice: int32 [n], index of the candidate answered; UNANSWERED, or OUTSIDE the candidates.
    tied: int32 [n], how many candidates share the highest score; 0 where there are no scores.
    on_top: bool [n], whether the gold answer is one of them.
    confidence: float32 [n], the probability of the answer; NaN where the line's scores are no probabilities, 0 where
        nothing was answered. None where nobody asked for it.
    knowledge: int8 [n], place in KNOWLEDGE, -1 where not said. seconds: float64 [n], NaN where not said.
    scores: float64 [m], of each of the split's candidates, NaN where there is none; None but for sentences. A line
        that answers without scores gives its sentence the score 1.
    texts: of each instance the answers as they are on the line, the best first, where gold answers are free texts; of
        cloze questions the first surface form of the candidate whose key or number the line has.
    ideals: of each instance the paragraph that answers it, None where it has none; where golden answers have some.
    top: of each instance the candidates with the highest score, by their places among all candidates; where gold
        answers are free texts.
    retrieved: of each instance the documents, concepts, snippets and triples on its line, None where it has none of
        them; where the gold side has relevant ones.
    spelled: row → the exact answer as a submission spells it, JSON; None where the lines come from no submission.
    typed: of lines that answer with one of the fixed labels, and free, of those that answer otherwise, how many.
    asked: bool [n], which instances the person's study asked; None where only the lines say so.
    strays: answers that are no candidate's where all instances have the same ones, by text, and how many each.
    """

    name: str
    annotator: str | None
    group: str | None
    has_line: Bools
    choice: Ints
    tied: Ints
    on_top: Bools
    knowledge: Int8s
    seconds: Floats
    problems: dict[str, Problem]
    strays: dict[str, int] = field(default_factory=dict[str, int])
    confidence: Floats32 | None = None
    scores: Floats | None = None
    texts: tuple[tuple[str, ...], ...] | None = None
    ideals: tuple[str | None, ...] | None = None
    top: tuple[tuple[int, ...], ...] | None = None
    retrieved: tuple[RelevantItems | None, ...] | None = None
    spelled: dict[int, str] | None = None
    typed: int = 0
    free: int = 0
    asked: Bools | None = None


class Matching:
    """What one annotator (or the whole of a system's file) has answered so far.

    view: in which answers are written, None where nobody knows or where they are keys. in_doubt: row → its answer,
    where that names no candidate, or is a token of an entity and not among its scores, which are by key.
    """

    def __init__(
        self, gold: Gold, annotator: str | None = None, group: str | None = None, view: str | None = None
    ) -> None:
        n = len(gold)
        self.gold = gold
        self.view = view
        self.annotator = annotator
        self.group = group
        self.problems = Counts()
        self.has_line = np.zeros(n, np.bool_)
        self.choice = np.full(n, UNANSWERED, np.int32)
        self.tied = np.zeros(n, np.int32)
        self.on_top = np.zeros(n, np.bool_)
        self.confidence = np.zeros(n, np.float32)
        self.knowledge = np.full(n, -1, np.int8)
        self.seconds = np.full(n, np.nan)
        self.strays: Counter[str] = Counter()
        self.texts: list[tuple[str, ...]] | None = None if gold.exact is None else [()] * n
        self.ideals: list[str | None] | None = None if gold.ideal is None else [None for _ in range(n)]
        self.top: list[tuple[int, ...]] | None = None if self.texts is None or gold.labels else [()] * n
        self.retrieved: list[RelevantItems | None] | None = None
        if gold.relevant is not None:
            self.retrieved = [None for _ in range(n)]
        self.spelled: dict[int, str] | None = None
        self.typed = self.free = 0
        self.scores = None if gold.holds_answer is None else np.full(len(gold.holds_answer), np.nan)
        self.in_doubt: dict[int, str] = {}

    def add(self, row: int, prediction: Prediction, keys: list[str]) -> None:
        """Take the line for an instance, of which the first counts; keys: of its candidates."""
        if self.has_line[row]:
            self._repeat(row, prediction, keys)
            return
        self.has_line[row] = True
        choice = UNANSWERED
        answer = prediction.any_answer
        if prediction.spelled is not None:
            self.spelled = self.spelled or {}
            self.spelled[row] = prediction.spelled
        if answer is not None:
            choice, problem = self._choice(row, answer, keys, prediction.scores)
            # A measure of free answers reads the text; any other is refused for the stray.
            if problem is not None and (self.texts is None or not self.gold.labels):
                self.problems.add(problem, prediction.id)
            if choice == OUTSIDE and self.gold.labels:
                self.strays[_bounded("; ".join(prediction.texts))] += 1
            if isinstance(answer, str) and (
                problem == "unmapped"
                or (answer.startswith(TOKEN) and answer not in (prediction.scores or ()))
            ):
                self.in_doubt[row] = answer
            self.typed += choice >= 0
            self.free += choice < 0
            if self.texts is not None:
                self.texts[row] = self._called(row, prediction, keys)
                labels, place = self.gold.labels, int(self.gold.answer[row])
                asks_for_a_list = bool(labels) and place >= 0 and labels[place] == LIST
                if choice < 0 and asks_for_a_list and prediction.in_one_text:
                    self.problems.add("in_one_text", prediction.id)
            self.choice[row] = choice
            self.confidence[row] = np.nan
        if prediction.scores is not None:
            self._weigh(row, prediction.id, prediction.scores, keys, choice)
        elif self.scores is not None and choice >= 0:
            self.scores[self.gold.starts[row] + choice] = 1.0
        if self.ideals is not None:
            self.ideals[row] = prediction.ideal
        if self.retrieved is not None:
            self.retrieved[row] = prediction.retrieved
        if prediction.knowledge is not None:
            self.knowledge[row] = KNOWLEDGE.index(prediction.knowledge)
        if prediction.seconds is not None:
            self.seconds[row] = prediction.seconds

    def _weigh(self, row: int, id: str, scores: dict[str, float], keys: list[str], choice: int) -> None:
        """Which candidates share the highest score."""
        own = [scores.get(key) for key in keys]
        given = [score for score in own if score is not None]
        if self.scores is not None:
            start = self.gold.starts[row]
            self.scores[start : start + len(own)] = [np.nan if score is None else score for score in own]
        if len(given) < len(own):
            self.problems.add("partial_scores", id)
        if len(given) < len(scores):
            self.problems.add("foreign_scores", id)
        if not given:
            return
        top = max(given)
        answer = int(self.gold.answer[row])
        self.tied[row] = given.count(top)
        self.on_top[row] = answer >= 0 and own[answer] == top
        if self.top is not None:
            start = int(self.gold.starts[row])
            self.top[row] = tuple([start + place for place, score in enumerate(own) if score == top])
        if choice >= 0 and own[choice] != top:
            self.problems.add("answer_not_on_top", id)
        if choice != UNANSWERED and len(given) == len(own) == len(scores) and (scale := _scale(given)):
            self.confidence[row] = min(1.0, scale(given[choice])) if choice >= 0 else 0.0

    def _repeat(self, row: int, prediction: Prediction, keys: list[str]) -> None:
        """Count a further line for an instance, and whether its answer is another.

        Two answers that are no candidate's are both wrong, so they do not contradict each other.
        """
        self.problems.add("repeated", prediction.id)
        choice, answer = UNANSWERED, prediction.any_answer
        if answer is not None:
            choice, _ = self._choice(row, answer, keys, prediction.scores)
        differs = choice != self.choice[row]
        differs |= self.texts is not None and self._called(row, prediction, keys) != self.texts[row]
        differs |= self.retrieved is not None and prediction.retrieved != self.retrieved[row]
        if differs:
            self.problems.add("contradictory", prediction.id)

    def _called(self, row: int, prediction: Prediction, keys: list[str]) -> tuple[str, ...]:
        """The texts of a line's answers; for a candidate's key or number its first surface form."""
        if self.gold.labels:
            return prediction.texts
        start, called = self.gold.starts[row : row + 1], list[str]()
        for text in prediction.texts:
            place = self._exactly(row, text, keys, prediction.scores)
            if place is None and len(numbered := _with_number(text, self.gold, row)) == 1:
                place = numbered.pop()
            called.append(text if place is None else self.gold.first_names(start + place)[0])
        return tuple(called)

    def _choice(
        self, row: int, answer: str | list[str], keys: list[str], scores: dict[str, float] | None
    ) -> tuple[int, str | None]:
        """The candidate that an answer names by its text, key, number or name, and the problem to count, if any."""
        if isinstance(answer, list):
            return OUTSIDE, "unmapped"
        if (place := self._exactly(row, answer, keys, scores)) is not None:
            return place, None
        fitting, kind = _fitting(answer, self.gold, row)
        if len(fitting) == 1:
            return fitting.pop(), kind
        return OUTSIDE, "ambiguous" if fitting else "unmapped"

    def _exactly(self, row: int, answer: str, keys: list[str], scores: dict[str, float] | None) -> int | None:
        """The candidate that a view shows as this text, or whose key it is.

        Scores are by key, and so is an answer among them.
        """
        key = keys.index(answer) if answer in keys else None
        if self.view is None or (key is not None and scores is not None and answer in scores):
            return key
        # Of keys, only tokens are texts of other candidates in a view. To read what a view shows takes time.
        if key is not None and not answer.startswith(TOKEN):
            return key
        texts = self.gold.texts(self.view, row)
        return texts.index(answer) if texts.count(answer) == 1 else key

    def matched(self, name: str, of_the_file: Counts) -> Matched:
        """The record of all lines."""
        add_missing(self.problems, self.has_line, self.gold)
        self.problems.merge(of_the_file)
        return Matched(
            name=name,
            annotator=self.annotator,
            group=self.group,
            has_line=self.has_line,
            choice=self.choice,
            tied=self.tied,
            on_top=self.on_top,
            knowledge=self.knowledge,
            seconds=self.seconds,
            strays=dict(self.strays),
            confidence=self.confidence,
            scores=self.scores,
            texts=None if self.texts is None else tuple(self.texts),
            ideals=None if self.ideals is None else tuple(self.ideals),
            top=None if self.top is None else tuple(self.top),
            retrieved=None if self.retrieved is None else tuple(self.retrieved),
            spelled=self.spelled,
            typed=self.typed,
            free=self.free,
            problems=problems_found(self.problems),
        )


def add_missing(problems: Counts, has_line: Bools, gold: Gold) -> None:
    """Count the instances without a line."""
    missing = np.flatnonzero(~has_line)
    for row in missing[:NAMED].tolist():
        problems.add("missing", gold.ids.between(row, row + 1)[0])
    if len(missing) > NAMED:
        problems.add("missing", "", len(missing) - NAMED)


def _fitting(answer: str, gold: Gold, row: int) -> tuple[set[int], str]:
    """The candidates that have this number or name, and which of the two it was."""
    start, stop = gold.starts[row : row + 2].tolist()
    by_number = _with_number(answer, gold, row)
    names = gold.names_between(start, stop)
    by_name = {i for i, own in enumerate(names) if answer in own}
    if not by_number and not by_name:
        folded = _folded(answer)
        by_name = {i for i, own in enumerate(names) if folded in map(_folded, own)}
    return by_number | by_name, "from_number" if by_number else "from_name"


def _with_number(answer: str, gold: Gold, row: int) -> set[int]:
    """The candidates that have the number that an answer is."""
    number = _NUMBER.fullmatch(answer)
    if number is None:
        return set()
    start, stop = gold.starts[row : row + 2].tolist()
    return {i for i in range(stop - start) if gold.number[start + i] == int(number[1])}


def _scale(scores: Sequence[float]) -> Callable[[float], float] | None:
    """How a score becomes a probability: as it is, or by exp; None where they do not add up to 1 either way."""
    if min(scores) >= 0 and abs(sum(scores) - 1) <= _ROUNDING:
        return float
    if max(scores) <= _ROUNDING and abs(sum(map(math.exp, scores)) - 1) <= _ROUNDING:
        return math.exp
    return None


def _bounded(text: str) -> str:
    """A text as it is, or its beginning and what tells it from others."""
    if len(text) <= LONGEST_STRAY:
        return text
    return f"{text[:LONGEST_STRAY]}… ({hashlib.sha256(text.encode()).hexdigest()[:16]})"


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
