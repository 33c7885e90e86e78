"""The verb that writes a submission to BioASQ: submit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.kinds.question import QuestionInstance
    from anagnosis.predictions import Prediction
    from anagnosis.searching.index.index import Index
    from anagnosis.submissions.bioasq.rules import Texts
    from anagnosis.submissions.bioasq.submit import Submission


def submit(
    dataset: shared.DatasetFolder,
    files: Annotated[PathLike | Sequence[PathLike], Option(metavar="[PREDICTIONS|RUN_FOLDER...]")] = (),
    *,
    phase: Annotated[str, Option("A: documents and snippets; B: exact and ideal answers.", metavar="A|B")],
    out: Annotated[PathLike, Option("The submission to write (JSON).")],
    index: Annotated[
        PathLike | Index | None,
        Option(
            "A collection: retrieve ten documents and ten snippets from it, or compare given snippets with its texts.",
            metavar="INDEX_FOLDER",
        ),
    ] = None,
    split: Annotated[
        str | None, Option("train, dev or test (default: that of the predictions; else test).")
    ] = None,
    ranking: shared.Ranking = None,
    encoder: shared.MovedEncoder = None,
    replace: shared.Replace = False,
) -> Submission:
    """Write answers as a submission to task B of BioASQ, or refuse what the task does not allow.

    PREDICTIONS are lines of `predict`, or a submission; of several files no two may answer one question. Refused are
    foreign and repeated ids, answers of another type, more than 5 names (factoid), 100 names (list), 10 documents or
    snippets, or 200 words (ideal answer), addresses that are none, and offsets that do not give their text. `check`
    lists every fault. Every question is written.
    \f
    All questions of a split are written, or nothing. InputError: what the task does not allow
    (submissions/bioasq/rules.py), with the number of faults.
    """
    from anagnosis.io import outputs
    from anagnosis.io.files import atomic_write
    from anagnosis.submissions.bioasq import submit as submitting

    if phase not in submitting.PHASES:  # before files, which may be large, are read
        raise unknown_name("phase", phase, submitting.PHASES, "--phase")
    opened = load(dataset)
    given_files = [files] if isinstance(files, PathLike) else files
    if given_files and (ranking is not None or encoder is not None):
        what = "--ranking and --encoder order what an index retrieves, and answers are given"
        raise InputError(what, str(given_files[0]), "leave them out, or leave the file out")
    inputs = (opened.folder, *given_files, index if isinstance(index, PathLike) else None)
    outputs.output_file(out, inputs=inputs, replace=replace)
    collection = _opened(index, encoder)
    if not given_files:
        if collection is None or phase != "A":
            remedy = "name predictions, or give --phase A with --index for what a collection retrieves"
            raise InputError("no answers to submit", "", remedy)
        return _retrieved(opened, collection, out, split, ranking)
    paths = [predictions_of(opened, Path(file), split) for file in given_files]
    given = submitting.checked(opened, paths, phase, split, document_texts(collection))
    unknown = given.problems.counts.get("unknown_fields", 0)
    lines = {ident: line for ident, (_, line) in given.found.items()}
    with atomic_write(out) as stream:
        return submitting.write(
            stream, opened, given.split, phase, lambda question: lines.get(question.id), unknown
        )


def predictions_of(dataset: Dataset, file: Path, split: str | None) -> Path:
    """A predictions file, or that of a run folder."""
    if not file.is_dir():
        return file
    from anagnosis.submissions.matched import predictions_file

    return predictions_file(file, dataset, split or _usual(dataset))


def document_texts(index: PathLike | Index | None) -> Texts | None:
    """The titles and abstracts of a collection, by PMID."""
    collection = _opened(index, None)
    if collection is None:
        return None
    from anagnosis.submissions.bioasq.retrieval import texts_of

    return texts_of(collection)


def _retrieved(
    dataset: Dataset, index: Index, out: PathLike, split: str | None, ranking: str | None
) -> Submission:
    from anagnosis.io.files import atomic_write
    from anagnosis.submissions.bioasq import submit as submitting
    from anagnosis.submissions.bioasq.retrieval import retrieve

    def retrieved(question: QuestionInstance) -> Prediction | None:
        found = retrieve(index, question.id, question.question, ranking)
        return found if found.documents else None

    chosen = split or _usual(dataset)
    if chosen not in dataset.sizes:
        raise unknown_name("split", chosen, dataset.sizes, "--split")
    with atomic_write(out) as stream:
        return submitting.write(stream, dataset, chosen, "A", retrieved)


def _usual(dataset: Dataset) -> str:
    if "test" in dataset.sizes or len(dataset.sizes) != 1:
        return "test"
    return next(iter(dataset.sizes))


def _opened(index: PathLike | Index | None, encoder: str | None) -> Index | None:
    if not isinstance(index, PathLike):
        return index
    from anagnosis.api.searching import open_collection

    return open_collection(index, encoder)
