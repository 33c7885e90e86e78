"""Words of a text without a grammar (letters and digits, with hyphens and apostrophes inside), stems, and counters.

blanks      counts what blanks separate
treebank    counts like NLTK's word_tokenize: Punkt, then the rules of the Penn Treebank; PubMedQA's Table 1
"""

from __future__ import annotations

import re
from collections.abc import Callable

import Stemmer

from anagnosis.errors import InputError
from anagnosis.language.sentences import punkt

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_LONGEST_STEMMED = 60  # characters; a longer run is no word and stays as it is


def counter() -> tuple[str, Callable[[str], int]]:
    """(name, counter): the paper's counter if its packages are installed, else blanks."""
    try:
        from nltk.tokenize.destructive import NLTKWordTokenizer

        split = punkt()
    except (ImportError, InputError):
        return "blanks", lambda text: len(text.split())
    words = NLTKWordTokenizer().tokenize
    return "treebank", lambda text: sum(len(words(text[start:end])) for start, end in split(text))


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, as readers of decisions and the training of word vectors use them."""
    return _WORD.findall(text.lower())


def written_words_of(text: str) -> list[str]:
    """The words of a text in their original case."""
    return _WORD.findall(text)


def stems(text: str) -> list[str]:
    """The stem by Snowball's algorithm of every run of a–z and 0–9 in the lower-cased text, in order."""
    words = _PLAIN_WORD.findall(text.lower())
    # A stemmer is not for several threads, and its cache only costs time.
    stemmer = Stemmer.Stemmer("english", 0)
    return [
        stem if len(word) <= _LONGEST_STEMMED else word
        for word, stem in zip(words, stemmer.stemWords(words), strict=True)
    ]
