"""The verbs that look at what there is: show, show_index, show_instance, check; report, of a verb's record;
described, recipe and recipe_text, of formats, datasets, readers, measures and recipes by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.api.searching import open_collection
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.dataset_check import DatasetCheck
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.evaluation.dataset_statistics import DatasetStatistics, InstanceWithAnswers
    from anagnosis.reports.report import Report
    from anagnosis.searching.index.index_check import IndexCheck
    from anagnosis.searching.records.passage import IndexPapers
    from anagnosis.submissions.bioasq.checking import SubmissionCheck


def show(
    dataset: Annotated[PathLike | Dataset, Option(metavar="DATASET_FOLDER|INDEX_FOLDER")],
    *,
    beside: Annotated[
        str | None,
        Option("The published set to compare with: large, lite, tiny, bioread, clicr, …", metavar="SET"),
    ] = None,
) -> DatasetStatistics[Any]:
    """Show a dataset: its size beside the paper's, what each rule dropped, repairs; shortcuts.

    The command's `--instance` shows one of them, with gold, people's answers and those in the predictions files.
    Of an index: its papers, the latest first, each with its title, year, source and file.
    \f
    beside: by default the published set of the dataset's paper that it resembles.
    """
    from anagnosis.evaluation.dataset_statistics import dataset_statistics

    return dataset_statistics(load(dataset), beside)


def show_index(folder: PathLike) -> IndexPapers:
    """The numbers of an index, its papers (at most 100,000, the latest first), and those that stand alone.

    That it is unfinished, or lists not all of its papers, is reported on standard error.
    """
    from anagnosis.progress import print_note
    from anagnosis.searching.index.paper_names import index_papers
    from anagnosis.searching.index.sources import PageFiles

    with closing(open_collection(folder)) as opened:
        found = index_papers(opened.engine, PageFiles(opened.folder))
    if len(found.papers) < found.documents:
        print_note(f"{folder}: {len(found.papers):,} of {found.documents:,} papers are listed, the latest")
    return found


def show_instance(
    dataset: shared.DatasetFolder,
    ident: str,
    files: Sequence[PathLike] = (),
    *,
    view: Annotated[
        str | None, Option("How to show it: global, local, names or another view (docs/formats.md).")
    ] = None,
) -> InstanceWithAnswers[Any]:
    """One instance as BIOMRC's Figures 1 and 4 show it, with gold's, people's and systems' answers from files."""
    from anagnosis.datasets.folder import store
    from anagnosis.evaluation.dataset_statistics import instance_with_answers

    opened = load(dataset)
    split, instance = store.find(opened, ident)
    return instance_with_answers(opened, split, instance, view=view, files=files)


def check(
    folder: Annotated[PathLike | Dataset, Option(metavar="DATASET_FOLDER|INDEX_FOLDER")],
    file: Annotated[PathLike | None, Option(metavar="[SUBMISSION]")] = None,
    *,
    split: Annotated[
        str | None, Option("Of a submission: train, dev or test (default: that of its ids).")
    ] = None,
) -> DatasetCheck | IndexCheck | SubmissionCheck:
    """Verify the hashes of all files, the sums of the receipt, and what must hold of every instance.

    Of an index: the checksums of all files, papers and vectors, and whether indexing finished. Of answers to the
    questions of a dataset, predictions or a submission to BioASQ: what its task B does not allow (`submit` refuses it).
    Ends with exit code 2 if anything is wrong, with one line per problem.
    \f
    InputError: a split without a file.
    """
    from anagnosis.io.folders import kind_of

    is_index = isinstance(folder, PathLike) and kind_of(Path(folder)) == "index"
    if file is not None:
        from anagnosis.submissions.bioasq.checking import check as check_answers

        return check_answers(load(folder), [Path(file)], split)[0]
    if split is not None:
        raise InputError("--split is of answers, and no file is given", "FILE", "name the file")
    if isinstance(folder, PathLike) and is_index:
        from anagnosis.searching.index.index_check import check_index

        return check_index(Path(folder))
    from anagnosis.datasets.folder import store
    from anagnosis.datasets.folder.dataset_check import check_dataset

    return check_dataset(store.load(folder, verified=False) if isinstance(folder, PathLike) else folder)


def report(record: object) -> Report:
    """The report of what another verb returned: `report(score(…))`; `anagnosis.reports.save` writes it to a file."""
    from anagnosis.reports.records import has_report
    from anagnosis.reports.records import report as made

    if not has_report(record):
        raise InputError(
            "not what a verb returns", "record", "give the result of score, compare, evaluate, …"
        )
    return made(record)


def described(
    table: Literal["formats", "datasets", "readers", "recipes", "measures", "retrieval_measures"],
) -> dict[str, str]:
    """name → what it is in one line.

    table: formats, datasets, readers, recipes, measures (of predictions) or retrieval_measures (of rankings).
    """
    from anagnosis.registry import headline, known

    if table == "recipes":
        from anagnosis.recipes import load as recipes

        return {name: recipes.headline(name) for name in recipes.names()}
    if table == "datasets":
        from anagnosis.datasets import definition

        return definition.described()
    if table == "measures":
        from anagnosis.evaluation.measures import measure

        return measure.described()
    if table == "retrieval_measures":
        from anagnosis.evaluation.retrieval import RETRIEVAL_MEASURES

        judges = "(a search's ranking: evaluate-search)"
        return {name: f"{headline(path)} {judges}" for name, path in RETRIEVAL_MEASURES.items()}
    if table == "formats":
        from anagnosis.documents.formats import FORMATS, UNMARKED
        from anagnosis.documents.formats.detect import GROUP

        entries = known({**FORMATS, **UNMARKED}, GROUP)
    else:
        from anagnosis.readers import GROUP, READERS

        entries = known(READERS, GROUP)
    return {name: headline(path) for name, path in entries.items()}


def recipe(name: PathLike) -> dict[str, Any]:
    """A recipe as plain data."""
    from anagnosis.recipes import load as recipes

    return recipes.load(name)


def recipe_text(name: str) -> str:
    """A recipe that comes with anagnosis as its TOML text, comments and all."""
    from anagnosis.recipes import load as recipes

    return recipes.text(name)
