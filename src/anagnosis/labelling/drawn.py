"""The record of a draw, `drawn.json` in the folder of a study: which questions, in which view, for which people.

    {"kind": "answers", "dataset": "3f0c…", "split": "test", "view": "names", "only": "tiny-a", "seed": 0,
     "ids": ["12345:0", …], "people": [{"name": "ann", "group": "experts"}], "knowledge": true, "texts": false,
     "idle": 60, "siblings": 0, "documents": ["12345", …], "passages": ["9f2c…", …]}

With the dataset it gives the study again, and so each person's page. Each person has the questions in an order of their
own, by seed and name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.labelling.people import Person, check_people

RECORD = "drawn.json"


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draw. kind: of the sheets. dataset: the split's fingerprint, or the checksum of a file.

    split, view, only: "" where the kind has none, or where no label was asked for. ids: in the order of the draw.
    knowledge: whether people mark what they answered from. texts: whether any words may be an answer. idle: seconds
    without input after which time stops. siblings: questions that were left out because they show the answer of a
    drawn one. documents, passages: what the questions are from, sorted; a passage is the
    hash of its words without its entities.
    """

    kind: str
    dataset: str
    split: str
    view: str
    only: str
    seed: int
    ids: tuple[str, ...]
    people: tuple[Person, ...] = ()
    knowledge: bool = False
    texts: bool = False
    idle: int = 60
    siblings: int = 0
    documents: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()

    def encoded(self) -> bytes:
        """As RECORD holds it."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


def read_drawn(kind: str, sheets: Path) -> Drawn:
    """The draw of a folder of sheets of a kind. InputError: there is none, or one of another kind."""
    path = sheets / RECORD
    if not path.exists():
        raise InputError("no such sheets", str(path), f"draw them with `anagnosis label draw --kind {kind}`")
    drawn = any_drawn(sheets)
    if drawn.kind != kind:
        raise InputError(f"the sheets are of the kind {drawn.kind}", str(path), f"add --kind {drawn.kind}")
    return drawn


def any_drawn(sheets: Path) -> Drawn:
    """The draw of a folder of sheets of any kind. InputError: there is none."""
    path = sheets / RECORD
    if not sheets.is_dir():
        raise InputError("no such folder", str(sheets), "name the folder of a study")
    if not path.exists():
        raise InputError("no study in this folder", str(sheets), f"name the folder that holds {RECORD}")
    drawn = read_json(path, Drawn, "draw the sheets again", "is no record of a draw")
    check_people(drawn.people)
    return drawn


def order(ids: Sequence[str], person: str, seed: int) -> list[int]:
    """The places in `ids` of the questions in the order in which a person answers them."""
    return sorted(range(len(ids)), key=lambda place: (rank(seed, f"{person}\n{ids[place]}"), ids[place]))
