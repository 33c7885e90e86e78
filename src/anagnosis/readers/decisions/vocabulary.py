"""Vocabularies of questions, contexts and long answers, with the IDF of each word in the train part.

idf(w) = ln((1 + n) / (1 + texts with w)) + 1, with n texts: scikit-learn's inverse document frequency, smoothed so that
it is finite for an unseen word. The paper says only "TF-IDF statistics".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from anagnosis.language.words import words_of

# Words without content; the paper's "non-stop words" are all others.
_FUNCTION_WORDS = """
    a an the and or but nor so yet of in on at by to from with without for into onto over under between among
    during before after than as if whether while because that this these those it its they their them he she his
    her we our us you your i who whom whose which what when where why how is are was were be been being am do
    does did done have has had having can could may might must shall should will would not no all any both each
    more most other some such only own same too very there here about against through per via vs
    """
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


class Vocabulary(msgspec.Struct, frozen=True):
    """words: by falling frequency. idf: of each."""

    words: list[str]
    idf: list[float]


def count(texts: Iterable[str], most: int, threshold: int = 1) -> Vocabulary:
    """The `most` words that are in most texts; the alphabet decides ties.

    threshold: words in fewer texts are left out.
    """
    texts_with: Counter[str] = Counter()
    number = 0
    for number, text in enumerate(texts, 1):  # noqa: B007 the number of texts is used below
        texts_with.update(set(words_of(text)))
    kept = sorted(texts_with, key=lambda word: (-texts_with[word], word))[:most]
    kept = [word for word in kept if texts_with[word] >= threshold]
    return Vocabulary(kept, [math.log((1 + number) / (1 + texts_with[word])) + 1 for word in kept])


def tf_idf(words: Sequence[str], places: dict[str, int], idf: Sequence[float]) -> list[tuple[int, float]]:
    """(word, weight) of the known words; the weights have norm 1."""
    counts = Counter(places[word] for word in words if word in places)
    weights = {place: number * idf[place] for place, number in counts.items()}
    norm = math.sqrt(sum(weight * weight for weight in weights.values()))
    return sorted((place, weight / norm) for place, weight in weights.items())
