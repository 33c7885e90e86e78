"""Short forms that a paper defines count as the words of their long forms, in this paper alone."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.evidence_order import read_sentences, short_forms, words_of_forms
from anagnosis.searching.sentences.overlap import AskedWords
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

SURVIVORSHIP, CARE, PLAN, HARM = words_of("survivorship care plan harm")
ASKED = AskedWords(dict.fromkeys((SURVIVORSHIP, CARE, PLAN, HARM), 4.0))
DEFINED = "Survivorship care plans (SCPs) were given to women."


def passage(text: str, document: str = "1", number: int = 0) -> Passage:
    return Passage(document, number, "abstract", "", "", text)


@each_row(
    ("text", "has"),
    [
        ("SCPs raised anxiety.", True),
        ("The SCP raised anxiety.", True),
        ("An SCP-based visit.", True),
        ("SCPA raised anxiety.", False),
        ("USCP raised anxiety.", False),
        ("scps raised anxiety.", False),
    ],
)
def test_a_short_form_has_the_words_of_its_long_form(text: str, has: bool) -> None:
    forms = short_forms(ASKED, [passage(DEFINED)])["1"]
    assert words_of_forms(forms, text) == (frozenset((SURVIVORSHIP, CARE, PLAN)) if has else frozenset())


def test_it_holds_in_the_paper_that_defines_it_and_its_first_definition_counts() -> None:
    again = passage("Serious harm (SH), and sudden care plans (SCP).", number=1)
    other = passage("SCPs raised anxiety. No care.", "2")
    found = short_forms(ASKED, [passage(DEFINED), again, other])
    assert not found["2"]
    assert words_of_forms(found["1"], "SH") == {HARM}
    assert words_of_forms(found["1"], "SCP") == {SURVIVORSHIP, CARE, PLAN}


def test_a_form_without_a_word_of_the_question_and_a_probability_are_none() -> None:
    found = short_forms(ASKED, [passage("Blood pressure (BP) fell (P < 0.001), and plans (P) too.")])
    assert found == {"1": {}}


def test_sentences_are_read_with_the_short_forms_of_their_paper() -> None:
    texts = {"1": f"{DEFINED} SCPs raised anxiety.", "2": "SCPs of care raised anxiety."}
    hits = [
        Hit(passage(text, one), 1.0, place, None, [Sentence(*at, 0.0) for at in cut(passage(text, one))])
        for place, (one, text) in enumerate(texts.items(), 1)
    ]
    assert [one.words for one in read_sentences(ASKED, hits)] == [
        {SURVIVORSHIP, CARE, PLAN},
        {SURVIVORSHIP, CARE, PLAN},
        {CARE},
    ]
