"""Rankings of search: ids in their order and scores, by vectors, and fused."""

from __future__ import annotations

import json
from typing import Any

from tests.pins.world import World

QUESTIONS = {
    "a question": "Does cold brew coffee raise gastric pH less than espresso?",
    "one word": "valganciclovir",
    "letters and numbers": "TGF-β1 and IL-2",
    "a phrase": "patients with type 2 diabetes",
    "nothing fits": "zzzqqq xxyyz",
}
FILTERS = {
    "": "",
    "since 2021": "--since 2021",
    "until 2020-06": "--until 2020-06",
    "results": "--section results",
    "results or conclusion": "--section results --section conclusion",
    "of a type": '--type "Journal Article"',
    "of a journal": '--journal "Journal of Invented Nursing"',
}
CLAIMS = {
    "a claim": "Does cold tea change sleep?",
    "words": "loud music adults",
    "elsewhere": "standing desk",
}
INDEXES = {
    "index-vectors": ("lexical", "dense", "hybrid"),
}


def found(world: World) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for asked, question in QUESTIONS.items():
        for name, options in FILTERS.items():
            if not name or asked in ("a question", "a phrase"):
                made[", ".join(filter(None, (asked, name)))] = ranking(world, "index", question, options)
    for index, rankings in INDEXES.items():
        for name in rankings:
            for asked, question in CLAIMS.items():
                made[f"{index}, {name}, {asked}"] = ranking(world, index, question, f"--ranking {name}")
    return made


def ranking(world: World, index: str, question: str, options: str = "") -> list[list[Any]]:
    """Document, passage, score, and the scores of its sentences."""
    told = json.loads(world.well(f'search {index} "{question}" {options} --by passage --json'))
    return [
        [
            hit["passage"]["document"],
            hit["passage"]["number"],
            hit["score"],
            [one["score"] for one in hit["sentences"]],
        ]
        for hit in told["found"]
    ]
