"""The words of texts and questions, the same for every engine: plain letters, lower case, stemmed (analysis.py)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from anagnosis.entities.short_forms import without_request
from anagnosis.errors import missing_extra
from anagnosis.language.plain_letters import searchable, searchable_parts
from anagnosis.searching.analysis import LONGEST_WORD, meaningful

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

# A translation of UTF-8: ASCII's separators become blanks.
_BLANKS = bytes(ord(" ") if byte < 128 and not chr(byte).isalnum() else byte for byte in range(256))
_MOST_STEMS = 1 << 18
# Endings of words whose stems are shorter than the letters before them: hypertensi|on, whose stem is hypertens.
_ENDINGS = (
    *("", "e", "s", "y", "es", "ed", "on", "ion", "ons", "ic", "al", "ive", "ing", "er", "ity", "ation"),
    *("ational", "ment", "ness", "ous"),
)
# Left out as printed, before stemming: "et al", whose stem is that of ALS. AL and Al, which are names, stay.
_LEFT_OUT = ("al",)
LEFT_OUT = re.compile(rf"(?<![^\W_])(?:{'|'.join(_LEFT_OUT)})(?![^\W_])")


def words_of(text: str) -> list[str]:
    """The words of a text in order, with repetitions."""
    return _stemmed(searchable(text)).split()


def question_words(question: str) -> list[str]:
    """The words of a question that the search uses, each once; not those that ask for the other form of a name."""
    return list(dict.fromkeys(words_of(meaningful(without_request(question)))))


def plain_name(name: str) -> str:
    """A name in plain letters, on one line, with single blanks."""
    return searchable(" ".join(name.split())).partition("\n")[0]


def printed_words(text: str) -> list[str]:
    """The words of a text as printed, in lower case and without accents."""
    return printed_analyzer().analyze(text)


def joined_parts(text: str) -> list[str]:
    """The words of a text with blanks between them, in parts: no phrase reaches from one part into the next."""
    return [_stemmed(part) for part in searchable_parts(text)]


class _Stems(dict[str, str]):
    """Words between blanks → their stems: one, none, or several where another sign than ASCII's parts them."""

    def __missing__(self, word: str) -> str:
        stems = " ".join(analyzer().analyze(word))
        if len(self) >= _MOST_STEMS:
            self.clear()
        if len(word) <= LONGEST_WORD:  # others may be of any length
            self[word] = stems
        return stems


STEMS = _Stems()


def stems_of(text: str) -> list[str]:
    """The words of a text in order; "" where a printed word is none, which no phrase crosses."""
    words = searchable(text).encode().translate(_BLANKS).decode().split()
    stems = [*map(STEMS.__getitem__, words)]
    if " " not in "".join(stems):
        return stems
    return [one for each in stems for one in each.split(" ")]


def _stemmed(text: str) -> str:
    """The words of `searchable` text, with blanks between them. To stem each word once is twice as fast."""
    words = text.encode().translate(_BLANKS).decode().split()
    return " ".join(filter(None, map(STEMS.__getitem__, words)))


def shorter_stems(letters: str) -> list[str]:
    """Stems of words with these first letters that have fewer letters: hypertens, for hypertensi."""
    stems = {
        word for ending in _ENDINGS for word in words_of(letters + ending) if not word.startswith(letters)
    }
    return sorted(stem for stem in stems if letters.startswith(stem[:-1]))


@cache
def library() -> Any:
    """The module tantivy, loaded when it is needed. InputError: it is not installed."""
    try:
        import tantivy
    except ImportError as fault:
        raise missing_extra("tantivy", "search", "searching") from fault
    return tantivy


@cache
def analyzer() -> TextAnalyzer:
    """The tokenizer and stemmer of `searchable` text."""
    of = library().Filter
    return _analyzer(of.stemmer("english"), first=(of.custom_stopword(list(_LEFT_OUT)),))


@cache
def printed_analyzer() -> TextAnalyzer:
    """The tokenizer of words as printed."""
    return _analyzer()


def _analyzer(*last: Any, first: tuple[Any, ...] = ()) -> TextAnalyzer:
    """first, last: filters before and after those of every analyzer."""
    tantivy = library()
    of = tantivy.Filter
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in (*first, of.remove_long(LONGEST_WORD), of.lowercase(), of.ascii_fold(), *last):
        builder = builder.filter(each)
    return builder.build()
