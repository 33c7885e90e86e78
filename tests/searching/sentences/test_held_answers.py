"""Whether a sentence holds an answer of the wanted kind."""

from __future__ import annotations

import time

import pytest
from tests.budget import SET_AT, fixed_work
from tests.rows import each_row

from anagnosis.searching.sentences import asked_for
from anagnosis.searching.sentences.asked_for import fits, form, wanted
from anagnosis.searching.sentences.held_answers import held_answers


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
            ("Rice bodies are masses of fibrin.", "Rice bodies, a sign of synovitis, were found."),
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
    held = held_answers(question)
    assert [one for one in answers if not held.answers(one)] == []
    assert [one for one in others if held.answers(one)] == []


@each_row(
    ("question", "more", "less"),
    [
        ("Why do clots form?", "They form because of stasis.", "Clots form in veins."),
        ("How was leakage measured?", "It was measured with a counter.", "It leaked."),
        ("Does ginger help?", "Ginger did not help.", "Ginger is a root."),
        ("Which drug is best?", "Aspirin, ibuprofen and naproxen were superior.", "Aspirin was given."),
    ],
)
def test_a_sentence_that_answers_holds_more(question: str, more: str, less: str) -> None:
    held = held_answers(question)
    assert held.holds(more) > held.holds(less)


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the half-life of dupilumab?", "no sentence here states a half-life"),
        ("Which gene caused it?", "no sentence here names a gene"),
        ("What is Susac syndrome?", "no sentence here says what it is"),
        ("What does ARFID stand for?", "no sentence here spells it out"),
        ("Why does it hurt?", "no sentence here gives a reason"),
        ("Who discovered penicillin?", ""),
        ("Does ginger help?", ""),
    ],
)
def test_what_is_missing(question: str, missing: str) -> None:
    assert held_answers(question).missing == missing


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
    held_answers(question).holds(text * 20_000)
    assert time.process_time() - begun < 20 * max(fixed_work(), SET_AT)


@each_row(
    ("question", "kind", "head"),
    [
        ("Which gene is mutated in Naxos disease?", asked_for.GENE, "gene"),
        ("Which transcription factors repress it?", asked_for.GENE, "factor"),
        ("List symptoms of scurvy.", asked_for.DISEASE, "symptom"),
        ("Which R package has been developed for it?", asked_for.TOOL, "package"),
        ("How many genes has it?", asked_for.NUMBER, ""),
        ("What are the names of approved drugs for gout?", asked_for.DRUG, "drug"),
        ("Mutations in which gene cause deafness?", asked_for.GENE, "gene"),
        ("Which company makes it?", asked_for.TOOL, "company"),
        ("Which gene targets it?", asked_for.GENE, "gene"),
        ("Which plant extract is it?", asked_for.OTHER, "extract"),
        ("Which recently sequenced gene is mutated?", asked_for.GENE, "gene"),
        ("Which of these 12 genes are mutated?", asked_for.GENE, "gene"),
        ("Which signaling protein binds it?", asked_for.GENE, "protein"),
        ("Which viral protein binds it?", asked_for.GENE, "protein"),
        ("Which Approved drug helps?", asked_for.DRUG, "drug"),
        ("List Names of drugs.", asked_for.DRUG, "drug"),
        ("How much does it weigh?", asked_for.NUMBER, ""),
        ("When was it found?", asked_for.NUMBER, ""),
        ("", asked_for.OTHER, ""),
    ],
)
def test_class_and_head(question: str, kind: str, head: str) -> None:
    assert wanted(question) == (kind, head)


@each_row(
    ("name", "its"),
    [
        ("BRCA1", "symbol"),
        ("miR-21", "symbol"),
        ("p53", "symbol"),
        ("T-cell", "symbol"),
        ("1-α", "word"),
        ("12.5%", "digits"),
        ("~5", "digits"),
        ("5percent", "digits"),
        ("osteomalacia", "word"),
        ("neuritis", "illness"),
        ("adalimumab", "medicine"),
        ("Cytoscape", "capital"),
        ("camel", "word"),
    ],
)
def test_forms(name: str, its: str) -> None:
    assert form(name) == its


@each_row(
    ("kind", "best_first"),
    [
        (asked_for.GENE, ["BRCA1", "Cytoscape", "camel"]),
        (asked_for.DRUG, ["adalimumab", "Cytoscape", "BRCA1", "camel"]),
        (asked_for.DISEASE, ["neuritis", "Cytoscape", "camel"]),
        (asked_for.TOOL, ["BRCA1", "camel"]),
        (asked_for.TOOL, ["Cytoscape", "neuritis"]),
        (asked_for.NUMBER, ["12.5%", "camel"]),
        (asked_for.OTHER, ["BRCA1", "camel", "12.5%"]),
    ],
)
def test_the_form_that_a_class_has_fits_best(kind: str, best_first: list[str]) -> None:
    worth = [fits(kind, form(word)) for word in best_first]
    assert worth == sorted({*worth}, reverse=True)
    assert len(worth) == len(best_first)
    assert worth[0] <= 1
    assert kind == asked_for.OTHER or worth[0] >= 1
    assert worth[-1] == 0
