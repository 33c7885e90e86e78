"""The answers of one annotator, or of a system's whole file: lines become arrays over the split.

An answer is a candidate's text in the view that the system saw, or its key; a number or a name is taken for the one
candidate that has it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

import numpy as np

from anagnosis.array_types import Bools, Floats, Ints
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import LIST, RelevantItems
from anagnosis.io.counts import Counts
from anagnosis.predictions.prediction import Prediction
from anagnosis.predictions.problems import NAMED, Problem, problems_found

UNANSWERED = -1
OUTSIDE = -2
TOKEN = "@entity"  # how texts of candidates begin in views with numbers
LONGEST_STRAY = 80
_NUMBER = re.compile(r"(?:@?entity)?(\d{1,9})")


@dataclass(slots=True, weakref_slot=True, eq=False)
class Matched:
    """The answers of one system or person, in the order of the split's n instances.

    name: the file's, without its endings. annotator, group: as its lines say.
    has_line: bool [n], whether there is a line.
    choice: int32 [n], index of the candidate answered; UNANSWERED, or OUTSIDE the candidates.
    tied: int32 [n], how many candidates share the highest score; 0 where there are no scores.
    on_top: bool [n], whether the gold answer is one of them.
    seconds: float64 [n], NaN where not said.
    strays: answers that are no candidate's where all instances have the same ones, by text, and how many each.
    scores: float64 [m], of each of the split's candidates, NaN where there is none; None but for sentences. A line
        that answers without scores gives its sentence the score 1.
    texts: of each instance the answers as they are on the line, the best first, where gold answers are free texts; of
        cloze questions the first surface form of the candidate whose key or number the line has.
    ideals: of each instance the paragraph that answers it, None where it has none; where golden answers have some.
    top: of each instance the candidates with the highest score, by their places among all candidates; where gold
        answers are free texts.
    retrieved: of each instance the documents, concepts, snippets and triples on its line, None where it has none of
        them; where the gold side has relevant ones.
    spelled: row → the exact answer as a submission spells it, JSON; empty where the lines come from no submission.
    asked: bool [n], which instances the person's study asked; None where only the lines say so.
    """

    name: str
    annotator: str | None
    group: str | None
    has_line: Bools
    choice: Ints
    tied: Ints
    on_top: Bools
    seconds: Floats
    problems: dict[str, Problem]
    strays: dict[str, int] = field(default_factory=dict[str, int])
    scores: Floats | None = None
    texts: list[tuple[str, ...]] | None = None
    ideals: list[str | None] | None = None
    top: list[tuple[int, ...]] | None = None
    retrieved: list[RelevantItems | None] | None = None
    spelled: dict[int, str] = field(default_factory=dict[int, str])
    asked: Bools | None = None

    @property
    def typed(self) -> int:
        """How many lines answer with a candidate."""
        return int((self.choice >= 0).sum())

    @property
    def free(self) -> int:
        """How many answer otherwise."""
        return int((self.choice == OUTSIDE).sum())

    @property
    def answered(self) -> Bools:
        """bool [n], whether there is an answer; an empty list of exact answers is none."""
        empty = [] if self.texts is None else [row for row, texts in enumerate(self.texts) if not texts]
        given = self.choice != UNANSWERED
        given[empty] = False
        return given


class Matching:
    """What one annotator (or the whole of a system's file) has answered so far, in `found`.

    view: in which answers are written, None where nobody knows or where they are keys. token: the first answer that is
    a token of an entity, which only a view tells from others, where there is none. outside: the first of no candidate.
    """

    def __init__(
        self, gold: Gold, annotator: str | None = None, group: str | None = None, view: str | None = None
    ) -> None:
        n = len(gold)
        self.gold, self.view = gold, view
        self.token = self.outside = ""
        self.problems = Counts()
        self.found = Matched(
            name="",
            annotator=annotator,
            group=group,
            has_line=np.zeros(n, np.bool_),
            choice=np.full(n, UNANSWERED, np.int32),
            tied=np.zeros(n, np.int32),
            on_top=np.zeros(n, np.bool_),
            seconds=np.full(n, np.nan),
            problems={},
            scores=None if gold.holds_answer is None else np.full(len(gold.holds_answer), np.nan),
            texts=None if gold.exact is None else [()] * n,
            ideals=None if gold.ideal is None else [None for _ in range(n)],
            top=None if gold.exact is None or gold.labels else [()] * n,
            retrieved=None if gold.relevant is None else [None for _ in range(n)],
        )

    def matched(self, name: str, of_the_file: Counts) -> Matched:
        """The record of all lines."""
        add_missing(self.problems, self.found.has_line, self.gold)
        self.problems.merge(of_the_file)
        self.found.name, self.found.problems = name, problems_found(self.problems)
        return self.found

    def add(self, row: int, prediction: Prediction, keys: list[str]) -> None:
        """Take the line for an instance, of which the first counts; keys: of its candidates."""
        found = self.found
        if found.has_line[row]:
            self.problems.add("repeated", prediction.id)
            return
        found.has_line[row] = True
        choice, answer = UNANSWERED, prediction.any_answer
        if answer is not None:
            choice, problem = self._choice(row, answer, keys, prediction.scores)
            # A measure of free answers reads the text; any other is refused for the stray.
            if problem and (found.texts is None or not self.gold.labels):
                self.problems.add(problem, prediction.id)
            if choice == OUTSIDE:
                self.outside = self.outside or str(answer)
            if choice == OUTSIDE and self.gold.labels:
                stray = "; ".join(prediction.texts)
                if len(stray) > LONGEST_STRAY:  # its beginning, and what tells it from others
                    told = hashlib.sha256(stray.encode()).hexdigest()[:16]
                    stray = f"{stray[:LONGEST_STRAY]}… ({told})"
                found.strays[stray] = found.strays.get(stray, 0) + 1
            if found.texts is not None:
                found.texts[row] = self._called(row, prediction, keys)
                place = int(self.gold.answer[row])
                asks_for_a_list = place >= 0 and self.gold.labels[place : place + 1] == (LIST,)
                if choice < 0 and asks_for_a_list and prediction.in_one_text:
                    self.problems.add("in_one_text", prediction.id)
            found.choice[row] = choice
        if prediction.scores is not None:
            self._weigh(row, prediction.id, prediction.scores, keys, choice)
        elif found.scores is not None and choice >= 0:
            found.scores[self.gold.starts[row] + choice] = 1.0
        if found.ideals is not None:
            found.ideals[row] = prediction.ideal
        if found.retrieved is not None:
            found.retrieved[row] = prediction.retrieved
        if prediction.spelled is not None:
            found.spelled[row] = prediction.spelled
        if prediction.seconds is not None:
            found.seconds[row] = prediction.seconds

    def _weigh(self, row: int, id: str, scores: dict[str, float], keys: list[str], choice: int) -> None:
        """Which candidates share the highest score."""
        own = [scores.get(key) for key in keys]
        given = [score for score in own if score is not None]
        start = int(self.gold.starts[row])
        if self.found.scores is not None:
            self.found.scores[start : start + len(own)] = [
                np.nan if score is None else score for score in own
            ]
        if len(given) < len(own):
            self.problems.add("partial_scores", id)
        if len(given) < len(scores):
            self.problems.add("foreign_scores", id)
        if not given:
            return
        top = max(given)
        answer = int(self.gold.answer[row])
        self.found.tied[row] = given.count(top)
        self.found.on_top[row] = answer >= 0 and own[answer] == top
        if self.found.top is not None:
            self.found.top[row] = tuple([start + place for place, score in enumerate(own) if score == top])
        if choice >= 0 and own[choice] != top:
            self.problems.add("answer_not_on_top", id)

    def _called(self, row: int, prediction: Prediction, keys: list[str]) -> tuple[str, ...]:
        """The texts of a line's answers; for a candidate's key or number its first surface form."""
        if self.gold.labels:
            return prediction.texts
        start, called = self.gold.starts[row : row + 1], list[str]()
        for text in prediction.texts:
            place = self._exactly(row, text, keys, prediction.scores)
            if place is None and len(numbered := self._numbered(row, text)) == 1:
                (place,) = numbered
            called.append(text if place is None else self.gold.first_names(start + place)[0])
        return tuple(called)

    def _choice(
        self, row: int, answer: str | list[str], keys: list[str], scores: dict[str, float] | None
    ) -> tuple[int, str]:
        """The candidate that an answer names by its text, key, number or name, and the problem to count, or ""."""
        if isinstance(answer, list):
            return OUTSIDE, "unmapped"
        if (place := self._exactly(row, answer, keys, scores)) is not None:
            return place, ""
        numbered = self._numbered(row, answer)
        fitting = numbered | _named(answer, self.gold, row)
        if len(fitting) != 1:
            return OUTSIDE, "unmapped"
        return fitting.pop(), "from_number" if numbered else "from_name"

    def _exactly(self, row: int, answer: str, keys: list[str], scores: dict[str, float] | None) -> int | None:
        """The candidate that a view shows as this text, or whose key it is.

        Scores are by key, and so is an answer among them. Of keys, only tokens are texts of other candidates in a view.
        """
        key = keys.index(answer) if answer in keys else None
        if key is not None and (answer in (scores or ()) or not answer.startswith(TOKEN)):
            return key
        if self.view is None:
            self.token = self.token or (answer if answer.startswith(TOKEN) else "")
            return key
        texts = self.gold.texts(self.view, row)
        return texts.index(answer) if texts.count(answer) == 1 else key

    def _numbered(self, row: int, answer: str) -> set[int]:
        """The candidates that have the number that an answer is; a token of a known view is a text of it."""
        number = None if self.view and answer.startswith(TOKEN) else _NUMBER.fullmatch(answer)
        if number is None:
            return set()
        start, stop = self.gold.starts[row : row + 2].tolist()
        return {place for place in range(stop - start) if self.gold.number[start + place] == int(number[1])}


def add_missing(problems: Counts, has_line: Bools, gold: Gold) -> None:
    """Count the instances without a line."""
    missing = np.flatnonzero(~has_line)
    for row in missing[:NAMED].tolist():
        problems.add("missing", gold.ids.between(row, row + 1)[0])
    if len(missing) > NAMED:
        problems.add("missing", "", len(missing) - NAMED)


def _named(answer: str, gold: Gold, row: int) -> set[int]:
    """The candidates that have this name; where none has, those that have it in letters of any case."""
    names = gold.names_between(*gold.starts[row : row + 2].tolist())
    exactly = {place for place, own in enumerate(names) if answer in own}
    return exactly or {place for place, own in enumerate(names) if _folded(answer) in map(_folded, own)}


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
