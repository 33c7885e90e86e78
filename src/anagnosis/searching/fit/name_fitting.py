"""Fit a reader of names on BioASQ's questions with known names, and measure it on questions outside each fit.

The collection has a document for each paper: its distinct snippets, a line each. Each of FOLDS parts of the questions
is judged by a fit on the others: ranking, confidence and threshold. The figures come from the newest questions, judged
so; the weights that are stored are fitted on all. For the ranking a name is right if it equals a gold answer by
same_entity.py; for confidence, threshold and precision, if its text equals one regardless of case, as BioASQ counts.
Editions from FIRST_HELD_OUT on, and questions that the batches of HELD_OUT ask too, stay outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.datasets.bioasq.held_out import FIRST_HELD_OUT, edition_of
from anagnosis.datasets.folder.store import ALL, Dataset, fingerprint, instances
from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance
from anagnosis.entities.same_entity import alike, plain
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.newton import conditional_logit, logistic
from anagnosis.language.negation import negated
from anagnosis.searching.answers.asking import state_of, with_fitting_sentence
from anagnosis.searching.entities import ranking
from anagnosis.searching.entities.candidate_names import Name
from anagnosis.searching.entities.confidence import CONFIDENCE
from anagnosis.searching.entities.features import FEATURES
from anagnosis.searching.entities.naming import KnownNames, known, merged, most_names, quotable, quote_rows
from anagnosis.searching.entities.ranking import FORMAT, NameWeights
from anagnosis.searching.fit.held_out import (
    DIGITS,
    each_asked,
    newest_editions,
    scratch_index,
    share,
    snippet_collection,
    without_held_out,
)
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import ANSWERED
from anagnosis.searching.records.names import LEAST_PRECISION, LEAST_SHARE, NameFigures
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.evidence_order import read_sentences

TEST = "test"
FOLDS = 5
BEST = 100  # names of a question to fit on, the likeliest by hand; the right ones beside them
FEWEST = 40  # questions with a right answer among the names
RIDGE = 3.0
# Share of the questions that get a name: above the bar, since other questions may get fewer.
AIMED_SHARE = 1.2 * LEAST_SHARE
LEVELS = tuple(round(0.3 + 0.01 * step, 2) for step in range(70))
OFF = 1.0  # a threshold that no name reaches
_BRACKETED = re.compile(r"\s*\([^()]*\)")


class Gathered(NamedTuple):
    """A question with the likeliest names of its passages.

    target: float64 [names], see _targets. answered: whether the question is answered here, as `ask` decides.
    """

    question: QuestionInstance
    known: KnownNames
    target: Floats | None
    answered: bool


class Judged(NamedTuple):
    """The names of a question with features of their confidence.

    rows: float64 [names, CONFIDENCE]. right: letter for letter except case; alike: in some spelling.
    """

    question: QuestionInstance
    rows: Floats
    texts: list[str]
    right: list[bool]
    alike: list[bool]
    answered: bool


def fit(dataset: Dataset, *, date: str) -> NameWeights:
    """Fit a reader on all parts of a dataset but test. date: of the measurement, ISO.

    InputError: too few questions have a right answer among their names.
    """
    every = list(instances(dataset, ALL, of=QuestionInstance))
    test = (
        {one.id for one in instances(dataset, TEST, of=QuestionInstance)}
        if dataset.size(TEST)
        else set[str]()
    )
    chosen = without_held_out(every, test)
    newer = sum(edition_of(one.file) >= FIRST_HELD_OUT for one in every)
    parts = [name for name in dataset.sizes if name != TEST and dataset.size(name)]
    digest = sha256("".join(fingerprint(dataset, name) for name in parts).encode()).hexdigest()
    with scratch_index(partial(snippet_collection, chosen)) as index:
        gathered = gather(index, chosen)
    data = f"{dataset.name}, {' and '.join(parts)}"
    if newer:
        data += f", without {newer:,} of editions from {FIRST_HELD_OUT} on"
    return fitted(gathered, data, digest, date)


def gather(index: Index, questions: Sequence[QuestionInstance]) -> list[Gathered]:
    """The questions with known names, in the order of their files."""
    answerable = sorted(of_names(questions), key=lambda one: _age_of(one.file))
    gathered: list[Gathered] = []
    asked = each_asked(index, [one.question for one in answerable], "names")
    for question, (topic, hits) in zip(answerable, asked, strict=True):
        whole = known(index.engine, topic, with_fitting_sentence(hits))
        kept = set(np.argsort(-ranking.scores(whole.rows), kind="stable")[:BEST].tolist())
        kept |= {place for places in right_names(question, whole.names) for place in places}
        order = sorted(kept)
        likeliest = whole._replace(names=[whole.names[place] for place in order], rows=whole.rows[order])
        words = overlap.asked_words(index.engine, topic)
        state = state_of(index, topic.text, words, hits, read_sentences(words, hits))
        target = _targets(question, likeliest.names)
        gathered.append(Gathered(question, likeliest, target, state == ANSWERED))
    return gathered


def fitted(gathered: Sequence[Gathered], data: str, digest: str, date: str) -> NameWeights:
    """Fit and measure. gathered: the oldest first. digest: SHA-256 of the data."""
    folds = np.array([int(sha256(one.question.id.encode()).hexdigest(), 16) % FOLDS for one in gathered])
    of_fold = [
        _features([one for one, at in zip(gathered, folds, strict=True) if at != fold])
        for fold in range(FOLDS)
    ]
    judged = [judge(one, of_fold[fold]) for one, fold in zip(gathered, folds, strict=True)]
    sure = _cross_fitted(judged, folds)
    measuring = newest_editions(one.question for one in judged)
    newest = np.array([_age_of(one.question.file)[0] in measuring for one in judged])
    levels = [least_confidence(judged, sure, newest & (folds != fold)) for fold in range(FOLDS)]
    shown = [values >= levels[fold] for values, fold in zip(sure, folds, strict=True)]
    files = sorted({judged[at].question.file for at in np.flatnonzero(newest)}, key=_age_of)
    figures = measured(judged, shown, newest, f"{data} ({files[0]} to {files[-1]})" if files else data, date)
    return NameWeights(
        FORMAT,
        _named(FEATURES, _features(gathered).values()),
        _named(CONFIDENCE, _confidence(judged, np.ones(len(judged), bool))),
        least_confidence(judged, sure, newest),
        data,
        digest,
        len(gathered),
        figures,
    )


def judge(one: Gathered, weights: dict[str, float]) -> Judged:
    """The best names of a question by a ranking."""
    question, known_names = one.question, one.known
    ranked = merged(known_names, ranking.scores(known_names.rows, weights))
    quotes = quotable(known_names, ranked, most_names(question.type))
    texts = [ranked.names[place].text for place in quotes]
    gold = {name.lower() for entry in entries(question) for name in entry}
    return Judged(
        question,
        quote_rows(question.type, known_names, ranked, quotes),
        texts,
        [text.lower() in gold for text in texts],
        [_spelled_alike(question, text) for text in texts],
        one.answered and not negated(question.question),
    )


def measured(
    judged: Sequence[Judged], shown: Sequence[Bools], newest: Bools, data: str, date: str
) -> NameFigures:
    """The figures of the names that are shown. shown: of each question bool [names]. newest: bool [questions]."""
    chosen = [(one, at) for one, at, new in zip(judged, shown, newest, strict=True) if new]
    given = [(one, place) for one, at in chosen if one.answered for place in np.flatnonzero(at)]
    right, same = [one.right[place] for one, place in given], [one.alike[place] for one, place in given]
    precision, low, high = share(right)
    return NameFigures(
        questions=len(chosen),
        share=round(sum(one.answered and bool(at.any()) for one, at in chosen) / max(1, len(chosen)), DIGITS),
        names=len(right),
        precision=precision,
        low=low,
        high=high,
        lenient=share(same)[0],
        data=data,
        date=date,
    )


def of_names(questions: Iterable[QuestionInstance]) -> list[QuestionInstance]:
    """The factoid and list questions with known answers."""
    return [one for one in questions if one.type in (FACTOID, LIST) and entries(one)]


def entries(question: QuestionInstance) -> list[list[str]]:
    """The gold answers, each a list of synonyms; all answers of a factoid are synonyms of one."""
    gold = [[name for name in entry if name.strip()] for entry in question.exact or ()]
    gold = [entry for entry in gold if entry]
    return [[name for entry in gold for name in entry]] if question.type == FACTOID and gold else gold


def right_names(question: QuestionInstance, names: Sequence[Name]) -> list[set[int]]:
    """For each gold entry, the indices of equal names."""
    right: list[set[int]] = []
    for entry in entries(question):
        keys = {plain(text) for name in entry for text in _spellings(name)} - {""}
        right.append({place for place, name in enumerate(names) if not keys.isdisjoint(name.keys)})
    return right


def _spellings(name: str) -> tuple[str, str]:
    return name, _BRACKETED.sub("", name)


def _spelled_alike(question: QuestionInstance, text: str) -> bool:
    key = plain(text)
    golds = {plain(one) for entry in entries(question) for name in entry for one in _spellings(name)}
    return any(key == gold or alike(key, gold) for gold in golds)


def _age_of(file: str) -> tuple[int, str]:
    """A sort key: the edition that a file's name has, and the name."""
    return edition_of(file), file


def _targets(question: QuestionInstance, names: Sequence[Name]) -> Floats | None:
    """Target probabilities, equal for each gold entry and shared by its right names; None without a right name."""
    right = [places for places in right_names(question, names) if places]
    if not right:
        return None
    target = np.zeros(len(names))
    for places in right:
        target[list(places)] += 1 / (len(places) * len(right))
    return target


def _features(gathered: Sequence[Gathered]) -> dict[str, float]:
    pairs = [(one.known.rows, one.target) for one in gathered if one.target is not None]
    if len(pairs) < FEWEST:
        raise InputError(
            f"{len(pairs)} questions have an answer among the names of their passages, and {FEWEST} are needed",
            "the dataset",
            "import more of BioASQ's golden files",
        )
    weights = conditional_logit([rows for rows, _ in pairs], [target for _, target in pairs])
    return dict(zip(FEATURES, map(float, weights), strict=True))


def _confidence(judged: Sequence[Judged], chosen: Bools) -> Floats:
    """float64 [CONFIDENCE]: weights, fitted on the chosen questions. chosen: bool [questions]."""
    used = [one for one, inside in zip(judged, chosen, strict=True) if inside and one.texts]
    right = [float(value) for one in used for value in one.right]
    if len(set(right)) < 2:
        raise InputError(
            "the questions have no right and wrong names to fit confidences on",
            "the dataset",
            "import more of BioASQ's golden files",
        )
    return logistic(np.concatenate([one.rows for one in used]), np.array(right), RIDGE)


def _cross_fitted(judged: Sequence[Judged], folds: Longs) -> list[Floats]:
    """Of each question float64 [names]: confidences by a fit on the other folds."""
    weights = [_named(CONFIDENCE, _confidence(judged, folds != fold)) for fold in range(FOLDS)]
    return [ranking.confidences(one.rows, weights[fold]) for one, fold in zip(judged, folds, strict=True)]


def least_confidence(judged: Sequence[Judged], sure: Sequence[Floats], chosen: Bools) -> float:
    """The strictest threshold at which AIMED_SHARE of the chosen questions get a name; OFF if precision is too low."""
    for level in reversed(LEVELS):
        reached = measured(judged, [values >= level for values in sure], chosen, "", "")
        if reached.share >= AIMED_SHARE:
            return level if reached.precision >= LEAST_PRECISION else OFF
    return OFF


def _named(names: Sequence[str], values: Iterable[float]) -> dict[str, float]:
    return {name: round(float(value), DIGITS) for name, value in zip(names, values, strict=True)}
