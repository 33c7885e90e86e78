"""Question types by rule: each rule on questions of ours, and how often a reader agrees on PQA-L."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.datasets.pubmedqa.question_types import (
    PUBLISHED,
    QUESTION_TYPES,
    RULES,
    deciding_rule,
    question_type,
)

MARKS = Path(__file__).resolve().parents[3] / "design" / "pubmedqa_question_types.csv"
# Rule → questions that it decides; "" for those that none does.
OURS = {
    "should": ["Should zorapine be given before breakfast?", "Fever in adults: must every one be cooled?"],
    "make_a_difference": ["Cold tea after surgery: does it make a difference?", "Does the ward matter?"],
    "need_or_place": ["Is bed rest necessary after a cold?", "Night fever: do we need a second thermometer?"],
    "worth": ["Is zorapine effective in chronic fever?", "Do adults benefit from cold tea?"],
    "trust": ["Is the paper thermometer reliable in children?", "Can home readings be relied upon?"],
    "feasible_or_safe": ["Warm baths at sea: are they safe?", "Is fasting on the ward feasible?"],
    "in_place_of": ["Cold tea: an alternative to ice?", "Is the paper mask a diagnostic tool?"],
    "be_used": ["Can old thermometers be used in the tropics?"],
    "predict": ["Does pain predict a long stay?", "Is fever a reliable marker of age?"],
    "tell_apart": ["Can nurses identify feigned fever?", "Does weight reflect appetite?"],
    "related": [
        "Is height associated with fever?",
        "Salt and sleep: is there a relationship?",
        "In adults who improve, is tea related to sleep?",
    ],
    "compare": ["Do twins differ in fever?", "Are falls more frequent in winter?"],
    "change": ["Does cold tea reduce fever?", "Can warm baths have a lasting effect on sleep?"],
    "changed_by": ["Is sleep influenced by salt?", "Late meals: protective against fever?"],
    "effect_of": ["Fever on Mondays: an effect of weekend work?", "Is the rash due to salt?"],
    "": ["Is the ward overheated?", "Fever at night: a disease of sailors?", "Do adults know their weight?"],
}


@each_row(("name", "questions"), OURS.items())
def test_each_rule_decides_its_own_questions(name: str, questions: list[str]) -> None:
    for question in questions:
        rule = deciding_rule(question)
        assert (rule.name if rule else "") == name, question


def test_every_rule_is_tried_here_and_gives_one_of_the_types() -> None:
    assert {rule.name for rule in RULES} == OURS.keys() - {""}
    assert {rule.type for rule in RULES} | {"statement"} == QUESTION_TYPES.keys() == PUBLISHED.keys()


@each_row(
    ("question", "kind"),
    [
        # The first cue decides, not the last.
        ("Does zorapine improve prediction of fever?", "influence"),
        ("Can salt predict the effect of tea?", "relation"),
        # The clause that asks, not the one before the colon.
        ("Effect of tea on fever: should it be cold?", "therapy"),
        # A noun that can be a verb is none without an auxiliary before it.
        ("Increase in salt intake: the end of an era?", "statement"),
        ("Is a delay in sleep associated with fever?", "relation"),
        # A useful marker is a marker, a useful test a test.
        ("Is salt a useful marker of fever?", "therapy"),
        ("Is salt a sensitive marker of fever?", "relation"),
        ("IS COLD TEA SAFE?", "therapy"),
        # A statement made a question keeps its subtitle, which does not ask.
        ("Does cold tea reduce fever: a cohort study of risk factors?", "influence"),
        ("Is fever rare: does age predict it?", "relation"),
        ("", "statement"),
    ],
)
def test_what_decides(question: str, kind: str) -> None:
    assert question_type(question) == kind


@pytest.mark.shared
def test_nine_of_ten_questions_of_pqa_l_are_named_as_a_reader_did(shared: Path) -> None:
    with gzip.open(shared / "data" / "pubmedqa" / "ori_pqal.json.gz") as stream:
        questions = {ident: row["QUESTION"] for ident, row in json.load(stream).items()}
    rows = list(csv.DictReader(MARKS.open(encoding="utf-8", newline="")))
    agreed = {"first": 0, "second": 0}
    for row in rows:
        agreed[row["drawn"]] += question_type(questions[row["id"]]) == row["type"]
    assert agreed == {"first": 92, "second": 90}  # design/pubmedqa.md, docs, and a report say so
