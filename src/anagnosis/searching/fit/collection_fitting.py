"""What sentences are worth over a collection, fitted on questions whose evidence in it is known.

Each question of a dataset of evidence is asked of an index as `ask` asks it, and the sentences of the passages that it
brings are read. One holds the answer where the dataset says so of the same words in the same document; of documents
that the dataset does not name for the question, none does, though nobody has looked. Questions of which no document is
in the index are not asked, nor are those that a run was trained on. How far off the probabilities are is
measured on the highlighted sentences of questions that the fit did not see, and thresholds are chosen there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.calibration import thresholds
from anagnosis.calibration.cross_fit import Model, cross_fitted, folds_by_question
from anagnosis.calibration.newton import logistic
from anagnosis.calibration.over_collection import (
    FEATURES,
    MeasuredError,
    OverCollection,
    as_pairs,
    features,
    probabilities,
)
from anagnosis.calibration.parameters import FORMAT, write
from anagnosis.calibration.thresholds import Thresholds
from anagnosis.datasets.folder import store
from anagnosis.datasets.question_keys import keys_of
from anagnosis.errors import InputError
from anagnosis.evaluation.probabilities.calibration_error import calibration
from anagnosis.progress import Progress
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.index.index import Index
from anagnosis.searching.sentences.trained_highlighting import Trained, load_highlighter
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run, load

KEPT_WEAK = 0.75  # of nine in ten over a collection most would be wrong (design/highlighting.md)
RIDGE = 1.0  # of the weights of features
FEWEST = 20  # questions with a sentence that holds the answer among those that were read


class PosedQuestion(NamedTuple):
    """A question and its evidence: document → texts of the sentences that hold the answer."""

    question: str
    held: dict[str, set[str]]


class ReadSentences(NamedTuple):
    """Sentences that were read. rows: float64 [n, features]; gold: bool [n]; question: int64 [n]."""

    rows: Floats
    gold: Bools
    question: Longs


def calibrate(
    folder: Path,
    dataset: store.Dataset,
    index: Index,
    split: str = "dev",
    device: str = "auto",
    threads: int | None = None,
) -> OverCollection:
    """Fit a run folder, or one of several, and keep that there.

    Refused (InputError): questions that it was trained on, too few whose evidence a search brings.
    """
    highlighter = load_highlighter(folder, device, threads, over_collection=False)
    found = load(folder)
    asked, left_out = _free(found.runs, dataset, split)
    there = [one for one in asked if any(index.engine.mark(ident) is not None for ident in one.held)]
    looked = look(index, there, highlighter)
    brought = len(np.unique(looked.question[looked.gold]))
    if brought < FEWEST:
        raise InputError(
            f"{brought:,} questions have their evidence in passages that a search brings, and {FEWEST} are needed",
            f"{dataset.folder}, {split}",
            f"name the index of its documents ({len(there):,} of {len(asked):,} questions have one there), or more "
            "questions",
        )
    made = fitted(looked)
    kept = OverCollection(
        FORMAT,
        found.digests,
        as_pairs(highlighter.fitted),
        *made,
        dataset.name,
        split,
        READ,
        len(there),
        len(looked.gold),
        int(looked.gold.sum()),
        len(asked) - len(there),
        left_out,
        index.count().documents,
        index.ranking(),
    )
    write(folder, kept)
    return kept


def look(index: Index, asked: Sequence[PosedQuestion], highlighter: Trained) -> ReadSentences:
    """What is read to answer each question. A sentence that a slow reader leaves out is left out here too."""
    rows, held, question = list[Floats](), list[bool](), list[int]()
    with Progress("asking", len(asked), "questions") as bar:
        for number, one in enumerate(asked):
            hits = index.search(one.question, None, READ)
            by_words = highlighted(index, one.question, hits)
            scored = highlighted(index, one.question, hits, highlighter)
            for rank, (words, own) in enumerate(zip(by_words, scored, strict=True)):
                read = [each for each in own.sentences if each.score]
                best = max((each.score for each in words.sentences), default=0.0)
                if read:
                    scores = [each.score for each in read]
                    rows.append(features(scores, [best] * len(read), [rank] * len(read)))
                gold = one.held.get(own.passage.document, set())
                held += [holds(own.passage.text[each.begin : each.end], gold) for each in read]
                question += [number] * len(read)
            bar.advance()
    return ReadSentences(
        np.concatenate(rows) if rows else np.zeros((0, len(FEATURES) + 1)),
        np.array(held, np.bool_),
        np.array(question, np.int64),
    )


def fitted(looked: ReadSentences) -> tuple[dict[str, float], Thresholds, MeasuredError]:
    """Weights, thresholds and error. looked: with sentences of both kinds in every fold but one."""
    target = looked.gold.astype(np.float64)

    def fit_on(rows: Longs) -> Model:
        weights = logistic(looked.rows[rows], target[rows], RIDGE).tolist()
        return lambda others: probabilities(looked.rows[others], weights)

    others = cross_fitted(folds_by_question(looked.question), fit_on)
    chosen = thresholds.choose(others, looked.gold, KEPT_WEAK)
    # Most sentences hold nothing, and nobody errs on them: what counts is what is highlighted.
    above = others >= chosen.weak.least
    off = calibration(others[above], target[above], looked.question[above])
    weights = [round(float(one), 9) for one in logistic(looked.rows, target, RIDGE)]
    return (
        dict(zip((*FEATURES, "1"), weights, strict=True)),
        chosen,
        MeasuredError(
            error=round(off.error, 6),
            low=round(off.interval.low, 6),
            high=round(off.interval.high, 6),
            by_chance=round(off.by_chance, 6),
            debiased=round(off.debiased, 6),
            p=round(off.p, 6),
        ),
    )


def _free(runs: Sequence[Run], dataset: store.Dataset, split: str) -> tuple[list[PosedQuestion], int]:
    """The questions that no run was trained on, and how many others there are."""
    asked, place = keys_of(dataset, split), f"{dataset.folder}, {split}"
    free = np.ones(len(asked), np.bool_)
    for run in runs:
        free &= left_to_fit(run, asked, place, "fit it on another split or dataset")
    found: dict[str, PosedQuestion] = {}
    for row, each in enumerate(store.instances(dataset, split)):
        if free[row]:
            own = found.setdefault(each.question, PosedQuestion(each.question, {})).held
            for sentence in each.sentences:
                if sentence.held:
                    own.setdefault(sentence.document, set()).add(plain(sentence.text))
    return [one for one in found.values() if one.held], len(np.unique(asked[~free]))


def holds(text: str, gold: Iterable[str]) -> bool:
    """Whether a sentence is one of those that hold the answer. gold: plain.

    Cuts may differ: one may be a part of the other, at least half of it.
    """
    own = plain(text)
    return any(
        2 * min(len(own), len(one)) >= max(len(own), len(one)) > 0 and (own in one or one in own)
        for one in gold
    )


def plain(text: str) -> str:
    """With single blanks."""
    return " ".join(text.split())
