"""The words of texts and questions, the same for every engine: plain letters, lower case, stemmed (analysis.py).

A plural that stems miss is its singular before it is stemmed: metastases, bacteria, mice, RNAs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from anagnosis.entities.short_forms import without_request
from anagnosis.errors import missing_extra
from anagnosis.language.inflection import singular
from anagnosis.language.plain_letters import searchable, searchable_parts
from anagnosis.searching.analysis import LONGEST_WORD, meaningful

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

# A translation of UTF-8: ASCII's separators become blanks.
_BLANKS = bytes(ord(" ") if byte < 128 and not chr(byte).isalnum() else byte for byte in range(256))
_MOST_STEMS = 1 << 18
# Endings of words whose stems are shorter than the letters before them: hypertensi|on, whose stem is hypertens.
_ENDINGS = (
    *("", "e", "l", "s", "y", "es", "ed", "on", "ion", "ons", "ic", "al", "ive", "ing", "er", "ity", "ation"),
    *("ational", "ment", "ness", "ous"),
)
# Left out as printed, before stemming: "et al", whose stem is that of ALS. AL and Al, which are names, stay.
_LEFT_OUT = "al"
LEFT_OUT = re.compile(rf"(?<![^\W_]){_LEFT_OUT}(?![^\W_])")
# Names that in small letters are another word's plural: they are no plurals, and have no stem.
_NAMES = frozenset(("AIDS", "HRS", "OVA", "PTS"))
_IN_SMALL_LETTERS = re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(_NAMES)).lower()})(?![^\W_])")
# Endings of regular plurals of which the stemmer alone judges: it cuts "ideas", and leaves PCOS, KRAS, PRES and G12S.
_OF_THE_STEMMER = ("as", "es", "is", "os", "us", "ys", *(f"{digit}s" for digit in range(10)))
_OF_SHORT_FORMS = ("dnas", "rnas")


def words_of(text: str) -> list[str]:
    """The words of a text in order, with repetitions."""
    return words_in(searchable(text))


def words_in(plain: str) -> list[str]:
    """The words of a text that is in plain letters already."""
    return _stemmed(plain).split()


def question_words(question: str) -> list[str]:
    """The words of a question, each once, without stop words and those that ask for the other form of a name."""
    return list(dict.fromkeys(words_of(meaningful(without_request(question)))))


def small_names(question: str) -> dict[str, str]:
    """Words of a question that may be names in small letters → those names: aid → aids, which people type for AIDS."""
    return {words_of(name)[0]: name for name in _IN_SMALL_LETTERS.findall(question)}


def with_names(text: str) -> str:
    """The text with words that may be names in small letters as those names."""
    return _IN_SMALL_LETTERS.sub(lambda name: name[0].upper(), text)


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
        stems = " ".join(map(_stem, _tokenizer().analyze(word)))
        if len(self) >= _MOST_STEMS:
            self.clear()
        if len(word) <= LONGEST_WORD:  # others may be of any length
            self[word] = stems
        return stems


STEMS = _Stems()


def _stem(printed: str) -> str:
    """The word of an index for one of a text; "" for none."""
    if printed in _NAMES:
        return printed.lower()
    if printed == _LEFT_OUT or not (words := printed_words(printed)):
        return ""
    (word,) = words
    one = singular(word)
    if f"{one}s" == word and word.endswith(_OF_THE_STEMMER) and not word.endswith(_OF_SHORT_FORMS):
        one = word
    return "".join(_stemmer().analyze(one))


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
    return " ".join(map(STEMS.__getitem__, words))


def shorter_stems(letters: str) -> list[str]:
    """Stems of words with these first letters that begin otherwise: hypertens, for hypertensi; mous, for mice."""
    stems = {
        word for ending in _ENDINGS for word in words_of(letters + ending) if letters.startswith(word[:-1])
    }
    return sorted(stem for stem in {*stems, *words_of(letters)} if not stem.startswith(letters))


@cache
def library() -> Any:
    """The module tantivy, loaded when it is needed. InputError: it is not installed."""
    try:
        import tantivy
    except ImportError as fault:
        raise missing_extra("tantivy", "search", "searching") from fault
    return tantivy


@cache
def split_analyzer() -> TextAnalyzer:
    """The tokenizer of an index, whose texts are words already, with blanks between them."""
    return library().TextAnalyzerBuilder(library().Tokenizer.whitespace()).build()


@cache
def printed_analyzer() -> TextAnalyzer:
    """The tokenizer of words as printed, in small letters."""
    tantivy = library()
    of = tantivy.Filter
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in (of.remove_long(LONGEST_WORD), of.lowercase(), of.ascii_fold()):
        builder = builder.filter(each)
    return builder.build()


@cache
def _tokenizer() -> TextAnalyzer:
    return library().TextAnalyzerBuilder(library().Tokenizer.simple()).build()


@cache
def _stemmer() -> TextAnalyzer:
    """The stemmer of one word."""
    tantivy = library()
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(tantivy.Filter.stemmer("english")).build()
    )
