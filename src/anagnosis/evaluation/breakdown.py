"""Measures taken apart: by number of candidates (BIOMRC, Figure 3), type, familiarity, by labels.

A factor gives every instance of a split one of a few labels, or several of them (CliCR's skills). An instance is in the
slice of each of its labels, one without a label in none. The number of instances of each slice beside its accuracy is
the histogram of Figure 3. Neighbouring numbers are joined until a slice has enough instances to say something of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets import label_file
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.label_file import LabelFile
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.answer_texts import AS_PUBLISHED
from anagnosis.evaluation.run_measurements import RunMeasurements
from anagnosis.io.paths import PathLike
from anagnosis.word_vectors.namespaces import namespace

LEAST = 20  # instances of a slice of numbers: from there on a 95 % interval by Wilson is 20 points to a side at most
FAMILIARITY = ("answer in train", "candidate in train", "not in train")
SEEN = ("seen in train", "unseen in train")
CUT_OFF = "cut-off"

DRAWS_OF_SLICES = 500  # of intervals by bootstrap: there are many slices, and their intervals are wide


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """code: int64 [n], place of each instance's label in labels, -1 for none; [n, k] where an instance has up to k."""

    name: str
    code: Longs
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """The instances with one label. n: how many. measures: by name, without those that have no value.

    support: where all instances have the same labels, how many have each as gold.
    """

    label: str
    n: int
    measures: dict[str, Estimate]
    support: dict[str, int]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The slices of one factor in the order of its labels, without empty ones."""

    factor: str
    slices: tuple[Slice, ...]


def breakdown(
    gold: Gold,
    factor: Factor,
    measurements: Mapping[str, RunMeasurements],
    rows: Longs,
    rows_of: Mapping[str, Longs] | None = None,
) -> Breakdown:
    """measurements: by name of the measure, of the instances `rows` of the split. Intervals are by instance.

    rows_of: by name, those of `rows` that the measure judges (default: all).
    """
    codes = factor.code[rows]
    slices: list[Slice] = []
    for place, label in enumerate(factor.labels):
        own = np.flatnonzero((np.atleast_2d(codes.T) == place).any(axis=0))
        if not len(own):
            continue
        found: dict[str, Estimate] = {}
        for name, every in measurements.items():
            judged = own if rows_of is None else np.flatnonzero(np.isin(rows_of[name], rows[own]))
            if (part := every.of(judged)) is not None:
                found[name] = part.estimate(draws=DRAWS_OF_SLICES)
        counts = np.bincount(gold.answer[rows[own]], minlength=len(gold.labels)) if gold.labels else ()
        support = dict(zip(gold.labels, map(int, counts)))
        slices.append(Slice(label, len(own), found, support))
    return Breakdown(factor.name, tuple(slices))


def labelled(name: str, labels: Iterable[str | Sequence[str]], order: Sequence[str] = ()) -> Factor:
    """A factor from the label of each instance of the split, "" for none, or from its labels.

    order: of labels; others follow by name.
    """
    of_instances = [(given,) if isinstance(given, str) else tuple(given) for given in labels]
    present = {label for given in of_instances for label in given if label}
    known = [label for label in order if label in present]
    known += sorted(present.difference(known))
    places = {label: place for place, label in enumerate(known)}
    code = np.full((len(of_instances), max(map(len, of_instances), default=0) or 1), -1, np.int64)
    for row, given in enumerate(of_instances):
        for column, label in enumerate(given):
            code[row, column] = places.get(label, -1)
    return Factor(name, code[:, 0] if code.shape[1] == 1 else code, tuple(known))


def labels_of(dataset: Dataset, path: PathLike | None) -> LabelFile | None:
    """A user's label file, held against all ids of the dataset."""
    if path is None:
        return None
    ids = {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}
    return label_file.read(path, ids)


def factors_of(dataset: Dataset, split: str, labels: LabelFile | None) -> list[Factor]:
    """The factors of a split that the columns of a label file give."""
    if labels is None:
        return []
    ids = [ident for ident, _ in store.ids_and_keys(dataset, split)]
    found = [labelled(name, (of.get(ident, ()) for ident in ids)) for name, of in labels.columns.items()]
    return [factor for factor in found if factor.labels]


def factors(gold: Gold, train: Gold | None = None) -> list[Factor]:
    """All that the split allows: candidates and types where they differ, familiarity where there is a train part; of
    sentences nothing."""
    if gold.holds_answer is not None:
        return []
    found = [] if gold.labels else [candidates(gold), entity_type(gold)]
    if train is not None and not gold.labels:
        found.append(familiarity(gold, train))
    return found


def seen_answers(gold: Gold, train: Gold, protocol: str) -> Factor:
    """Whether the hidden text is that of a train question too, both lower-cased; "" where it is not known.

    CliCR's program, and so the protocol *as-published*, lower-cases those of train alone.
    """
    known = {entries[0][0].lower() for entries in train.exact or () if entries is not None}
    hidden = [None if entries is None else entries[0][0] for entries in gold.exact or ()]
    if protocol != AS_PUBLISHED:
        hidden = [None if text is None else text.lower() for text in hidden]
    labels = ("" if text is None else SEEN[text not in known] for text in hidden)
    return labelled("right answer", labels, SEEN)


def cut_off(dataset: Dataset, split: str, date: str) -> Factor:
    """Whether a language model's texts, which reach to the end of that day, month or year, may have the instance.

    Its own date may be the year or month that contains the other, or not be known, as of all BioASQ's questions.
    """
    read = store.batches(dataset, split, 8192, ["date"]) if "date" in dataset.kind.schema.names else ()
    dates = chain.from_iterable(batch.column("date").to_pylist() for batch in read)
    periods = [2 if own != date and date.startswith(own) else int(own[: len(date)] > date) for own in dates]
    code = np.array(periods or [2] * dataset.size(split), np.int64)
    return Factor(f"{CUT_OFF} {date}", code, (f"until {date}", f"after {date}", "no exact date"))


def candidates(gold: Gold) -> Factor:
    """How many candidates the instance has: the numbers that occur, neighbours joined to LEAST answered."""
    present, code = np.unique(np.diff(gold.starts), return_inverse=True)
    joined = _joined(np.bincount(code[gold.answer >= 0], minlength=len(present)).tolist(), LEAST)
    labels: list[str] = []
    for slice_ in range(max(joined, default=-1) + 1):
        own = present[np.array(joined) == slice_]
        low, high = int(own[0]), int(own[-1])
        labels.append(str(low) if low == high else f"{low}–{high}")
    return Factor("candidates", np.array(joined, np.int64)[code], tuple(labels))


def entity_type(gold: Gold) -> Factor:
    """The type of the right candidate, by its namespace: Disease and SpecificDisease are one.

    Of a question that texts judge and whose right candidate, if it has one, has no type: the type of the hidden text.
    """
    code = np.full(len(gold), -1, np.int64)
    code[gold.answer >= 0] = gold.type[_answers(gold)]
    texts: list[str] = gold.type_texts.to_pylist()
    code[_without_candidate(gold)] = len(texts)
    texts.append("")
    if gold.exact_types is not None:
        types = {text: place for place, text in enumerate(dict.fromkeys(gold.exact_types), len(texts))}
        untyped = np.flatnonzero(np.isin(code, [place for place, text in enumerate(texts) if not text]))
        code[untyped] = [types[gold.exact_types[row]] for row in untyped.tolist()]
        texts += types
    spaces = [namespace(text) for text in texts]
    labels = tuple(sorted({spaces[place] for place in code[code >= 0].tolist()}))
    places = {label: place for place, label in enumerate(labels)}
    place = np.array([*(places.get(space, -1) for space in spaces), -1], np.int64)
    return Factor("entity type", place[code], labels)


def familiarity(gold: Gold, train: Gold) -> Factor:
    """Whether the right candidate is an answer in the train part, only a candidate there, or not there at all.

    Candidates are the same if their keys are. It says nothing where a key has no meaning beyond its instance
    (local numbers), and of a question without a right candidate.
    """
    level = np.full(len(train.key_texts) + 1, 1, np.int64)
    level[train.key[_answers(train)]] = 0
    level[-1] = 2
    places = {text: place for place, text in enumerate(train.key_texts.to_pylist())}
    texts: list[str] = gold.key_texts.to_pylist()
    of_text = level[[places.get(text, -1) for text in texts]] if texts else level[:0]
    code = np.full(len(gold), -1, np.int64)
    code[gold.answer >= 0] = of_text[gold.key[_answers(gold)]]
    return Factor("familiarity", code, FAMILIARITY)


def _answers(gold: Gold) -> Longs:
    """The place of each right candidate among all candidates, for the instances that have one."""
    known = gold.answer >= 0
    return gold.starts[:-1][known] + gold.answer[known]


def _without_candidate(gold: Gold) -> Longs:
    """The instances of which right texts are known, and no right candidate."""
    known = [entries is not None for entries in gold.exact or [None] * len(gold)]
    return np.flatnonzero(np.array(known, np.bool_) & (gold.answer < 0))


def _joined(counts: Sequence[int], least: int) -> list[int]:
    """The slice of each group: neighbours joined from the left until they have `least`, a rest with the last."""
    slices: list[int] = []
    current = total = 0
    for count in counts:
        if total >= least:
            current, total = current + 1, 0
        slices.append(current)
        total += count
    return (
        [current - 1 if place == current else place for place in slices]
        if current and total < least
        else slices
    )
