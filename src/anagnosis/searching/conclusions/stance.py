"""Stances: whether a concluding sentence supports, opposes or leaves open what a question asks.

A reader of stances is a logistic function of stance_features.py with its figures on held-out questions, in one file of
its folder:

    FOLDER/stance.json   names and weights of features, the margin, the data, the figures with their date

`searching/fit/stance_fitting.py` makes it. The file is checked when it is loaded; a reader whose figures do not pass
the bars of records/conclusions.py is loaded and gives no stance. Whatever the reader says, a guard by rules withholds
stances that the sentence contradicts (stance_guard.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.checksums import read_checked_json, write_checked_json
from anagnosis.searching.conclusions.stance_features import stance_features
from anagnosis.searching.conclusions.stance_guard import forbidden
from anagnosis.searching.records.conclusions import OPPOSES, SUPPORTS, UNCLEAR, Stance, StanceFigures

FILE = "stance.json"
FORMAT = 1
NAME = "stance-features"
REMEDY = (
    "make it again with `anagnosis readers make --data DATA --out READERS --replace`, or remove its folder"
)


class TrainingData(msgspec.Struct, frozen=True):
    """A source of training examples. sha256: of its file. examples: pairs of a question and a sentence."""

    name: str
    sha256: str
    examples: int


class StanceWeights(msgspec.Struct, frozen=True):
    """A fitted reader.

    weights: of features by name, "" is the constant. margin: the least probability of a stance. figures: on conclusions
    of abstracts. over_collection: on questions asked over a collection, each with the first stance of its list; None
    if not measured, as earlier versions could leave it.
    """

    format: int
    weights: dict[str, float]
    margin: float
    trained_on: tuple[TrainingData, ...]
    figures: StanceFigures
    over_collection: StanceFigures | None = None

    @property
    def earned(self) -> bool:
        """Whether all figures pass the bars, so that stances are shown; a collection must be among the tests."""
        return self.over_collection is not None and all(one.earned for one in self.measured)

    @property
    def measured(self) -> tuple[StanceFigures, ...]:
        """All figures."""
        return (self.figures,) if self.over_collection is None else (self.figures, self.over_collection)

    def probability(self, features: Mapping[str, float]) -> float:
        """The probability that the sentence supports."""
        value = self.weights.get("", 0.0) + math.fsum(
            weight * features[name] for name, weight in self.weights.items() if name in features
        )
        return 1 / (1 + math.exp(-value)) if value >= 0 else math.exp(value) / (1 + math.exp(value))


@dataclass(frozen=True, slots=True)
class StanceReader:
    """A loaded reader of stances."""

    fitted: StanceWeights
    name: str = field(default=NAME)

    @property
    def figures(self) -> StanceFigures:
        return self.fitted.figures

    def stance(self, question: str, sentence: str) -> Stance:
        """The stance of a sentence; UNCLEAR below the margin, or where the guard forbids the stance."""
        probability = self.fitted.probability(stance_features(question, sentence))
        likelier = SUPPORTS if probability >= 0.5 else OPPOSES
        if max(probability, 1 - probability) < self.fitted.margin or likelier in forbidden(
            question, sentence
        ):
            return UNCLEAR
        return likelier


def load_stance_reader(folder: Path) -> StanceReader:
    """Load and check a folder's reader. InputError: it is damaged, or another version made it."""
    fitted = read_checked_json(folder / FILE, StanceWeights, REMEDY)
    if fitted.format != FORMAT:
        raise InputError("was made by another version", str(folder / FILE), REMEDY)
    values = (*fitted.weights.values(), fitted.margin)
    if not all(map(math.isfinite, values)) or not 0.5 <= fitted.margin <= 1:
        raise InputError("has weights that are no numbers", str(folder / FILE), REMEDY)
    return StanceReader(fitted)


def store_stance_reader(folder: Path, fitted: StanceWeights) -> None:
    """Write a fitted reader into its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_checked_json(folder / FILE, fitted)
