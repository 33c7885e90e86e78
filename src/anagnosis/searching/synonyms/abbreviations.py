"""Abbreviations that papers of an index define: "chronic heart failure (CHF)" (entities/short_forms.py).

An abbreviation means what most papers that define it mean, if nearly all of them do. Long forms are compared by their
keys, so that "interleukin-6" and "interleukin 6" are one. The thresholds are chosen on SciFact's training queries. A
question for the other form of a name ("What does CHF stand for?") is expanded by all that papers define.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from anagnosis.entities.short_forms import asked_form, definitions
from anagnosis.searching.analysis import stop_words_alone
from anagnosis.searching.records.expansion import ABBREVIATION, Defined, Definition, NameOrigin
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.names import MOST_ADDED, key

LEAST_PAPERS = 5  # that define an abbreviation so
LEAST_SHARE = 0.8  # of the papers that define it
# Letters and digits of an abbreviation that joins its long form: an index does not tell capitals apart.
_SHORTEST = 3
_LONGEST = 100  # characters of a long form
_MOST = 200  # definitions of a paper
_MEANINGS, _SEVERAL = 5, 2  # of an abbreviation that the rest of a question may decide for; papers of each
_ASKED_SMALL = 6  # letters of an abbreviation that a question has in small letters: copat


Definitions = Callable[[Defined], Sequence[Definition]]
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


def asked_definitions(question: str, defined: Definitions) -> Sequence[Definition]:
    """The definitions of a name whose other form a question asks for, written so or in another case; () without any.

    defined: gives those of a name.
    """
    name = asked_form(question)
    small = name.islower() and len(name) <= _ASKED_SMALL
    cases = map("".join, product(*((sign.upper(), sign) for sign in name))) if small else ()
    shorts = dict.fromkeys((name, name.removesuffix("s"), name.upper(), *cases)) if name else ()
    return next(filter(None, (defined(Defined(short)) for short in shorts)), ()) or defined(
        Defined(long=key(name))
    )


@dataclass(frozen=True, slots=True)
class AbbreviationNames:
    """A NameSource: what the papers of an index define.

    defined: the definitions of a name.
    chosen: decides what an abbreviation means that papers define in several ways. asked: of `asked_definitions`.
    """

    defined: Definitions
    chosen: Chosen = lambda short, meanings: ""
    asked: Sequence[Definition] = ()
    source: NameOrigin = ABBREVIATION

    def names(self, words: str) -> Sequence[str] | None:
        """The long form of an abbreviation, or the abbreviations of a long form; () for an ambiguous abbreviation."""
        form, asked = key(words), self.asked
        if asked and form == key(asked[0].long):
            return [*_papers(asked, of_short=True)][:MOST_ADDED]
        if asked and key(asked[0].short) in (form, form.removesuffix("s")):
            return _meanings(asked, MOST_ADDED, _SEVERAL) or _meanings(asked, MOST_ADDED, 1)
        if any(sign.isupper() or sign.isdigit() for sign in words):
            for short in dict.fromkeys((words, words.removesuffix("s"))):
                if defined := self.defined(Defined(short)):
                    long = _meaning(defined) or self.chosen(short, _meanings(defined, _MEANINGS, _SEVERAL))
                    return [long] if long else ()
        if " " not in form:
            return None
        shorts = _papers(self.defined(Defined(long=form)), of_short=True)
        names = [short for short, papers in shorts.items() if self._stands_for(short, papers, form)]
        return sorted(names) or None

    def _stands_for(self, short: str, papers: int, form: str) -> bool:
        """Whether an abbreviation may join its long form in a search."""
        if papers < LEAST_PAPERS or stop_words_alone(short.lower()):
            return False
        if sum(map(str.isalnum, short)) < _SHORTEST:
            return False
        return key(_meaning(self.defined(Defined(short)))) == form


def _meaning(defined: Sequence[Definition]) -> str:
    """The long form that nearly all papers mean, in its commonest spelling; "" if there is none."""
    papers = _papers(defined)
    form, most = max(papers.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    if most < LEAST_PAPERS or most < LEAST_SHARE * papers.total():
        return ""
    return _spelled(form, defined)


def _meanings(defined: Sequence[Definition], most: int, least: int) -> list[str]:
    """At most so many long forms that so many papers mean at least, the commonest first."""
    papers = sorted(_papers(defined).items(), key=lambda item: (-item[1], item[0]))
    return [_spelled(form, defined) for form, count in papers[:most] if count >= least]


def _papers(defined: Sequence[Definition], *, of_short: bool = False) -> Counter[str]:
    """Numbers of papers by the key of their long form, or by their abbreviation."""
    papers = Counter[str]()
    for each in defined:
        papers[each.short if of_short else key(each.long)] += each.papers
    return papers


def _spelled(form: str, defined: Sequence[Definition]) -> str:
    """The commonest spelling of a long form."""
    return max((each.papers, each.long) for each in defined if key(each.long) == form)[1]
