"""Tokens of a query: words, phrases in quotes, parentheses, minus signs, field tags. Every text has tokens.

    "insulin resistance" metformin -children glucose[ti]
    PHRASE               WORD      MINUS WORD WORD   TAG

A sign is a token only where users write it as one: parentheses, minus and quotes at the beginning of a word, a known
field in brackets behind one. All others are letters of words: IL-6, f(x), benzo[a]pyrene, 5", p<0.05.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple

from anagnosis.searching.analysis import function_word
from anagnosis.searching.queries.fields import LONGEST_NAME, field_name

Kind = Literal["word", "begins", "phrase", "open", "close", "minus", "tag", "AND", "OR", "NOT", "skipped"]
OPERATORS = ("AND", "OR", "NOT")
QUOTES = frozenset('"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02')
# Endings that scientists write with a hyphen and without the word before: "other -omics", "all -itis".
_OF_WORDS = (
    "omics omic ome itis osis oma ase ases emia aemia uria pathy pathies ectomy like induced related associated "
    "dependent independent positive negative specific treated free based mediated type deficient resistant"
)
ENDINGS = frozenset(_OF_WORDS.split())
_JOINED = tuple(f"{operator} " for operator in OPERATORS)  # tea[ti]OR coffee
_AFTER_TAG = frozenset('()[-:;,.?!"')


class Token(NamedTuple):
    """A token: characters [begin, end) of the query. value: a phrase without its quotes, the name of a field."""

    kind: Kind
    begin: int
    end: int
    value: str


def tokens(text: str) -> list[Token]:
    """The tokens in order. Time is linear in the text's length."""
    return _Tokens(text).all()


class _Tokens:
    def __init__(self, text: str) -> None:
        self._text = text
        quotes = [place for place, letter in enumerate(text) if letter in QUOTES]
        self._next_quote = dict(pairwise(quotes))
        self._made: list[Token] = []

    def all(self) -> list[Token]:
        text, at = self._text, 0
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            token = self._phrase(at) or self._sign(at) or self._tag(at) or self._word(at)
            self._made.append(token)
            at = token.end
        return self._made

    def _phrase(self, at: int) -> Token | None:
        if not self._opens(at):
            return None
        end = self._next_quote[at]
        return Token("phrase", at, end + 1, self._text[at + 1 : end].strip())

    def _opens(self, at: int) -> bool:
        """Whether a quote begins a phrase: another one follows, and no letter or number stands before it (5")."""
        return at in self._next_quote and not self._text[at - 1 : at].isalnum()

    def _sign(self, at: int) -> Token | None:
        letter = self._text[at]
        if letter == "(":
            return Token("open", at, at + 1, letter)
        if letter == ")":
            return Token("close", at, at + 1, letter)
        if letter == "-" and self._excludes(at):
            return Token("minus", at, at + 1, letter)
        return None

    def _excludes(self, at: int) -> bool:
        """Whether a hyphen excludes what follows: a word of two letters or more, a phrase, or a group.

        Not between words (tea - coffee), before numbers (-5), after a function word ("and -post"), or before an ending.
        """
        text, after = self._text, at + 1
        if at and not text[at - 1].isspace() and text[at - 1] != "(":
            return False
        if self._opens(after) or text[after : after + 1] == "(":
            return True
        if not (text[after : after + 1].isalpha() and text[after + 1 : after + 2].isalnum()):
            return False
        last = self._made[-1] if self._made else None
        if last and last.kind == "word" and function_word(text[last.begin : last.end]):
            return False
        end = after
        while end < len(text) and end - after < 20 and text[end].isalpha():
            end += 1
        return text[after:end].lower() not in ENDINGS

    def _tag(self, at: int) -> Token | None:
        """A known field in brackets, behind which a word ends."""
        text = self._text
        if text[at] != "[":
            return None
        end = text.find("]", at, at + LONGEST_NAME + 2)
        if end < 0 or not (name := field_name(text[at + 1 : end])):
            return None
        after = text[end + 1 : end + 2]
        fits = not after or after.isspace() or after in _AFTER_TAG or after in QUOTES
        fits = fits or text.startswith(_JOINED, end + 1)
        return Token("tag", at, end + 1, name) if fits else None

    def _word(self, at: int) -> Token:
        text, inside, end = self._text, 0, at
        while end < len(text) and not text[end].isspace():
            letter = text[end]
            if letter == "(":
                if text[at:end] in OPERATORS:
                    break
                inside += 1
            elif letter == ")":
                if not inside:
                    break
                inside -= 1
            elif end > at and ((letter == "[" and self._tag(end)) or self._opens(end)):
                break
            end += 1
        value = text[at:end]
        return Token(value if value in OPERATORS else "word", at, end, value)
