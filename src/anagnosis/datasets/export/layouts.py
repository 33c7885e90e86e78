"""The authors' layouts: what they read and write their datasets in, one module each.

    imported(path, setting=None, split=None) -> Imported
    exported(dataset, out, setting=None, compress=False) -> list[Exported]

setting: which of several variants, in the layout's own words; None for the usual one. A module that says TAKES_SEVERAL
takes a sequence of paths too, one that says TAKES_DEV_SHARE `dev_share`: how much of train becomes dev, one that says
TAKES_PARTS `parts`: split → its editions and batches. A layout that is only read has no `exported`, but NOT_WRITTEN,
what a user does in its place; one that is only written has no `imported`, but NOT_READ. A dataset of another
package names the module of its layout (`DatasetDefinition.layout_module`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from anagnosis.datasets.definition import foreign_layouts
from anagnosis.datasets.folder.receipt import Input, Refusal
from anagnosis.datasets.folder.reports_without_queries import CollectedReports
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike
from anagnosis.registry import load, referenced

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset


LAYOUTS = {
    "biomrc": "anagnosis.datasets.biomrc.layout",
    "bioread": "anagnosis.datasets.bioread.layout",
    "pubmedqa": "anagnosis.datasets.pubmedqa.layout",
    "bioasq": "anagnosis.datasets.bioasq.layout",
    "pubmedqa-folds": "anagnosis.datasets.pubmedqa.fold_files",
    "scifact-verdicts": "anagnosis.datasets.scifact.verdicts",
    "scifact": "anagnosis.datasets.scifact.layout",
    "covid-qa": "anagnosis.datasets.covid_qa",
    "squad": "anagnosis.datasets.squad.layout",
    "clicr": "anagnosis.datasets.clicr.layout",
}
# Layouts of one view of a dataset, only written: functions (dataset, out, view or None) -> list[Exported].
VIEW_LAYOUTS = {
    "parquet": "anagnosis.datasets.export.trainable:parquet",
    "jsonl": "anagnosis.datasets.export.trainable:jsonl",
    "lm-eval": "anagnosis.datasets.export.lm_eval:tasks",
}
# What breaks nothing → the heading under which `import` lists it.
PASSED_OVER = {
    "other_file": "files ignored",
    "archive_other_file": "files ignored",
    "name_with_colon": "kept, though other programs would cut it",
    "repeated_instance": "kept, though an equal instance came before",
    "report_without_queries": "kept, though no instance is made of them",
}
BY_CHOICE = ("no_evidence", "twin_of_held_out", "in_no_part")  # sound instances that a layout leaves out
KEPT_PLACES = 100
_SHOWN = 3  # rules in an error
SHOWN_OF_EACH = 3
EACH_NAMED = ("twin_of_held_out",)  # faults of which every place is kept, up to KEPT_PLACES
_WORDS = re.compile(r"[a-z]+")
_SPLITS = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("dev", "development", "valid", "validation", "val"), "dev"),
    **dict.fromkeys(("test", "testing"), "test"),
}


class LayoutFaults:
    """What was seen while the instances went by.

    instances: looked at. broken: fault → instances that have it. refused: those left out, by their first fault.
    places: the first hundred (where, fault, what).
    """

    def __init__(self) -> None:
        self.instances = 0
        self.broken: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.places: list[tuple[str, str, str]] = []

    def note(self, where: str, fault: str, what: str) -> None:
        """Count one broken invariant."""
        self.broken[fault] += 1
        self._place(where, fault, what)

    def refuse(self, where: str, fault: str, what: str) -> None:
        """Count an instance that is left out."""
        self.refused[fault] += 1
        self._place(where, fault, what)

    def listed(self, *, refused: bool) -> list[Refusal]:
        """The places of what is left out, as a receipt lists them, or of what is kept with a broken invariant."""
        return [
            Refusal(where, f"{fault}: {what}")
            for where, fault, what in self.places
            if (fault in self.refused) == refused
        ]

    def _place(self, where: str, fault: str, what: str) -> None:
        if len(self.places) < KEPT_PLACES and (where, fault, what) not in self.places:
            self.places.append((where, fault, what))


class FewPlaces(LayoutFaults):
    """Faults of which the first places of each name are kept, so that no name hides another."""

    def _place(self, where: str, fault: str, what: str) -> None:
        if fault in EACH_NAMED or sum(fault == name for _, name, _ in self.places) < SHOWN_OF_EACH:
            super()._place(where, fault, what)


@dataclass(frozen=True, slots=True)
class Imported:
    """Instances of other files on their way into a dataset folder.

    splits: the instances of each split; read once, in order. recipe: what the folder's recipe says. findings,
    without_queries: grow while the instances are read. published: name of a file → the published one that it equals,
    empty if none. choices: for the receipt.
    """

    splits: Mapping[str, Iterator[Any]]
    recipe: Mapping[str, Any]
    inputs: tuple[Input, ...]
    findings: LayoutFaults
    published: Mapping[str, str] = field(default_factory=dict[str, str])
    without_queries: CollectedReports | None = None
    choices: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Exported:
    """A written file, or a folder of them. notes: what other programs will stumble over, by name, in instances."""

    path: Path
    instances: int
    notes: dict[str, int]


def write_found(
    folder: PathLike,
    found: Imported,
    recipe: Mapping[str, Any],
    choices: Mapping[str, Any],
    *,
    read: str = "",
    replace: bool = False,
) -> Dataset:
    """Write instances that were read or made from other files, with what was counted meanwhile.

    read: the name of what was read. InputError: there is no instance.
    """
    from anagnosis.datasets.folder import writing  # which loads pyarrow; the layouts are also listed

    def places() -> tuple[list[Refusal], list[Refusal]]:
        listed = found.findings.listed
        return listed(refused=True), listed(refused=False)

    return writing.write(
        folder,
        _with_any(found.splits, found.findings.refused, places, read),
        recipe,
        inputs=found.inputs,
        dropped=found.findings.refused,
        repairs=found.findings.broken,
        places=places,
        choices=choices,
        without_queries=found.without_queries,
        replace=replace,
    )


def _with_any(
    splits: Mapping[str, Iterable[Any]],
    refused: Mapping[str, int],
    places: Callable[[], tuple[Sequence[Refusal], Sequence[Refusal]]],
    read: str,
) -> dict[str, Iterator[Any]]:
    """The instances, of which there is one at least; otherwise an InputError that says why not."""
    begun = {split: iter(found) for split, found in splits.items()}
    for split, found in begun.items():
        for first in found:
            return {**begun, split: chain([first], found)}
    most = sorted(refused.items(), key=lambda each: -each[1])[:_SHOWN]
    counts = ", ".join(f"{name} refused {count:,}" for name, count in most if count)
    first_refusal = next(chain(*places()), None)
    what = "there is no instance to write" + (f": {counts}" if counts else "")
    remedy = "check the files, or name their --layout"
    if first_refusal is not None and first_refusal.where:
        remedy = f"first at {first_refusal.where}: {first_refusal.why}"
    raise InputError(what, read, remedy)


def is_written(name: str) -> bool:
    """Whether a layout can be exported."""
    return hasattr(_module(name), "exported")


def reading_module(name: str) -> ModuleType:
    """The module of a layout that is read. InputError: no such layout, or it is only written."""
    module = _module(name)
    if not hasattr(module, "imported"):
        raise InputError(f"files of {name} are written, not read", f"--layout {name}", module.NOT_READ)
    return module


def writing_module(name: str) -> ModuleType:
    """The module of a layout that is written. InputError: no such layout, or it is only read."""
    module = _module(name)
    if not hasattr(module, "exported"):
        raise InputError(f"files of {name} are read, not written", f"--layout {name}", module.NOT_WRITTEN)
    return module


def _module(name: str) -> ModuleType:
    if name in LAYOUTS:
        return load(LAYOUTS[name])
    foreign = foreign_layouts()
    if name not in foreign:
        raise unknown_name("layout", name, [*LAYOUTS, *foreign])
    return referenced(foreign[name])


def split_of(name: str) -> str:
    """The split that a word of the name gives. InputError: no word, or words of two splits."""
    splits = {_SPLITS[word] for word in words_of(name) if word in _SPLITS}
    if len(splits) != 1:
        what = "two splits" if splits else "no split"
        raise InputError(f"the name of the file gives {what}", name, "name its split with --split")
    return splits.pop()


def words_of(name: str) -> frozenset[str]:
    """Runs of letters in lower case, so that `interval` is no `val`."""
    return frozenset(_WORDS.findall(name.rpartition("/")[2].lower()))
