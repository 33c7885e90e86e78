"""Bytes of datasets of every recipe and every layout that can be imported, of exports and conversions; fingerprints."""

from __future__ import annotations

from typing import Any

from tests.pins.contents import pinned_file, pinned_folder
from tests.pins.inputs import read_lines
from tests.pins.world import DATASETS, EXPORTS, FILES, World

# A reader that needs no training for each kind of dataset: its predictions carry the fingerprint of the split.
READERS = {
    "cloze": "first-entity",
    "decision": "majority",
    "evidence": "sentence-overlap",
    "question": "question-type-rules",
}


def found(world: World) -> dict[str, Any]:
    return {
        **{name: pinned_folder(world.path(name)) for name in (*DATASETS, *EXPORTS)},
        **{name: pinned_file(world.path(name)) for name in FILES},
        "fingerprints": {name: fingerprints(world, name) for name in DATASETS},
    }


def fingerprints(world: World, name: str) -> dict[str, str]:
    """split → its fingerprint, as every predictions file carries it."""
    splits = {path.name.partition("-")[0] for path in (world.path(name) / "data").iterdir()}
    found: dict[str, str] = {}
    for split in sorted(splits):
        out = f"fingerprint-{name}-{split}.jsonl"
        reader = _reader(world, name)
        training = "--train-on import-pubmedqa " if reader == "majority" else ""
        world.well(f"predict {reader} {name} --split {split} {training}--limit 1 --replace --out {out}")
        found[split] = read_lines(world.folder / out)[0]["dataset"]
    return found


def _reader(world: World, name: str) -> str:
    recipe = (world.folder / name / "recipe.toml").read_text("utf-8")
    return next(
        (reader for kind, reader in READERS.items() if f'kind = "{kind}"' in recipe), READERS["cloze"]
    )
