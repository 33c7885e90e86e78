"""Predictions of every reader that needs no training run, exactly: names, aliases, what counts over a training part."""

from __future__ import annotations

from typing import Any

from tests.pins.contents import sha256
from tests.pins.inputs import read_lines
from tests.pins.world import World

from anagnosis import readers

DECISIONS = ("majority",)
SENTENCES = ("sentence-overlap",)
QUESTIONS = ("question-type-rules",)
RETRIEVED = ("search-order",)
ALIASES = (
    *(f"{paper}BASE{n}" for paper in ("", "biomrc:", "bioread:") for n in "1234"),
    "BASE3+",
    "biomrc:BASE3+",
)
# Word vectors, a run over cloze questions, or a server, and there is none in the world.
NEED_MORE = ("sim-entity", "snippet-cloze", "prompted")
SHOWN = 4  # lines of each file; of all others the sum


def found(world: World) -> dict[str, Any]:
    untrained = (name for name in readers.names() if not hasattr(readers.find(name), "prepare"))
    made = {name: predicted(world, name) for name in untrained if name not in NEED_MORE}
    made |= {
        f"{name}, local": predicted(world, name, "--view local")
        for name in ("best-position", "neighbour-overlap")
    }
    made |= {"random-candidate, seed 7": predicted(world, "random-candidate", "--seed 7")}
    made |= {
        f"ngram-occurrences, n = {n}": predicted(world, "ngram-occurrences", f"--set n={n}") for n in (2, 4)
    }
    sums = {name: predicted(world, name)["sha256"] for name in ALIASES}
    return {**made, "aliases": sums}


def predicted(world: World, reader: str, options: str = "") -> dict[str, Any]:
    """The first lines of a predictions file, and the sum of all."""
    data, split = "biomrc-demo", "test"
    if reader in DECISIONS:
        data = "import-pubmedqa"
    elif reader in SENTENCES:
        data, split = "import-scifact", "dev"
    elif reader in RETRIEVED:
        data, split = "bioasq-retrieval", "train"
    elif reader in QUESTIONS:
        data = "import-bioasq"
    world.well(f"predict {reader} {data} --split {split} {options} --replace --out predicted.jsonl")
    path = world.folder / "predicted.jsonl"
    return {
        "sha256": sha256(path.read_bytes()),
        "note": (world.folder / "predicted.run.json").read_text("utf-8"),
        "lines": read_lines(path)[:SHOWN],
    }
