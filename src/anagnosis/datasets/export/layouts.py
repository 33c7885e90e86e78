"""The authors' layouts: what they read and write their datasets in, one module each.

    imported(path, setting=None, split=None) -> Imported
    exported(dataset, out, setting=None, compress=False) -> list[Exported]

path: a file or folder, or several. setting: which of several variants, in the layout's own words; None for the usual
one. Some take `dev_share` too, how much of train becomes dev, or `parts`, split → its editions and batches. A layout
that is only read has INSTEAD in place of `exported`: what a user does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis import registry
from anagnosis.datasets.folder.receipt import Input, Refusal, draft
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset


LAYOUTS = {
    "biomrc": "anagnosis.datasets.biomrc.layout",
    "bioread": "anagnosis.datasets.bioread.layout",
    "pubmedqa": "anagnosis.datasets.pubmedqa.layout",
    "bioasq": "anagnosis.datasets.bioasq.layout",
    "scifact": "anagnosis.datasets.scifact.layout",
    "squad": "anagnosis.datasets.squad",
    "clicr": "anagnosis.datasets.clicr.layout",
}
# Layouts of one view of a dataset, only written: functions (dataset, out, view or None) -> list[Exported].
VIEW_LAYOUTS = {
    "parquet": "anagnosis.datasets.export.trainable:parquet",
    "jsonl": "anagnosis.datasets.export.trainable:jsonl",
    "csv": "anagnosis.datasets.export.trainable:csv",
}
_APART = "\0"  # no file has it in its name
_WORDS = re.compile(r"[a-z]+")
_SPLITS = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("dev", "development", "valid", "validation", "val"), "dev"),
    **dict.fromkeys(("test", "testing"), "test"),
}


@dataclass(slots=True)
class LayoutFaults(Counts):
    """What was counted while the instances went by; a place is where, and behind _APART what.

    left_out: the faults for which an instance is left out; with others it is kept.
    """

    left_out: set[str] = field(default_factory=set[str])

    def note(self, where: str, fault: str, what: str) -> None:
        """Count a fault of what is kept."""
        self.add(fault, f"{where}{_APART}{what}" if what else where)

    def refuse(self, where: str, fault: str, what: str) -> None:
        """Count an instance that is left out. where: "" for no place."""
        self.left_out.add(fault)
        self.note(where, fault, what)

    def counted(self, *, refused: bool) -> dict[str, int]:
        """Fault → how many instances are left out for it, or how often what is kept has it."""
        return {name: count for name, count in self.counts.items() if (name in self.left_out) == refused}

    def listed(self, *, refused: bool) -> list[Refusal]:
        """The places of what is left out, or of what is kept with a fault, as a receipt lists them."""
        return [
            Refusal(where, f"{fault}: {what}")
            for fault in self.counted(refused=refused)
            for where, _, what in (place.partition(_APART) for place in self.places[fault])
        ]


@dataclass(frozen=True, slots=True)
class Imported:
    """Instances of other files on their way into a dataset folder.

    splits: the instances of each split; read once, in order. recipe: what the folder's recipe says. findings: grow
    while the instances are read. choices: for the receipt.
    """

    splits: Mapping[str, Iterator[Any]]
    recipe: Mapping[str, Any]
    inputs: tuple[Input, ...]
    findings: LayoutFaults
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

    counted = found.findings
    begun = {split: iter(instances) for split, instances in found.splits.items()}
    for split, instances in begun.items():
        if (first := next(instances, None)) is not None:
            begun[split] = chain([first], instances)
            break
    else:
        refused = [f"{name} refused {count:,}" for name, count in counted.counted(refused=True).items()]
        places = [*counted.listed(refused=True), *counted.listed(refused=False)]
        first = [f"first at {each.where}: {each.why}" for each in places[:1]]
        why = "".join(f" ({one})" for one in (*refused, *first))
        what = f"there is no instance to write{why}"
        raise InputError(what, read, "check the files, or name another --layout")
    return writing.write(
        folder,
        begun,
        recipe,
        lambda: draft(
            inputs=found.inputs,
            dropped=counted.counted(refused=True),
            repairs=counted.counted(refused=False),
            choices=choices,
            refusals=counted.listed(refused=True),
            notes=counted.listed(refused=False),
        ),
        replace=replace,
    )


def is_written(name: str) -> bool:
    """Whether a layout can be exported."""
    return hasattr(registry.find(LAYOUTS, name, "layout"), "exported")


def function_of(name: str, wanted: str) -> Any:
    """`imported` or `exported` of a layout. InputError: no such layout, or it is only read."""
    module = registry.find(LAYOUTS, name, "layout")
    if not hasattr(module, wanted):
        raise InputError(f"files of {name} are read, not written", f"--layout {name}", module.INSTEAD)
    return getattr(module, wanted)


def split_of(name: str) -> str:
    """The split that a word of the name gives. InputError: no word, or words of two splits."""
    words = {*_WORDS.findall(name.rpartition("/")[2].lower())}  # `interval` is no `val`
    splits = {_SPLITS[word] for word in words if word in _SPLITS}
    if len(splits) != 1:
        what = "two splits" if splits else "no split"
        raise InputError(f"the name of the file gives {what}", name, "name its split with --split")
    return splits.pop()
