"""Questions as statements with a gap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.language.statements import GAP, NONE, statement

MADE = (
    ("Which gene is mutated in Naxos disease?", "XXXX is mutated in Naxos disease."),
    ("What is the target of gefitinib?", "The target of gefitinib is XXXX."),
    ("Which are the subtypes of X?", "The subtypes of X are XXXX."),
    ("What is inhibited by rilotumumab?", "XXXX is inhibited by rilotumumab."),
    ("Which receptor does GDF15 bind?", "GDF15 bind XXXX."),
    ("Mutations in which gene cause deafness?", "Mutations in XXXX cause deafness."),
    ("In which organ is renin made?", "Renin is made in XXXX."),
    ("List symptoms of scurvy.", "Symptoms of scurvy are XXXX."),
    ("Please list 3 symptoms of scurvy.", "Symptoms of scurvy are XXXX."),
    ("How many genes has the virus?", "XXXX genes has the virus."),
    ("Where is renin made?", "Renin is made in XXXX."),
    ("Which disease is PGT121 used for?", "PGT121 is used for XXXX."),
    ("What causes scurvy?", "XXXX causes scurvy."),
    ("PBT2 has been tested for which disorder?", "PBT2 has been tested for XXXX."),
    ("Can you tell me which gene is mutated in it?", "XXXX is mutated in it."),
)


@pytest.mark.parametrize(("question", "made"), MADE)
def test_a_rule_makes_a_statement(question: str, made: str) -> None:
    made_of = statement(question)
    assert made_of.text == made
    assert made_of.rule != NONE


@pytest.mark.parametrize("question", ["How does it work?", "Is it up or down?", "renin", ""])
def test_what_no_rule_covers_has_its_gap_at_the_end(question: str) -> None:
    made_of = statement(question)
    assert (made_of.text, made_of.rule) == (f"{question} XXXX", NONE)


@given(st.text(max_size=80) | st.sampled_from([question for question, _ in MADE]))
def test_the_gap_is_where_it_says(question: str) -> None:
    made_of = statement(question)
    assert made_of.text[made_of.gap : made_of.gap + len(GAP)] == GAP
