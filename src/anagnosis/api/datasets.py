"""Verbs over datasets: build, explain, load, show, check, diff, sample, import, export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.errors import InputError, unknown_name

if TYPE_CHECKING:
    from anagnosis.datasets.checking import Findings
    from anagnosis.datasets.decision import Subset
    from anagnosis.datasets.differences import Difference
    from anagnosis.datasets.explanation import Explanation
    from anagnosis.datasets.instance import ClozeInstance
    from anagnosis.datasets.layouts import Exported
    from anagnosis.datasets.pubmedqa.statistics import Statistics
    from anagnosis.datasets.store import Dataset
    from anagnosis.evaluation.over_represented import Topic
    from anagnosis.reports.instance import GivenAnswer
    from anagnosis.reports.report import Report

PathLike = str | Path
VIEW_LAYOUTS = ("parquet", "jsonl")
TASK_LAYOUT = "lm-eval"
LAYOUTS = ("biomrc", "pubmedqa", "pubmedqa-folds", *VIEW_LAYOUTS, TASK_LAYOUT)
LAYOUT_OF = {"cloze": "biomrc", "decision": "pubmedqa"}  # the authors' own, of each kind of instances


def build(
    dataset: str,
    paths: Sequence[PathLike],
    out: PathLike,
    *,
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
    dates: PathLike | None = None,
    limit: int | None = None,
    format: str | None = None,
    encoding: str | None = None,
    accept_truncated: bool = False,
    block_bytes: int = 8 << 20,
    workers: int | None = None,
    cluster: str | None = None,
    replace: bool = False,
) -> Dataset:
    """Build a dataset from files of documents.

    recipe: a recipe's name or file (default: the dataset's own). settings: keys of the recipe to change.
    dates: a MEDLINE file or a table of id and date. workers: processes here (default: one a processor, and this one
    alone for small inputs); cluster: address of a dask scheduler.
    replace: a finished dataset of another recipe or input may lie in `out`, and goes once this one is ready.
    block_bytes: how much text a worker gets at a time; it changes memory and speed, no result.
    """
    from anagnosis import shards
    from anagnosis.datasets import three_phases
    from anagnosis.datasets.inputs import InputFiles

    builder, config, spelled_out = _dataset_recipe(dataset, recipe, settings)
    inputs = InputFiles(
        paths,
        format=format,
        encoding=encoding,
        limit=limit,
        block_bytes=block_bytes,
        accept_truncated=accept_truncated,
    )
    count = 1 if workers is None and inputs.is_small else workers
    make_pool = shards.dask(cluster) if cluster else shards.local(count)
    return three_phases.build(
        builder.__name__,
        config,
        spelled_out,
        inputs,
        out,
        make_pool,
        dates=dates,
        choices=builder.choices(config),
        shared_disk=cluster is not None,
        replace=replace,
    )


def explain(
    dataset: str,
    paths: Sequence[PathLike],
    ident: str,
    *,
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
    format: str | None = None,
    encoding: str | None = None,
) -> list[Explanation]:
    """What the rules say of every document of that id."""
    from importlib import import_module

    from anagnosis.datasets.inputs import InputFiles

    builder, config, _ = _dataset_recipe(dataset, recipe, settings)
    explained = import_module(f"{builder.__name__.rpartition('.')[0]}.explain").explain
    found = list(explained(InputFiles(paths, format=format, encoding=encoding), ident, config))
    if not found:
        raise InputError(f"no document {ident!r} in the input", "--explain", "check the id")
    return found


def load(folder: PathLike | Dataset) -> Dataset:
    """Open a dataset folder."""
    from anagnosis.datasets import store

    return folder if isinstance(folder, store.Dataset) else store.load(folder)


def show(
    dataset: PathLike | Dataset, *, beside: str | None = None, against: Sequence[PathLike] = ()
) -> Report:
    """Size beside the paper's, drops per rule, repairs; of cloze questions structural shortcuts, of decisions topics.

    beside: which published set stands beside it ("large", "lite", "tiny"; default: the one it resembles by name).
    against: of decisions, files of documents with MeSH headings; topics are listed that the dataset has more often.
    """
    from anagnosis.datasets import shortcuts, store
    from anagnosis.datasets.biomrc import statistics
    from anagnosis.datasets.biomrc.layout import published_size
    from anagnosis.datasets.kinds import DECISION
    from anagnosis.reports.dataset import dataset_report

    opened = load(dataset)
    if opened.kind.name == DECISION:
        return _show_decisions(opened, against)
    if against:
        raise InputError("has no topics to compare", str(opened.folder), "leave --against away")
    forms = {"text_form": opened.text_form, "numbering": opened.numbering}

    def splits() -> dict[str, Iterator[ClozeInstance]]:
        return {split: store.instances(opened, split) for split in opened.rows}

    columns = statistics.statistics(splits(), **forms)
    found = shortcuts.card(splits())
    prints = {split: store.fingerprint(opened, split) for split in opened.rows}
    return dataset_report(opened, columns, found, prints, beside=beside or published_size(opened))


def _show_decisions(dataset: Dataset, against: Sequence[PathLike]) -> Report:
    from anagnosis.datasets import store
    from anagnosis.datasets.pubmedqa.statistics import statistics
    from anagnosis.language.words import counter
    from anagnosis.reports.decisions import decisions_report

    name, count = counter()
    found = statistics((i for split in dataset.rows for i in store.decisions(dataset, split)), count)
    prints = {split: store.fingerprint(dataset, split) for split in dataset.rows}
    topics = _over_represented(dataset, found, against) if against else None
    return decisions_report(dataset, found, name, prints, topics)


def _over_represented(
    dataset: Dataset, found: Mapping[Subset, Statistics], against: Sequence[PathLike]
) -> tuple[int, list[Topic]]:
    """(documents with topics that are not in the dataset, the topics that the dataset has more often)."""
    from collections import Counter

    from anagnosis.api.documents import read
    from anagnosis.datasets import store
    from anagnosis.documents.detect import suffixes
    from anagnosis.evaluation.over_represented import over_represented
    from anagnosis.files import input_files

    own = {ident for ident, _ in store.ids_and_keys(dataset, store.ALL)}
    there: Counter[str] = Counter()
    documents = 0
    for _, path in input_files(against, suffixes()):
        for document in read(path):
            if document.id in own:
                continue
            topics = {topic for topic in document.facts.get("mesh", "").split("; ") if topic}
            there.update(topics)
            documents += bool(topics)
    here: Counter[str] = Counter()
    for subset in found.values():
        here.update(subset.topics)
    instances = sum(subset.with_topics for subset in found.values())
    if not documents or not instances:
        raise InputError(
            "there are no MeSH headings on one side", "--against", "name MEDLINE files that have them"
        )
    return documents, over_represented(here, instances, there, documents)


def show_instance(
    dataset: PathLike | Dataset, ident: str, files: Sequence[PathLike] = (), *, view: str | None = None
) -> Report:
    """One instance as BIOMRC's Figures 1 and 4 show it, with gold's, people's and systems' answers from files."""
    from anagnosis.datasets import store
    from anagnosis.datasets.gold import ids_of
    from anagnosis.datasets.kinds import DECISION
    from anagnosis.files import display_name
    from anagnosis.predictions import match_files, split_of
    from anagnosis.reports.decision import decision_report
    from anagnosis.reports.instance import given_answers, instance_report

    opened = load(dataset)
    split, instance = store.find(opened, ident)
    answers: list[GivenAnswer] = []
    for path in files:
        found = split_of(path, {name: ids_of(opened, name) for name in opened.rows})
        if found != split:
            what = f"its answers are for {found}, and {ident} is in {split}"
            raise InputError(what, display_name(path), f"give the file for {split}")
    if files:
        gold, matched = match_files(files, opened, split)
        answers = given_answers(matched, int(gold.ids.rows([ident])[0]))
    if opened.kind.name == DECISION:
        if view is not None:
            raise InputError("has no views", str(opened.folder), "leave --view away")
        return decision_report(instance, answers, split=split)
    shown = view or ("names" if opened.text_form == "original" else opened.numbering)
    return instance_report(
        instance,
        answers,
        split=split,
        view_name=shown,
        text_form=opened.text_form,
        numbering=opened.numbering,
    )


def check(dataset: PathLike | Dataset) -> Findings:
    """Whether a dataset folder is what its receipt says, and its instances what they should be."""
    from anagnosis.datasets import checking

    return checking.check(load(dataset))


def diff(a: PathLike | Dataset, b: PathLike | Dataset) -> list[Difference]:
    """What tells two datasets apart, from their receipts and recipes."""
    from anagnosis.datasets.differences import differences

    return differences(load(a), load(b))


def sample(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    recipe: PathLike = "biomrc-lite",
    settings: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> Dataset:
    """Draw a seeded random sample inside each split: LITE and TINY."""
    from anagnosis.datasets import sampling
    from anagnosis.recipes import load as recipes

    values = {**recipes.load(recipe), **(settings or {})}
    config = recipes.configured(sampling.SampleRecipe, values, str(recipe), apart=("sample_of",))
    return sampling.sample(load(dataset), config, out, replace=replace)


@dataclass(frozen=True, slots=True)
class CheckedLayout:
    """What the authors' files hold, without importing them.

    broken: invariant → instances. refused: those that an import would leave out, by invariant. places: the first
    hundred (where, what). files: name → the published file that it equals, empty if none.
    """

    instances: int
    broken: dict[str, int]
    refused: dict[str, int]
    places: list[tuple[str, str]]
    files: dict[str, str]


def check_layout(
    path: PathLike, *, layout: str = "biomrc", setting: str | None = None, split: str | None = None
) -> CheckedLayout:
    """Read the authors' files and say what breaks the invariants of their layout; nothing is written."""
    from anagnosis.datasets.layouts import layout_module

    found = layout_module(layout).imported(path, setting=setting, split=split)
    for instances in found.splits.values():
        for _ in instances:
            pass
    return CheckedLayout(
        found.findings.instances,
        dict(found.findings.broken),
        dict(found.findings.refused),
        [(where, f"{fault}: {what}") for where, fault, what in found.findings.places],
        dict(found.published),
    )


def import_dataset(
    path: PathLike,
    out: PathLike,
    *,
    layout: str = "biomrc",
    setting: str | None = None,
    split: str | None = None,
    replace: bool = False,
) -> Dataset:
    """Read the authors' own files into a dataset folder; every broken invariant is counted and named."""
    from anagnosis.datasets import store
    from anagnosis.datasets.layouts import layout_module
    from anagnosis.datasets.receipt import Refusal

    found = layout_module(layout).imported(path, setting=setting, split=split)
    return store.write(
        out,
        found.splits,
        found.recipe,
        inputs=found.inputs,
        dropped=found.findings.refused,
        repairs=found.findings.broken,
        refusals=lambda: [Refusal(where, f"{fault}: {what}") for where, fault, what in found.findings.places],
        choices={"published_files": {name: known for name, known in found.published.items() if known}},
        replace=replace,
    )


def export(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    layout: str | None = None,
    setting: str | None = None,
    view: str | None = None,
    compress: bool = False,
) -> list[Exported]:
    """Write a dataset in another layout.

    `biomrc`, `pubmedqa`, …: the authors' files (default: those of its kind); setting: A or B, the subset L, U or A.
    `parquet`, `jsonl`: the rows of one view (default: global). `lm-eval`: tasks for lm-evaluation-harness, of one view
    (default: names).
    """
    from anagnosis.datasets import layouts, lm_eval
    from anagnosis.datasets.kinds import CLOZE, demand
    from anagnosis.datasets.trainable import export_view

    opened = load(dataset)
    layout = layout or LAYOUT_OF[opened.kind.name]
    if layout in (TASK_LAYOUT, *VIEW_LAYOUTS):
        demand(opened.kind, CLOZE, str(opened.folder))
    if layout == TASK_LAYOUT:
        return [layouts.Exported(*made) for made in lm_eval.export_tasks(opened, view or "names", out)]
    if layout in VIEW_LAYOUTS:
        paths = export_view(opened, view or "global", out, layout)
        return [
            layouts.Exported(path, rows, {}) for path, rows in zip(paths, opened.rows.values(), strict=True)
        ]
    if layout not in layouts.LAYOUTS:
        raise unknown_name("layout", layout, LAYOUTS)
    return layouts.layout_module(layout).exported(opened, out, setting=setting, compress=compress)


def _dataset_recipe(
    dataset: str, recipe: PathLike | None, settings: Mapping[str, Any] | None
) -> tuple[Any, Any, dict[str, Any]]:
    """(the builder's module, its config, the recipe spelled out)."""
    from anagnosis.datasets import DATASETS
    from anagnosis.recipes import load as recipes
    from anagnosis.registry import find

    builder = find(DATASETS, "anagnosis.datasets", dataset, "dataset")
    values = {**recipes.load(recipe or dataset), **(settings or {})}
    if values.get("dataset", dataset) != dataset:
        raise InputError(
            f"the recipe is for {values['dataset']!r}, not for {dataset!r}",
            str(recipe),
            "name another recipe",
        )
    config = recipes.configured(builder.RECIPE, values, str(recipe or dataset), apart=("dataset",))
    if hasattr(builder, "spelled_out"):
        return builder, config, {"dataset": dataset, **builder.spelled_out(config)}
    return builder, config, recipes.spelled_out({"dataset": dataset}, config)
