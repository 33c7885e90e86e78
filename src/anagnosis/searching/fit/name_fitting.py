"""Fit the ranking of names, a reader's weight in it, and confidences, on BioASQ's questions with known names.

The collection is the pool of all snippets of these questions, each one document, so that names come from search results
and not from an expert's choice. We do not use the dataset's test part. The newest quarter of the questions, in the
order of their files, fits confidences; the others fit the ranking. For the ranking a name is right if it equals a gold
answer by same_entity.py; for a confidence, if its text equals one regardless of case, as BioASQ counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace as with_fields

from anagnosis.array_types import Floats
from anagnosis.calibration import held_out
from anagnosis.calibration.held_out import HeldOut
from anagnosis.calibration.names import NameParameters, confidence_rows, fitted_confidence
from anagnosis.calibration.newton import conditional_logit
from anagnosis.calibration.parameters import FORMAT, write
from anagnosis.datasets.folder.store import Dataset, instances
from anagnosis.datasets.kinds.question import FACTOID, LIST, QuestionInstance
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.measures.free_answers import FIRST_FACTOID, FIRST_LIST, factoid, listed
from anagnosis.progress import Progress
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.engines import Engine
from anagnosis.searching.entities import ranking
from anagnosis.searching.entities.candidate_names import Name
from anagnosis.searching.entities.features import FEATURES
from anagnosis.searching.entities.naming import UNFITTED, KnownNames, Namer, RankedNames, known, load_namer
from anagnosis.searching.entities.same_entity import plain
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.answers import Hit

NEWEST = 0.25  # share of the questions, for confidences
BEST = 100  # names of a question to keep for readers
TEST = "test"
FEWEST = 40  # questions with a right answer among the names
_BRACKETED = re.compile(r"\s*\([^()]*\)")


def calibrate(
    folder: Path, dataset: Dataset, split: str | None = None, device: str = "auto", threads: int | None = None
) -> NameParameters:
    """Fit a run folder of a cloze reader, and store the fit there. split: of the questions (None: all but test)."""
    namer = load_namer(folder, device, threads, fitted=False)
    taken = [split] if split is not None else [name for name in dataset.rows if name != TEST]
    questions = [one for name in taken for one in instances(dataset, name, of=QuestionInstance)]
    with TemporaryDirectory(prefix="anagnosis-") as scratch:
        index = pool(questions, Path(scratch) / "index")
        try:
            gathered = gather(index, questions)
            made = fit(index.engine, gathered, namer, f"{dataset.name}, {' and '.join(taken)}")
            reached = measured(index.engine, gathered, replace(namer, fitted=made), dataset.name)
        finally:
            index.close()
    write(folder, made)
    write(folder, reached)
    return made


class Gathered(NamedTuple):
    """A question and the features of its names.

    rows: float64 [names, FEATURES]. target: float64 [names], see _targets. likeliest: the BEST names before a fit.
    """

    question: QuestionInstance
    rows: Floats
    target: Floats | None
    likeliest: KnownNames


def gather(index: Index, questions: Sequence[QuestionInstance]) -> list[Gathered]:
    """The data of a fit, the same for every reader: the questions with known names, in the order of their files."""
    answerable = sorted(of_names(questions), key=_age)
    gathered: list[Gathered] = []
    with Progress("names", len(answerable), "questions") as bar:
        for question in answerable:
            known_names = known(index.engine, question.question, retrieved(index, question.question))
            order = np.argsort(-ranking.scores(known_names.rows), kind="stable")[:BEST]
            likeliest = known_names._replace(
                every=[known_names.every[place] for place in order], rows=known_names.rows[order]
            )
            gathered.append(
                Gathered(question, known_names.rows, _targets(question, known_names.every), likeliest)
            )
            bar.advance()
    return gathered


def fit(engine: Engine, gathered: Sequence[Gathered], namer: Namer, dataset: str = "") -> NameParameters:
    """Fit ranking, confidences and threshold for a reader. gathered: the oldest first.

    InputError: too few questions have a right answer among their names.
    """
    older, newer = _by_age(gathered)
    made = NameParameters(
        FORMAT, namer.weights, _features(older), {}, {}, 0.0, dataset, len(older), len(newer)
    )
    made = with_fields(made, reading=_reading(older, replace(namer, fitted=made)))
    judge = replace(namer, fitted=made)
    every = [(one.question, judge.rank(engine, one.likeliest)) for one in newer if one.likeliest.every]
    made = with_fields(made, confidence={kind: _confidence(every, kind) for kind in (FACTOID, LIST)})
    return with_fields(made, enough=_enough(every, replace(namer, fitted=made)))


def measured(engine: Engine, gathered: Sequence[Gathered], namer: Namer, dataset: str = "") -> HeldOut:
    """MRR of a fitted reader on the newest factoid questions, which are not in the fit of its ranking.

    gathered: the oldest first, with factoid questions among the newest.
    """
    ranks = list[float]()
    for one in _by_age(gathered)[1]:
        if one.question.type == FACTOID:
            ranked = namer.rank(engine, one.likeliest).names if one.likeliest.every else []
            ranks.append(factoid(entries(one.question), [name.text for name in ranked]).reciprocal_rank)
    mrr = estimate(np.array(ranks))
    low, high = mrr.interval.low, mrr.interval.high
    figures = (round(mrr.value, 6), round(low, 6), round(high, 6))
    part = held_out.NEWEST
    return HeldOut(held_out.FORMAT, namer.weights, held_out.MRR, *figures, None, len(ranks), dataset, part)


def pool(questions: Iterable[QuestionInstance], folder: Path) -> Index:
    """An index in a new folder with one document for each different snippet, of id `PMID/number`."""
    texts: dict[str, dict[str, None]] = {}
    for question in questions:
        for snippet in question.snippets:
            texts.setdefault(snippet.pmid, {})[snippet.text] = None
    index, counts = create_index(folder), Counter[str]()
    for pmid, snippets in texts.items():
        for number, text in enumerate(snippets):
            index.add(Document(f"{pmid}/{number}", (Section("abstract", text),)), counts)
    index.commit()
    return index


def of_names(questions: Iterable[QuestionInstance]) -> list[QuestionInstance]:
    """The factoid and list questions with known answers."""
    return [one for one in questions if one.type in (FACTOID, LIST) and entries(one)]


def entries(question: QuestionInstance) -> list[list[str]]:
    """The gold answers, each a list of synonyms; all answers of a factoid are synonyms of one."""
    gold = [[name for name in entry if name.strip()] for entry in question.exact or ()]
    gold = [entry for entry in gold if entry]
    return [[name for entry in gold for name in entry]] if question.type == FACTOID and gold else gold


def retrieved(index: Index, question: str) -> list[Hit]:
    """The passages that `ask` reads: hits with a highlighted sentence."""
    hits = highlighted(index, question, index.search(question, None, READ))
    return [hit for hit in hits if any(one.strength for one in hit.sentences)]


def right_names(question: QuestionInstance, names: Sequence[Name]) -> list[set[int]]:
    """For each gold entry, the indices of equal names."""
    right: list[set[int]] = []
    for entry in entries(question):
        keys = {plain(text) for name in entry for text in (name, _BRACKETED.sub("", name))} - {""}
        right.append({place for place, name in enumerate(names) if not keys.isdisjoint(name.keys)})
    return right


def _by_age(gathered: Sequence[Gathered]) -> tuple[Sequence[Gathered], Sequence[Gathered]]:
    """(questions to fit the ranking on, newest questions to fit confidences on)."""
    newest = round(len(gathered) * NEWEST)
    return gathered[: len(gathered) - newest], gathered[len(gathered) - newest :]


def _age(question: QuestionInstance) -> tuple[int, str]:
    """A sort key: the number at the begin of the file's name, such as the edition in BioASQ's, and the name."""
    number = re.match(r"\d+", question.file)
    return int(number[0]) if number else 0, question.file


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
    pairs = [(one.rows, one.target) for one in gathered if one.target is not None]
    if len(pairs) < FEWEST:
        raise InputError(
            f"{len(pairs)} questions have an answer among the names of their passages, and {FEWEST} are needed",
            "the dataset",
            "import more of BioASQ's golden files",
        )
    weights = conditional_logit([rows for rows, _ in pairs], [target for _, target in pairs])
    return dict(zip(FEATURES, map(float, weights), strict=True))


def _reading(gathered: Sequence[Gathered], namer: Namer) -> dict[str, float]:
    """Weights of the reader's columns; the score by features has weight 1. All 0 if the reader's weight is negative."""
    if not namer.answering:
        return {ranking.SHARE: 0.0, ranking.UNSEEN: 0.0}
    rows, right = list[Floats](), list[Floats]()
    with Progress("reading", len(gathered), "questions") as bar:
        for one in gathered:
            chosen, before = namer.likeliest(one.likeliest)
            target = _targets(one.question, chosen)
            if target is not None and len(chosen) > 1:
                reader_columns = ranking.reading(namer.shares(one.likeliest, chosen))
                rows.append(np.column_stack([before, reader_columns]))
                right.append(target)
            bar.advance()
    own_weight, share, unseen = conditional_logit(rows, right)
    if share <= 0:
        return {ranking.SHARE: 0.0, ranking.UNSEEN: 0.0}
    scale = max(float(own_weight), 1e-3)
    return {ranking.SHARE: float(share) / scale, ranking.UNSEEN: float(unseen) / scale}


def _confidence(ranked: Sequence[tuple[QuestionInstance, RankedNames]], kind: str) -> tuple[float, ...]:
    """Weights of names.CONFIDENCE, fitted on the answers to questions of a kind."""
    rows, right = list[Floats](), list[bool]()
    for question, ranked_names in ranked:
        if question.type == kind:
            most = FIRST_LIST if kind == LIST else FIRST_FACTOID
            rows.append(confidence_rows(ranked_names.scores, ranked_names.overlaps)[:most])
            gold = {name.lower() for entry in entries(question) for name in entry}
            right += [name.text.lower() in gold for name in ranked_names.names[:most]]
    if len(set(right)) < 2:
        raise InputError(
            f"the newest questions have no {kind} with right and wrong names to fit confidences on",
            "the dataset",
            "import more of BioASQ's golden files",
        )
    return fitted_confidence(np.concatenate(rows), right)


def _enough(ranked: Sequence[tuple[QuestionInstance, RankedNames]], namer: Namer) -> float:
    """The threshold of confidence for names of a list: the one with the best mean F1."""
    lists = [(entries(question), ranked_names) for question, ranked_names in ranked if question.type == LIST]
    sure = [namer.confidences(LIST, ranked_names)[:FIRST_LIST] for _, ranked_names in lists]
    if not lists:
        return UNFITTED

    def f1(level: float) -> float:
        return fmean(
            listed(
                gold, [name.text for name in ranked_names.names[: max(1, int((values >= level).sum()))]]
            ).f1
            for (gold, ranked_names), values in zip(lists, sure, strict=True)
        )

    levels = sorted({round(float(value), 3) for values in sure for value in values})
    return max(levels, key=lambda level: (f1(level), -level))
