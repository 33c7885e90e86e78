from __future__ import annotations

import json

from tests.reports.samples import SYSTEMS, every_block, everywhere

from anagnosis.reports.renderers.json import render
from anagnosis.reports.report import Report


def test_values_are_raw_and_what_is_not_there_is_null() -> None:
    (table,) = json.loads(render(Report("R", (SYSTEMS,))))["blocks"]
    assert table["block"] == "table"
    assert table["rows"][1][:4] == ["overlap", {"value": 0.565, "low": 0.5526, "high": 0.5772}, None, None]
    assert table["columns"][1] == {"name": "test", "kind": "percent", "best": "high"}


def test_keys_are_the_same_for_the_same_block() -> None:
    keys: dict[str, set[tuple[str, ...]]] = {}
    for block in json.loads(render(every_block()))["blocks"]:
        keys.setdefault(block["block"], set()).add(tuple(block))
    assert {name: len(found) for name, found in keys.items()} == dict.fromkeys(keys, 1)
    assert keys["plot"] == {("block", "title", "description", "drawing", "data", "open")}


def test_any_text_comes_back() -> None:
    text = '\u2028 \x00 "β" </script>'
    assert json.loads(render(everywhere(text)))["title"] == text
