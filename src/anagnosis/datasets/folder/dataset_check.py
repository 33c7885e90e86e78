"""Is a dataset folder what its receipt says? Hashes, the receipt's sums, and what must hold of every instance."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.folder import store
from anagnosis.io.counts import Counts
from anagnosis.io.files import sha256
from anagnosis.io.folders import DATA
from anagnosis.io.paths import reason_of
from anagnosis.progress import Progress
from anagnosis.recipes import load as recipes
from anagnosis.wording import counted


@dataclass(slots=True)
class DatasetCheck(Counts):
    """Of a dataset folder: its problems. files: verified."""

    files: int = 0
    instances: int = 0

    @property
    def looked_at(self) -> str:
        """What was verified, in words."""
        return f"{counted(self.files, 'file')} and {counted(self.instances, 'instance')}"


def check_dataset(dataset: store.Dataset) -> DatasetCheck:
    """Every problem of a dataset folder."""
    findings = DatasetCheck()
    damaged = _check_files(dataset, findings)
    if recipes.digest(dataset.recipe) != dataset.receipt.recipe_sha256:
        findings.add("recipe", f"{store.RECIPE}: is not the recipe that the receipt names")
    seen: set[int] = set()
    with Progress("check", sum(dataset.sizes.values()), "instances") as progress:
        for split in dataset.sizes:
            if any(part.name in damaged for part in dataset.receipt.parts(split)):
                continue
            try:
                for instance in store.instances(dataset, split):
                    findings.instances += 1
                    if hash(instance.id) in seen:
                        findings.add("repeated_id", f"{split} {instance.id}: the id stands twice")
                    seen.add(hash(instance.id))
                    for name, what in dataset.kind.faults(instance, dataset.text_form):
                        findings.add(name, f"{split} {instance.id}: {what}")
                    progress.advance()
            except Exception as fault:  # of what another program wrote
                what = " ".join(str(fault).split())
                findings.add("file_unreadable", f"{split}: {what}; what follows in it is not checked")
    return findings


def _check_files(dataset: store.Dataset, findings: DatasetCheck) -> set[str]:
    """The names of missing and changed files; the instances of their splits are not checked."""
    damaged: set[str] = set()
    named = {output.name: output for output in dataset.receipt.outputs}
    for name, output in named.items():
        path = dataset.folder / name
        findings.files += 1
        fault, what = "", ""
        try:
            if not path.is_file():
                fault, what = "file_missing", "is missing"
            elif sha256(path) != output.sha256:
                fault, what = "file_changed", "changed since the receipt was written (its SHA-256 differs)"
            elif path.suffix == ".parquet" and pq.read_metadata(path).num_rows != output.rows:
                findings.add("receipt", f"{name}: has other than the {output.rows} rows of the receipt")
        except (OSError, ValueError, pa.ArrowException) as broken:
            fault, what = "file_unreadable", reason_of(broken)
        if fault:
            findings.add(fault, f"{name}: {what}; {store.AGAIN}")
            damaged.add(name)
    for path in sorted((dataset.folder / DATA).glob("*")):
        name = path.relative_to(dataset.folder).as_posix()
        if name not in named:
            findings.add("file_unknown", f"{name}: is not in the receipt; move it elsewhere")
    return damaged
