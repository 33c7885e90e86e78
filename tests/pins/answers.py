"""What `search` and `ask` give with --json, whole: filters, kinds of questions, trained readers."""

from __future__ import annotations

import json
from typing import Any

from tests.pins.world import World

COFFEE = '"Does cold brew coffee raise gastric pH less than espresso?"'
TEA = '"Does cold tea change sleep?"'
NAME = '"Which cold tea changed sleep?"'
READERS = "--readers readers --device cpu --threads 1"
ONE_RUN = "--readers readers/evidence --device cpu --threads 1"
VECTORS = "--encoder encoder"
LINES = {
    "search": f"search index {COFFEE} --limit 3 --by passage",
    "search, filtered": f"search index {COFFEE} --section results --since 2015 --limit 3 --by passage",
    "search, a journal that is not there": f'search index {COFFEE} --journal "J Inv Nurs" --by passage',
    "search, nothing": "search index zzzqqq --by passage",
    "search, by vectors": f"search index-vectors {TEA} --limit 3 {VECTORS} --by passage",
    "ask": f"ask index {COFFEE}",
    "ask, a list": 'ask index "Which drugs lower blood pressure?" --limit 2',
    "ask, a summary": 'ask index "What is known about statins?" --limit 2',
    "ask, nothing": "ask index zzzqqq",
    "ask, trained": f"ask claims-index {TEA} {READERS}",
    "ask, trained, a name": f"ask claims-index {NAME} {READERS}",
    "ask, one run folder": f"ask claims-index {TEA} {ONE_RUN}",
}
TEXTS = ("search", "ask")


def found(world: World) -> dict[str, Any]:
    made: dict[str, Any] = {name: json.loads(world.well(f"{line} --json")) for name, line in LINES.items()}
    return made | {f"{name}, as text": world.well(LINES[name]).splitlines() for name in TEXTS}
