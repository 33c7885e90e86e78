"""The finished parts of a board that is being built, so that a build that was killed takes them up again.

Of a part that is not finished its pieces are kept: by each measure, its ranking and the gains over simple readers. A
part is kept under a digest of all that it is made of: the files of its submissions, the dataset, the settings, and the
program itself. Whatever changes has another digest, so that nothing is ever taken for something else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from anagnosis.datasets.build.three_phases import program_digest
from anagnosis.datasets.folder.store import Dataset
from anagnosis.decoding import json_or_none
from anagnosis.files import write_bytes
from anagnosis.leaderboard.board import Part
from anagnosis.leaderboard.entries import Entry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pieces:
    """Those of one part. folder: None: none are kept. digest: of the part."""

    folder: Path | None = None
    digest: str = ""

    def made(self, name: str, of: type[T], make: Callable[[], T]) -> T:
        """The piece of that name: of an earlier build, or made and kept. of: what it is; None is made again."""
        if self.folder is None:
            return make()
        path = self.folder / f"{self.digest}.{name}.json"
        found = json_or_none(path, of)
        if found is None and (found := make()) is not None:
            write_bytes(path, msgspec.json.encode(found))
        return found


NO_PIECES = Pieces()


@dataclass(frozen=True, slots=True)
class KeptParts:
    """folder: for the parts; None: none are kept."""

    folder: Path | None = None

    def get(self, digest: str) -> Part | None:
        """The part of that digest, if it was kept."""
        return None if self.folder is None else json_or_none(self.folder / f"{digest}.json", Part)

    def pieces(self, digest: str) -> Pieces:
        """Those of the part of that digest."""
        return Pieces(self.folder, digest)

    def keep(self, digest: str, part: Part) -> None:
        """Keep a finished part."""
        if self.folder is not None:
            write_bytes(self.folder / f"{digest}.json", msgspec.json.encode(part))


def digest_of(dataset: Dataset, entries: Sequence[Entry], *settings: object) -> str:
    """Of a part. entries: in their order. settings: what else changes it."""
    made_of = [
        program_digest(),
        *(f"{output.name} {output.sha256}" for output in dataset.receipt.outputs),
        *(f"{each.name!r} {each.submission.digest}" for each in entries),
        *map(repr, settings),
    ]
    return hashlib.sha256("\n".join(made_of).encode("utf-8", "surrogatepass")).hexdigest()
