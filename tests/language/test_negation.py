"""Which cues a sentence has, of which kind, and what they negate."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.negation import ABSENT, CUES, DENIAL, FORWARD, SAME, cues, negated

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
PHRASES = sorted({phrase for phrases in CUES.values() for phrase in phrases})
# (sentence, cue, kind, scope)
SCOPES = (
    ("Tea did not change sleep, but it tasted good.", "did not", ABSENT, "Tea did not change sleep,"),
    ("Tea tasted good but did not change sleep.", "did not", ABSENT, "but did not change sleep"),
    ("Patients without diabetes, however, slept.", "without", DENIAL, "without diabetes"),
    ("Patients who do not smoke had better sleep and longer lives here.", "do not", ABSENT,
     "do not smoke had better sleep and longer"),
    ("Outcomes were similar in both arms; costs fell.", "similar", SAME, "Outcomes were similar in both arms"),
    ("There was no statistically significant difference in pain.", "no statistically significant difference", SAME,
     "There was no statistically significant difference in pain"),
    ("Salt was not associated with fever and was associated with thirst.", "not associated", ABSENT,
     "Salt was not associated with fever"),
    ("Neither salt nor tea, nor rest, helped.", "Neither", DENIAL, "Neither salt nor tea, nor rest, helped"),
    ("Tea failed to help. It tasted good.", "failed to", ABSENT, "Tea failed to help"),
)  # fmt: skip


@each_row("phrase", PHRASES, ids=lambda phrase: " ".join(phrase.words))
def test_each_phrase_is_a_cue_of_its_kind_or_hides_one(phrase: tuple[tuple[str, ...], str, str]) -> None:
    words, kind, reach = phrase
    found = cues(f"Tea {' '.join(words).upper()} helps, and rest.")
    assert [cue.kind for cue in found] == ([kind] if kind else [])
    if reach == FORWARD:
        assert found[0].scope_begin == found[0].begin
    assert not cues(f"Tea un{''.join(words)}x helps.")


@each_row(("sentence", "cue", "kind", "scope"), SCOPES)
def test_a_cue_has_its_kind_and_its_scope(sentence: str, cue: str, kind: str, scope: str) -> None:
    found = cues(sentence)[0]
    assert sentence[found.begin : found.end] == cue
    assert (found.kind, sentence[found.scope_begin : found.scope_end]) == (kind, scope)


def test_what_is_the_same_is_not_negated() -> None:
    assert not negated("Both drugs had similar effects.")
    assert not negated("There was no difference.")
    assert negated("There was no effect.")


@given(st.text(max_size=200))
def test_scopes_lie_within_the_sentence_and_hold_their_cue(text: str) -> None:
    for cue in cues(text):
        assert 0 <= cue.scope_begin <= cue.begin < cue.end <= cue.scope_end <= len(text)


def test_the_number_of_steps_grows_with_the_sentence_alone() -> None:
    """Many cues in one clause: each is found once, with a scope."""
    assert len(cues("without tea " * 5000)) == 5000


def test_the_list_marks_most_conclusions_that_say_no_and_few_that_say_yes() -> None:
    shares = _shares(CONCLUSIONS)
    assert shares == {"yes": pytest.approx(1 / 6), "no": pytest.approx(7 / 8)}


def test_what_it_marks_of_pubmedqa_is_what_is_written_down(shared: Path) -> None:
    """docs/results_search.md."""
    with gzip.open(shared / "data/pubmedqa/ori_pqal.json.gz") as stream:
        asked = json.load(stream).values()
    shares = _shares((one["LONG_ANSWER"], one["final_decision"]) for one in asked)
    assert {label: round(share, 3) for label, share in shares.items()} == {
        "yes": 0.194,
        "no": 0.79,
        "maybe": 0.455,
    }


def _shares(conclusions: Iterable[tuple[str, str]]) -> dict[str, float]:
    found: dict[str, list[bool]] = {}
    for text, label in conclusions:
        found.setdefault(label, []).append(negated(text))
    return {label: sum(own) / len(own) for label, own in found.items()}
