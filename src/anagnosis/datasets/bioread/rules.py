"""The rules of BioRead, section 2, one function each, in the paper's order.

A rule answers yes (the article, or every question of a position of the window, is dropped) or no; it never counts and
never changes anything. The first rule that says yes names the drop in the receipt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from anagnosis.datasets.bioread.article import Article, BioReadRecipe
from anagnosis.datasets.build.resolving import RULES_OF_THE_WHOLE
from anagnosis.datasets.build.screening import id_hash
from anagnosis.documents.document import Document

# A placeholder or pseudo-token that the text holds by itself could not be distinguished from ours.
_RESERVED = re.compile(r"XXXX|@entity\d|@placeholder", re.IGNORECASE)
_SHARES = 1 << 64  # values of id_hash


class Window(msgspec.Struct, frozen=True, gc=False):
    """What the rules see of one position of the window. Lengths are white-space tokens after replacement.

    candidates: distinct entities of the passage. shared: those of the question that the passage has. sections: the
    numbers of the first and the last sentence's section. reserved: whether the text holds a reserved word.
    """

    passage_tokens: int
    question_tokens: int
    candidates: int
    shared: int
    sections: tuple[int, int]
    reserved: bool


def not_drawn(document: Document, recipe: BioReadRecipe) -> bool:
    """Section 2: randomly selected articles. The draw depends on the seed and the article's id alone."""
    drawn = id_hash(f"{recipe.seed}:{document.id}")
    return drawn >= recipe.share_of_articles * _SHARES


def too_few_sentences(article: Article, recipe: BioReadRecipe) -> bool:
    """Section 2: a sliding window of 21 sentences, which a shorter text can't hold."""
    return len(article.sentences) <= recipe.passage_sentences


def no_shared_entity(window: Window, recipe: BioReadRecipe) -> bool:
    """Section 2: no entity of the 21st sentence is present in the first 20, so no instance is produced."""
    return not window.shared


def passage_too_long(window: Window, recipe: BioReadRecipe) -> bool:
    """Section 2: a maximum context length of 999 tokens (Lite: 400)."""
    return window.passage_tokens > recipe.maximum_passage_tokens


def question_too_long(window: Window, recipe: BioReadRecipe) -> bool:
    """Section 2: a maximum question length of 300 tokens (Lite: 25)."""
    return window.question_tokens > recipe.maximum_question_tokens


def too_many_candidates(window: Window, recipe: BioReadRecipe) -> bool:
    """Section 2: a maximum of 40 candidate answers (Lite: 30)."""
    return window.candidates > recipe.maximum_candidates


def passage_too_short(window: Window, recipe: BioReadRecipe) -> bool:
    """Table 1: no context of Lite is shorter than 30 tokens; the text does not state it."""
    return window.passage_tokens < recipe.minimum_passage_tokens


def question_too_short(window: Window, recipe: BioReadRecipe) -> bool:
    """Table 1: no question is shorter than 5 tokens; the text does not state it."""
    return window.question_tokens < recipe.minimum_question_tokens


def too_few_candidates(window: Window, recipe: BioReadRecipe) -> bool:
    """Table 1: no instance has fewer than 2 candidates; the text does not state it."""
    return window.candidates < recipe.minimum_candidates


def reserved_word_in_text(window: Window, recipe: BioReadRecipe) -> bool:
    """Not in the paper: the text itself holds XXXX, @placeholder or an @entityN."""
    return window.reserved


def window_across_sections(window: Window, recipe: BioReadRecipe) -> bool:
    """Strict only: the 21 sentences are of more than one section."""
    return recipe.within_sections and window.sections[0] != window.sections[1]


def answer_visible_in_question(answer: str, others: Sequence[str], recipe: BioReadRecipe) -> bool:
    """Strict only: the answer's entity stands a second time in the question. others: keys of its other mentions."""
    return recipe.drop_visible_answer and answer in others


def holds_reserved_word(sentence: str) -> bool:
    """Whether a sentence holds a word that only we write."""
    return _RESERVED.search(sentence) is not None


WindowRule = Callable[[Window, BioReadRecipe], bool]

# no_shared_entity counts positions of the window; the others count the questions that a position would have given.
WINDOW_RULES: tuple[WindowRule, ...] = (
    no_shared_entity,
    passage_too_long,
    question_too_long,
    too_many_candidates,
    passage_too_short,
    question_too_short,
    too_few_candidates,
    reserved_word_in_text,
    window_across_sections,
)
ARTICLE_RULES = ("not_drawn", "too_few_sentences")
ARTICLE_RULES_AFTER = ("no_instance_left", *RULES_OF_THE_WHOLE)
INSTANCE_RULES = (*(rule.__name__ for rule in WINDOW_RULES), "answer_visible_in_question")
