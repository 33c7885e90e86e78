"""Looking at a dataset or at one of its instances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.reports.report import Report


def show(
    dataset: PathLike | Dataset,
    *,
    beside: str | None = None,
    against: Sequence[PathLike] = (),
    labels: PathLike | None = None,
    samples: int | None = 0,
    seed: int = 0,
) -> Report:
    """Size beside the paper's, drops per rule, repairs; of cloze questions structural shortcuts, of decisions topics
    and question types.

    beside: which published set stands beside it ("large", "lite", "tiny"; default: the one it resembles by name).
    against: of decisions, files of documents with MeSH headings; topics are listed that the dataset has more often.
    labels: of decisions, a file of labels for instances, such as Table 3's (datasets/label_file.py). samples: of
    decisions, how many instances of each subset to show, drawn by seed (None: as many as a page of the kind shows).
    """
    from anagnosis.reports.datasets.shown import Asked, shown
    from anagnosis.submissions.label_factors import labels_of

    opened = load(dataset)
    how = shown(opened.kind.name)
    given = labels_of(opened, labels)
    drawn = how.samples if samples is None else samples
    return how.dataset(opened, Asked(beside, against, given, drawn, seed))


def show_instance(
    dataset: PathLike | Dataset, ident: str, files: Sequence[PathLike] = (), *, view: str | None = None
) -> Report:
    """One instance as BIOMRC's Figures 1 and 4 show it, with gold's, people's and systems' answers from files.

    An id of a document lists the instances that were made of it.
    """
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.gold import ids_of
    from anagnosis.files import display_name
    from anagnosis.predictions import fingerprints, match_files, split_of
    from anagnosis.reports.datasets.shown import Chosen, shown

    opened = load(dataset)
    how = shown(opened.kind.name)
    try:
        split, instance = store.find(opened, ident)
    except InputError:
        instances = [] if files or view or how.document is None else store.of_document(opened, ident)
        if how.document is None or not instances:
            raise
        return how.document(ident, instances)
    if not files:
        return how.instance(Chosen(opened, split, instance, view))
    ids = {name: ids_of(opened, name) for name in opened.rows}
    for path in files:
        found = split_of(path, ids, partial(fingerprints, opened))
        if found != split:
            what = f"its answers are for {found}, and {ident} is in {split}"
            raise InputError(what, display_name(path), f"give the file for {split}")
    gold, matched = match_files(files, opened, split)
    row = int(gold.ids.rows([ident])[0])
    return how.instance(Chosen(opened, split, instance, view, gold, row, matched))
