"""A public copy of a dataset: the answers of one split left out, so that systems can be ranked on it.

The other splits are the same bytes. What a kind withholds is in its `withholdings`; nothing that is written depends on
it, so two datasets that differ in these answers alone have the same copy, byte for byte. The rows of the split stand in
an order of their own, by a hash of their documents and ids: the order in which a source held them may tell something.
Fingerprints depend on ids and candidates alone, and are the same.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.arrays import from_numbers
from anagnosis.datasets.folder import entities, store, writing
from anagnosis.datasets.folder.card import WITHHELD as KEY
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import unknown_name
from anagnosis.io.folders import DATA
from anagnosis.io.paths import PathLike
from anagnosis.progress import Progress

_TEST = "test"
_SEED = b"anagnosis withheld "


@dataclass(frozen=True, slots=True)
class Withheld:
    """A public copy. what: by its name in the kind. instances: of the split."""

    dataset: Dataset
    split: str
    what: str
    instances: int
    fingerprint: str


def withhold(
    dataset: Dataset, out: PathLike, *, split: str = _TEST, what: str | None = None, replace: bool = False
) -> Withheld:
    """split: of which the answers are left out. what: one of the kind's withholdings (default: the first).

    replace: overwrite a dataset in `out`.
    """
    kind = dataset.kind
    name = what or next(iter(kind.withholdings))
    if name not in kind.withholdings:
        raise unknown_name("part of the gold", name, kind.withholdings, "--hide")
    if split not in dataset.sizes:
        raise unknown_name("split", split, dataset.sizes, str(dataset.folder))
    before: Mapping[str, str] = dataset.recipe.get(KEY, {})
    recipe = {**dataset.recipe, KEY: {**before, split: name}}
    said = dataset.receipt.choices
    choices = {**said, KEY: {**said.get(KEY, {}), split: {"instances": dataset.sizes[split]}}}
    with writing.new_dataset(out, replace=replace) as new:
        for other in dataset.sizes:
            for part in dataset.parts(other) if other != split else ():
                shutil.copyfile(part, new / DATA / part.name)
        if (file := dataset.file(entities.FILE)) is not None:
            shutil.copyfile(file, new / entities.FILE)
        table = pa.concat_tables(map(pq.read_table, dataset.parts(split)))
        order, rows = _order(table), writing.GROUP_ROWS
        with writing.Parts(new, split) as parts, Progress("withhold", len(table), "instances") as progress:
            for start in range(0, len(order), rows):
                taken = table.take(from_numbers(np.array(order[start : start + rows], np.int64)))
                for made in kind.tables(map(kind.withholdings[name], kind.instances(taken)), rows):
                    parts.add(_with_columns(made, table.schema))
                    progress.advance(len(made))
        # The reasons of what was refused or noted may quote an answer.
        receipt = msgspec.structs.replace(dataset.receipt, choices=choices, refusals=[], notes=[])
        writing.finish(new, recipe, receipt)
    made = store.load(Path(out))
    return Withheld(made, split, name, dataset.sizes[split], store.fingerprint(made, split))


def _order(table: pa.Table) -> list[int]:
    """The rows by a hash, those of a document beside each other."""
    ids: list[str] = table.column("id").to_pylist()
    documents: list[str] = table.column("document").to_pylist() if "document" in table.column_names else ids
    keys = [(_hash(document), _hash(ident)) for document, ident in zip(documents, ids, strict=True)]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _hash(text: str) -> bytes:
    return hashlib.sha256(_SEED + text.encode()).digest()


def _with_columns(made: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with the columns that the split had: those that hold gold alone may be left out where it is gone."""
    columns: dict[str, Any] = {}
    for field in schema:
        if field.name in made.column_names:
            columns[field.name] = made.column(field.name)
        else:
            empty = [] if pa.types.is_list(field.type) and not field.nullable else None
            columns[field.name] = pa.array([empty] * len(made), field.type)
    return pa.table(columns, schema=schema)
