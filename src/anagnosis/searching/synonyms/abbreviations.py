"""Abbreviations that papers of an index define: "chronic heart failure (CHF)" (entities/short_forms.py).

An abbreviation means what most papers that define it mean, if nearly all of them do. Long forms are compared by their
keys, so that "interleukin-6" and "interleukin 6" are one. The thresholds are chosen on SciFact's training queries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from anagnosis.entities.short_forms import definitions
from anagnosis.searching.analysis import stop_words_alone
from anagnosis.searching.records.expansion import ABBREVIATION, Definition, NameOrigin
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.names import key

LEAST_PAPERS = 5  # that define an abbreviation so
LEAST_SHARE = 0.8  # of the papers that define it
# Letters and digits of an abbreviation that joins its long form: an index does not tell capitals apart.
_SHORTEST = 3
_LONGEST = 100  # characters of a long form
_MOST = 200  # definitions of a paper
_MEANINGS, _SEVERAL = 5, 2  # of an abbreviation that the rest of a question may decide for; papers of each


Definitions = Callable[[str], Sequence[Definition]]
# Which of the long forms of an abbreviation the rest of a question is about; "" if that does not tell.
Chosen = Callable[[str, Sequence[str]], str]


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
    """A NameSource: what the papers of an index define.

    of_short: the definitions of an abbreviation, as printed. of_long: the definitions of a long form, by its key.
    chosen: decides what an abbreviation means that papers define in several ways.
    """

    source: NameOrigin = ABBREVIATION

    def __init__(
        self, of_short: Definitions, of_long: Definitions, chosen: Chosen = lambda short, meanings: ""
    ) -> None:
        self._of_short, self._of_long, self._chosen = of_short, of_long, chosen

    def names(self, words: str) -> Sequence[str] | None:
        """The long form of an abbreviation, or the abbreviations of a long form; () for an ambiguous abbreviation."""
        if any(sign.isupper() or sign.isdigit() for sign in words):
            for short in dict.fromkeys((words, words.removesuffix("s"))):
                if defined := self._of_short(short):
                    long = _meaning(defined) or self._chosen(short, _meanings(defined))
                    return [long] if long else ()
        form = key(words)
        if " " not in form:
            return None
        shorts = Counter[str]()
        for each in self._of_long(form):
            shorts[each.short] += each.papers
        names = [short for short, papers in shorts.items() if self._stands_for(short, papers, form)]
        return sorted(names) or None

    def _stands_for(self, short: str, papers: int, form: str) -> bool:
        """Whether an abbreviation may join its long form in a search."""
        if papers < LEAST_PAPERS or stop_words_alone(short.lower()):
            return False
        if sum(map(str.isalnum, short)) < _SHORTEST:
            return False
        return key(_meaning(self._of_short(short))) == form


def _meaning(defined: Sequence[Definition]) -> str:
    """The long form that nearly all papers mean, in its commonest spelling; "" if there is none."""
    papers = _papers(defined)
    form, most = max(papers.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    if most < LEAST_PAPERS or most < LEAST_SHARE * papers.total():
        return ""
    return _spelled(form, defined)


def _meanings(defined: Sequence[Definition]) -> list[str]:
    """The long forms that several papers mean, the commonest first."""
    papers = sorted(_papers(defined).items(), key=lambda item: (-item[1], item[0]))
    return [_spelled(form, defined) for form, count in papers[:_MEANINGS] if count >= _SEVERAL]


def _papers(defined: Sequence[Definition]) -> Counter[str]:
    """Numbers of papers by the key of their long form."""
    papers = Counter[str]()
    for each in defined:
        papers[key(each.long)] += each.papers
    return papers


def _spelled(form: str, defined: Sequence[Definition]) -> str:
    """The commonest spelling of a long form."""
    return max((each.papers, each.long) for each in defined if key(each.long) == form)[1]
