"""Answers that are right by similarity alone, judged by one person or several (the thesis, Table 4.4).

    id,question,prediction,gold,similarity,rule,class
    52bf…:0f3a…,Which protein …?,uncoupling protein 1 (ucp1),uncoupling protein 1,90,same,same

The source is the record that `anagnosis protocols --similar --out FILE.json` writes. The person's class is compared
with the rule's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

import msgspec
import numpy as np

from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.phase_b.similar_answers import CLASSES, WRONG, SimilarAnswer
from anagnosis.io.decoding import read_json
from anagnosis.io.paths import PathLike
from anagnosis.labelling.judging import Judge, Judgements, Judging, Thing
from anagnosis.labelling.study import TIME, Choice, Field, Piece, Question
from anagnosis.wording import shortened

CLASS = "class"
_ASKED = "What is the prediction compared with the gold answer?"
_RECORD_OF = "name the file that `anagnosis protocols DATASET SYSTEM --similar --out FILE.json` wrote"
_LONGEST = 1_000  # characters of a text that the sheet shows


class _Record(msgspec.Struct):
    """What is read of a record of `protocols`."""

    record: Literal["everyprotocol"]
    similar: list[SimilarAnswer]


class SimilarAnswers(Judging):
    """Answers of a record, which count for each system that gave them.

    Two further shares are of answers whose class is the rule's, and of those of which judge and rule both say, or both
    deny, that they are accepted wrongly.
    """

    KIND, THINGS, SOURCE = "similar-answers", "answers", "this record"
    DRAWN = "{drawn:,} answers drawn; fill in similar-answers.csv"
    SHEETS = ("similar-answers.csv",)
    HEADER = ("id", "question", "prediction", "gold", "similarity", "rule", CLASS)
    LABELS: ClassVar[Mapping[str, tuple[str, ...]]] = {CLASS: tuple(CLASSES)}
    IN_A_SHEET = (
        f"{_ASKED} Write a class into column {CLASS}; a rule's stands there.",
        *(f"{name}: {what}." for name, what in CLASSES.items()),
    )
    ON_A_PAGE = (
        _ASKED,
        "A rule has judged, too, and its class stands there. Judge for yourself.",
        TIME,
    )
    TITLE = "Is the answer right? {drawn:,} answers"
    WIDTH = 16
    FIELDS = (
        Field(CLASS, "Class", tuple(Choice(name, meaning=f"{what}.") for name, what in CLASSES.items())),
    )

    def things(self, source: PathLike, split: str | None) -> Iterator[tuple[str, Callable[[], Thing]]]:
        """The answers of the record. InputError: it is none, or lists no such answers."""
        del split
        listed = read_json(
            Path(source), _Record, _RECORD_OF, "is no record with answers right by similarity"
        ).similar
        if not listed:
            raise InputError("no answer is right by similarity alone", str(source), "give more systems")
        for each in {each.id: each for each in listed}.values():
            yield each.id, partial(_thing, each)

    def judge(self, name: str, given: Judgements, things: Mapping[str, Thing]) -> Judge:
        """The share of each class, how often it is the rule's, and what each system's answers are."""
        classes = [each[CLASS] for each in given.values()]
        rules = [things[ident].row[-1] for ident in given]
        pairs = [*zip(classes, rules, strict=True)]
        shares = {each: _share([label == each for label in classes]) for each in CLASSES}
        shares["the rule's class"] = _share([label == rule for label, rule in pairs])
        shares["the rule on wrong"] = _share([(label == WRONG) == (rule == WRONG) for label, rule in pairs])
        counts = Counter(pairs)
        by_rule = {
            rule: {label: counts[label, rule] for label in CLASSES if counts[label, rule]}
            for rule in CLASSES
            if rule in rules
        }
        systems: dict[str, dict[str, int]] = {}
        for ident, label in zip(given, classes, strict=True):
            for system in things[ident].systems:
                found = systems.setdefault(system, {"judged": 0, "wrong": 0})
                found["judged"] += 1
                found["wrong"] += label == WRONG
        return Judge(name, shares=shares, by_rule=by_rule, systems=systems)


SIMILAR_ANSWERS = SimilarAnswers()


def _thing(each: SimilarAnswer) -> Thing:
    asked, prediction, gold = (
        shortened(" ".join(text.split()), _LONGEST) for text in (each.question, each.prediction, each.gold)
    )
    row = (each.id, asked, prediction, gold, str(each.similarity), each.class_by_rule)
    headings = ("Prediction:", "Gold answer:", "Similarity:", "Rule:")
    question = Question(each.id, (), (Piece(asked),), known=tuple(zip(headings, row[2:], strict=True)))
    return Thing(row, question, tuple(each.systems))


def _share(verdicts: Sequence[bool]) -> Estimate:
    return estimate(np.array(verdicts, np.float64))
