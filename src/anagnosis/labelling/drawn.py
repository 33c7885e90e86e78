"""The record of a draw, `drawn.json` in the folder of a study: which questions, in which view, for which people.

    {"kind": "answers", "dataset": "3f0c…", "split": "test", "view": "names", "only": "tiny-a", "seed": 0,
     "ids": ["12345:0", …], "people": [{"name": "ann", "group": "experts"}], "knowledge": true, "texts": false,
     "idle": 60}

With the dataset it gives the study again, and so each person's page. Each person has the questions in an order of their
own, by seed and name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.paths import PathLike
from anagnosis.labelling.people import Person, check_people

Instance = TypeVar("Instance", ClozeInstance, DecisionInstance)
RECORD = "drawn.json"
IDLE = 60  # seconds
SPLITS = ("dev", "test", "train")  # CliCR's people answered questions of dev
# Field of a draw → the options of `label` that give False and True.
_SWITCHES = {
    "knowledge": ("--no-knowledge", "--ask-knowledge"),
    "texts": ("--entities-only", "--free-answers"),
}
USUAL = {"decision": "decisions"}  # kind of instances → the kind of sheets that is usual for them


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A draw. kind: of the sheets. dataset: the fingerprint of the split, or of the whole dataset.

    split, view, only: "" where the kind has none, or where no label was asked for. ids: in the order of the draw.
    knowledge: whether people mark what they answered from. texts: whether any words may be an answer. idle: seconds
    without input after which time stops.
    """

    kind: str
    dataset: str
    split: str = ""
    view: str = ""
    only: str = ""
    seed: int
    ids: tuple[str, ...]
    people: tuple[Person, ...] = ()
    knowledge: bool = False
    texts: bool = False
    idle: int = IDLE

    def encoded(self) -> bytes:
        """As RECORD holds it."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


class Draw(msgspec.Struct, frozen=True):
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

    def refuse(self, kind: str, *names: str) -> None:
        """Refuse (InputError) what a kind of sheets does not have, under the option that gave it."""
        for name in names:
            value = getattr(self, name)
            if value != getattr(Draw(), name):
                option = _SWITCHES[name][value] if name in _SWITCHES else f"--{name}"
                raise InputError(f"sheets of the kind {kind} have no such option", option, "leave it out")

    def record(self, kind: str, fingerprint: str, ids: Sequence[str], **more: Any) -> Drawn:
        """The record of what was drawn. fingerprint: of the dataset. more: other fields of the record."""
        asked: dict[str, Any] = {"only": self.only, "people": self.people, "idle": self.idle, **more}
        return Drawn(kind=kind, dataset=fingerprint, seed=self.seed, ids=tuple(ids), **asked)

    def demand_count(self) -> int:
        """The count. InputError: none is given."""
        if self.count is None:
            raise InputError("no number of questions to draw", "--draw", "say how many: --draw N")
        return self.count


def any_drawn(sheets: Path) -> Drawn:
    """The draw of a folder of sheets of any kind. InputError: there is none."""
    path = sheets / RECORD
    if not sheets.is_dir():
        raise InputError("no such folder", str(sheets), "draw them with `anagnosis label draw`")
    if not path.exists():
        raise InputError("no study in this folder", str(sheets), f"name the folder that holds {RECORD}")
    drawn = read_json(path, Drawn, "draw the sheets again", "is no record of a draw")
    check_people(drawn.people)
    return drawn


def usual_kind(source: PathLike | store.Dataset, sheets: Path) -> str:
    """The kind of sheets where none is named: that of the draw, else what is made of such a dataset."""
    if (sheets / RECORD).is_file():
        return any_drawn(sheets).kind
    return USUAL.get(loaded(source).kind.name, "answers")


def order(ids: Sequence[str], person: str, seed: int) -> list[int]:
    """The places in `ids` of the questions in the order in which a person answers them."""
    return sorted(range(len(ids)), key=lambda place: (rank(seed, f"{person}\n{ids[place]}"), ids[place]))


def loaded(source: PathLike | store.Dataset) -> store.Dataset:
    """The dataset of a folder."""
    return source if isinstance(source, store.Dataset) else store.load(source)


def first_split(dataset: store.Dataset) -> str:
    """The split to draw from where none is named."""
    return next((name for name in SPLITS if dataset.sizes.get(name)), SPLITS[0])


def refuse_other_dataset(dataset: store.Dataset, drawn: Drawn, where: Path) -> None:
    """Refuse (InputError) a dataset from which a draw is not. where: the folder that the message names."""
    if drawn.split not in dataset.sizes or store.fingerprint(dataset, drawn.split) != drawn.dataset:
        what = "the sheets were drawn from another dataset"
        raise InputError(what, str(where), "name the dataset that they were drawn from")


def instances_of(dataset: store.Dataset, drawn: Drawn, of: type[Instance]) -> list[Instance]:
    """The instances of a draw, in their order. InputError: the dataset is not the one that they were drawn from."""
    refuse_other_dataset(dataset, drawn, dataset.folder)
    return instances_by_id(dataset, drawn.split, drawn.ids, of)


def instances_by_id(
    dataset: store.Dataset, split: str, ids: Sequence[str], of: type[Instance]
) -> list[Instance]:
    """The instances of ids, in their order."""
    wanted = set(ids)
    each = {i.id: i for i in store.instances(dataset, split, of=of) if i.id in wanted}
    return [each[ident] for ident in ids]
