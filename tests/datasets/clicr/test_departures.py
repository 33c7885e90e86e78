"""Where `paper` departs from the published program, and how often, as design/clicr.md says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks.clicr_departures import counted, departures

from anagnosis.datasets.clicr.as_published import Entity

DESIGN = Path(__file__).parents[3] / "design" / "clicr.md"
BEGIN = "Rash\nHe had rash .\nLearning points\n"


def found(text: str, *names: str) -> set[str]:
    """The departures of a report whose entities are these words, each where it stands last."""
    spans = [(text.rindex(name), len(name)) for name in names]
    return {*departures(text, [Entity(at, at + size, "problem", str(at)) for at, size in spans])}


@pytest.mark.parametrize(
    ("text", "names", "departure"),
    [
        (
            BEGIN + "A bad rash .\n",
            ["bad rash", "rash"],
            "reports: the program stops: two entities end at the same",
        ),
        (BEGIN + "A bad rash .\n", ["bad rash", "bad r"], "reports that the program builds"),
        (
            "Rash\n bad sign\nLearning points\n",
            [" bad"],
            "reports: the program leaves the report out for its marks",
        ),
        (
            "Rash\nHe 0 .5 mg\nLearning points\nA .\n",
            [],
            "reports: numbers of the passage are taken for citations",
        ),
        (
            "Rash\nA sign\nLearning points\nB .\n",
            ["sign"],
            "reports: an entity ends where the passage ends, and its",
        ),
        (
            "Rash\nA ( b ) .\nLearning points\nB .\n",
            ["( b )"],
            "reports: an entity of the passage that is a parenth",
        ),
        (
            "Rash\nA sign\nof b .\nLearning points\nB .\n",
            ["sign\nof"],
            "reports: an entity of the passage crosses a",
        ),
        (
            "Rash\nA sign of .\nLearning points\nB .\n",
            ["A sign of", "sign"],
            "reports: letters of the passage are",
        ),
        (
            "Rash\nHe had rash .\n",
            [],
            "reports: the program takes a text without learning points for a passage",
        ),
        (BEGIN + "A sign .\n", ["points"], "queries of the program alone: the entity is in the heading"),
        (
            BEGIN + "A sign\nof b .\n",
            ["sign\nof"],
            "queries of the program alone: the entity holds a line break",
        ),
        (
            BEGIN + "A bad sign .\n",
            ["bad", "sign"],
            "queries: the answer is the word before the hidden entity",
        ),
        (BEGIN + "A sign ( b ) .\n", ["( b )"], "queries that both make"),
        (
            BEGIN + "A sign, or b c .\n",
            ["sign", "b c"],
            "queries of paper alone: the program drops them",
        ),
        (BEGIN + "A sign of ( b ) .\n", ["sign", "( b )"], "queries: the other entities differ"),
        (BEGIN + "A sign of 0 .5 mg .\n", ["sign"], "queries: numbers are taken for citations"),
        (BEGIN + "A sign of b", ["sign"], "queries: the last letter of the text is lost"),
        (
            "Rash\nA sign of c\nLearning points\nA sign of b\n",
            ["b", "sign of c"],
            "queries: an exact repeat for paper",
        ),
    ],
)
def test_a_departure_is_noticed(text: str, names: list[str], departure: str) -> None:
    assert any(each.startswith(departure) for each in found(text, *names)), found(text, *names)


def test_reports_without_crooked_entities_have_none() -> None:
    both = {"reports that the program builds", "queries that both make"}
    assert found(BEGIN + "A bad sign of rash .\n", "bad sign", "rash") == both


def test_the_design_has_the_counts_of_the_random_reports(shared: Path) -> None:
    counts = counted(shared / "vectors/clicr/fuzz_reports.jsonl.gz")
    assert counts.pop("reports") == 1_500
    written = DESIGN.read_text("utf-8").partition("## Departures of")[2]
    numbers = [
        int(n.replace(",", "")) for n in re.findall(r"(?<![\w.])\d[\d,]*(?![\w.]| random|\.)", written)
    ]
    for departure, count in counts.items():
        assert count in numbers, departure
