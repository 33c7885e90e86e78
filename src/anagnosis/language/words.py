"""Words of a text without a grammar (letters and digits, with hyphens and apostrophes inside), and stems.

`counter` gives one of two functions from a text to a number of words:

    blanks      counts what blanks separate
    treebank    counts like NLTK's word_tokenize: Punkt, then the rules of the Penn Treebank; PubMedQA's Table 1

TOKENIZERS, functions from a text to its tokens, in order, parted by single blanks:

    words     words with their hyphens, numbers with their points, and every other sign alone: "0.5 mg ( CT )"
    blanks    what white space parts, for texts whose tokens are parted already

STOP_WORDS, lists of words in lower case:

    nltk        NLTK's English list: 179 words and parts of words at an apostrophe (from Snowball's list, BSD licence)
    nltk-127    its first 127 words, without the parts: the whole list in older versions of NLTK

A user's file of stop words has one word a line; empty lines and lines that begin with # are no words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import Stemmer

from anagnosis.errors import InputError, unknown_name
from anagnosis.io.files import display_name, open_input
from anagnosis.registry import find

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_LONGEST_STEMMED = 60  # characters; a longer run is no word and stays as it is
Tokenizer = Callable[[str], str]

TOKENIZERS = {
    "words": "anagnosis.language.words:words",
    "blanks": "anagnosis.language.words:blanks",
}

# An abbreviation with points, a number, a possessive, a word with hyphens or apostrophes inside, or one other sign.
_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}|\d+(?:[.,]\d+)*|['’]s\b|[^\W\d_][^\W_]*(?:[-‐‑'’](?!s\b)[^\W_]+)*|\S"
)
_NLTK_127 = """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her
hers herself it its itself they them their theirs themselves what which who whom this that these those am is are was
were be been being have has had having do does did doing a an the and but if or because as until while of at by for
with about against between into through during before after above below to from up down in out on off over under
again further then once here there when where why how all any both each few more most other some such no nor not only
own same so than too very s t can will just don should now"""
_NLTK_PARTS = """you're you've you'll you'd she's it's that'll don't should've d ll m o re ve y ain aren aren't couldn
couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't haven haven't isn isn't ma mightn mightn't mustn mustn't
needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won won't wouldn wouldn't"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "nltk": frozenset((*_NLTK_127.split(), *_NLTK_PARTS.split())),
    "nltk-127": frozenset(_NLTK_127.split()),
}
_LONGEST_LINE = 1 << 10


def counter() -> tuple[str, Callable[[str], int]]:
    """(name, counter): the paper's counter if its packages are installed, else blanks."""
    try:
        from nltk.tokenize.destructive import NLTKWordTokenizer

        from anagnosis.language.punkt_sentences import split
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


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name. InputError: there is none."""
    return find(TOKENIZERS, name, "tokenizer")


def words(text: str) -> str:
    """Words, numbers and signs: "post-operative fever (38.5 °C)" becomes "post-operative fever ( 38.5 ° C )"."""
    return " ".join(_TOKEN.findall(text))


def blanks(text: str) -> str:
    """What white space parts."""
    # A printable text has no white space but blanks; most texts that are tokenised have single ones.
    if "  " not in text and text.isprintable():
        return text.strip()
    return " ".join(text.split())


def stop_words(name: str) -> frozenset[str]:
    """The words of a list by its name in STOP_WORDS, or of a file. InputError: there is no such list or file."""
    if name in STOP_WORDS:
        return STOP_WORDS[name]
    if "/" not in name and not Path(name).exists():
        raise unknown_name("list of stop words", name, tuple(STOP_WORDS), "stop_words")
    return _of_file(name)


def _of_file(path: str) -> frozenset[str]:
    words: set[str] = set()
    with open_input(path) as stream:
        number = 0
        while line := stream.readline(_LONGEST_LINE):
            number += 1
            where = f"{display_name(path)}:{number}"
            try:
                word = line.decode().strip()
            except UnicodeDecodeError as fault:
                raise InputError("not UTF-8", where, "save the list as UTF-8") from fault
            if len(word.split()) > 1 and not word.startswith("#"):
                raise InputError("more than one word", where, "write one word a line")
            if word and not word.startswith("#"):
                words.add(word.lower())
    return frozenset(words)
