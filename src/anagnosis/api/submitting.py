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
    from anagnosis.submissions.bioasq.submit import Submission


def submit(
    dataset: shared.DatasetFolder,
    files: Annotated[PathLike | Sequence[PathLike], Option(metavar="PREDICTIONS|RUN_FOLDER...")],
    *,
    phase: Annotated[str, Option("A: documents and snippets; B: exact and ideal answers.", metavar="A|B")],
    out: Annotated[PathLike, Option("The submission to write (JSON).")],
    split: Annotated[
        str | None, Option("train, dev or test (default: that of the predictions; else test).")
    ] = None,
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
    given = [files] if isinstance(files, PathLike) else files
    if not given:
        raise InputError("no answers to submit", "", "name predictions")
    outputs.output_file(out, inputs=(opened.folder, *given), replace=replace)
    paths = [predictions_of(opened, Path(file), split) for file in given]
    chosen, answers, unknown = submitting.checked(opened, paths, phase, split)
    with atomic_write(out) as stream:
        return submitting.write(stream, opened, chosen, phase, answers, unknown)


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
