"""The verb that builds a dataset of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from anagnosis.api import shared
from anagnosis.api.options import MANY, Option, refuse_options
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.definition import Builder
    from anagnosis.datasets.folder.store import Dataset


def build(
    dataset: Annotated[str, Option(metavar="DATASET")],
    paths: shared.Documents,
    out: shared.NewDataset,
    *,
    recipe: shared.Recipe = None,
    settings: shared.Settings = None,
    dates: Annotated[
        PathLike | None, Option("Dates: MEDLINE XML, or a table of id and date.", metavar="FILE")
    ] = None,
    terms: Annotated[
        Sequence[PathLike],
        Option("clicr: a vocabulary of further right answers. Repeatable.", metavar="FILE"),
    ] = (),
    limit: Annotated[int | None, Option("Read at most this many documents.", 1, MANY)] = None,
    format: shared.Format = None,
    accept_truncated: shared.AcceptTruncated = False,
    block_bytes: Annotated[int | None, Option(least=1, most=1 << 30)] = None,
    workers: Annotated[
        shared.Workers, Option("Number of processes (default: one per processor, one for a small input).")
    ] = None,
    cluster: Annotated[
        str | None, Option("A dask scheduler that builds, such as tcp://host:8786.", metavar="ADDRESS")
    ] = None,
    replace: shared.Replace = False,
) -> Dataset:
    """Build DATASET (such as biomrc) from files of documents; evidence and bioasq-… from BioASQ's golden files
    alone (other evidence, such as SciFact, by `import`).

    Formats (PubTator, MEDLINE, JATS, BioC and others) and compressions are detected from the first bytes. The files
    of a folder are read in the order of their paths, the members of an archive (tar, zip) in its own order.
    The same input and recipe give the same bytes, with any number of workers.
    \f
    recipe: by default the dataset's. An existing dataset is replaced once this one is ready. block_bytes: how much text
    a worker gets at a time (default: what suits the dataset); it changes no result.
    """
    from anagnosis import parallel
    from anagnosis.datasets import definition
    from anagnosis.datasets.build import three_phases
    from anagnosis.datasets.build.inputs import InputFiles
    from anagnosis.datasets.export.layouts import write_found
    from anagnosis.io import outputs

    builder, config, spelled_out = _dataset_recipe(dataset, recipe, settings)
    outputs.output_folder(out, inputs=(*paths, dates, *terms, recipe, *outputs.strings(settings)))
    if builder.make is not None:
        refuse_options(
            f"{dataset}, which is not made of documents",
            dates=dates,
            terms=terms or None,
            limit=limit,
            format=format,
            accept_truncated=accept_truncated or None,
            cluster=cluster,
        )
        made = builder.make(paths, config)
        whole = {**spelled_out, **made.recipe}
        return write_found(out, made, whole, made.choices, replace=replace)
    inputs = InputFiles(
        paths,
        format=format,
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
        replace=replace,
    )


def _dataset_recipe(
    dataset: str, recipe: PathLike | None, settings: Mapping[str, Any] | None
) -> tuple[Builder, Any, dict[str, Any]]:
    """(the builder, its config, the recipe spelled out)."""
    from anagnosis.datasets import definition
    from anagnosis.recipes import load as recipes

    builder = definition.named(dataset).built_by(dataset)
    # Another package's builder has its defaults alone.
    own = recipes.load(recipe or dataset) if recipe or dataset in recipes.names() else {}
    values = {**own, **(settings or {})}
    if (other := values.get("dataset", dataset)) != dataset:
        what = f"is a recipe for {other!r}, not for building {dataset!r}"
        raise InputError(what, str(recipe or "--set"), f"build {other!r}, or name another recipe")
    config = recipes.configured(builder.recipe, values, str(recipe or dataset), apart=("dataset",))
    return builder, config, recipes.spelled_out({"dataset": dataset}, config)
