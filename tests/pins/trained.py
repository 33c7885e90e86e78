"""A tiny training of every reader that learns: names and shapes of its tensors, what they hold, what it predicts.

Trained by plain gradient descent. Adam divides a gradient by its size, so where a gradient is 0 but for rounding (a
bias in front of a softmax) the rounding of a processor would become a whole step.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from tests.encoders.tiny_text import tiny_text_model
from tests.pins.inputs import read_lines
from tests.pins.world import World
from tests.readers.tiny_readers import ENCODER, TEXT_MODEL, VECTORS, tiny, tiny_vectors

from anagnosis import readers

DATA = {
    "shallow-features": "import-pubmedqa",
    "bilstm": "import-pubmedqa",
    "esim": "import-pubmedqa",
    "encoder-classifier": "import-pubmedqa",
    "answer-words": "import-bioasq",
    "span": "import-bioasq",
    "text-to-text": "import-bioasq",
    "jpdrmm": "import-scifact",
}
CLOZE = "biomrc-demo"
SHOWN = 3
# What depends on the clock.
TIMES = ("seconds", "total_seconds", "weights", "files")


def found(world: World) -> dict[str, Any]:
    world.inputs()
    tiny_vectors(world.folder / "vectors.txt")
    tiny_text_model(world.folder / "text-model")
    learning = (name for name in readers.names() if hasattr(readers.find(name), "prepare"))
    return {name: trained(world, name) for name in learning}


def trained(world: World, name: str) -> dict[str, Any]:
    """What one epoch over a few instances gives."""
    data = DATA.get(name, CLOZE)
    options = "--limit 12 --threads 1 --device cpu --replace --set epochs=1 --set batch=4"
    options += " --set stop=epochs --set optimizer=sgd --set rate=0.2"
    for key, value in tiny(name).settings.items():
        if value == ENCODER:
            options += " --set encoder=encoder"
        elif value == TEXT_MODEL:
            options += " --set encoder=text-model"
        elif key not in ("epochs", "optimizer", "rate"):
            options += f" --set {key}={'vectors.txt' if value == VECTORS else value}"
    world.well(f"train {name} --data {data} {options} --out trained/{name}")
    folder = world.folder / "trained" / name
    split = "dev" if data == "import-scifact" else "test"
    world.well(
        f"predict trained/{name} {data} --split {split} --limit {SHOWN} --threads 1 --device cpu "
        f"--replace --out trained/{name}.jsonl"
    )
    facts: dict[str, Any] = json.loads((folder / "run.json").read_text("utf-8"))
    return {
        "files": sorted(path.name for path in folder.iterdir() if path.name != "lock"),
        "recipe": (folder / "recipe.toml").read_text("utf-8"),
        "facts": {key: value for key, value in facts.items() if key not in TIMES},
        "tensors": tensors(folder / "model.safetensors"),
        "predictions": read_lines(folder.with_suffix(".jsonl")),
    }


def tensors(path: Path) -> dict[str, Any]:
    """name → shape, type and a few statistics, none of which is a small difference of large numbers."""
    from safetensors.numpy import load_file

    return {name: statistics(tensor) for name, tensor in sorted(load_file(path).items())}


def statistics(tensor: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Those of a tensor of numbers; places are weighted, so that an exchange of two is seen."""
    values = np.abs(tensor.astype(np.float64).ravel())
    weighted = values @ np.linspace(1.0, 2.0, values.size) if values.size else 0.0
    return {
        "shape": [*tensor.shape],
        "type": str(tensor.dtype),
        "length": float(np.sqrt((values**2).sum())),
        "largest": float(values.max(initial=0.0)),
        "weighted": float(weighted),
    }
