"""Each promise of docs/reliability.md names a test that there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text("utf-8")
PROMISES = [
    line
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
]


@each_row("promise", PROMISES, ids=lambda line: line[:60])
def test_a_promise_names_its_tests(promise: str) -> None:
    tests = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", promise)
    assert tests, f"no test stands beside this promise: {promise}"
    for file, name in tests:
        path = ROOT / file
        assert path.is_file(), f"{file} is not there: {promise}"
        text = path.read_text("utf-8")
        assert f"def {name}(" in text if name else "def test_" in text, f"{file} has no {name}: {promise}"


def test_nothing_is_promised_outside_of_the_tables() -> None:
    paragraphs = [one for one in PAGE.split("\n\n") if not one.startswith(("#", "|"))]
    assert len(PROMISES) > 20
    assert all(one.startswith("Not promised: ") for one in paragraphs[1:]), paragraphs[1:]
