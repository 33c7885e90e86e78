"""Fit probabilities of sentences over a collection, on questions whose evidence in it is known.

We search an index for each question of a dataset of evidence, as `ask` does, and let the reader score the sentences of
the hits. A sentence is gold if the dataset says that the same words in the same document hold the answer. Sentences of
documents that the dataset does not name for the question count as not gold, though nobody has checked them. We leave
out questions without a document in the index, and questions that a run was trained on. On the highlighted sentences of
questions outside the fit we measure the calibration error and choose thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.datasets.folder import store
from anagnosis.datasets.question_keys import keys_of
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration import highlight_thresholds
from anagnosis.evaluation.calibration.highlight_thresholds import Thresholds
from anagnosis.evaluation.calibration.newton import logistic
from anagnosis.evaluation.calibration.scaling import Model, cross_fitted, folds_by_question
from anagnosis.evaluation.probabilities import calibration
from anagnosis.progress import Progress
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.engines import stored_mark
from anagnosis.searching.index.index import Index
from anagnosis.searching.sentences.trained_highlighting import TrainedHighlighter, load_highlighter
from anagnosis.training.calibration.over_collection import (
    FEATURES,
    MeasuredError,
    OverCollection,
    as_pairs,
    features,
    probabilities,
)
from anagnosis.training.calibration.parameters import FORMAT, write
from anagnosis.training.runs.provenance import left_to_fit
from anagnosis.training.runs.run import Run, load

KEPT_WEAK = 0.75  # recall of gold sentences; at 0.9 most highlights would be wrong (design/answers.md)
RIDGE = 1.0  # of the weights of features
FEWEST = 20  # questions with a gold sentence among the scored ones


class PosedQuestion(NamedTuple):
    """A question. evidence: document → texts of its gold sentences."""

    question: str
    evidence: dict[str, set[str]]


class ReadSentences(NamedTuple):
    """The scored sentences of all questions. rows: float64 [n, features]. gold: bool [n]. question: int64 [n]."""

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
    """Fit a run folder or a folder of replicates, and store the fit there.

    InputError: the runs were trained on the questions, or a search retrieves the evidence of too few.
    """
    highlighter = load_highlighter(folder, device, threads, over_collection=False)
    loaded = load(folder)
    questions, left_out = _free(loaded.runs, dataset, split)
    there = [
        one
        for one in questions
        if any(stored_mark(index.engine, ident) is not None for ident in one.evidence)
    ]
    looked = look(index, there, highlighter)
    brought = len(np.unique(looked.question[looked.gold]))
    if brought < FEWEST:
        raise InputError(
            f"{brought:,} questions have their evidence in passages that a search brings, and {FEWEST} are needed",
            f"{dataset.folder}, {split}",
            f"name the index of its documents ({len(there):,} of {len(questions):,} questions have one there), or more "
            "questions",
        )
    made = fitted(looked)
    kept = OverCollection(
        FORMAT,
        loaded.digests,
        as_pairs(highlighter.fitted),
        *made,
        dataset.name,
        split,
        READ,
        len(there),
        len(looked.gold),
        int(looked.gold.sum()),
        len(questions) - len(there),
        left_out,
        index.count().documents,
        index.ranking(),
    )
    write(folder, kept)
    return kept


def look(index: Index, questions: Sequence[PosedQuestion], highlighter: TrainedHighlighter) -> ReadSentences:
    """The sentences that `ask` would score for each question, without those that a slow reader does not read."""
    rows, gold, question = list[Floats](), list[bool](), list[int]()
    with Progress("asking", len(questions), "questions") as bar:
        for number, one in enumerate(questions):
            asked = index.read(one.question)
            hits = index.search(asked, None, READ)
            by_words = highlighted(index, asked.topic, hits)
            scored = highlighted(index, asked.topic, hits, highlighter)
            for rank, (words, hit) in enumerate(zip(by_words, scored, strict=True)):
                read = [each for each in hit.sentences if each.score]
                best = max((each.score for each in words.sentences), default=0.0)
                if read:
                    scores = [each.score for each in read]
                    rows.append(features(scores, [best] * len(read), [rank] * len(read)))
                texts = one.evidence.get(hit.passage.document, set())
                gold += [holds(hit.passage.text[each.begin : each.end], texts) for each in read]
                question += [number] * len(read)
            bar.advance()
    return ReadSentences(
        np.concatenate(rows) if rows else np.zeros((0, len(FEATURES) + 1)),
        np.array(gold, np.bool_),
        np.array(question, np.int64),
    )


def fitted(looked: ReadSentences) -> tuple[dict[str, float], Thresholds, MeasuredError]:
    """(weights, thresholds, calibration error). looked: with gold and other sentences in all folds but one."""
    target = looked.gold.astype(np.float64)

    def fit_on(rows: Longs) -> Model:
        weights = logistic(looked.rows[rows], target[rows], RIDGE).tolist()
        return lambda others: probabilities(looked.rows[others], weights)

    others = cross_fitted(folds_by_question(looked.question), fit_on)
    chosen = highlight_thresholds.choose(others, looked.gold, KEPT_WEAK)
    # Most sentences are easy negatives, so only highlighted ones count.
    above = others >= chosen.weak.least
    off = calibration(others[above], target[above], looked.question[above])
    weights = [round(float(one), 9) for one in logistic(looked.rows, target, RIDGE)]
    return (
        dict(zip((*FEATURES, "1"), weights, strict=True)),
        chosen,
        MeasuredError(error=round(off.error, 6), by_chance=round(off.by_chance, 6)),
    )


def _free(runs: Sequence[Run], dataset: store.Dataset, split: str) -> tuple[list[PosedQuestion], int]:
    """(questions that no run was trained on, number of others)."""
    keys, place = keys_of(dataset, split), f"{dataset.folder}, {split}"
    free = np.ones(len(keys), np.bool_)
    for run in runs:
        free &= left_to_fit(run, keys, place, "fit it on another split or dataset")
    by_question: dict[str, PosedQuestion] = {}
    for row, each in enumerate(store.instances(dataset, split)):
        if free[row]:
            evidence = by_question.setdefault(each.question, PosedQuestion(each.question, {})).evidence
            for sentence in each.sentences:
                if sentence.held:
                    evidence.setdefault(sentence.document, set()).add(plain(sentence.text))
    return [one for one in by_question.values() if one.evidence], len(np.unique(keys[~free]))


def holds(text: str, gold: Iterable[str]) -> bool:
    """Whether a sentence is gold. gold: texts as `plain` gives them.

    Sentence splitters differ: one text may contain the other if it is at most twice as long.
    """
    normalised = plain(text)
    return any(
        2 * min(len(normalised), len(one)) >= max(len(normalised), len(one)) > 0
        and (normalised in one or one in normalised)
        for one in gold
    )


def plain(text: str) -> str:
    """The text with single blanks."""
    return " ".join(text.split())
