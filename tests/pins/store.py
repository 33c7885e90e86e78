"""The subjects that are pinned, and a command that stores their values anew: python -m tests.pins.store [SUBJECT…]

By hand, and only where a change is meant; the commit says why. The difference in git says what the
pins no longer hold.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from tests import conftest
from tests.pins.compare import STORED, plain
from tests.pins.world import World

assert conftest.ROOT  # it calms the environment, as in a test

# subject, a module here whose `found(world)` gives the tree of what the program does now → relative tolerance of
# numbers that are not whole
SUBJECTS = {
    "datasets": 0.0,
    "heuristics": 0.0,
    "trained": 1e-4,
    "rankings": 1e-4,
}


def found(subject: str, world: World) -> dict[str, Any]:
    """What the program does now.

    What is left to the processor is computed in float32, as every processor can.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"):
            patch.setattr(torch.cpu, name, bool, raising=False)
        tree = importlib.import_module(f"tests.pins.{subject}").found(world)
    return plain(tree)


def main(given: list[str]) -> int:
    if unknown := set(given) - set(SUBJECTS):
        print(
            f"no such subject: {', '.join(sorted(unknown))}; there are {', '.join(SUBJECTS)}", file=sys.stderr
        )
        return 2
    with TemporaryDirectory(prefix="pins-") as folder:
        for subject in given or SUBJECTS:
            tree = found(subject, World(Path(folder)))
            text = json.dumps(tree, indent=1, sort_keys=True, ensure_ascii=False)
            (STORED / f"{subject}.json").write_text(f"{text}\n", "utf-8")
            print(f"{subject}: {len(text):,} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
