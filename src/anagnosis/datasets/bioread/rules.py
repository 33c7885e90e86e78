"""The rules of BioRead, section 2, by name, in the paper's order.

A rule answers yes (the article, or every question of a position of the window, is dropped) or no; it never counts and
never changes anything. The first rule that says yes names the drop in the receipt.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from anagnosis.datasets.bioread.article import BioReadRecipe
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


def holds_reserved_word(sentence: str) -> bool:
    """Whether a sentence holds a word that only we write."""
    return _RESERVED.search(sentence) is not None


WindowRule = Callable[[Window, BioReadRecipe], bool]
# no_shared_entity counts positions of the window; the others count the questions that a position would have given.
WINDOW_RULES: dict[str, WindowRule] = {
    # Section 2: no entity of the 21st sentence is present in the first 20, so no instance is produced.
    "no_shared_entity": lambda window, recipe: not window.shared,
    # Section 2: a maximum context length of 999 tokens (Lite: 400), a maximum question length of 300 (Lite: 25), and a
    # maximum of 40 candidate answers (Lite: 30).
    "passage_too_long": lambda window, recipe: window.passage_tokens > recipe.maximum_passage_tokens,
    "question_too_long": lambda window, recipe: window.question_tokens > recipe.maximum_question_tokens,
    "too_many_candidates": lambda window, recipe: window.candidates > recipe.maximum_candidates,
    # Table 1, which the text does not state: no context of Lite is shorter than 30 tokens, no question shorter than 5,
    # and no instance has fewer than 2 candidates.
    "passage_too_short": lambda window, recipe: window.passage_tokens < recipe.minimum_passage_tokens,
    "question_too_short": lambda window, recipe: window.question_tokens < recipe.minimum_question_tokens,
    "too_few_candidates": lambda window, recipe: window.candidates < recipe.minimum_candidates,
    # Not in the paper: the text itself holds XXXX, @placeholder or an @entityN.
    "reserved_word_in_text": lambda window, recipe: window.reserved,
    # Strict only: the 21 sentences are of more than one section.
    "window_across_sections": lambda window, recipe: (
        recipe.within_sections and window.sections[0] != window.sections[1]
    ),
}
ARTICLE_RULES = ("not_drawn", "too_few_sentences")
ARTICLE_RULES_AFTER = ("no_instance_left", *RULES_OF_THE_WHOLE)
INSTANCE_RULES = (*WINDOW_RULES, "answer_visible_in_question")
