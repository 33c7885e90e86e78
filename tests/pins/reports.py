"""What score, compare, report, show, agreement, harnesses, check, diff and evaluate-search give with --json, whole."""

from __future__ import annotations

import json
from typing import Any

from tests.pins.world import World

LINES = {
    "score, cloze": "score biomrc-demo base4.jsonl base3.jsonl",
    "score, cloze, by instance": "score biomrc-demo base4.jsonl --unit instance --protocol answer --view names",
    "score, several runs": "score biomrc-demo both=base4.jsonl,base1.jsonl",
    "score, a run folder": "score small-cloze recurrent --split test",
    "score, decisions": "score import-pubmedqa majority.jsonl",
    "score, decisions, official": "score import-pubmedqa majority.jsonl --protocol official",
    "score, types": "score import-bioasq rules.jsonl",
    "score, sentences": "score import-scifact overlap.jsonl",
    "compare, cloze": "compare biomrc-demo base4.jsonl base3.jsonl base1.jsonl --draws 200",
    "compare, several runs": "compare biomrc-demo a=base4.jsonl,base3.jsonl b=base1.jsonl,base3.jsonl --draws 200",
    "compare, decisions": "compare import-pubmedqa readers/decision decided --draws 200",
    "compare, sentences": "compare import-scifact overlap.jsonl other=overlap.jsonl --draws 200",
    "report, cloze": "report biomrc-demo base4.jsonl base3.jsonl --draws 200",
    "report, cloze, shortcuts": "report small-cloze small-base4.jsonl --shortcuts --draws 50",
    "report, decisions": "report import-pubmedqa majority.jsonl --draws 50",
    "show, cloze": "show biomrc-demo",
    "show, cloze, beside lite": "show biomrc-lite --beside lite",
    "show, a question": "show biomrc-demo --instance ana0044:20 base4.jsonl",
    "show, a question, names": "show biomrc-demo --instance ana0044:20 --view names",
    "show, decisions": "show import-pubmedqa --samples 1 --seed 3",
    "show, built decisions": "show pubmedqa",
    "show, questions": "show import-bioasq",
    "show, sentences": "show import-scifact",
    "agreement": "agreement biomrc-demo people.jsonl --systems base4.jsonl",
    "agreement, decisions": "agreement import-pubmedqa --people",
    "harnesses": "harnesses import-pubmedqa majority.jsonl",
    "check": "check biomrc-demo",
    "check, decisions": "check import-pubmedqa",
    "check, an index": "check index",
    "diff": "diff biomrc biomrc-strict",
    "diff, another kind": "diff biomrc pubmedqa",
    "evaluate-search, runs": (
        "evaluate-search best.run other.run --judgements qrels.txt --topics topics.tsv --draws 200"
    ),
    "evaluate-search, an index": (
        "evaluate-search index --judgements judged.txt --topics questions.tsv --measure ndcg@10 --measure map "
        "--draws 200"
    ),
    "readers": "readers",
    "measures": "measures",
    "formats": "formats",
    "datasets": "datasets",
}


# Files of a segment. How many segments an index has depends on the threads that wrote it.
OF_A_SEGMENT = 6


def found(world: World) -> dict[str, Any]:
    values = {name: json.loads(world.well(f"{line} --json")) for name, line in LINES.items()}
    segments = json.loads((world.folder / "index" / "embedded" / "meta.json").read_bytes())["segments"]
    values["check, an index"]["files"] -= OF_A_SEGMENT * (len(segments) - 1)
    return values
