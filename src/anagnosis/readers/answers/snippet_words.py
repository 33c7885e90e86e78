"""The words of a snippet, and which of them may belong to an exact answer (the thesis, section 4.2.1).

Nouns, verbs and adjectives may, by the part-of-speech tagger, unless they are stop words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from anagnosis.language import tags
from anagnosis.language.stop_words import stop_words

# The beginnings of the Penn tags of nouns, verbs and adjectives.
NOUN, VERB, ADJECTIVE = "NN", "VB", "JJ"
CONTENT = (NOUN, VERB, ADJECTIVE)


class SnippetWord(NamedTuple):
    """Characters [begin, end) of a snippet. content: whether an answer may hold the word."""

    begin: int
    end: int
    content: bool


Words = Callable[[str], list[SnippetWord]]


def words_by(tagger: str, tagger_model: str, words: str) -> Words:
    """A function from a snippet's text to its words.

    tagger, tagger_model: of language/tags.py. words: the list of stop words, of language/stop_words.py.
    """
    tag, stopped = tags.tagger(tagger, tagger_model or None), stop_words(words)

    def of_snippet(text: str) -> list[SnippetWord]:
        spans = tags.words(text)
        texts = [text[begin:end] for begin, end in spans]
        return [
            SnippetWord(begin, end, is_content_word(word, pos) and word.lower() not in stopped)
            for (begin, end), word, pos in zip(spans, texts, tag(texts), strict=True)
        ]

    return of_snippet


def is_content_word(word: str, tag: str) -> bool:
    """Whether a word with that Penn tag is a noun, verb or adjective; a word without a letter or digit is none."""
    return tag.startswith(CONTENT) and any(map(str.isalnum, word))
