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
            "A collection: its ten best documents for each question, in place of files.",
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
    if given_files and any(each is not None for each in (index, ranking, encoder)):
        what = "--index, --ranking and --encoder are of what an index retrieves, and answers are given"
        raise InputError(what, str(given_files[0]), "leave them out, or leave the file out")
    if not given_files and (index is None or phase != "A"):
        remedy = "name predictions, or give --phase A with --index for what a collection retrieves"
        raise InputError("no answers to submit", "", remedy)
    inputs = (opened.folder, *given_files, index if isinstance(index, PathLike) else None)
    outputs.output_file(out, inputs=inputs, replace=replace)
    if index is not None:
        from anagnosis.api.searching import open_collection
        from anagnosis.submissions.bioasq.retrieval import retrieve

        collection = open_collection(index, encoder) if isinstance(index, PathLike) else index
        chosen, unknown = split or _usual(opened), 0

        def answer_to(question: QuestionInstance) -> Prediction | None:
            return retrieve(collection, question.id, question.question, ranking)

    else:
        paths = [predictions_of(opened, Path(file), split) for file in given_files]
        chosen, answers, unknown = submitting.checked(opened, paths, phase, split)

        def answer_to(question: QuestionInstance) -> Prediction | None:
            return answers.get(question.id)

    if chosen not in opened.sizes:
        raise unknown_name("split", chosen, opened.sizes, "--split")
    with atomic_write(out) as stream:
        return submitting.write(stream, opened, chosen, phase, answer_to, unknown)


def predictions_of(dataset: Dataset, file: Path, split: str | None) -> Path:
    """A predictions file, or that of a run folder."""
    if not file.is_dir():
        return file
    from anagnosis.submissions.matched import predictions_file

    return predictions_file(file, dataset, split or _usual(dataset))


def _usual(dataset: Dataset) -> str:
    if "test" in dataset.sizes or len(dataset.sizes) != 1:
        return "test"
    return next(iter(dataset.sizes))
