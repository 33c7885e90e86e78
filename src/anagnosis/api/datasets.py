"""Verbs over datasets: build, explain, load, check, diff, sample, import, export."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.build.screening import Explanation
    from anagnosis.datasets.definition import Builder
    from anagnosis.datasets.export.layouts import Exported, Imported
    from anagnosis.datasets.folder.differences import Difference
    from anagnosis.datasets.folder.store import Dataset


LITE = "biomrc-lite"
"""The recipe of a sample of BIOMRC, if a user names none."""


def build(
    dataset: str,
    paths: Sequence[PathLike],
    out: PathLike,
    *,
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
    dates: PathLike | None = None,
    terms: Sequence[PathLike] = (),
    limit: int | None = None,
    format: str | None = None,
    encoding: str | None = None,
    accept_truncated: bool = False,
    block_bytes: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    replace: bool = False,
) -> Dataset:
    """Build a dataset from files of documents.

    recipe: a recipe's name or file (default: the dataset's own). settings: keys of the recipe to change.
    dates: a MEDLINE file or a table of id and date. terms: vocabularies whose names are further answers (clicr alone):
    files in any format of `annotate`, or what `terms` stored. workers: processes here (default: one a processor, and
    this one alone for small inputs); cluster: address of a dask scheduler.
    replace: overwrite an existing dataset of another recipe or input, once this one is ready.
    block_bytes: how much text a worker gets at a time (default: what suits the dataset); it changes no result.
    """
    from anagnosis import parallel
    from anagnosis.datasets import definition
    from anagnosis.datasets.build import three_phases
    from anagnosis.datasets.build.inputs import InputFiles
    from anagnosis.io import outputs

    builder, config, spelled_out = _dataset_recipe(dataset, recipe, settings)
    outputs.output_folder(out, "dataset", inputs=(*paths, dates, *terms, recipe, *outputs.strings(settings)))
    if builder.make is not None:
        from anagnosis.api.arguments import refuse_options

        refuse_options(
            f"{dataset}, which is not made of documents",
            dates=dates,
            terms=terms or None,
            limit=limit,
            format=format,
            encoding=encoding,
            accept_truncated=accept_truncated or None,
            cluster=cluster,
        )
        return builder.make(paths, config, spelled_out, out, replace=replace)
    inputs = InputFiles(
        paths,
        format=format,
        encoding=encoding,
        limit=limit,
        block_bytes=block_bytes or builder.block_bytes,
        accept_truncated=accept_truncated,
        whole_articles=builder.whole_articles,
    )
    count = 1 if workers is None and inputs.is_small else workers
    make_pool = parallel.dask(cluster) if cluster else parallel.local(count)
    return three_phases.build(
        definition.named(dataset).builder,
        config,
        spelled_out,
        inputs,
        out,
        make_pool,
        dates=dates,
        terms=terms,
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
    from anagnosis.datasets import definition
    from anagnosis.datasets.build.inputs import InputFiles

    explained = definition.named(dataset).explained_by(dataset)
    builder, config, _ = _dataset_recipe(dataset, recipe, settings)
    if builder.make is not None:
        from anagnosis.api.arguments import refuse_options

        refuse_options(f"{dataset}, which is not made of documents", format=format, encoding=encoding)
        source: Any = paths
    else:
        # What follows a break holds no document that could be explained.
        source = InputFiles(
            paths,
            format=format,
            encoding=encoding,
            together=False,
            accept_truncated=True,
            whole_articles=builder.whole_articles,
        )
    found = list(explained(source, ident, config))
    if not found:
        raise InputError(f"no document {ident!r} in the input", "--explain", "check the id")
    return found


def load(folder: PathLike | Dataset) -> Dataset:
    """Open a dataset folder."""
    from anagnosis.datasets.folder import store

    return folder if isinstance(folder, store.Dataset) else store.load(folder)


def diff(a: PathLike | Dataset, b: PathLike | Dataset) -> list[Difference]:
    """What tells two datasets apart, from their receipts and recipes."""
    from anagnosis.datasets.folder.differences import differences

    return differences(load(a), load(b))


def sample(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> Dataset:
    """Draw a seeded random sample inside each split: LITE, TINY, and nested shares (`{"train": "25%"}`).

    recipe: default biomrc-lite, of BIOMRC alone; where `settings` size a split and no recipe is named, the other splits
    come whole.
    """
    from anagnosis.datasets import sampling
    from anagnosis.datasets.splits import SPLITS
    from anagnosis.io import outputs
    from anagnosis.recipes import load as recipes

    opened = load(dataset)
    settings = settings or {}
    whole = recipe is None and any(split in settings for split in (*SPLITS, "groups"))
    if recipe is None and not whole and opened.name != recipes.load(LITE)["sample_of"]:
        ours = [name for name in recipes.names() if recipes.load(name).get("sample_of") == opened.name]
        known = f"--recipe {' or '.join(ours)}, or " if ours else ""
        raise InputError("the sample has no size", str(opened.folder), f"give {known}--set train=25%")
    named = LITE if recipe is None else recipe
    outputs.output_folder(out, "dataset", inputs=(opened.folder, named))

    values = {**recipes.load(named), **(dict.fromkeys(SPLITS, "100%") if whole else {}), **settings}
    config = recipes.configured(
        sampling.SampleRecipe, values, "--set" if recipe is None else str(recipe), apart=("sample_of",)
    )
    return sampling.sample(
        opened, config, out, sized_by={key: str(named) for key in values.keys() - settings}, replace=replace
    )


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

    @property
    def sound(self) -> bool:
        """Whether no invariant is broken: not by a file that no import needs, nor by an instance left out by rule."""
        from anagnosis.datasets.export.layouts import BY_CHOICE, PASSED_OVER

        return not (self.refused.keys() - set(BY_CHOICE) or self.broken.keys() - set(PASSED_OVER))


def check_layout(
    path: PathLike | Sequence[PathLike],
    *,
    layout: str = "biomrc",
    setting: str | None = None,
    split: str | None = None,
    parts: Mapping[str, str] | None = None,
) -> CheckedLayout:
    """Read the authors' files and say what breaks the invariants of their layout; nothing is written."""
    from anagnosis.datasets.export.file_beginnings import naming_layout

    with naming_layout(_given(path), layout):
        found = _imported(path, layout, setting, split, parts=parts)
        for instances in found.splits.values():
            for _ in instances:
                pass
    return CheckedLayout(
        found.findings.instances,
        dict(found.findings.broken),
        dict(found.findings.refused),
        [(each.where, each.why) for each in found.findings.refusals()],
        dict(found.published),
    )


def import_dataset(
    path: PathLike | Sequence[PathLike],
    out: PathLike,
    *,
    layout: str = "biomrc",
    setting: str | None = None,
    split: str | None = None,
    dev_share: float | None = None,
    parts: Mapping[str, str] | None = None,
    replace: bool = False,
) -> Dataset:
    """Read the authors' own files into a dataset folder; every broken invariant is counted and named.

    path: of a file or folder; of `bioasq`, `squad`, `scifact` and `feedback` several files may be given. split: where
    all of it goes. setting: A or B, the subset; of `bioasq` the batches that are held out as test; of `scifact` which
    claims; of `covid-qa` how many sentences an instance has. dev_share: how much of train becomes dev (`scifact`,
    `covid-qa`, `feedback`). parts: of `bioasq`, split → its editions and batches, `{"train": "2B-6B", "test": "8B"}`.
    """
    from anagnosis.datasets.export.file_beginnings import naming_layout
    from anagnosis.datasets.folder import writing
    from anagnosis.io import outputs
    from anagnosis.io.files import display_name

    given = _given(path)
    outputs.output_folder(out, "dataset", inputs=given)
    choices: dict[str, Any] = {} if split is None else {"split": split}
    with naming_layout(given, layout):
        found = _imported(path, layout, setting, split, dev_share, parts)
        if found.published:
            choices["published_files"] = {name: own for name, own in found.published.items() if own}
        names = ", ".join(map(display_name, given))
        return writing.write_found(
            out,
            found.splits,
            found.recipe,
            found.findings,
            inputs=found.inputs,
            read=names,
            choices=choices,
            without_queries=found.without_queries,
            replace=replace,
        )


def _given(path: PathLike | Sequence[PathLike]) -> list[PathLike]:
    return [path] if isinstance(path, PathLike) else [*path]


def _imported(
    path: PathLike | Sequence[PathLike],
    layout: str,
    setting: str | None,
    split: str | None,
    dev_share: float | None = None,
    parts: Mapping[str, str] | None = None,
) -> Imported:
    from anagnosis.datasets.export.layouts import reading_module

    module = reading_module(layout)
    paths = _given(path)
    if len(paths) != 1 and not getattr(module, "TAKES_SEVERAL", False):
        what = f"{len(paths)} paths, and the layout {layout} takes one file or folder"
        raise InputError(what, "FILE|FOLDER", "import them one by one")
    given = paths[0] if len(paths) == 1 else paths
    more: dict[str, Any] = {}
    if dev_share is not None:
        if not getattr(module, "TAKES_DEV_SHARE", False):
            raise InputError(f"files of {layout} are not shared out", "--dev-share", "leave it away")
        if not 0 < dev_share < 1:
            raise InputError(f"{dev_share} is no share of train", "--dev-share", "give one between 0 and 1")
        more["dev_share"] = dev_share
    if parts:
        if not getattr(module, "TAKES_PARTS", False):
            raise InputError(f"files of {layout} have no editions and batches", "--part", "give --split")
        more["parts"] = parts
    return module.imported(given, setting=setting, split=split, **more)


def export(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    layout: str | None = None,
    setting: str | None = None,
    view: str | None = None,
    compress: bool = False,
    replace: bool = False,
) -> list[Exported]:
    """Write a dataset in another layout: all of its files come into the folder `out`, or none.

    `biomrc`, `pubmedqa`, …: the authors' files (default: the dataset's, else its kind's); setting: A or B, the subset
    L, U or A, batches of BioASQ. `parquet`, `jsonl`: the rows of one view (default: global; of decisions
    reasoning-required).
    `lm-eval`: tasks for lm-evaluation-harness, of one view (default: names; of decisions reasoning-required).
    `ga-reader`, `sa-reader`, `cnn`: the files of CliCR's readers, in the view marked (default) or plain.
    `arpa`: language models of the train part, whose view is their own.
    replace: overwrite files of these names that are there, which nobody can tell from the authors' own.
    """
    from anagnosis.datasets.clicr.reader_files import refuse_other_instances
    from anagnosis.io import outputs

    opened = load(dataset)
    with outputs.writing_into(out, inputs=(opened.folder,), replace=replace) as (part, written):
        made = _exported(opened, part, layout, setting, view, compress=compress)
        refuse_other_instances(Path(out), part)
    places = [Path(out) / one.path.relative_to(part) for one in made]
    replaced = {file for path, output in written.items() if output.replaces for file in (path, *path.parents)}
    return [
        dataclasses.replace(one, path=place, replaced=place in replaced)
        for one, place in zip(made, places, strict=True)
    ]


def _exported(
    opened: Dataset, out: Path, layout: str | None, setting: str | None, view: str | None, *, compress: bool
) -> list[Exported]:
    from anagnosis.api.arguments import refuse_options
    from anagnosis.datasets.definition import layout_of
    from anagnosis.datasets.export import layouts

    layout = layout or layout_of(opened.recipe, opened.kind.layout)
    if layout in layouts.VIEW_LAYOUTS:
        refuse_options(f"--layout {layout}", setting=setting, compress=compress or None)
        return layouts.view_layout(layout)(opened, out, view)
    if layout not in (known := layouts.layout_names()):
        raise unknown_name("layout", layout, [*known, *layouts.VIEW_LAYOUTS])
    refuse_options(f"--layout {layout}", view=view)
    return layouts.writing_module(layout).exported(opened, out, setting=setting, compress=compress)


def _dataset_recipe(
    dataset: str, recipe: PathLike | None, settings: Mapping[str, Any] | None
) -> tuple[Builder, Any, dict[str, Any]]:
    """(the builder, its config, the recipe spelled out)."""
    from anagnosis.datasets import definition
    from anagnosis.recipes import load as recipes

    builder = definition.named(dataset).built_by(dataset)
    values = {**_recipe_values(dataset, recipe), **(settings or {})}
    if "reader" in values:
        raise InputError(
            f"is a recipe for training the reader {values['reader']!r}, not for building {dataset!r}",
            str(recipe or "--set"),
            "train with it: `anagnosis train RECIPE --data DATASET_FOLDER --out RUN_FOLDER`",
        )
    if "sample_of" in values:
        raise InputError(
            "is a recipe for `anagnosis sample`, not for building",
            str(recipe or "--set"),
            f"sample a dataset that is built: `anagnosis sample DATASET --recipe {recipe or 'NAME'} --out FOLDER`",
        )
    if values.get("dataset", dataset) != dataset:
        raise InputError(
            f"the recipe is for {values['dataset']!r}, not for {dataset!r}",
            str(recipe),
            "name another recipe",
        )
    config = recipes.configured(builder.recipe, values, str(recipe or dataset), apart=("dataset",))
    plain = {key: value for key, value in builder.spelled_out(config).items() if value is not None}
    return builder, config, {"dataset": dataset, **plain}


def _recipe_values(dataset: str, recipe: PathLike | None) -> dict[str, Any]:
    """The recipe that a user named, or the dataset's own; another package's builder has its defaults alone."""
    from anagnosis.recipes import load as recipes

    return recipes.load(recipe or dataset) if recipe or dataset in recipes.names() else {}
