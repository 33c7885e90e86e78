"""Which sentences count as negated."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from anagnosis.language.negation import CUES, NO_NEGATION, negated

CONCLUSIONS = (
    ("Cold tea lowered fever in all arms.", "yes"),
    ("Walks before breakfast were associated with longer sleep, not only in the young.", "yes"),
    ("Whether or not patients smoked, the vaccine protected them.", "yes"),
    ("Little is known about the mechanism, yet salt raises blood pressure.", "yes"),
    ("The score is useful in nothospecies and nodular disease.", "yes"),
    ("Aspirin helped those who did not smoke.", "yes"),
    ("Tea does not result in a statistically significant increase in sleep.", "no"),
    ("There was no association between salt and fever.", "no"),
    ("Neither drug shortened the stay.", "no"),
    ("The test cannot replace a biopsy.", "no"),
    ("Walking doesn’t change the risk.", "no"),
    ("Surgery failed to improve survival.", "no"),
    ("A second scan is UNNECESSARY.", "no"),
    ("Both groups did equally well.", "no"),
)


@pytest.mark.parametrize("cue", CUES.split("\n")[1:-1])
def test_each_cue_negates_as_a_whole_word(cue: str) -> None:
    assert negated(f"Tea {cue} helps.")
    assert negated(cue.upper())
    assert not negated(f"Tea un{cue}x helps.")


@pytest.mark.parametrize("phrase", NO_NEGATION.split("\n")[1:-1])
def test_a_phrase_that_holds_a_cue_and_negates_nothing_is_passed_over(phrase: str) -> None:
    assert not negated(f"Tea {phrase} helps.")
    assert negated(f"Tea {phrase} helps, but not here.")


def test_the_list_marks_most_conclusions_that_say_no_and_few_that_say_yes() -> None:
    shares = _shares(CONCLUSIONS)
    assert shares == {"yes": pytest.approx(1 / 6), "no": pytest.approx(7 / 8)}


def test_what_it_marks_of_pubmedqa_is_what_is_written_down(shared: Path) -> None:
    """design/search.md."""
    with gzip.open(shared / "data/pubmedqa/ori_pqal.json.gz") as stream:
        asked = json.load(stream).values()
    shares = _shares((one["LONG_ANSWER"], one["final_decision"]) for one in asked)
    assert {label: round(share, 3) for label, share in shares.items()} == {
        "yes": 0.15,
        "no": 0.757,
        "maybe": 0.436,
    }


def _shares(conclusions: Iterable[tuple[str, str]]) -> dict[str, float]:
    found: dict[str, list[bool]] = {}
    for text, label in conclusions:
        found.setdefault(label, []).append(negated(text))
    return {label: sum(own) / len(own) for label, own in found.items()}
