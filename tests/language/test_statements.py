"""Questions as statements with a gap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language.statements import GAP, GIVEN, LONGEST, NONE, statement

MADE = (
    ("Which gene is mutated in Naxos disease?", "XXXX is mutated in Naxos disease.", "which"),
    ("What is the target of gefitinib?", "The target of gefitinib is XXXX.", "what is"),
    ("Which are the subtypes of X?", "The subtypes of X are XXXX.", "what is"),
    ("What is inhibited by rilotumumab?", "XXXX is inhibited by rilotumumab.", "what is"),
    ("What is Trypan blue used for?", "Trypan blue is used for XXXX.", "what is"),
    ("What is formin associated with in the snail?", "Formin is associated with XXXX in the snail.", "what is"),
    ("What is AZD0530 an inhibitor of?", "AZD0530 is an inhibitor of XXXX.", "what is"),
    ("Which receptor does GDF15 bind?", "GDF15 binds XXXX.", "which"),
    ("Which receptors do antibodies bind?", "Antibodies bind XXXX.", "which"),
    ("Which species did mitochondria originate from?", "Mitochondria originated from XXXX.", "which"),
    ("Which disease is PGT121 used for?", "PGT121 is used for XXXX.", "which"),
    ("Which drug is it usually co-administered with?", "It is usually co-administered with XXXX.", "which"),
    ("Which gene mutations cause deafness?", "The gene mutations XXXX cause deafness.", "which"),
    ("Which mutations of the SCN5A gene cause it?", "The mutations XXXX of the SCN5A gene cause it.", "which"),
    ("Which JAK (Janus kinase) inhibitor is approved?", "The JAK (Janus kinase) inhibitor XXXX is approved.", "which"),
    ("What type of enzyme is PRDX2?", "PRDX2 is XXXX, a type of enzyme.", "which"),
    ("What percentage of DNA is of Neanderthal origin?", "XXXX of DNA is of Neanderthal origin.", "which"),
    ("Which company originally developed the drug Afrezza?", "XXXX originally developed the drug Afrezza.", "which"),
    ("What effect does azeliragon have on RAGE?", "Azeliragon has the effect XXXX on RAGE.", "which"),
    ("Mutations in which gene cause deafness?", "Mutations in XXXX cause deafness.", "inside"),
    ("PBT2 has been tested for which disorder?", "PBT2 has been tested for XXXX.", "inside"),
    ("In which organ is renin made?", "Renin is made in XXXX.", "in which"),
    ("To the ligand of which receptors does Prolia bind?", "Prolia binds to the ligand of XXXX.", "in which"),
    ("In which kingdom do they belong, according to it?", "They belong in XXXX, according to it.", "in which"),
    ("In which phase does stress-induced growth occur?", "Stress-induced growth occurs in the phase XXXX.", "in which"),
    ("Which deficiency is its cause?", "The deficiency XXXX is its cause.", "which"),
    ("What disease is the drug targeting?", "The drug is targeting XXXX.", "which"),
    ("What is the drug, also known as AB1?", "The drug, also known as AB1, is XXXX.", "what is"),
    ("What part of what organ controls it?", "The part XXXX of the organ controls it.", "which"),
    ("List symptoms of scurvy.", "Symptoms of scurvy are XXXX.", "list"),
    ("Please list 3 symptoms of scurvy.", "3 symptoms of scurvy are XXXX.", "list"),
    ("List the off-label use of SSRIs.", "The off-label use of SSRIs is XXXX.", "list"),
    ("List two medication of the pill.", "Two medication of the pill are XXXX.", "list"),
    ("List species that live there.", "Species that live there are XXXX.", "list"),
    ("List drug that were evaluated.", "Drug that were evaluated are XXXX.", "list"),
    ("Name a method for enrichment.", "A method for enrichment is XXXX.", "list"),
    ("Can you define iatrogenic disease?", "Iatrogenic disease is XXXX.", "list"),
    ("How many genes has the virus?", "The virus has XXXX genes.", "how many"),
    ("How many copies of TP53 does it contain?", "It contains XXXX copies of TP53.", "how many"),
    ("How many kinases are there in man?", "There are XXXX kinases in man.", "how many"),
    ("How many genes are imprinted?", "XXXX genes are imprinted.", "how many"),
    ("How many times is CLAST faster than BLAST?", "CLAST is XXXX times faster than BLAST.", "how many"),
    ("For how long do embryos use it?", "Embryos use it for XXXX.", "how much"),
    ("How large is the proteome?", "The proteome is XXXX large.", "how much"),
    ("How rare are CTCs in plasma?", "CTCs in plasma are as rare as XXXX.", "how much"),
    ("Where is renin made?", "Renin is made in XXXX.", "how or where"),
    ("Where in the body is renin made?", "Renin is made in XXXX in the body.", "how or where"),
    ("Where does gemtuzumab bind?", "Gemtuzumab binds to XXXX.", "how or where"),
    ("When was vivotif first licenced?", "Vivotif was first licenced in XXXX.", "how or where"),
    ("When did the vaccine become available?", "The vaccine became available in XXXX.", "how or where"),
    ("How are viruses transmitted?", "Viruses are transmitted by XXXX.", "how or where"),
    ("How does the toxin enter a cell?", "The toxin enters a cell by XXXX.", "how or where"),
    ("How are they called when they form clusters?", "They are called XXXX when they form clusters.", "how or where"),
    ("Why is lock mass used?", "Lock mass is used because of XXXX.", "how or where"),
    ("From where is gamabufotalin isolated?", "Gamabufotalin is isolated from XXXX.", "from where"),
    ("What causes scurvy?", "XXXX causes scurvy.", "what causes"),
    ("What does iBAQ stand for in proteomics?", "iBAQ stands for XXXX in proteomics.", "what does"),
    ("What can fish be used as a model for?", "Fish can be used as a model for XXXX.", "what does"),
    ("Is BACH1 an activator or a repressor?", "BACH1 is XXXX, an activator or a repressor.", "choice"),
    ("Do lamins bind euchromatin or heterochromatin?", "Lamins bind XXXX, euchromatin or heterochromatin.", "choice"),
    ("It is also known as?", "It is also known as XXXX.", "known as"),
    ("Can you tell me which gene is mutated in it?", "XXXX is mutated in it.", "which"),
    ("Oxantel treats it. How does it work?", "Oxantel treats it. It works by XXXX.", "how or where"),
    ("In 2017, what gene was found?", "In 2017, XXXX was found.", "which"),
)  # fmt: skip


@each_row(("question", "made", "rule"), MADE)
def test_a_rule_makes_a_statement(question: str, made: str, rule: str) -> None:
    result = statement(question)
    assert (result.text, result.rule) == (made, rule)


@pytest.mark.parametrize(
    ("question", "made"),
    [
        ("Which gene is mutated in it?", "The gene XXXX is mutated in it."),
        ("Which receptor does GDF15 bind?", "GDF15 binds the receptor XXXX."),
        ("In which organ is renin made?", "Renin is made in the organ XXXX."),
        ("In which way is renin made?", "Renin is made in XXXX."),
    ],
)
def test_the_noun_of_a_question_can_stay_before_the_gap(question: str, made: str) -> None:
    assert statement(question, nouns="keep").text == made


@each_row(
    "question",
    [
        "Is it up?",
        "renin",
        "",
        "Which disease the mutation involved in?",
        "In which process A, B and C are playing a role?",
        "What disease in Loxapine used for?",
        "Are there drugs for it?",
        "Which disease is autoimmune encephalomyelitis model for?",
        "Which gene is mutated in " + "x" * LONGEST + "?",
    ],
)
def test_what_no_rule_covers_has_its_gap_at_the_end(question: str) -> None:
    result = statement(question)
    assert (result.text, result.rule) == (f"{question} XXXX", NONE)


@pytest.mark.parametrize("text", ["XXXX binds it.", "GDF15 binds XXXX.", "Which is XXXX?"])
def test_a_text_with_a_gap_stays_as_it_is(text: str) -> None:
    assert statement(text) == (text, text.index(GAP), GIVEN)


def test_letters_inside_a_word_are_no_gap() -> None:
    assert statement("Which gene is MXXXX?").rule == "which"


def test_an_unknown_treatment_of_nouns_is_refused() -> None:
    with pytest.raises(InputError, match="drop"):
        statement("Which gene?", nouns="both")


_WORDS = st.lists(
    st.sampled_from(
        [
            "which",
            "what",
            "how",
            "many",
            "is",
            "are",
            "does",
            "did",
            "the",
            "gene",
            "of",
            "in",
            ",",
            "(",
            ")",
            "that",
            "mutated",
            "bind",
            "list",
            "where",
            "there",
            "X-1",
        ]
    ),
    max_size=12,
)


@given(st.text(max_size=80) | st.sampled_from([question for question, *_ in MADE]) | _WORDS.map(" ".join))
def test_a_statement_has_its_gap_where_it_says(question: str) -> None:
    result = statement(question)
    assert result.text[result.gap : result.gap + len(GAP)] == GAP


@given(_WORDS.map(" ".join))
def test_a_question_without_blanks_to_spare_gives_the_same_statement(question: str) -> None:
    assert statement(f"  {question.replace(' ', '   ')} ") == statement(question)
