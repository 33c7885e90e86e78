"""Which titles ask what yes, no or maybe can answer. The titles are invented."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.datasets.pubmedqa import questions
from anagnosis.datasets.pubmedqa.questions import refusal

ANSWERABLE = [
    "Does zorapine shorten the common cold?",
    "Hand cream on night shifts: does it help?",
    "Mud baths for gout - should we offer them? A survey of spas",
    "A slow pulse in swimmers: a warning sign?",
    "Zorapine in hiccups: safe and effective?",
    "Do people who were born in winter sleep longer?",
    "Can we predict which nurses will leave?",
    "Is tea drinking justified in patients aged 80 or older?",
    "Does rural or urban living change the risk of hay fever?",
    "Is either tea or coffee linked to gout?",
    "Is grip strength shaped by training or diet?",
    "Is the clinic a barrier for those with breast, bowel, or lung cancer?",
    "Tall and short surgeons: are they the same or different?",
    "Tea versus coffee on night shifts: is there any difference?",
    "Cold or warm packs after sprains. Do they work?",
    "Does it matter whether a nurse or a clerk makes the call?",
    "Should cats with or without fever be washed?",
    "Is zorapine better than tea or rest?",
    "Do mud baths help when winters are cold?",
    "Mud baths in gout. Is it time to stop?",
    "In children with hiccups, is zorapine safe?",
    "Eplotone-Is It Safe in Pregnancy?",
    "[Mud baths: an option in gout?]",
    "¿Is zorapine safe?",
    "Isn't it time to wash our hands?",
]

REFUSED = {
    "interrogative_word": [
        "What do nurses drink at night?",
        "Gout in swimmers: who is at risk?",
        "Mud baths - how often?",
        "Sprained ankles-What Is the Best Bandage?",
        "To what extent does tea help?",
        "Tea, coffee, and milk: and which is best?",
        "Hiccups after surgery, how to stop them?",
        "After the trial, now what?",
        "'Who cares?' a survey among porters",
        "What's in a name? Labels on tea",
        "Washing hands: quo vadis?",
        "How patients choose - a survey comparing mud baths with tea?",
        "[Why do swimmers get gout?]",
    ],
    "selection": [
        "Mud baths: friend or foe?",
        "Zorapine, tea or rest?",
        "The early visit: useful or futile?",
        "Warm or cold packs for gout?",
        "Tea versus coffee for night shifts?",
        "To wash or not to wash?",
        "Is tea or coffee better for night shifts?",
        "Are sprains better treated with cold packs or with warm packs?",
        "Cold knife vs. warm spoon?",
    ],
}


@each_row("title", ANSWERABLE)
def test_yes_no_or_maybe_can_answer(title: str) -> None:
    assert refusal(title) == ""


@each_row(("rule", "title"), [(rule, title) for rule, titles in REFUSED.items() for title in titles])
def test_the_rule_by_which_a_title_is_refused(rule: str, title: str) -> None:
    assert refusal(title) == rule


def test_the_rules_are_asked_in_the_papers_order() -> None:
    assert (*REFUSED,) == questions.RULES


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("[Is zorapine safe?]", "Is zorapine safe?"),
        ("[Is zorapine safe?].", "Is zorapine safe?"),
        ("Is  zorapine\nsafe? A trial.", "Is zorapine safe? A trial."),
        ("[Zorapine] or [tea]?", "[Zorapine] or [tea]?"),
    ],
)
def test_brackets_of_translated_titles_go(title: str, bare: str) -> None:
    assert questions.bare(title) == bare


@pytest.mark.shared
def test_at_least_98_of_100_real_questions_are_kept(shared: Path) -> None:
    with gzip.open(shared / "data" / "pubmedqa" / "ori_pqal.json.gz") as stream:
        real = [instance["QUESTION"] for instance in json.load(stream).values()]
    assert len(real) == 1000
    assert [question for question in real if refusal(question)] == []
