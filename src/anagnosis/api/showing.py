"""The verbs that look at a dataset, at one of its instances, or at an index: show, show_instance, show_index."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from anagnosis.api.datasets import load
from anagnosis.api.searching import open_collection
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.evaluation.dataset_statistics import (
        DatasetStatistics,
        DocumentInstances,
        InstanceWithAnswers,
    )
    from anagnosis.searching.records.paper import IndexPapers


def show(
    dataset: PathLike | Dataset,
    *,
    beside: str | None = None,
    against: Sequence[PathLike] = (),
    labels: PathLike | None = None,
    terms: PathLike | None = None,
    samples: int | None = 0,
    seed: int = 0,
) -> DatasetStatistics[Any]:
    """Size beside the paper's, drops per rule, repairs; of cloze questions structural shortcuts, of decisions topics
    and question types.

    beside: of cloze questions, the published set that stands beside it ("lite", "bioread-lite", "biomrc:lite"; default:
    the one of the dataset's paper that it resembles).
    against: of decisions, files of documents with MeSH headings; topics are listed that the dataset has more often.
    labels: of decisions and cloze questions, a file of labels for instances, such as Table 3's or skills
    (datasets/label_file.py). samples: of decisions, how many instances of each subset to show, drawn by seed (None: as
    many as a page of the kind shows).
    terms: of cloze questions, a stored vocabulary (`anagnosis terms`), whose names of the answer are looked up in the
    question.
    """
    from anagnosis.datasets.kinds.kind import StatisticsOptions
    from anagnosis.entities.vocabulary import Vocabulary
    from anagnosis.evaluation.dataset_statistics import dataset_statistics
    from anagnosis.submissions.label_factors import labels_of

    opened = load(dataset)
    drawn = opened.kind.samples if samples is None else samples
    with nullcontext() if terms is None else Vocabulary(terms) as vocabulary:
        options = StatisticsOptions(beside, labels_of(opened, labels), drawn, seed, vocabulary)
        return dataset_statistics(opened, options, against=against)


def show_index(folder: PathLike) -> IndexPapers:
    """The numbers of an index, and its papers that stand alone.

    That it is unfinished is reported on standard error.
    """
    from anagnosis.searching.index.paper_names import index_papers

    opened = open_collection(folder)
    try:
        return index_papers(opened.engine)
    finally:
        opened.close()


def show_instance(
    dataset: PathLike | Dataset, ident: str, files: Sequence[PathLike] = (), *, view: str | None = None
) -> InstanceWithAnswers[Any] | DocumentInstances[Any]:
    """One instance as BIOMRC's Figures 1 and 4 show it, with gold's, people's and systems' answers from files.

    An id of a document lists the instances that were made of it.
    """
    from anagnosis.datasets.folder import store
    from anagnosis.evaluation.dataset_statistics import document_instances, instance_with_answers

    opened = load(dataset)
    try:
        split, instance = store.find(opened, ident)
    except InputError:
        listed = None if files or view else document_instances(opened, ident)
        if listed is None:
            raise
        return listed
    return instance_with_answers(opened, split, instance, view=view, files=files)
