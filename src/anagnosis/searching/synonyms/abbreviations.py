"""Abbreviations that the best passages for a question define: "chronic heart failure (CHF)".

An abbreviation means what nearly all papers of these passages mean by it. Long forms are compared by their keys, so
that "interleukin-6" and "interleukin 6" are one. The thresholds are chosen on SciFact's training queries. A question
for the other form of a name ("What does CHF stand for?") is expanded by all that they define.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from anagnosis.entities.short_forms import asked_form, definitions
from anagnosis.searching.analysis import stop_words_alone
from anagnosis.searching.records.expansion import ABBREVIATION, Definition, NameOrigin
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.names import MOST_ADDED, key

LEAST_PAPERS = 2  # of these passages, that define an abbreviation so
LEAST_SHARE = 0.8  # of those that define it
# Letters and digits of an abbreviation that joins its long form: an index does not tell capitals apart.
_SHORTEST = 3
_LONGEST = 100  # characters of a long form
_MOST = 200  # definitions of a paper
_ASKED_SMALL = 6  # letters of an abbreviation that a question has in small letters: copat


def defined_in(passages: Iterable[Passage]) -> tuple[tuple[str, str], ...]:
    """The (abbreviation, long form) that a paper defines, sorted, each once."""
    pairs = set[tuple[str, str]]()
    for passage in passages:
        for short, start, end in definitions(passage.text):
            long = " ".join(passage.text[start:end].lower().split())
            if len(long) <= _LONGEST:
                pairs.add((" ".join(short.split()), long))
    return tuple(sorted(pairs)[:_MOST])


def defined_by(passages: Iterable[Passage]) -> list[Definition]:
    """What the papers of these passages define, by falling number of papers."""
    papers: dict[str, list[Passage]] = {}
    for passage in passages:
        papers.setdefault(passage.document, []).append(passage)
    counts = Counter(pair for own in papers.values() for pair in defined_in(own))
    return sorted(
        (Definition(*pair, papers) for pair, papers in counts.items()), key=lambda one: (-one.papers, one)
    )


class AbbreviationNames:
    """A NameSource: what passages define. asked: of this the definitions whose other form a question asks for."""

    source: NameOrigin = ABBREVIATION

    def __init__(self, defined: Sequence[Definition], question: str = "") -> None:
        self._of_short: dict[str, list[Definition]] = {}
        self._of_long: dict[str, list[Definition]] = {}
        for one in defined:
            self._of_short.setdefault(one.short, []).append(one)
            self._of_long.setdefault(key(one.long), []).append(one)
        name = asked_form(question)
        forms = {name, name.removesuffix("s"), name.upper()}
        small = name.lower() if name.islower() and len(name) <= _ASKED_SMALL else None
        of_short = [one for one in defined if one.short in forms or one.short.lower() == small]
        self.asked = (of_short or self._of_long.get(key(name), [])) if name else []

    def names(self, words: str) -> Sequence[str] | None:
        """The long form of an abbreviation, or the abbreviations of a long form; () for an ambiguous abbreviation."""
        form, asked = key(words), self.asked
        if asked and form == key(asked[0].long):
            return [*dict.fromkeys(one.short for one in asked)][:MOST_ADDED]
        if asked and key(asked[0].short) in (form, form.removesuffix("s")):
            several = [one.long for one in asked if one.papers >= LEAST_PAPERS] or [one.long for one in asked]
            return [*{key(long): long for long in reversed(several)}.values()][::-1][:MOST_ADDED]
        if any(sign.isupper() or sign.isdigit() for sign in words):
            for short in dict.fromkeys((words, words.removesuffix("s"))):
                if short in self._of_short:
                    long = self._meaning(short)
                    return [long] if long else ()
        shorts = {one.short for one in self._of_long.get(form, ())} if " " in form else ()
        return sorted(short for short in shorts if self._stands_for(short, form)) or None

    def _stands_for(self, short: str, form: str) -> bool:
        """Whether an abbreviation may join its long form in a search."""
        if stop_words_alone(short.lower()) or sum(map(str.isalnum, short)) < _SHORTEST:
            return False
        return key(self._meaning(short)) == form

    def _meaning(self, short: str) -> str:
        """The long form that nearly all papers mean, in its commonest spelling; "" if there is none."""
        papers = Counter[str]()
        for one in self._of_short[short]:
            papers[key(one.long)] += one.papers
        form, most = max(papers.items(), key=lambda item: (item[1], item[0]))
        if most < LEAST_PAPERS or most < LEAST_SHARE * papers.total():
            return ""
        return max((one.papers, one.long) for one in self._of_short[short] if key(one.long) == form)[1]
