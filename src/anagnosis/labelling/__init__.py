"""What people answer or label on sheets.

`SHEET_KINDS` lists the kinds of sheets, which have the functions of `SheetKind`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from anagnosis import registry
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.labelling.people import Person

if TYPE_CHECKING:
    from anagnosis.labelling.drawn import Drawn
    from anagnosis.labelling.study import Study

SHEET_KINDS = {
    "answers": "anagnosis.labelling.answers",
    "decisions": "anagnosis.labelling.decisions",
    "skills": "anagnosis.labelling.skills",
}
DRAWN_PAGES = (
    "{drawn:,} drawn; give each person their page, and put the files that they save beside the pages"
)
IDLE = 60  # seconds


@dataclass(frozen=True, slots=True)
class Summary:
    """What the command prints. lines: first; counts: heading → name → number; then: what to do next."""

    lines: tuple[str, ...]
    counts: dict[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """What is drawn, by which seed, and for whom. count: how many questions; None for all that `only` names.

    split, view: of a dataset, None for the usual ones. only: the label that questions must carry, "" for any.
    people: who gets a page. knowledge: whether pages ask what people answered from; None where the kind of questions
    decides. texts: whether any words may be an answer; None where the dataset decides. idle: seconds without input
    after which pages stop to count time.
    """

    count: int | None = None
    seed: int = 0
    split: str | None = None
    view: str | None = None
    only: str = ""
    people: tuple[Person, ...] = ()
    knowledge: bool | None = None
    texts: bool | None = None
    idle: int = IDLE

    def refuse(self, kind: str, *options: str) -> None:
        """Refuse (InputError) options that a kind of sheets does not have. options: of OPTIONS."""
        for option in options:
            usual = next(each.default for each in fields(self) if each.name == OPTIONS[option])
            if getattr(self, OPTIONS[option]) != usual:
                what = f"sheets of the kind {kind} have no {option.removeprefix('--')}"
                raise InputError(what, option, "leave it out")

    def record(self, kind: str, fingerprint: str, ids: Sequence[str], **more: Any) -> Drawn:
        """The record of what was drawn. fingerprint: of the dataset. more: other fields of the record."""
        from anagnosis.labelling.drawn import Drawn

        given: dict[str, Any] = {
            "split": "",
            "view": "",
            "only": self.only,
            "people": self.people,
            "idle": self.idle,
        }
        return Drawn(kind=kind, dataset=fingerprint, seed=self.seed, ids=tuple(ids), **given | more)

    def demand_count(self) -> int:
        """The count. InputError: none is given."""
        if self.count is None:
            raise InputError("no number of questions to draw", "--draw", "say how many: --draw N")
        return self.count


# Option of `label` → field of Draw.
OPTIONS = {
    "--split": "split",
    "--view": "view",
    "--only": "only",
    "--people": "people",
    "--no-knowledge": "knowledge",
    "--free-answers": "texts",
    "--idle": "idle",
}


class SheetRecord(Protocol):
    """What the sheets of a kind say: a frozen dataclass, which --json prints."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def drawn(self) -> int:
        """The number of questions on the sheets."""
        ...


class SheetKind(Protocol):
    """A kind of sheets, which may be pages, one a person (`question_page.py`).

    source: the dataset, or its folder. sheets: the folder of the sheets. DRAWN: the line about drawn sheets, with
    {drawn}. COLLECTED: the next command when the pages are collected, with {source}, {out} and {sheets}.
    """

    DRAWN: str
    COLLECTED: str

    def draw(self, source: Any, sheets: Path, how: Draw) -> SheetRecord:
        """Draw questions, and write the sheets. InputError: there are fewer, or other sheets."""
        ...

    def studies(self, source: Any, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
        """The study of a draw again, as each person has it, in their order.

        InputError: the source is not the one that it was drawn from.
        """
        ...

    def read(self, source: Any, sheets: Path, out: PathLike | None, *, replace: bool) -> SheetRecord:
        """Read the sheets. out: the dataset to write of what they say. InputError: a fault of a sheet, by its line."""
        ...

    def summary(self, record: Any, source: Any, sheets: PathLike, out: PathLike | None) -> Summary:
        """The words for what `read` returned."""
        ...


def find(name: str) -> SheetKind:
    """The kind of that name."""
    return registry.find(SHEET_KINDS, name, "kind of sheets")
