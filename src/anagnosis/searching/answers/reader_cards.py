"""The card of a trained run among the readers of `ask`: a checked file in its folder, which `readers make` writes.

A run that `anagnosis train` made has none.
"""

from __future__ import annotations

from pathlib import Path

from anagnosis.checksums import read_checked_json, write_checked_json
from anagnosis.errors import InputError
from anagnosis.folder_names import READER_CARD as FILE
from anagnosis.searching.records.reader_figures import FORMAT, RunCard

REMEDY = "make it again with `anagnosis readers make --data DATA --out READERS --replace`"


def store_card(folder: Path, card: RunCard) -> None:
    """Write the card into the folder of a run."""
    write_checked_json(folder / FILE, card)


def load_card(folder: Path) -> RunCard | None:
    """The card of a folder, None without one. InputError: it is damaged, or another version made it."""
    if not (folder / FILE).exists():
        return None
    card = read_checked_json(folder / FILE, RunCard, REMEDY)
    if card.format != FORMAT:
        raise InputError("was made by another version", str(folder / FILE), REMEDY)
    return card
