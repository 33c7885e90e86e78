"""Folders that were made before packages were regrouped: each still opens, and gives what it gave then.

tests/samples/made_before/README.md says how they were made. They are never made anew: what they hold is what somebody
has on a disk. Older ones, without checksums, are in tests/older.py.
"""

from __future__ import annotations

import json
import shutil
from typing import Any

from tests.pins.contents import sha256
from tests.pins.inputs import MADE_BEFORE, read_lines
from tests.pins.trained import tensors
from tests.pins.world import World

BEFORE = "made_before"
FROM_ENCODER = f"--encoder {BEFORE}/encoder"
TORCH = "--device cpu --threads 1"
ANSWERS = f"--readers {BEFORE}/readers {TORCH}"
# Predictions of each run: its folder → dataset, split, further options
RUNS = {
    "runs/recurrent/seed-0": ("cloze", "test", ""),
    "runs/recurrent/seed-1": ("cloze", "test", ""),
    "runs/frozen": ("cloze", "dev", f"{FROM_ENCODER} --kept kept-before"),
    "runs/trained": ("cloze", "test", ""),
    "runs/question-type": ("question", "test", ""),
    "readers/decision/fold-0": ("decision", "test", ""),
    "readers/evidence": ("evidence", "dev", ""),
    "readers/exact": ("cloze", "test", ""),
    "search/trial-0": ("cloze", "test", ""),
}
LINES = {
    **{f"check {name}": f"check {BEFORE}/{name}" for name in ("cloze", "decision", "question", "evidence")},
    "check index": f"check {BEFORE}/index",
    "check index-vectors": f"check {BEFORE}/index-vectors",
    "score predictions": f"score {BEFORE}/cloze {BEFORE}/base4.jsonl {BEFORE}/base3.jsonl {BEFORE}/recurrent.jsonl",
    "score sentences": f"score {BEFORE}/evidence {BEFORE}/overlap.jsonl",
    "score decisions": f"score {BEFORE}/decision {BEFORE}/decided",
    "score runs": f"score {BEFORE}/cloze {BEFORE}/runs/recurrent {BEFORE}/runs/trained --split test",
    "people": f"agreement {BEFORE}/cloze {BEFORE}/people.jsonl",
    "show notes": f"report {BEFORE}/cloze {BEFORE}/recurrent.jsonl --draws 20",
    "search": f'search {BEFORE}/index "cold tea sleep" --limit 4 --by passage',
    "search, reranked": f'search {BEFORE}/index "cold tea sleep" --limit 4 --ranking reranked --by passage',
    "search, dense": (
        f'search {BEFORE}/index-vectors "cold tea sleep" --limit 4 --ranking dense {FROM_ENCODER} --by passage'
    ),
    "ask": f'ask {BEFORE}/index "Does cold tea change sleep?" {ANSWERS}',
    "ask for a name": f'ask {BEFORE}/index "Which cold tea changed sleep?" {ANSWERS}',
}


def found(world: World) -> dict[str, Any]:
    made: dict[str, Any] = {name: json.loads(world.well(f"{line} --json")) for name, line in LINES.items()}
    world.inputs()
    for run, (data, split, options) in RUNS.items():
        line = f"predict {BEFORE}/{run} {BEFORE}/{data} --split {split} {options} {TORCH}"
        world.well(f"{line} --replace --out again.jsonl")
        made[f"predict {run}"] = read_lines(world.folder / "again.jsonl")
    out = f"decided-{BEFORE}"
    world.well(f"decide {BEFORE}/readers/decision {BEFORE}/decision {TORCH} --replace --out {out}")
    made["decide"] = {path.name: read_lines(path) for path in sorted((world.folder / out).glob("*.jsonl"))}
    shutil.rmtree(world.folder / "continued", ignore_errors=True)
    shutil.copytree(MADE_BEFORE, world.folder / "continued")
    made["train on"] = world.well(
        f"train biomrc-attention-sum-local --data {BEFORE}/cloze --set embedding=4 --set hidden=4 --set epochs=2 "
        "--seeds 2 --threads 1 --out continued/runs/recurrent"
    ).splitlines()
    made["kept"] = kept(world)
    for index in ("index", "index-vectors"):
        ended = world.run(f"index papers.jsonl citations.xml --out continued/{index}")
        assert ended.code == 2, "an index of an earlier format takes no papers"
        made[f"{index} on"] = ended.err.splitlines()
    return made


def kept(world: World) -> dict[str, Any]:
    """A training by vectors that were kept then: they lie where this program looks for them, and are taken as they are.

    The name of their folder depends on where the encoder lies, so they are put under the name that it has here.
    """
    line = (
        f"train biomrc-masked-encoder-max --data {BEFORE}/cloze {FROM_ENCODER} --set hidden=4 --set epochs=1 "
        "--set optimizer=sgd --set precision=float32 --threads 1 --kept continued/kept-here --replace "
        "--out continued/runs/"
    )
    world.well(f"{line}computed")
    here, before = world.folder / "continued" / "kept-here", world.folder / "continued" / "kept"
    for split in ("train", "dev"):
        (place,), (older,) = here.glob(f"{split}-*"), before.glob(f"{split}-*")
        for path in older.iterdir():
            if path.name != "what.json":
                shutil.copy2(path, place / path.name)
    world.well(f"{line}taken")
    files = {
        path.relative_to(here).as_posix(): path
        for path in sorted(here.rglob("*.*"))
        if path.name != "what.json"
    }
    assert len(files) == 6, [*files]
    sums = {
        f"{name.partition('-')[0]}/{path.name}": sha256(path.read_bytes()) for name, path in files.items()
    }
    return {
        "vectors": sums,
        "tensors": tensors(world.folder / "continued" / "runs" / "taken" / "model.safetensors"),
    }
