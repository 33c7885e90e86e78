"""design/mutants.tsv: each survivor that does not count has its class and its reason."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_each_listed_mutant_is_of_a_file_that_there_is_and_has_a_class_and_a_reason() -> None:
    header, *rows = (ROOT / "design" / "mutants.tsv").read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["class", "file", "line", "before", "after", "reason"]
    assert rows
    for row in rows:
        kind, file, line, before, after, reason = row.split("\t")
        assert kind in ("equivalent", "message", "alive"), row
        assert (ROOT / file).is_file(), row
        assert line.isdecimal(), row
        assert before != after, row
        assert reason, row
