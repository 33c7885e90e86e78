"""Abbreviations that the best passages for a question define: "chronic heart failure (CHF)".

An abbreviation means what nearly all papers of these passages mean by it. Long forms are compared by their keys, so
that "interleukin-6" and "interleukin 6" are one. The thresholds are chosen on SciFact's training queries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from anagnosis.entities.short_forms import definitions
from anagnosis.searching.analysis import stop_words_alone
from anagnosis.searching.records.expansion import ABBREVIATION, NameOrigin
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.names import key

LEAST_PAPERS = 2  # of these passages, that define an abbreviation so
LEAST_SHARE = 0.8  # of those that define it
# Letters and digits of an abbreviation that joins its long form: an index does not tell capitals apart.
_SHORTEST = 3
_LONGEST = 100  # characters of a long form
_MOST = 200  # definitions of a paper


def defined_by(passages: Iterable[Passage]) -> Counter[tuple[str, str]]:
    """(abbreviation, long form in lower case) → the number of papers of these passages that define it so."""
    papers: dict[str, list[Passage]] = {}
    for passage in passages:
        papers.setdefault(passage.document, []).append(passage)
    return Counter(pair for own in papers.values() for pair in defined_in(own))


def defined_in(passages: Iterable[Passage]) -> tuple[tuple[str, str], ...]:
    """The (abbreviation, long form) that a paper defines, sorted, each once."""
    pairs = set[tuple[str, str]]()
    for passage in passages:
        for short, start, end in definitions(passage.text):
            long = " ".join(passage.text[start:end].lower().split())
            if len(long) <= _LONGEST:
                pairs.add((" ".join(short.split()), long))
    return tuple(sorted(pairs)[:_MOST])


class AbbreviationNames:
    """A NameSource: what passages define. papers: of `defined_by`."""

    source: NameOrigin = ABBREVIATION

    def __init__(self, papers: Mapping[tuple[str, str], int]) -> None:
        self._of_short: dict[str, dict[str, int]] = {}
        self._of_long: dict[str, set[str]] = {}
        for (short, long), number in papers.items():
            self._of_short.setdefault(short, {})[long] = number
            self._of_long.setdefault(key(long), set()).add(short)

    def names(self, words: str) -> Sequence[str] | None:
        """The long form of an abbreviation, or the abbreviations of a long form; () for an ambiguous abbreviation."""
        form = key(words)
        if any(sign.isupper() or sign.isdigit() for sign in words):
            for short in dict.fromkeys((words, words.removesuffix("s"))):
                if short in self._of_short:
                    long = self._meaning(short)
                    return [long] if long else ()
        shorts = self._of_long.get(form, ()) if " " in form else ()
        return sorted(short for short in shorts if self._stands_for(short, form)) or None

    def _stands_for(self, short: str, form: str) -> bool:
        """Whether an abbreviation may join its long form in a search."""
        if stop_words_alone(short.lower()) or sum(map(str.isalnum, short)) < _SHORTEST:
            return False
        return key(self._meaning(short)) == form

    def _meaning(self, short: str) -> str:
        """The long form that nearly all papers mean, in its commonest spelling; "" if there is none."""
        papers = Counter[str]()
        for long, number in self._of_short[short].items():
            papers[key(long)] += number
        form, most = max(papers.items(), key=lambda item: (item[1], item[0]))
        if most < LEAST_PAPERS or most < LEAST_SHARE * papers.total():
            return ""
        return max((number, long) for long, number in self._of_short[short].items() if key(long) == form)[1]
