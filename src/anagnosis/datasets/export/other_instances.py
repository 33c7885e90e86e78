"""Files of instances that lie in a folder already and that an export doesn't replace: a reader would mix the two."""

from __future__ import annotations

from pathlib import Path

from anagnosis.errors import InputError


def refuse_other_instances(out: Path, part: Path) -> None:
    """InputError: `out` has files of instances that an export into `part` doesn't replace; a reader would mix them."""
    if not any(part.glob("*/*.question")):
        return
    for folder in ("train", "training", "dev", "validation", "test"):
        for file in sorted((out / folder).glob("*.question")):
            if not (part / folder / file.name).exists():
                what = f"holds an instance of another export, {folder}/{file.name}"
                raise InputError(what, str(out), "choose another --out, or remove the earlier export")
