"""What scores are taken apart by besides what the gold side says: a user's labels, and what questions are like."""

from __future__ import annotations

import numpy as np

from anagnosis.datasets import label_file
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.label_file import LabelFile
from anagnosis.evaluation.breakdown import Factor, doubling, labelled
from anagnosis.io.paths import PathLike

WORDS = "words of the question"


def labels_of(dataset: Dataset, path: PathLike | None) -> LabelFile | None:
    """A user's label file, held against all ids of the dataset."""
    if path is None:
        return None
    ids = {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}
    return label_file.read(path, ids)


def factors_of(dataset: Dataset, split: str, labels: LabelFile | None) -> list[Factor]:
    """The factors of a split: those of its questions, and the columns of the label file."""
    columns = {} if labels is None else labels.columns
    of_questions = FACTORS.get(dataset.kind.name)
    found = [of_questions(dataset, split)] if of_questions and WORDS not in columns else []
    ids = [ident for ident, _ in store.ids_and_keys(dataset, split)] if columns else []
    found += (labelled(column, (of.get(ident, ()) for ident in ids)) for column, of in columns.items())
    return [factor for factor in found if factor.labels]


def question_words(dataset: Dataset, split: str) -> Factor:
    """How many words a question has."""
    words = (len(question.split()) for _, question in store.questions(dataset, split))
    return doubling(WORDS, np.fromiter(words, np.int64))


FACTORS = {"evidence": question_words}  # by kind, what its questions are taken apart by
