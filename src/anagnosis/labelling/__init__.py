"""What people judge on sheets: `SHEET_KINDS` lists the kinds of sheets; each has a file here.

Other packages add kinds (entry points `anagnosis.sheet_kinds`). An entry is a module with the functions of `SheetKind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from anagnosis import registry
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

SHEET_KINDS = {
    "answers": "anagnosis.labelling.answers",
    "decisions": "anagnosis.labelling.decisions",
    "entities": "anagnosis.labelling.entities",
    "similar-answers": "anagnosis.labelling.similar_answers",
    "skills": "anagnosis.labelling.skills",
    "statements": "anagnosis.labelling.statements",
}
GROUP = "anagnosis.sheet_kinds"


@dataclass(frozen=True, slots=True)
class Summary:
    """What the command prints. lines: first; counts: heading → name → number; then: what to do next."""

    lines: tuple[str, ...]
    counts: dict[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """How many things are drawn, by which seed. split, view: of a dataset, None for the usual ones."""

    count: int
    seed: int = 0
    split: str | None = None
    view: str | None = None

    def refuse_split_and_view(self, kind: str) -> None:
        """Refuse (InputError) both, for a kind of sheets that has neither."""
        for option, value in (("--split", self.split), ("--view", self.view)):
            if value is not None:
                what = f"sheets of the kind {kind} have no {option.removeprefix('--')}"
                raise InputError(what, option, "leave it out")


class SheetRecord(Protocol):
    """What the sheets of a kind say: a frozen dataclass, which --json prints."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def drawn(self) -> int:
        """The number of things on the sheets."""
        ...


class SheetKind(Protocol):
    """A kind of sheets. source: what is judged (a dataset folder, a file of papers). sheets: the folder of the sheets.

    DRAWN: the line about drawn sheets, with {drawn}.
    """

    DRAWN: str

    def draw(self, source: Any, sheets: Path, how: Draw) -> SheetRecord:
        """Draw things, and write the sheets. InputError: there are fewer, or other sheets."""
        ...

    def read(self, source: Any, sheets: Path, out: PathLike | None, *, replace: bool) -> SheetRecord:
        """Read the sheets. out: the dataset to write of what they say. InputError: a fault of a sheet, by its line."""
        ...

    def summary(self, record: Any, source: Any, sheets: PathLike, out: PathLike | None) -> Summary:
        """The words for what `read` returned."""
        ...


def find(name: str) -> SheetKind:
    """The kind of that name."""
    return registry.find(SHEET_KINDS, GROUP, name, "kind of sheets")


def names() -> list[str]:
    """Every known name."""
    return registry.names(SHEET_KINDS, GROUP)
