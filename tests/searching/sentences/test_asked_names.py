"""The names of a question, which a sentence that answers must have."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.records.hits import Equivalent, Topic
from anagnosis.searching.sentences.asked_names import has_names, names_in
from anagnosis.searching.words import words_of


@each_row(
    ("question", "names"),
    [
        ("Is R.DraR1 a methylase?", ["R.DraR1"]),
        ("Do il6 and HIV's load rise (PM2.5)?", ["il6", "HIV", "PM2.5"]),
        ("α-synuclein in McArdle disease", ["α-synuclein", "McArdle"]),
        ("Type 2 diabetes in a 60-year-old, 5mg, 6 mm2", []),
        ("Is a BMI >30, HbA1c ≥7%, 2 × 20mL or 37°C bad?", ["BMI", "HbA1c"]),
        ("Does 5-FU or 5HT3 help?", ["5-FU", "5HT3"]),
        ("Does Hawkins help?", []),
        ("DOES IL-6 HELP?", ["il-6"]),
    ],
)
def test_what_a_name_is(question: str, names: list[str]) -> None:
    assert names_in(question) == names


@each_row(
    ("question", "text", "there"),
    [
        ("Is R.DraR1 good?", "(R.DraR1)", True),
        ("Is R.DraR1 good?", "M.DraR1", False),
        ("Is DraR1 good?", "M.DraR1", False),
        ("Is IL-6 good?", "IL6 rose", True),
        ("Is IL-6 good?", "IL-65 rose", False),
        ("Are SSRIs good?", "an SSRI", True),
        ("Is HIV bad?", "HIV-associated", True),
        ("Is ACE good?", "ACE2", False),
        ("Is tea good?", "sleep", True),
    ],
)
def test_names_stand_letter_for_letter(question: str, text: str, there: bool) -> None:
    assert has_names(Topic(question), text) == there


@each_row(
    ("words", "names", "text", "there"),
    [
        # of a vocabulary
        ("il6", (("interleukin", "6"),), "Interleukin 6 rose.", True),
        ("il6", (("interleukin", "6"),), "Interleukin 8 rose.", False),
        ("tea", (("camellia",),), "Camellia helped.", True),
        ("tea", (("camellia",),), "It helped.", False),
        # another spelling alone is no name
        ("tumour", (("tumor",),), "It helped.", True),
    ],
)
def test_a_name_may_stand_as_its_synonym(
    words: str, names: tuple[tuple[str, ...], ...], text: str, there: bool
) -> None:
    topic = Topic(f"Is {words} good?", (Equivalent(frozenset(words_of(words)), names),))
    assert has_names(topic, text) == there
