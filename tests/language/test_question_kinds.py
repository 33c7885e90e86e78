"""The kind of answer that a question wants, by rules on its words."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.question_kinds import KINDS, answer_kind, is_topic, kind_of_question


@each_row(
    ("question", "kind"),
    [
        ("Is cold tea harmful?", "yesno"),
        ("Does tea change sleep?", "yesno"),
        ("Which gene is mutated in Huntington's disease?", "factoid"),
        ("Mutation of which gene causes gout?", "factoid"),
        ("How many genes are there?", "factoid"),
        ("Which genes are linked to gout?", "list"),
        ("List the symptoms of gout.", "list"),
        ("What are the symptoms of gout?", "list"),
        ("What is the role of salt in gout?", "summary"),
        ("How does tea act?", "summary"),
        ("What is gout?", "summary"),
        ("Which virus causes AIDS?", "factoid"),
        ("Name the gene mutated in gout.", "factoid"),
        ("Can you list drugs for gout?", "list"),
        ("Could you tell me which gene causes gout?", "factoid"),
        ("May-Thurner syndrome treatment", "summary"),
        ("gout", "summary"),
        ("", "summary"),
        # the clause that asks
        ("In patients with gout, does tea help?", "yesno"),
        ("Tea is used in gout. How does it work?", "summary"),
        ("Tea inhibits what enzyme?", "factoid"),
        ("Patients of which countries get gout?", "list"),
        ("A trial in which tea failed.", "summary"),
        # auxiliaries
        ("Is tea a stimulant or a sedative?", "factoid"),
        ("Is GLUT9 up or downregulated in gout?", "factoid"),
        ("Is tea safe in pregnancy or lactation?", "yesno"),
        ("Tea causes gout, yes or no?", "yesno"),
        ("Are there drugs for gout, and which ones?", "list"),
        ("Can you get gout twice?", "yesno"),
        # imperatives
        ("Name three drugs for gout", "list"),
        ("Give the name of the gene of gout", "factoid"),
        ("Give an overview of gout", "summary"),
        ("Compare tea and coffee", "summary"),
        # how
        ("How many genes are there, and which are they?", "list"),
        ("How effective is tea in gout?", "summary"),
        ("How is a stone in the bladder called?", "factoid"),
        # what, without a noun
        ("What happens to urate after surgery?", "summary"),
        ("What do statins do?", "summary"),
        ("What does CHF stand for?", "factoid"),
        ("What can be predicted by the Wells score?", "factoid"),
        # what is
        ("What is the best treatment for gout?", "list"),
        ("What is the treatment of gout?", "summary"),
        ("What is the first-line treatment of gout?", "factoid"),
        ("What is the mode of inheritance of gout?", "factoid"),
        ("What is the Barr body?", "summary"),
        ("What is the commonest cause of gout?", "factoid"),
        ("What is gout and how is it treated?", "summary"),
        ("What is tea used for?", "factoid"),
        ("What are sirtuins?", "summary"),
        ("What are the types of gout?", "list"),
        ("What are the effects of tea?", "summary"),
        ("Which are the effects of tea?", "list"),
        ("What are the side effects of tea?", "list"),
        # which
        ("Which antibody lowers LDL?", "factoid"),
        ("Which antibodies lower LDL?", "list"),
        ("What effect does tea have on sleep?", "summary"),
        ("What side effects does tea have?", "list"),
        # no question
        ("drugs that cause gout", "list"),
        ("gout in children", "summary"),
    ],
)
def test_the_kind_of_a_question_is_detected_from_its_words(question: str, kind: str) -> None:
    assert kind_of_question(question) == kind
    assert kind in KINDS


@given(st.text(max_size=200))
def test_every_text_has_one_kind(question: str) -> None:
    assert kind_of_question(question) in KINDS


OURS = Path(__file__).parents[2] / "benchmarks/questions/kinds.jsonl"
# "What causes hyponatraemia in the elderly?" BioASQ's experts answer most such questions with one name.
WRONG = {"kind-026"}


def test_the_kinds_of_our_questions_are_as_measured() -> None:
    every = [json.loads(line) for line in OURS.read_text("utf-8").splitlines()]
    assert len({one["question"] for one in every}) == 100
    assert {one["id"] for one in every if kind_of_question(one["question"]) != one["kind"]} == WRONG


@each_row(
    ("query", "topic"),
    [
        ("kidney transplantation", True),
        ("COVID-19 vaccines myocarditis", True),
        ("effect of exercise on sleep", True),
        ("May-Thurner syndrome treatment", True),
        ("treatment of severe heart failure", True),
        ("treatment of severe heart failure in children", False),
        # it asks
        ("Does tea change sleep", False),
        ("tea and sleep?", False),
        ("In gout, which gene is mutated", False),
        ("drugs that cause gout", False),
        ("List drugs for gout", False),
        ("Compare tea and coffee", False),
        # it states
        ("Tea reduces falls", False),
        ("Tea was cold", False),
        ("Tea cures gout.", False),
        ("Cold teas cure gout.", False),
        ("", False),
    ],
)
def test_topic_words_neither_ask_nor_state(query: str, topic: bool) -> None:
    assert is_topic(query) == topic


@each_row(
    ("question", "kind"),
    [
        ("Is cold tea harmful?", "yesno"),
        ("tea for gout - does it help?", "yesno"),
        ("tea linked with gout?", "yesno"),
        ("Which genes are linked to gout?", "name"),
        ("What raises the risk of gout?", "name"),
        ("How many genes are there?", "quantity"),
        ("How common is gout?", "quantity"),
        ("What starting dose of tea is used?", "quantity"),
        ("Which iFR cut-off matches an area below 6 mm?", "quantity"),
        ("St Jude leads failure rate at four years", "quantity"),
        ("What is the survival of dogs with gout?", "quantity"),
        ("What is the survival in dogs with gout?", "quantity"),
        ("What is the risk of falls after tea?", "quantity"),
        ("What are the odds of a fall after tea?", "quantity"),
        ("What is the accuracy of ultrasound?", "quantity"),
        ("What was the yield of capsules?", "quantity"),
        ("What is the normal range?", "quantity"),
        ("What is the rate in obese drinkers?", "quantity"),
        ("What is prevalence of gout?", "quantity"),
        ("How accurate is ultrasound?", "quantity"),
        ("How sensitive are tumours to tea?", "summary"),
        ("What is cause of gout?", "reason"),
        ("What is gene of gout?", "name"),
        ("evidence that tea helps", "summary"),
        ("findings that predict gout", "name"),
        ("survival after transplantation", "quantity"),
        ("What are the risks of tea?", "summary"),
        ("What is carcinoma of unknown primary?", "definition"),
        ("What is an odds ratio?", "definition"),
        ("What is the target of tea?", "name"),
        ("What are signs of gout?", "name"),
        ("mouse strain that gets gout", "name"),
        ("What is gout?", "definition"),
        ("What are sirtuins?", "definition"),
        ("What sort of drug is lixisenatide?", "definition"),
        ("What does CHF stand for?", "definition"),
        ("RMET in gout: what is this short for?", "definition"),
        ("What is meant by gout?", "definition"),
        ("Describe gout.", "definition"),
        ("What counts as gout in a trial?", "definition"),
        ("What is the tea effect?", "definition"),
        ("What is the effect?", "summary"),
        ("What is the long-term prognosis?", "summary"),
        ("What is the main effect of tea?", "summary"),
        ("Which gene explains why teas differ?", "name"),
        ("Which genes differ, and why?", "reason"),
        ("In gout, which gene explains why teas differ?", "name"),
        ("Which mechanism explains why teas differ?", "reason"),
        ("Why does tea help?", "reason"),
        ("By what mechanism do drinkers get a high rate of gout?", "reason"),
        ("How was gout measured?", "reason"),
        ("How does tea act?", "reason"),
        ("How does tea affect sleep?", "summary"),
        ("What is the role of salt in gout?", "summary"),
        ("What happens to weight and waist size after tea?", "summary"),
        ("gout", "summary"),
        ("", "summary"),
    ],
)
def test_the_kind_of_answer(question: str, kind: str) -> None:
    assert answer_kind(question) == kind
