"""The published program's answers on made-up input, case by case."""

from __future__ import annotations

import json
from pathlib import Path

from anagnosis.datasets.kinds.cloze_instance import entity_token


def test_a_name_becomes_the_programs_token(shared: Path) -> None:
    cases = json.loads((shared / "vectors/clicr/plain_to_ent.json").read_text("utf-8"))["cases"]
    for case in cases:
        (text,) = case["input"].values()
        assert entity_token(text) == case["output"], text
    assert len(cases) == 6
