"""Verbs over datasets: load, sample, import_dataset, export."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from anagnosis.api import shared
from anagnosis.api.options import Option, refuse_options
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.export.layouts import Exported, Imported
    from anagnosis.datasets.folder.store import Dataset


_Layout = Annotated[
    str, Option("The authors' layout: biomrc, bioread, clicr, pubmedqa, bioasq, squad, scifact, …")
]
_Setting = Annotated[
    str | None,
    Option(
        "biomrc: A or B, where a folder holds both. bioread: local or global numbers. pubmedqa: the subset, L, U or A. "
        "scifact: which claims (train,validation)."
    ),
]
_OneSplit = Annotated[
    Literal["train", "dev", "test"] | None, Option("The split of a file whose name does not give one.")
]
_Parts = Annotated[
    Mapping[str, str] | None,
    Option(
        "bioasq: the editions and batches of a split (train=2B,3B, test=9B5); again for others. Repeats of the "
        "questions of test and dev are left out; without a part train, all others are train.",
        flag="--part",
        metavar="SPLIT=BATCHES",
    ),
]
LITE = "biomrc-lite"
"""The recipe of a sample of BIOMRC, if a user names none."""


def load(folder: PathLike | Dataset) -> Dataset:
    """Open a dataset folder."""
    from anagnosis.datasets.folder import store

    return folder if isinstance(folder, store.Dataset) else store.load(folder)


def sample(
    dataset: shared.DatasetFolder,
    out: shared.NewDataset,
    *,
    recipe: shared.Recipe = None,
    settings: shared.Settings = None,
    replace: shared.Replace = False,
) -> Dataset:
    """Draw a seeded random sample inside each split; numbers and order stay those of the larger set.

    A split gets a number of instances, or a share (25%). Samples by one seed are nested: the quarter is part of the
    half.
    \f
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
    outputs.output_folder(out, inputs=(opened.folder, named))

    values = {**recipes.load(named), **(dict.fromkeys(SPLITS, "100%") if whole else {}), **settings}
    config = recipes.configured(
        sampling.SampleRecipe, values, "--set" if recipe is None else str(recipe), apart=("sample_of",)
    )
    return sampling.sample(opened, config, out, replace=replace)


def import_dataset(
    path: Annotated[PathLike | Sequence[PathLike], Option(metavar="FILE|FOLDER...")],
    out: shared.NewDataset,
    *,
    layout: _Layout = "biomrc",
    setting: _Setting = None,
    split: _OneSplit = None,
    dev_share: Annotated[
        float | None, Option("scifact: how much of train becomes dev, such as 0.1.", 0, 1)
    ] = None,
    parts: _Parts = None,
    replace: shared.Replace = False,
) -> Dataset:
    """Read the authors' file, or the folder with train, val and test, into a dataset folder.

    Several files may be given, of pubmedqa one. What cannot be kept is left out and counted by name.
    """
    from anagnosis.datasets.export.layouts import write_found
    from anagnosis.io import outputs
    from anagnosis.io.files import display_name

    given = _given(path)
    outputs.output_folder(out, inputs=given)
    choices: dict[str, Any] = {} if split is None else {"split": split}
    found = _imported(path, layout, setting, split, dev_share, parts)
    names = ", ".join(map(display_name, given))
    return write_found(out, found, found.recipe, choices, read=names, replace=replace)


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
    from inspect import signature

    from anagnosis.datasets.export.layouts import function_of

    imported = function_of(layout, "imported")
    takes = signature(imported).parameters
    more: dict[str, Any] = {}
    if dev_share is not None:
        if "dev_share" not in takes:
            raise InputError(f"files of {layout} are not shared out", "--dev-share", "leave it away")
        if not 0 < dev_share < 1:
            raise InputError(f"{dev_share} is no share of train", "--dev-share", "give one between 0 and 1")
        more["dev_share"] = dev_share
    if parts:
        if "parts" not in takes:
            raise InputError(f"files of {layout} have no editions and batches", "--part", "give --split")
        more["parts"] = parts
    return imported(path, setting=setting, split=split, **more)


def export(
    dataset: shared.DatasetFolder,
    out: Annotated[PathLike, Option("The folder to write into.", flag="--out")],
    *,
    layout: Annotated[
        str | None,
        Option(
            "biomrc, bioread, clicr, pubmedqa, bioasq, parquet, jsonl, csv (default: the authors' of these instances)."
        ),
    ] = None,
    setting: Annotated[
        str | None,
        Option("biomrc: A (default) or B. bioread: local, global. pubmedqa: L, U, A (default: all)."),
    ] = None,
    view: Annotated[
        str | None,
        Option(
            "For parquet, jsonl and csv: global (the default), local, names, anonymous, marked or plain; "
            "of decisions reasoning-required (the default), reasoning-free or question-only."
        ),
    ] = None,
    compress: Annotated[bool, Option("biomrc, clicr, pubmedqa and bioasq: write .json.gz.")] = False,
    replace: shared.Replace = False,
) -> list[Exported]:
    """Write a dataset in another layout.

    biomrc, bioread, clicr, pubmedqa and bioasq give back what `import` read, byte for byte where `export` wrote it;
    Setting B is derived from A.
    \f
    `out` becomes a folder of these files, or none is made. replace: instead of one that has an export's files alone.
    """
    from anagnosis.io import outputs

    opened = load(dataset)
    with outputs.writing_into(out, inputs=(opened.folder,), replace=replace) as part:
        made = _exported(opened, part, layout, setting, view, compress=compress)
    return [dataclasses.replace(one, path=Path(out) / one.path.relative_to(part)) for one in made]


def _exported(
    opened: Dataset, out: Path, layout: str | None, setting: str | None, view: str | None, *, compress: bool
) -> list[Exported]:
    from anagnosis import registry
    from anagnosis.datasets.definition import definition_of
    from anagnosis.datasets.export import layouts

    layout = layout or definition_of(opened.name).layout or opened.kind.layout
    if layout in layouts.VIEW_LAYOUTS:
        refuse_options(f"--layout {layout}", setting=setting, compress=compress or None)
        return registry.load(layouts.VIEW_LAYOUTS[layout])(opened, out, view)
    if layout not in layouts.LAYOUTS:
        raise unknown_name("layout", layout, [*layouts.LAYOUTS, *layouts.VIEW_LAYOUTS])
    refuse_options(f"--layout {layout}", view=view)
    return layouts.function_of(layout, "exported")(opened, out, setting=setting, compress=compress)
