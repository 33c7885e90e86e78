"""An encoder that stays as it is: a run folder remembers which one it was, and it is looked for where it lay."""

from __future__ import annotations

from pathlib import Path

import msgspec

from anagnosis.decoding import read_json
from anagnosis.encoders import load
from anagnosis.encoders.load import Encoder
from anagnosis.errors import InputError
from anagnosis.files import write_json

REMEMBERED = "encoder.json"


class _Remembered(msgspec.Struct, frozen=True):
    name: str
    digest: str


def remember(encoder: Encoder, folder: Path) -> None:
    """Write name and digest into a run folder."""
    write_json(folder / REMEMBERED, _Remembered(encoder.name, encoder.digest), indent=1)


def remembered(folder: Path) -> tuple[str, str]:
    """The name and the digest that `remember` wrote."""
    found = read_json(folder / REMEMBERED, _Remembered, "this is no run of a reader over an encoder")
    return found.name, found.digest


def recalled(named: str, folder: Path) -> Encoder:
    """The encoder of a run folder, which must be the same. named: a folder where it may lie now."""
    name, digest = remembered(folder)
    moved = Path(named).expanduser().is_dir()
    encoder = load.load(named if moved else name)
    if encoder.digest != digest:
        raise InputError(
            f"the encoder {encoder.name} is another one than at the training",
            str(folder),
            "put the old one back, or train again",
        )
    return encoder
