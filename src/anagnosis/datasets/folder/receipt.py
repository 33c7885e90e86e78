"""The receipt: everything that was read, kept, dropped, mended and refused, and what came out.

read = kept + every dropped + refused holds for documents always; it is checked when a receipt is written and
when it is read. No clock, host or absolute path is
in it, so the same work gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.io.folders import DATA, kind_of, with_article
from anagnosis.io.folders import RECEIPT as FILE
from anagnosis.io.paths import PathLike


class Input(msgspec.Struct, frozen=True):
    """A file that was read. sha256 and bytes: of the file as it lies on disk; empty and 0 for standard input."""

    name: str
    bytes: int
    sha256: str


class Output(msgspec.Struct, frozen=True):
    """A file of the dataset, by its path inside the folder. rows: None where it has none."""

    name: str
    rows: int | None
    sha256: str


class Refusal(msgspec.Struct, frozen=True):
    """where: "file:line". why: in one line."""

    where: str
    why: str


class DocumentCounts(msgspec.Struct, frozen=True):
    """dropped: rule → documents, in the order in which the rules are asked."""

    read: int = 0
    kept: int = 0
    dropped: dict[str, int] = {}
    refused: int = 0


class InstanceCounts(msgspec.Struct, frozen=True):
    """kept: instances in the dataset. dropped: rule → instances."""

    kept: int = 0
    dropped: dict[str, int] = {}


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """See the module. choices: named decisions of this build (splitter, format, …).

    refusals: the first places of what was refused. notes: those of what is kept with a fault, or is no document.
    """

    version: str
    recipe_sha256: str
    inputs: list[Input]
    documents: DocumentCounts
    instances: InstanceCounts
    repairs: dict[str, int]
    refusals: list[Refusal]
    choices: dict[str, Any]
    outputs: list[Output]
    notes: list[Refusal] = []

    def parts(self, split: str) -> list[Output]:
        """The Parquet files of a split, in order."""
        name = re.compile(rf"{DATA}/{re.escape(split)}-\d{{5}}-of-\d{{5}}\.parquet")
        return sorted((own for own in self.outputs if name.fullmatch(own.name)), key=lambda own: own.name)


def draft(
    *,
    inputs: Iterable[Input] = (),
    documents: DocumentCounts | None = None,
    dropped: Mapping[str, int] | None = None,
    repairs: Mapping[str, int] | None = None,
    choices: Mapping[str, Any] | None = None,
    refusals: Iterable[Refusal] = (),
    notes: Iterable[Refusal] = (),
) -> Receipt:
    """A receipt without what `writing.finish` adds: version, recipe, outputs and how many instances there are."""
    return Receipt(
        "",
        "",
        [*inputs],
        documents or DocumentCounts(),
        InstanceCounts(0, dict(dropped or {})),
        dict(sorted((repairs or {}).items())),
        [*refusals],
        dict(choices or {}),
        [],
        [*notes],
    )


def problems(receipt: Receipt) -> list[str]:
    """What does not add up; empty for a sound receipt."""
    d = receipt.documents
    accounted = d.kept + sum(d.dropped.values()) + d.refused
    found: list[str] = []
    if d.read != accounted:
        found.append(f"documents: {d.read} read, but kept + dropped + refused = {accounted}")
    rows = sum(own.rows or 0 for own in receipt.outputs if own.name.startswith(f"{DATA}/"))
    if receipt.outputs and rows != receipt.instances.kept:
        found.append(f"instances: {receipt.instances.kept} kept, but the parts have {rows}")
    if any(n < 0 for n in (*d.dropped.values(), *receipt.instances.dropped.values())):
        found.append("a count is negative")
    return found


def save(receipt: Receipt, folder: PathLike) -> None:
    """Write FOLDER/receipt.json; a receipt that does not add up is a bug and is never written."""
    faults = problems(receipt)
    if faults:
        raise ValueError("; ".join(faults))
    write_json(Path(folder) / FILE, receipt)


def load(folder: PathLike) -> Receipt:
    """The receipt of a dataset folder."""
    path = Path(folder) / FILE
    if not path.exists():
        if kind := kind_of(Path(folder)):
            raise InputError(f"is the folder of {with_article(kind)}", str(folder), "name that of a dataset")
        raise InputError(
            "no receipt here", str(folder), "name a folder that `anagnosis build` or `import` made"
        )
    receipt = read_json(path, Receipt, "build or import the dataset again")
    faults = problems(receipt)
    if faults:
        raise InputError(f"it does not add up: {'; '.join(faults)}", str(path), "build or import it again")
    return receipt
