"""Whether a sentence holds an answer of the wanted kind."""

from __future__ import annotations

import time

import pytest
from tests.budget import SET_AT, fixed_work
from tests.rows import each_row

from anagnosis.searching.sentences.held_answers import HeldAnswers


@each_row(
    ("question", "answers", "others"),
    [
        (
            "What is the half-life of dupilumab?",
            ("The half-life was 17.5 h (14.1, 21.8).", "The t1/2 was 20 days."),
            ("Patients took it for 16 weeks.", "Its half-life is long."),
        ),
        ("What is the half life of dupilumab?", ("The half life was 20 days.",), ("Patients took it.",)),
        (
            "How high is the mortality of sepsis?",
            ("It was 20 %.",),
            ("It was high in COVID-19, with IL-6 and type 2 diabetes.",),
        ),
        ("In what year was SARS-CoV-2 found?", ("It was found in 2019.",), ("Two authors found it.",)),
        ("When was it approved?", ("It was in October 2020.",), ("It was approved later.",)),
        ("What dose is given?", ("They got 10 mg.",), ("Haemoglobin was 12 g/dl.",)),
        ("What is the survival after it?", ("It was 12 months.", "It was 40%."), ("All 12 survived.",)),
        (
            "What is the risk of falls?",
            ("It was 4 %.", "They had an HR of 1.4.", "The odds ratio was 2.1.", "It rose 3-fold."),
            ("Of 90 women, some fell or 3 did.",),
        ),
        ("What is the accuracy of it?", ("It was 91%.",), ("It was tried in 91 women.",)),
        (
            "How was read depth normalized?",
            ("It was normalized by using medians.", "We did not plot, but normalized by using medians."),
            ("We did not normalize read depth by using medians.",),
        ),
        ("Why does tea not help?", ("It did not help because it was cold.",), ()),
        (
            "Which drug helps?",
            ("We gave amlodipine.", "Amoxicillin helped."),
            ("It was given more.", "It helped."),
        ),
        (
            "How does it work?",
            ("It acts by blocking serotonin.",),
            ("More research on it is needed.", "It was superior."),
        ),
        ("What is the definition of sepsis?", ("Sepsis is defined as dysfunction.",), ("Sepsis kills.",)),
        (
            "What is preeclampsia?",
            ("Preeclampsia is a disorder.",),
            ("After preeclampsia, the interval was short.",),
        ),
        (
            "What proportion of women were screened?",
            ("Only 25.5% were screened.", "One in five was screened.", "Of them 3/12 came."),
            ("Screening was rare.", "It took 3 weeks (P < 0.05).", "In 2016 women were screened."),
        ),
        ("How many months does it last?", ("It lasted six months.",), ("It lasted in 40%.",)),
        ("How many children swallow magnets?", ("There were 50-70 a year.",), ("Children swallow magnets.",)),
        ("What dose is given at 34 weeks?", ("They got 10 mg/kg.",), ("At 34 weeks they got it.",)),
        ("Which cut-off fits an area of 6 mm?", ("An iFR of ≤0.89 fits.",), ("It fits an area of 6 mm.",)),
        (
            "Which genes cause deafness?",
            ("We found GJB2 in most.", "Mutations of SOX10 and MITF did."),
            ("it causes deafness.", "12 caused it."),
        ),
        (
            "What are rice bodies?",
            ("Rice bodies are the masses of fibrin.",),
            ("A case of rice bodies was seen.", "Masses are common in rice bodies."),
        ),
        (
            "What does CoPAT stand for?",
            ("Parenteral antimicrobial therapy in the community (CoPAT) is common.",),
            ("CoPAT is an antibiotic therapy.",),
        ),
    ],
)
def test_what_answers(question: str, answers: tuple[str, ...], others: tuple[str, ...]) -> None:
    held = HeldAnswers(question)
    assert [one for one in answers if not held.answers(one)] == []
    assert [one for one in others if held.answers(one)] == []


@each_row(
    ("question", "more", "less"),
    [
        ("Why do clots form?", "They form because of stasis.", "Clots form in veins."),
        ("How was leakage measured?", "It was measured with a counter.", "It leaked."),
        ("Does ginger help?", "Ginger did not help.", "Ginger is a root."),
        ("Which drug is best?", "Aspirin, ibuprofen and naproxen were superior.", "Aspirin was given."),
        ("Which gene is it?", "It was p53 in all.", "It was Deafness in all."),
        ("Which gene is it?", "It was T-cell in all.", "It was adalimumab in all."),
        ("Which illness is it?", "It was neuritis in all.", "It was a camel in all."),
    ],
)
def test_a_sentence_that_answers_holds_more(question: str, more: str, less: str) -> None:
    held = HeldAnswers(question)
    assert held.holds(more) > held.holds(less)


@pytest.mark.parametrize(
    "question",
    [
        "What is the half-life?",
        "What share?",
        "How long?",
        "How many?",
        "What dose?",
        "Which gene?",
        "Why?",
        "What is A?",
    ],
)
@pytest.mark.parametrize(
    "text", ["1,1,1,", "1 to ", "A, A ", "half-life ", "(((", "1/1 ", "by by ", "a is a "]
)
def test_hostile_sentences_take_no_time(question: str, text: str) -> None:
    begun = time.process_time()
    HeldAnswers(question).holds(text * 20_000)
    assert time.process_time() - begun < 20 * max(fixed_work(), SET_AT)
