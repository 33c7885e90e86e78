"""The names in the best sentences: candidates, those for the same thing together, each with where it stands.

A name whose words all stand in the question answers nothing, nor does its abbreviation; it is marked, since a reader of
cloze questions knows passage and question by such names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.searching.names.asked_for import DISEASE, wanted
from anagnosis.searching.names.candidates import Span, spans
from anagnosis.searching.names.same import CLASSES, abbreviations, plain, word_forms
from anagnosis.searching.passages import Passage
from anagnosis.searching.sentences import Sentence

if TYPE_CHECKING:
    from anagnosis.searching.asking import Found

SENTENCES = 60  # that are read, the best of all passages
LONGEST_SENTENCE = 1000  # characters
LONGEST_NAME = 100  # characters
# Nouns of every paper, which name nothing.
_EVERYWHERE_WORDS = """study patient result role effect analysis data method case group level year use evidence review
report finding conclusion background objective aim purpose paper article author trial treatment therapy activity
expression function mechanism approach development type number form presence change increase decrease
difference response association risk factor cause part example test time day month week outcome human mouse
model new novel high low important recent present previous potential significant different common major
specific first second clinical subject control population research information addition contrast order term
view vitro vivo work gene protein mutation disease receptor enzyme drug syndrome symptom family member agent
molecule compound feature one two three association prevalence incidence character pattern manifestation
individual area field"""
_EVERYWHERE = frozenset(_EVERYWHERE_WORDS.split())


class Read(NamedTuple):
    """A sentence that is read. rank: of its passage among those found, from 0."""

    rank: int
    passage: Passage
    sentence: Sentence

    @property
    def text(self) -> str:
        return self.passage.text[self.sentence.begin : self.sentence.end]


class Mention(NamedTuple):
    """Where a name stands. sentence: index into what was read. span: in that sentence's text."""

    sentence: int
    span: Span


@dataclass(slots=True)
class Name:
    """surfaces: how it is written, each with how often. keys: same.plain of each.

    asked: whether it stands in the question. defined: whether its abbreviation is given somewhere. spelled_out: whether
    it is shown so rather than abbreviated.
    """

    surfaces: Counter[str] = field(default_factory=Counter[str])
    mentions: list[Mention] = field(default_factory=list[Mention])
    keys: set[str] = field(default_factory=set[str])
    asked: bool = False
    defined: bool = False
    spelled_out: bool = False

    def joined(self, other: Name) -> Name:
        """With what is known of the same thing under another name; the commonest of both is shown."""
        return replace(
            self,
            surfaces=self.surfaces + other.surfaces,
            mentions=[*self.mentions, *other.mentions],
            keys=self.keys | other.keys,
        )

    @property
    def text(self) -> str:
        """The commonest surface, of equal ones the longest."""
        return min(self.surfaces, key=self._place)

    def _place(self, surface: str) -> tuple[bool, int, int, str]:
        abbreviated = self.spelled_out and self.defined and " " not in surface
        return abbreviated, -self.surfaces[surface], -len(surface), surface

    @property
    def others(self) -> tuple[str, ...]:
        """Surfaces that are written otherwise, the commonest first; case alone makes none."""
        seen, found = {self.text.casefold()}, list[str]()
        for one in sorted(self.surfaces, key=lambda one: (-self.surfaces[one], one)):
            if one.casefold() not in seen:
                seen.add(one.casefold())
                found.append(one)
        return tuple(found)


def read(found: Sequence[Found], most: int = SENTENCES) -> list[Read]:
    """The best sentences of passages, in the order of their places."""
    every = [
        Read(rank, each.hit.passage, sentence)
        for rank, each in enumerate(found)
        for sentence in each.sentences
    ]
    best = sorted(every, key=lambda one: (-one.sentence.score, one.rank, one.sentence.begin))[:most]
    return sorted(best, key=lambda one: (one.rank, one.sentence.begin))


def _begin(text: str) -> str:
    """As much of a sentence as is read: a table of numbers can pass for a sentence of any length."""
    if len(text) <= LONGEST_SENTENCE:
        return text
    end = text.rfind(" ", 0, LONGEST_SENTENCE)
    return text[: end if end > 0 else LONGEST_SENTENCE]


def names(sentences: Sequence[Read], question: str) -> list[Name]:
    """Every name, in the order of first places.

    Diseases are shown spelled out, everything else as it is written most: that is how the experts of BioASQ answer.
    """
    spelled_out = wanted(question).kind == DISEASE
    texts = [_begin(one.text) for one in sentences]
    found: dict[str, Name] = {}
    keys: dict[str, str] = {}
    for place, text in enumerate(texts):
        for span in spans(text):
            surface = text[span.begin : span.end]
            if len(surface) > LONGEST_NAME:
                continue
            key = keys.get(surface)
            if key is None:
                key = keys[surface] = _key(surface)
            if key:
                own = found.setdefault(key, Name())
                own.surfaces[surface] += 1
                own.mentions.append(Mention(place, span))
    same = _same(found, texts)
    asked = frozenset(word_forms(question))
    in_question = {same.get(key, key) for key, own in found.items() if asked.issuperset(word_forms(own.text))}
    in_question |= {same.get(key, key) for pair in abbreviations(question) for key in map(plain, pair)}
    together: dict[str, Name] = {}
    for key, own in found.items():
        first = same.get(key, key)
        whole = together.setdefault(first, Name(asked=first in in_question, spelled_out=spelled_out))
        whole.surfaces.update(own.surfaces)
        whole.mentions += own.mentions
        whole.keys.add(key)
        whole.defined = whole.defined or key in same
    return list(together.values())


def _key(surface: str) -> str:
    forms = word_forms(surface)
    if not any(len(form) > 1 or form.isdecimal() for form in forms) or _EVERYWHERE.issuperset(forms):
        return ""
    return plain(surface)


def _same(found: Iterable[str], texts: Sequence[str]) -> dict[str, str]:
    """key → the one that stands for its group: of a long form and its abbreviation, of a name and that with "gene"."""
    there, above = set(found), dict[str, str]()

    def top(key: str) -> str:
        while key in above:
            key = above[key]
        return key

    def join(one: str, other: str) -> None:
        first, second = top(one), top(other)
        if first != second:
            above[second] = first

    for text in texts:
        for short, long in abbreviations(text):
            one, other = plain(long), plain(short)
            if one in there and other in there:
                join(one, other)
    for key in sorted(there):
        for ending in CLASSES:
            base = key.removesuffix(ending)
            if base != key and len(base) > 2 and not base.endswith("ing") and base in there:
                join(base, key)
    return {key: top(key) for key in there if top(key) != key or key in above.values()}
