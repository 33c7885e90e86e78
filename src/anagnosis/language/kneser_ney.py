"""Interpolated Kneser-Ney language models of sentences that are split into words.

Chen and Goodman (1999, An empirical study of smoothing techniques for language modeling, section 3), with u' for the
context u without its first word:

    p(w | u) = (c(u w) − D(c(u w))) / Σ_v c(u v)  +  γ(u) · p(w | u')
    γ(u)     = Σ_v D(c(u v)) / Σ_v c(u v)
    p(w)     = (c(w) − D(c(w))) / Σ_v c(v)  +  γ · 1/V

c counts n-grams of the highest order in the text. A shorter one, unless it begins a sentence, counts the different
words before it. After an unseen context u, p(w | u) is p(w | u'). <s> begins a sentence and is never predicted; V
counts all other words, with </s>, which ends one, and <unk>, which stands for words that the text lacks. No n-gram is
left out.

All that is kept are the words and sorted arrays: 24 bytes for each different n-gram. Training takes about 110 bytes a
token at its peak (measured on 3.3 million tokens with 4.1 million different n-grams up to four words).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anagnosis.array_types import Bools, Floats, Ints, Longs

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
RESERVED = frozenset((BEGIN, END, UNKNOWN))  # where a text holds one of them, it counts as <unk>
_WORD = 32  # bits of a word in an n-gram's code
Discounts = tuple[float, float, float]  # of n-grams that are counted once, twice, more often
# From an order and how many of its n-grams are counted once, twice, three and four times.
Discounting = Callable[[int, Longs], Discounts]
Method = Literal["plain", "modified"]


@dataclass(frozen=True, slots=True)
class Grams:
    """The n-grams of one order, sorted by code.

    codes: int64, the prefix's place in the order below << 32 | the last word; of the first order the word itself.
    probabilities: of the last word after the others. backoffs: γ of the n-gram as a context, 1 of one that is none.
    """

    codes: Longs
    probabilities: Floats
    backoffs: Floats


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """words: by number; the first three are <s>, </s> and <unk>. orders: the n-grams of one word, of two, …"""

    words: tuple[str, ...]
    numbers: dict[str, int]
    orders: tuple[Grams, ...]

    def distribution(self, context: Sequence[str]) -> Floats:
        """The probability of each word after a context, float64 [words]; <s> has 0, and the sum is 1.

        context: the words before, the last next to the word; a context that begins a sentence begins with <s>.
        """
        unknown = self.numbers[UNKNOWN]
        given = [self.numbers.get(word, unknown) for word in context]
        probabilities = self.orders[0].probabilities.copy()
        for length in range(1, min(len(self.orders) - 1, len(given)) + 1):
            place = self._place(given[len(given) - length :])
            if place < 0:
                break
            longer = self.orders[length]
            first, last = np.searchsorted(longer.codes, (place << _WORD, (place + 1) << _WORD))
            probabilities *= self.orders[length - 1].backoffs[place]
            probabilities[longer.codes[first:last] & ((1 << _WORD) - 1)] = longer.probabilities[first:last]
        return probabilities

    def _place(self, gram: Sequence[int]) -> int:
        """Where an n-gram of word numbers stands in its order; −1 if it was never read."""
        place = gram[0]
        for order, word in zip(self.orders[1:], gram[1:], strict=False):
            code = place << _WORD | word
            place = int(np.searchsorted(order.codes, code))
            if place == len(order.codes) or order.codes[place] != code:
                return -1
        return place


def train(
    sentences: Iterable[Sequence[str]], *, order: int = 4, discounts: Method | Discounting = "modified"
) -> LanguageModel:
    """The model of order `order` of sentences, each a sequence of words; words are numbered as they come."""
    numbers = {BEGIN: 0, END: 1, UNKNOWN: 2}
    read = array("i")
    for sentence in sentences:
        read.append(0)
        read.extend(
            numbers.setdefault(word, len(numbers)) if word not in RESERVED else 2 for word in sentence
        )
        read.append(1)
    tokens = np.frombuffer(read, np.int32) if read else np.empty(0, np.int32)
    discounting = discounts if callable(discounts) else METHODS[discounts]
    counts = _counted(tokens, len(numbers), order)
    return LanguageModel(tuple(numbers), numbers, _estimated(counts, discounting))


def plain(order: int, counts: Longs) -> Discounts:
    """One discount, n₁ / (n₁ + 2 n₂) (Ney, Essen and Kneser 1994); 0.5 where n₁ or n₂ is 0."""
    del order
    once, twice = counts[:2].tolist()
    discount = once / (once + 2 * twice) if once and twice else 0.5
    return discount, discount, discount


def modified(order: int, counts: Longs) -> Discounts:
    """Chen and Goodman's three discounts (their equation 26); the plain one where n₁, n₂, n₃ or n₄ is 0.

    Few n-grams can also give a discount below 0. The plain one takes its place, so that no word has the probability 0.
    """
    once, twice, thrice, four = counts.tolist()
    if not (once and twice and thrice and four):
        return plain(order, counts)
    share = once / (once + 2 * twice)
    discounts = (
        1 - 2 * share * twice / once,
        2 - 3 * share * thrice / twice,
        3 - 4 * share * four / thrice,
    )
    return discounts if min(discounts) > 0 else plain(order, counts)


METHODS: dict[Method, Discounting] = {"plain": plain, "modified": modified}


@dataclass(frozen=True, slots=True)
class _Counts:
    """n-grams of one order. prefix, suffix: their places in the order below. occurrences: in the text.

    begins: whether they begin a sentence.
    """

    codes: Longs
    prefix: Longs
    suffix: Longs
    occurrences: Longs
    begins: Bools


def _counted(tokens: Ints, words: int, order: int) -> list[_Counts]:
    """The n-grams of each order up to `order`, none across a sentence's end."""
    none = np.zeros(words, np.int64)
    occurrences = np.bincount(tokens, minlength=words)
    made = [_Counts(np.arange(words), none, none, occurrences, np.arange(words) == 0)]
    places = tokens.astype(np.int64)  # of the n-gram that starts at each of `starts`, in its order
    starts = np.arange(len(tokens))
    for length in range(2, order + 1):
        inside = starts + length - 1 < len(tokens)
        inside[inside] = tokens[starts[inside] + length - 1] != 0
        starts, places = starts[inside], places[inside]
        last = tokens[starts + length - 1]
        codes, places, occurrences = np.unique(
            places << _WORD | last, return_inverse=True, return_counts=True
        )
        prefix, word = codes >> _WORD, codes & ((1 << _WORD) - 1)
        below = made[-1]
        suffix = word if length == 2 else np.searchsorted(below.codes, below.suffix[prefix] << _WORD | word)
        made.append(_Counts(codes, prefix, suffix, occurrences, below.begins[prefix]))
    return made


def _estimated(counts: list[_Counts], discounting: Discounting) -> tuple[Grams, ...]:
    orders: list[Grams] = []
    for length, grams in enumerate(counts, 1):
        adjusted = grams.occurrences
        if length < len(counts):
            before = np.bincount(counts[length].suffix, minlength=len(grams.codes))
            adjusted = np.where(grams.begins, adjusted, before)
        if length == 1:
            adjusted = np.where(grams.begins, 0, adjusted)
        by_count = np.bincount(np.minimum(adjusted, 5), minlength=6)[1:5]
        table = np.array([0.0, *discounting(length, by_count)])
        discount = table[np.minimum(adjusted, 3)]
        contexts = len(orders[-1].codes) if orders else 1
        totals = np.bincount(grams.prefix, adjusted, contexts)
        seen = np.maximum(totals, 1)
        backoffs = np.where(totals > 0, np.bincount(grams.prefix, discount, contexts) / seen, 1.0)
        if orders:
            orders[-1].backoffs[:] = backoffs
            shorter = orders[-1].probabilities[grams.suffix]
        else:
            shorter = np.where(grams.begins, 0.0, 1 / (len(grams.codes) - 1))
        probabilities = (adjusted - discount) / seen[grams.prefix] + backoffs[grams.prefix] * shorter
        orders.append(Grams(grams.codes, probabilities, np.ones(len(grams.codes))))
    return tuple(orders)
