"""Record of a frozen encoder in a run folder: its name or path, and its digest."""

from __future__ import annotations

from pathlib import Path

import msgspec

from anagnosis.encoders import load
from anagnosis.encoders.load import Encoder
from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json

RECORD = "encoder.json"


class _Record(msgspec.Struct, frozen=True):
    name: str
    digest: str


def record(encoder: Encoder, folder: Path) -> None:
    """Write name and digest into a run folder."""
    write_json(folder / RECORD, _Record(encoder.name, encoder.digest), indent=1)


def recorded(folder: Path) -> tuple[str, str]:
    """The name and the digest that `record` wrote."""
    facts = read_json(folder / RECORD, _Record, "this is no run of a reader over an encoder")
    return facts.name, facts.digest


def restore(named: str, folder: Path) -> Encoder:
    """Load the recorded encoder, whose digest must be the same. named: a folder to which it may have moved."""
    name, digest = recorded(folder)
    moved = Path(named).expanduser().is_dir()
    encoder = load.load(named if moved else name)
    if encoder.digest != digest:
        raise InputError(
            f"the encoder {encoder.name} is another one than at the training",
            str(folder),
            "put the old one back, or train again",
        )
    return encoder
