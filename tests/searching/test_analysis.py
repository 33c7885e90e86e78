"""Which words of a question the search uses, and questions that name no topic."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.analysis import NO_WORDS, STOP_WORDS_ALONE, meaningful, nothing_asked

QUESTIONS = {
    STOP_WORDS_ALONE: ("the of and", "The Of And?", "a", "What is it?", "However, therefore", "no"),
    NO_WORDS: ("", "  ", "?!", "\u00bf", "_", "\u2013 \u2026"),
    # A name in capitals, also alone, is none of the stop words that it looks like.
    "": ("vitamin A", "What is NO?", "is IT a gene", "guidelines of WHO", "IT", "WAS", "\u03b1", "p53", "7", "Why Tea",
         "Was hei\u00dft das?"),
}  # fmt: skip


@each_row(("why", "questions"), QUESTIONS.items())
def test_a_question_asks_nothing_without_a_word_that_names_its_topic(
    why: str, questions: tuple[str, ...]
) -> None:
    assert [nothing_asked(one) for one in questions] == [why] * len(questions)


@each_row(
    ("question", "kept"),
    [
        ("IT", "IT"),
        ("the of", "the of"),
        ("the role of IT", "role IT"),
        ("The role of the heart", "role heart"),
    ],
)
def test_a_question_loses_its_stop_words_unless_it_has_no_others(question: str, kept: str) -> None:
    assert " ".join(meaningful(question).split()) == kept
