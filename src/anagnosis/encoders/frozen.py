"""An encoder that stays as it is: a run folder remembers which one it was, and it is looked for where it lay."""

from __future__ import annotations

import json
from pathlib import Path

from anagnosis.encoders import load
from anagnosis.encoders.load import Encoder
from anagnosis.errors import InputError
from anagnosis.files import write_text

REMEMBERED = "encoder.json"


def remember(encoder: Encoder, folder: Path) -> None:
    """Write name and digest into a run folder."""
    remembered = {"name": encoder.name, "digest": encoder.digest}
    write_text(folder / REMEMBERED, json.dumps(remembered, indent=1) + "\n")


def remembered(folder: Path) -> tuple[str, str]:
    """The name and the digest that `remember` wrote."""
    try:
        found: dict[str, str] = json.loads((folder / REMEMBERED).read_text("utf-8"))
        return found["name"], found["digest"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
        raise InputError(
            f"no readable {REMEMBERED}", str(folder), "this is no run of a reader over an encoder"
        ) from fault


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
