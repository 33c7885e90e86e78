"""Plain words as a query: each is ranked, none is required."""

from __future__ import annotations

from anagnosis.searching.queries.tree import Query, Word
from anagnosis.searching.words import question_words


def words_query(question: str) -> Query:
    """The query of a question's words, each once, without stop words. Signs in it mean nothing."""
    return Query(tuple(map(Word, question_words(question))))
