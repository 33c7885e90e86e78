"""Weights, a reader's share and confidences of names, fitted on BioASQ's questions of names with known answers.

The collection that is asked is the pool of all snippets of these questions, a document each, so that what is read is
what a search brings, not what an expert chose. A test part of the dataset is left alone. The newest quarter of the
questions, in the order of their files, fits how sure one can be; the others, how names are ranked. A name is right, for
the ranking, where it and a gold answer are the same (same_entity.py); for a confidence, where its text equals one but
for its case, as BioASQ counts.
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
from anagnosis.searching.entities.naming import UNFITTED, Known, Namer, Ranked, known, load_namer
from anagnosis.searching.entities.same_entity import plain
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.answers import Hit

NEWEST = 0.25  # of the questions, for confidences
BEST = 100  # names of a question that are kept for readers
TEST = "test"
FEWEST = 40  # questions with an answer among the names
_BRACKETED = re.compile(r"\s*\([^()]*\)")


def calibrate(
    folder: Path, dataset: Dataset, split: str | None = None, device: str = "auto", threads: int | None = None
) -> NameParameters:
    """Fit a run folder of a cloze reader and keep that there. split: whose questions (None: all but the test part)."""
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
    """A question and what is known of its names: rows of all, the names themselves of the likeliest before a fit.

    rows: float64 [names, FEATURES]; target: float64 [names], see _targets. likeliest: with BEST names at most.
    """

    question: QuestionInstance
    rows: Floats
    target: Floats | None
    likeliest: Known


def gather(index: Index, questions: Sequence[QuestionInstance]) -> list[Gathered]:
    """What every reader is fitted on. questions: those of names with answers are taken, in the order of their files."""
    asked = sorted(of_names(questions), key=_age)
    found: list[Gathered] = []
    with Progress("names", len(asked), "questions") as bar:
        for question in asked:
            had = known(index.engine, question.question, retrieved(index, question.question))
            order = np.argsort(-ranking.scores(had.rows), kind="stable")[:BEST]
            likeliest = had._replace(every=[had.every[place] for place in order], rows=had.rows[order])
            found.append(Gathered(question, had.rows, _targets(question, had.every), likeliest))
            bar.advance()
    return found


def fit(engine: Engine, gathered: Sequence[Gathered], namer: Namer, dataset: str = "") -> NameParameters:
    """What suits a reader best. gathered: the oldest first.

    Refused (InputError): too few questions whose answer was found.
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
    """MRR of a fitted reader on the newest questions of one name, which its ranking was not fitted on.

    gathered: the oldest first, with such questions among the newest.
    """
    ranks = list[float]()
    for one in _by_age(gathered)[1]:
        if one.question.type == FACTOID:
            own = namer.rank(engine, one.likeliest).names if one.likeliest.every else []
            ranks.append(factoid(entries(one.question), [name.text for name in own]).reciprocal_rank)
    mrr = estimate(np.array(ranks))
    low, high = mrr.interval.low, mrr.interval.high
    figures = (round(mrr.value, 6), round(low, 6), round(high, 6))
    part = held_out.NEWEST
    return HeldOut(held_out.FORMAT, namer.weights, held_out.MRR, *figures, None, len(ranks), dataset, part)


def pool(questions: Iterable[QuestionInstance], folder: Path) -> Index:
    """An index in a new folder: each snippet of a document once, a document each, `PMID/number`."""
    texts: dict[str, dict[str, None]] = {}
    for question in questions:
        for snippet in question.snippets:
            texts.setdefault(snippet.pmid, {})[snippet.text] = None
    index, counts = create_index(folder), Counter[str]()
    for pmid, own in texts.items():
        for number, text in enumerate(own):
            index.add(Document(f"{pmid}/{number}", (Section("abstract", text),)), counts)
    index.commit()
    return index


def of_names(questions: Iterable[QuestionInstance]) -> list[QuestionInstance]:
    """Those of one name or several whose answers are known."""
    return [one for one in questions if one.type in (FACTOID, LIST) and entries(one)]


def entries(question: QuestionInstance) -> list[list[str]]:
    """The gold answers, a list of synonyms each: of a factoid they are all one."""
    found = [[name for name in entry if name.strip()] for entry in question.exact or ()]
    found = [entry for entry in found if entry]
    return [[name for entry in found for name in entry]] if question.type == FACTOID and found else found


def retrieved(index: Index, question: str) -> list[Hit]:
    """What `ask` reads: the passages that have a marked sentence."""
    found = highlighted(index, question, index.search(question, None, READ))
    return [each for each in found if any(one.strength for one in each.sentences)]


def right_names(question: QuestionInstance, names: Sequence[Name]) -> list[set[int]]:
    """Of each gold entry, which names are the same."""
    found: list[set[int]] = []
    for entry in entries(question):
        keys = {plain(text) for name in entry for text in (name, _BRACKETED.sub("", name))} - {""}
        found.append({place for place, name in enumerate(names) if not keys.isdisjoint(name.keys)})
    return found


def _by_age(gathered: Sequence[Gathered]) -> tuple[Sequence[Gathered], Sequence[Gathered]]:
    """Those that the ranking is fitted on, and the newest, which fit how sure one can be."""
    newest = round(len(gathered) * NEWEST)
    return gathered[: len(gathered) - newest], gathered[len(gathered) - newest :]


def _age(question: QuestionInstance) -> tuple[int, str]:
    """Files by the number that they begin with, such as BioASQ's of their edition."""
    number = re.match(r"\d+", question.file)
    return int(number[0]) if number else 0, question.file


def _targets(question: QuestionInstance, names: Sequence[Name]) -> Floats | None:
    """Shares of the right names, every gold entry's as much; None where there is none."""
    found = [own for own in right_names(question, names) if own]
    if not found:
        return None
    target = np.zeros(len(names))
    for own in found:
        target[list(own)] += 1 / (len(own) * len(found))
    return target


def _features(gathered: Sequence[Gathered]) -> dict[str, float]:
    pairs = [(one.rows, one.target) for one in gathered if one.target is not None]
    if len(pairs) < FEWEST:
        raise InputError(
            f"{len(pairs)} questions have an answer among the names that were found, and {FEWEST} are needed",
            "the dataset",
            "import more of BioASQ's golden files",
        )
    weights = conditional_logit([rows for rows, _ in pairs], [target for _, target in pairs])
    return dict(zip(FEATURES, map(float, weights), strict=True))


def _reading(gathered: Sequence[Gathered], namer: Namer) -> dict[str, float]:
    """How much the reader's word counts beside the score before it, whose own weight is 1; nothing if it misleads."""
    if not namer.answering:
        return {ranking.SHARE: 0.0, ranking.UNSEEN: 0.0}
    rows, right = list[Floats](), list[Floats]()
    with Progress("reading", len(gathered), "questions") as bar:
        for one in gathered:
            chosen, before = namer.likeliest(one.likeliest)
            target = _targets(one.question, chosen)
            if target is not None and len(chosen) > 1:
                said = ranking.reading(namer.shares(one.likeliest, chosen))
                rows.append(np.column_stack([before, said]))
                right.append(target)
            bar.advance()
    own, share, unseen = conditional_logit(rows, right)
    if share <= 0:
        return {ranking.SHARE: 0.0, ranking.UNSEEN: 0.0}
    scale = max(float(own), 1e-3)
    return {ranking.SHARE: float(share) / scale, ranking.UNSEEN: float(unseen) / scale}


def _confidence(ranked: Sequence[tuple[QuestionInstance, Ranked]], kind: str) -> tuple[float, ...]:
    """Weights of names.CONFIDENCE, of the answers that would be given to questions of a kind."""
    rows, right = list[Floats](), list[bool]()
    for question, own in ranked:
        if question.type == kind:
            most = FIRST_LIST if kind == LIST else FIRST_FACTOID
            rows.append(confidence_rows(own.scores, own.overlaps)[:most])
            gold = {name.lower() for entry in entries(question) for name in entry}
            right += [name.text.lower() in gold for name in own.names[:most]]
    if len(set(right)) < 2:
        raise InputError(
            f"the newest questions have no {kind} with right and wrong names, so nothing tells how sure one can be",
            "the dataset",
            "import more of BioASQ's golden files",
        )
    return fitted_confidence(np.concatenate(rows), right)


def _enough(ranked: Sequence[tuple[QuestionInstance, Ranked]], namer: Namer) -> float:
    """The confidence from which on names belong to a list: that of the best mean F1."""
    lists = [(entries(question), own) for question, own in ranked if question.type == LIST]
    sure = [namer.confidences(LIST, own)[:FIRST_LIST] for _, own in lists]
    if not lists:
        return UNFITTED

    def f1(level: float) -> float:
        return fmean(
            listed(gold, [name.text for name in own.names[: max(1, int((values >= level).sum()))]]).f1
            for (gold, own), values in zip(lists, sure, strict=True)
        )

    levels = sorted({round(float(value), 3) for values in sure for value in values})
    return max(levels, key=lambda level: (f1(level), -level))
