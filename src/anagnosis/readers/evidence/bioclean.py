"""Words and features as the authors of JPDRMM count them (aueb-bioasq7, Joint_Document_Snippet_Ranking).

Tokens: quotes and slashes are dropped, letters made small, `. , ? ; * ! % ^ & _ + ( ) [ ] { }` dropped, and by a range
in the program's pattern all signs from `:` to `[` too; the rest is cut at blanks. The hyphen stays.

The search engine's score of a document, which one of its features is, is not known here: 0, in training as in use.
Words of no meaning are FUNCTION_WORDS; the authors took NLTK's.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from anagnosis.decoding import read_json
from anagnosis.files import write_bytes
from anagnosis.readers.decisions.vocabulary import FUNCTION_WORDS

OF_SENTENCE, OF_DOCUMENT = 10, 11
_QUOTES = re.compile(r"[\"/\\']")
_SIGNS = re.compile(r"[.,?;*!%^&_+():-\[\]{}]")
# BM25: of term frequencies that are shares of the text, scaled by the mean and deviation of the authors' collection.
K1, B, AVERAGE, MEAN, DEVIATION = 1.2, 0.75, 21.1907, 0.6275, 1.2210
_START = ""


class Rarity(msgspec.Struct, frozen=True):
    """IDF of words, ln((1 + N) / (1 + df)), N sentences of a train part. Other words are as rare as the rarest."""

    idf: dict[str, float]
    highest: float

    def __getitem__(self, word: str) -> float:
        return self.idf.get(word, self.highest)


def bioclean(text: str) -> list[str]:
    """The tokens of a text."""
    return _SIGNS.sub("", _QUOTES.sub("", text).strip().lower()).split()


def rarity(texts: Iterable[str]) -> Rarity:
    """Count the texts; words of one text only are left to the highest IDF."""
    found: Counter[str] = Counter()
    number = 0
    for number, text in enumerate(texts, 1):  # noqa: B007 the number of texts is asked below
        found.update(set(bioclean(text)))
    idf = {
        word: round(math.log((1 + number) / (1 + count)), 6)
        for word, count in sorted(found.items())
        if count > 1
    }
    return Rarity(idf, round(math.log((1 + number) / 2), 6))


def save(counted: Rarity, path: Path) -> None:
    """Write it as JSON."""
    write_bytes(path, msgspec.json.encode(counted))


def load(path: Path) -> Rarity:
    """What `save` wrote."""
    return read_json(path, Rarity)


def overlaps(question: Sequence[str], text: Sequence[str], rare: Rarity) -> tuple[float, float, float]:
    """Share of the question's distinct words, of its bigrams (with a mark of its beginning), of its words by IDF."""
    asked, there = set(question), set(text)
    whole = math.fsum(rare[word] for word in asked)
    common = math.fsum(rare[word] for word in asked & there)
    pairs = set(zip([_START, *question], question, strict=False))
    shared = pairs & set(zip([_START, *text], text, strict=False))
    return (
        len(asked & there) / max(1, len(asked)),
        len(shared) / max(1, len(pairs)),
        common / whole if whole else 0.0,
    )


def bm25(question: Sequence[str], text: Sequence[str], rare: Rarity) -> float:
    """Scaled as the authors do; a question's word that stands there twice counts twice."""
    counts = Counter(text)
    length = K1 * (1 - B + B * len(text) / AVERAGE)
    total = 0.0
    for word in question:
        if counts[word]:
            frequency = counts[word] / len(text)
            total += rare[word] * frequency * (K1 + 1) / (frequency + length)
    return (total - MEAN) / DEVIATION


def of_sentence(question: str, sentence: str, rare: Rarity) -> tuple[float, ...]:
    """The ten features."""
    asked, own = bioclean(question), bioclean(sentence)
    return *overlaps(asked, own, rare), len(own) / 342, *_last_six(question, sentence, asked, own, rare)


def of_document(question: str, title: str, sentences: Sequence[str], rare: Rarity) -> tuple[float, ...]:
    """The eleven features, of title and abstract joined without a blank."""
    text = title + " ".join(sentences)
    asked, own = bioclean(question), bioclean(text)
    engine = 0.0
    six = _last_six(question, text, asked, own, rare)
    return *overlaps(asked, own, rare), engine, len(sentences) / 60, *six


def _last_six(
    question: str, text: str, asked: Sequence[str], own: Sequence[str], rare: Rarity
) -> tuple[float, ...]:
    common = (set(asked) & set(own)) - FUNCTION_WORDS
    # Summed in an order of its own: that of a set changes from run to run, and the last digit with it.
    weight = math.fsum(rare[word] for word in common)
    whole = math.fsum(rare[word] for word in asked)
    return (
        len(question) / 300,
        len(text) / 300,
        len(common) / 100,
        bm25(asked, own, rare),
        weight / 100,
        weight / whole if whole else 0.0,
    )
