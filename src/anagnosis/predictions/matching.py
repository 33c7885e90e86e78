"""Hold a predictions file against a split: one pass over its lines, a few numbers kept for each instance.

Lines in the order of the split need no index. A file may hold the answers of several people, told apart by
`annotator`; each is matched for itself. An answer is a candidate's key; a number or a name is taken for the
one candidate that has it.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anagnosis.datasets.fingerprint import short
from anagnosis.datasets.gold import Gold, Ids, Ints, Longs, ids_of
from anagnosis.datasets.store import ALL, Dataset
from anagnosis.errors import InputError
from anagnosis.files import STANDARD_INPUT, display_name
from anagnosis.predictions import lm_eval
from anagnosis.predictions.lines import KNOWLEDGE, Prediction, numbered
from anagnosis.predictions.problems import NAMED, Problem, Problems

UNANSWERED = -1
OUTSIDE = -2
BLOCK = 4096
LARGEST_CROWD = 1000
LONGEST_STRAY = 80
_ROUNDING = 1e-3  # by which probabilities may miss 1: of three digits each, or of single precision
_NUMBER = re.compile(r"(?:@?entity)?(\d{1,9})")
_ENDINGS = re.compile(r"(\.jsonl)?(\.gz|\.zst)?$")


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """The answers of one system or person, in the order of the split's n instances.

    name: the file's, without its endings, or the model's of lm-eval. annotator, group: as its lines say.
    heard: bool [n], whether there is a line.
    choice: int32 [n], index of the candidate answered; UNANSWERED, or OUTSIDE the candidates.
    tied: int32 [n], how many candidates share the highest score; 0 where there are no scores.
    on_top: bool [n], whether the gold answer is one of them.
    confidence: float32 [n], the probability of the answer; NaN where the line's scores are no probabilities, 0 where
        nothing was answered. None where nobody asked for it.
    knowledge: int8 [n], place in KNOWLEDGE, -1 where not said. seconds: float64 [n], NaN where not said.
    scores: float64 [m], of each of the split's candidates, NaN where there is none; None but for sentences.
    strays: answers that are no candidate's where all instances have the same ones, by text, and how many each.
    """

    name: str
    annotator: str | None
    group: str | None
    heard: npt.NDArray[np.bool_]
    choice: Ints
    tied: Ints
    on_top: npt.NDArray[np.bool_]
    knowledge: npt.NDArray[np.int8]
    seconds: npt.NDArray[np.float64]
    problems: dict[str, Problem]
    strays: dict[str, int] = field(default_factory=dict[str, int])
    confidence: npt.NDArray[np.float32] | None = None
    scores: npt.NDArray[np.float64] | None = None


def match_files(
    paths: Sequence[str | Path],
    dataset: Dataset,
    split: str | None = None,
    *,
    check_fingerprint: bool = True,
    tokens: bool = False,
) -> tuple[Gold, list[Matched]]:
    """Several files against the one split that they all belong to, which is found if it is not named.

    A file of several annotators gives one `Matched` for each. tokens: as for `Gold.of`.
    """
    ids = {name: ids_of(dataset, name) for name in dataset.rows if split != ALL}
    if split is None:
        splits = {display_name(path): split_of(path, ids) for path in paths}
        if len(set(splits.values())) > 1:
            told = ", ".join(f"{file} is for {name}" for file, name in splits.items())
            raise InputError("the files are for different splits", told, "take those of one split")
        split = next(iter(splits.values()))
    gold = Gold.of(dataset, split, tokens=tokens)
    elsewhere = {name: others for name, others in ids.items() if name != split}
    found = [
        match_each(path, gold, elsewhere=elsewhere, check_fingerprint=check_fingerprint) for path in paths
    ]
    return gold, [matched for each in found for matched in each]


def split_of(path: str | Path, splits: Mapping[str, Ids]) -> str:
    """The one split in which the ids of a file lie."""
    name = display_name(path)
    if len(splits) == 1:
        return next(iter(splits))
    if str(path) == STANDARD_INPUT:
        raise InputError("it can be read only once", name, f"name the split: --split {' or '.join(splits)}")
    counts = dict.fromkeys(splits, 0)
    known = 0
    first = ""
    for block in _blocks(path, Problems()):
        ids = [prediction.id for _, prediction in block]
        inside = {split: index.rows(ids) >= 0 for split, index in splits.items()}
        for split, found in inside.items():
            counts[split] += int(found.sum())
        known += int(np.any(list(inside.values()), axis=0).sum())
        first = first or ids[0]
    if not first:
        raise InputError("holds no predictions", name, "check the file")
    if not known:
        raise _all_unknown(name, first)
    whole = [split for split, count in counts.items() if count == known]
    if len(whole) != 1:
        told = ", ".join(f"{count} in {split}" for split, count in counts.items() if count)
        raise InputError(f"its ids lie in several splits ({told})", name, "name one with --split")
    return whole[0]


def match(
    path: str | Path,
    gold: Gold,
    *,
    elsewhere: Mapping[str, Ids] | None = None,
    check_fingerprint: bool = True,
) -> Matched:
    """The file of one system or person against a split; the options are those of `match_each`."""
    found = match_each(path, gold, elsewhere=elsewhere, check_fingerprint=check_fingerprint)
    if len(found) > 1:
        who = ", ".join(str(matched.annotator) for matched in found[:NAMED])
        what = f"it holds the answers of {len(found)} annotators ({who})"
        raise InputError(what, display_name(path), "see `anagnosis agreement`")
    return found[0]


def match_each(
    path: str | Path,
    gold: Gold,
    *,
    elsewhere: Mapping[str, Ids] | None = None,
    check_fingerprint: bool = True,
) -> list[Matched]:
    """A file against a split: one `Matched` for each annotator, in order of appearance.

    elsewhere: the ids of the other splits, to tell neighbours from strangers. check_fingerprint: refuse lines
    that say they were made for something else, rather than count them.
    """
    name = display_name(path)
    of_the_file = Problems()
    voices: dict[str | None, _Voice] = {}
    other_splits: Counter[str] = Counter()
    matched = 0
    first = ""
    for block, rows in _located(path, gold, of_the_file):
        known = rows >= 0
        matched += int(known.sum())
        first = first or block[0][1].id
        strangers = [
            prediction.id for (_, prediction), inside in zip(block, known, strict=True) if not inside
        ]
        neighbours = _neighbours(strangers, elsewhere or {})
        other_splits.update(neighbours.values())
        keys = iter(gold.keys(rows[known]))
        for (number, prediction), row in zip(block, rows.tolist(), strict=True):
            voice = _voice(voices, prediction, gold, name, number)
            if prediction.dataset is not None and prediction.dataset != gold.fingerprint:
                if check_fingerprint:
                    raise _other_dataset(prediction.dataset, gold, f"{name}:{number}")
                voice.problems.add("wrong_fingerprint", prediction.id)
            if row >= 0:
                voice.hear(row, prediction, next(keys))
            elif prediction.id in neighbours:
                voice.problems.add("other_split", f"{prediction.id} ({neighbours[prediction.id]})")
            else:
                voice.problems.add("unknown", prediction.id)
    if not voices:
        raise InputError("holds no predictions", name, "check the file")
    if not matched and other_splits:
        split = other_splits.most_common(1)[0][0]
        raise InputError(f"its ids lie in the {split} split, not in {gold.split}", name, f"--split {split}")
    if not matched:
        raise _all_unknown(name, first)
    called = lm_eval.system(path) or _ENDINGS.sub("", name)
    return [voice.matched(called, of_the_file) for voice in voices.values()]


def match_told(answers: Iterable[tuple[str, str, str]], gold: Gold) -> list[Matched]:
    """Answers that lie in the dataset itself, as (id, annotator, key): one `Matched` for each annotator."""
    voices: dict[str, _Voice] = {}
    told = list(answers)
    rows = gold.ids.rows([ident for ident, _, _ in told])
    keys = gold.keys(rows)
    for (ident, annotator, answer), row, own in zip(told, rows.tolist(), keys, strict=True):
        voice = voices.setdefault(annotator, _Voice(gold, annotator, None))
        voice.hear(row, Prediction(ident, answer, annotator=annotator), own)
    return [voice.matched(annotator, Problems()) for annotator, voice in voices.items()]


def _voice(
    voices: dict[str | None, _Voice], prediction: Prediction, gold: Gold, name: str, number: int
) -> _Voice:
    """Whose line it is; a new annotator gets a new voice."""
    voice = voices.get(prediction.annotator)
    if voice is None:
        if len(voices) == LARGEST_CROWD:
            raise InputError(f"more than {LARGEST_CROWD} annotators", f"{name}:{number}", "split the file")
        voice = voices[prediction.annotator] = _Voice(gold, prediction.annotator, prediction.group)
    if prediction.group != voice.group:
        what = f"annotator {voice.annotator} was of group {voice.group}, here of group {prediction.group}"
        raise InputError(what, f"{name}:{number}", "give each annotator one group, on every line")
    return voice


class _Voice:
    """What one annotator (or the whole of a system's file) has answered so far."""

    def __init__(self, gold: Gold, annotator: str | None, group: str | None) -> None:
        n = len(gold)
        self.gold = gold
        self.annotator = annotator
        self.group = group
        self.problems = Problems()
        self.heard = np.zeros(n, np.bool_)
        self.choice = np.full(n, UNANSWERED, np.int32)
        self.tied = np.zeros(n, np.int32)
        self.on_top = np.zeros(n, np.bool_)
        self.confidence = np.zeros(n, np.float32)
        self.knowledge = np.full(n, -1, np.int8)
        self.seconds = np.full(n, np.nan)
        self.strays: Counter[str] = Counter()
        self.scores = None if gold.held is None else np.full(len(gold.held), np.nan)

    def hear(self, row: int, prediction: Prediction, keys: list[str]) -> None:
        """Take the line for an instance; keys: of its candidates."""
        if self.heard[row]:
            self.problems.add("repeated", prediction.id)
            return
        self.heard[row] = True
        choice = UNANSWERED
        if prediction.answer is not None:
            choice = (
                keys.index(prediction.answer) if prediction.answer in keys else self._mapped(row, prediction)
            )
            self.choice[row] = choice
            self.confidence[row] = np.nan
        if prediction.scores is not None:
            self._weigh(row, prediction.id, prediction.scores, keys, choice)
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
        if choice >= 0 and own[choice] != top:
            self.problems.add("answer_not_on_top", id)
        if choice != UNANSWERED and len(given) == len(own) == len(scores) and (scale := _scale(given)):
            self.confidence[row] = min(1.0, scale(given[choice])) if choice >= 0 else 0.0

    def _mapped(self, row: int, prediction: Prediction) -> int:
        """The one candidate whose number or name the answer is."""
        fitting, kind = _fitting(str(prediction.answer), self.gold, row)
        if len(fitting) == 1:
            self.problems.add(kind, prediction.id)
            return fitting.pop()
        self.problems.add("ambiguous" if fitting else "unmapped", prediction.id)
        if self.gold.labels:
            self.strays[_bounded(str(prediction.answer))] += 1
        return OUTSIDE

    def matched(self, name: str, of_the_file: Problems) -> Matched:
        """The record of all that was heard."""
        missing = np.flatnonzero(~self.heard)
        for row in missing[:NAMED].tolist():
            self.problems.add("missing", self.gold.ids.between(row, row + 1)[0])
        if len(missing) > NAMED:
            self.problems.add("missing", "", len(missing) - NAMED)
        self.problems.merge(of_the_file)
        return Matched(
            name=name,
            annotator=self.annotator,
            group=self.group,
            heard=self.heard,
            choice=self.choice,
            tied=self.tied,
            on_top=self.on_top,
            knowledge=self.knowledge,
            seconds=self.seconds,
            strays=dict(self.strays),
            confidence=self.confidence,
            scores=self.scores,
            problems=self.problems.found(),
        )


def _fitting(answer: str, gold: Gold, row: int) -> tuple[set[int], str]:
    """The candidates that have this number or name, and which of the two it was."""
    start, stop = gold.starts[row : row + 2].tolist()
    number = _NUMBER.fullmatch(answer)
    by_number = {i for i in range(stop - start) if number and gold.number[start + i] == int(number[1])}
    names = [gold.names(candidate) for candidate in range(start, stop)]
    by_name = {i for i, own in enumerate(names) if answer in own}
    if not by_number and not by_name:
        folded = _folded(answer)
        by_name = {i for i, own in enumerate(names) if folded in map(_folded, own)}
    return by_number | by_name, "from_number" if by_number else "from_name"


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


def _located(
    path: str | Path, gold: Gold, problems: Problems
) -> Iterator[tuple[list[tuple[int, Prediction]], Longs]]:
    """Blocks of numbered lines with the row of each, -1 where the split has no such id."""
    cursor = 0
    for block in _blocks(path, problems):
        ids = [prediction.id for _, prediction in block]
        if gold.ids.between(cursor, cursor + len(ids)) == ids:
            rows = np.arange(cursor, cursor + len(ids))
        else:
            rows = gold.ids.rows(ids)
        cursor = int(rows[-1]) + 1
        yield block, rows


def _blocks(path: str | Path, problems: Problems) -> Iterator[list[tuple[int, Prediction]]]:
    lines = numbered(path, problems)
    while block := list(islice(lines, BLOCK)):
        yield block


def _neighbours(ids: list[str], elsewhere: Mapping[str, Ids]) -> dict[str, str]:
    """id → the other split it lies in."""
    found: dict[str, str] = {}
    for split, index in elsewhere.items():
        found |= {id: split for id, row in zip(ids, index.rows(ids).tolist(), strict=True) if row >= 0}
    return found


def _other_dataset(given: str, gold: Gold, where: str) -> InputError:
    here = f"the {gold.split} split here is {short(gold.fingerprint)}"
    what = f"made for another dataset or split ({short(given)}, {here})"
    return InputError(what, where, "give the dataset they were made for, or --any-dataset to count and go on")


def _all_unknown(name: str, first: str) -> InputError:
    what = f"none of its ids is in the dataset (the first is {first!r})"
    return InputError(what, name, "give the dataset they were made for")
