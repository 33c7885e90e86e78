"""The order of evidence: scores order the list, and findings come before aims, methods and citation lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from tests.rows import each_row

from anagnosis.language.question_kinds import ANSWERS
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import Evidence, Passage
from anagnosis.searching.sentences.evidence_order import (
    FEATURES,
    NEAREST,
    WEIGHTS,
    quotations,
    read_sentences,
    short_forms,
    words_of_forms,
)
from anagnosis.searching.sentences.overlap import AskedWords
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

ASKED = AskedWords({words_of(word)[0]: 4.0 for word in ("ginger", "nausea", "pregnancy")})


def hit(text: str, *, document: str = "1", section: str = "abstract", title: str = "", rank: int = 1) -> Hit:
    passage = Passage(document, 0, section, "", title, text)
    return Hit(passage, 1.0, rank, [Sentence(begin, end, 0.0) for begin, end in cut(passage)])


def ordered(*hits: Hit, limit: int = 5) -> list[Evidence]:
    return quotations(hits, read_sentences(ASKED, hits), limit)


AIM = "We aimed to determine whether ginger relieves nausea in pregnancy."
METHOD = "Women with nausea in pregnancy were randomly assigned to ginger or placebo."
CITATION = "Shen M, Li X. Is there an association of ginger with nausea in pregnancy?"
OUTLOOK = "More studies of ginger for nausea in pregnancy are needed."
FINDING = "Ginger relieved nausea in pregnancy more than placebo did."


def test_cosines_order_the_best_by_words_anew() -> None:
    hits = [hit(f"{FINDING} {AIM} {'Ginger. ' * 1}", title="Roots")]
    first, second, *_ = quotations(hits, read_sentences(ASKED, hits), 5)
    seen = list[str]()

    def cosines(texts: Sequence[str]) -> list[float]:
        seen.extend(texts)
        return [float(second.text in text) for text in texts]

    moved = quotations(hits, read_sentences(ASKED, hits), 5, cosines)
    assert moved[0].text == second.text
    assert moved[0].score > second.score
    assert [one.score for one in moved] == sorted((one.score for one in moved), reverse=True)
    assert seen[0] == f"Roots {first.text}"
    many = [hit(f"Ginger {word}.", document=word) for word in "abcdefghijkl"]
    seen.clear()
    assert len(quotations(many, read_sentences(ASKED, many), 12, cosines)) == 12
    assert len(seen) == NEAREST


@pytest.mark.parametrize("other", [AIM, METHOD, CITATION, OUTLOOK])
def test_a_finding_comes_before_what_has_the_same_words(other: str) -> None:
    first, second = ordered(hit(f"{other} {FINDING}"))[:2]
    assert (first.text, second.text) == (FINDING, other)
    assert first.score > second.score


@pytest.mark.parametrize(
    "other",
    [
        "In conclusion, does ginger relieve nausea in pregnancy?",
        "This study will determine whether ginger relieves nausea in pregnancy.",
        "Trial registration of ginger for nausea in pregnancy: NCT02444715.",
    ],
)
def test_what_finds_nothing_comes_last_even_as_a_conclusion(other: str) -> None:
    title = "Ginger for nausea in pregnancy"
    last = hit(other, section="conclusion", title=title)
    found = ordered(last, hit("Ginger was dried.", document="2", section="background", rank=2))
    assert [one.text for one in found] == ["Ginger was dried.", other]


def test_a_conclusion_of_a_paper_on_the_topic_needs_few_of_the_words() -> None:
    title = "Ginger for nausea in pregnancy"
    background = hit("Nausea in pregnancy is often treated with ginger.", section="background", title=title)
    conclusion = hit("It reduced nausea.", section="conclusion", title=title, rank=2)
    assert ordered(background, conclusion)[0].text == "It reduced nausea."


def test_the_shown_scores_order_the_list() -> None:
    texts = [AIM, METHOD, FINDING, "Ginger is a root.", "Nausea is common.", "Placebo was starch."]
    found = ordered(*(hit(text, document=str(n), rank=n + 1) for n, text in enumerate(texts)))
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < one < 1 for one in scores)
    assert "Placebo was starch." not in [one.text for one in found], "it has no word of the question"
    assert len(found) == 5


def test_the_end_of_an_abstract_without_headings_concludes() -> None:
    ends = "Ginger for nausea was cheap."
    abstract = f"Ginger for nausea was used. It was ground. It was dry. {ends}"
    assert ordered(hit(abstract))[0].text == ends
    assert ordered(hit(abstract, section="results"))[0].text == "Ginger for nausea was used."
    assert (
        ordered(hit(abstract.replace("It was ground. It was dry. ", "")))[0].text
        == "Ginger for nausea was used."
    )


def test_a_table_comes_after_a_sentence_with_the_same_words() -> None:
    table = hit("ginger: nausea in pregnancy", section="table")
    assert ordered(table, hit(FINDING, document="2", rank=2))[0].text == FINDING


def test_each_feature_has_a_weight_and_a_value() -> None:
    hits = [hit(METHOD, section="methods")]
    (one,) = read_sentences(ASKED, hits)
    assert one.row["words"] == one.row["rare_words"] == one.row["with_title"] == 1
    assert [name for name in FEATURES[3:] if one.row.get(name)] == ["method", "in_methods"]
    assert tuple(WEIGHTS) == ANSWERS
    assert WEIGHTS["yesno"]["in_front"] == -2.9
    assert WEIGHTS["summary"]["conclusion"] == 0.45
    weights = WEIGHTS[one.kind]
    assert one.value == pytest.approx(
        weights["words"]
        + weights["rare_words"]
        + weights["with_title"]
        + weights["method"]
        + weights["in_methods"]
    )
    (quoted,) = quotations(hits, [one], 1)
    assert quoted.score == pytest.approx(1 / (1 + math.exp(-(0.558 * one.value - 1.996))))


@pytest.mark.parametrize(
    ("question", "answer", "section"),
    [
        ("What dose of ginger helps?", "Women got 250 mg of ginger.", "other"),
        ("What is ginger?", "Ginger is the root of Zingiber.", "background"),
        ("Why does ginger help?", "Ginger acts by a mechanism of serotonin.", "other"),
        ("How was nausea measured?", "Nausea was measured with a scale.", "methods"),
    ],
)
def test_the_wanted_kind_of_answer_comes_before_a_conclusion(
    question: str, answer: str, section: str
) -> None:
    title = "Ginger for nausea in pregnancy"
    concluded = hit("Ginger relieved nausea.", section="conclusion", title=title)
    hits = [concluded, hit(answer, section=section, title=title)]
    asked = AskedWords(ASKED.weights, question=question)
    assert quotations(hits, read_sentences(asked, hits), 1)[0].text == answer
    yesno = AskedWords(ASKED.weights, question="Does ginger help?")
    assert quotations(hits, read_sentences(yesno, hits), 1)[0].text == "Ginger relieved nausea."


def test_a_sentence_of_the_paper_that_covers_the_question_comes_before_one_of_another_paper() -> None:
    whole = hit("Ginger relieved nausea. Pregnancy lasted 39 weeks.", document="1", rank=2)
    part = hit("Ginger relieved nausea.", document="2")
    assert ordered(part, whole)[0].passage.document == "1"


def test_what_a_paper_says_about_itself_comes_last() -> None:
    itself = "We discuss the role of ginger for nausea in pregnancy."
    found = ordered(hit(f"{itself} Ginger relieved nausea."))
    assert [one.text for one in found] == ["Ginger relieved nausea.", itself]


def test_boilerplate_is_never_evidence() -> None:
    assert not ordered(hit("Keywords: ginger; nausea; pregnancy.", section="conclusion"))


# Short forms that a paper defines count as the words of their long forms, in this paper alone.
SURVIVORSHIP, CARE, PLAN, HARM = words_of("survivorship care plan harm")
PLANS = AskedWords(dict.fromkeys((SURVIVORSHIP, CARE, PLAN, HARM), 4.0))
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
    forms = short_forms(PLANS, [passage(DEFINED)])["1"]
    assert words_of_forms(forms, text) == (frozenset((SURVIVORSHIP, CARE, PLAN)) if has else frozenset())


def test_it_holds_in_the_paper_that_defines_it_and_its_first_definition_counts() -> None:
    again = passage("Serious harm (SH), and sudden care plans (SCP).", number=1)
    other = passage("SCPs raised anxiety. No care.", "2")
    found = short_forms(PLANS, [passage(DEFINED), again, other])
    assert not words_of_forms(found["2"], "SCP")
    assert words_of_forms(found["1"], "SH") == {HARM}
    assert words_of_forms(found["1"], "SCP") == {SURVIVORSHIP, CARE, PLAN}


def test_a_form_without_a_word_of_the_question_and_a_probability_are_none() -> None:
    found = short_forms(PLANS, [passage("Blood pressure (BP) fell (P < 0.001), and plans (P) too.")])
    assert not words_of_forms(found["1"], "BP P")


def test_sentences_are_read_with_the_short_forms_of_their_paper() -> None:
    texts = {"1": f"{DEFINED} SCPs raised anxiety.", "2": "SCPs of care raised anxiety."}
    hits = [hit(text, document=one, rank=place) for place, (one, text) in enumerate(texts.items(), 1)]
    assert [one.words for one in read_sentences(PLANS, hits)] == [
        {SURVIVORSHIP, CARE, PLAN},
        {SURVIVORSHIP, CARE, PLAN},
        {CARE},
    ]
