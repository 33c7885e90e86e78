"""The names in the best sentences: candidates, those for the same thing together, each with where it stands.

A name whose words all stand in the question answers nothing, nor does its abbreviation; it is marked, since a reader of
cloze questions knows passage and question by such names.

Mentions that the papers' sources mark are candidates beside what the text offers. Names are one, in whichever papers
they stand, where the same concept is the commonest of each and marks at least half of its mentions in passages with
marked mentions. Names whose concepts have none in common are two, whatever a text says of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.searching.entities import concepts
from anagnosis.searching.entities.asked_for import DISEASE, wanted
from anagnosis.searching.entities.candidates import Span, spans
from anagnosis.searching.entities.same_entity import CLASSES, abbreviations, plain, word_forms
from anagnosis.searching.records.answers import Sentence
from anagnosis.searching.records.passage import Entity, Passage
from anagnosis.vocabularies.namespaces import namespace

if TYPE_CHECKING:
    from anagnosis.searching.records.answers import Hit

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
    """A sentence that is read. rank: of its passage among those that are read, from 0; hit_rank: among all, from 1."""

    rank: int
    passage: Passage
    sentence: Sentence
    hit_rank: int = 0

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
    it is shown so rather than abbreviated. concepts: as concepts.key gives them, each with how many mentions are marked
    with it. types: of each mention that is marked.
    """

    surfaces: Counter[str] = field(default_factory=Counter[str])
    mentions: list[Mention] = field(default_factory=list[Mention])
    keys: set[str] = field(default_factory=set[str])
    asked: bool = False
    defined: bool = False
    spelled_out: bool = False
    concepts: Counter[str] = field(default_factory=Counter[str])
    types: dict[Mention, frozenset[str]] = field(default_factory=dict[Mention, frozenset[str]])

    def joined(self, other: Name) -> Name:
        """With what is known of the same thing under another name; the commonest of both is shown."""
        return replace(
            self,
            surfaces=self.surfaces + other.surfaces,
            mentions=[*self.mentions, *other.mentions],
            keys=self.keys | other.keys,
            concepts=self.concepts + other.concepts,
            types=self.types | other.types,
        )

    @property
    def concept(self) -> str:
        """The commonest, "" where no mention is linked to one."""
        return next(iter(self.linked_to()), "")

    def linked_to(self) -> list[str]:
        """Its concepts, the commonest first."""
        return sorted(self.concepts, key=lambda one: (-self.concepts[one], one))

    def apart(self, other: Name) -> bool:
        """Whether both are marked, and with no concept in common."""
        if not self.concepts or not other.concepts:
            return False
        own, others = (
            {part for one in name.concepts for part in concepts.parts(one)} for name in (self, other)
        )
        return own.isdisjoint(others)

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


def read(found: Sequence[Hit], most: int = SENTENCES) -> list[Read]:
    """The best sentences of passages, in the order of their places."""
    every = [
        Read(rank, each.passage, sentence, each.rank or rank + 1)
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
    asking = wanted(question)
    spelled_out = asking.kind == DISEASE
    texts = [_begin(one.text) for one in sentences]
    found: dict[str, Name] = {}
    keys: dict[str, str] = {}
    for place, (one, text) in enumerate(zip(sentences, texts, strict=True)):
        marked = _marked(one, len(text))
        for span in _both(spans(text), marked):
            surface = text[span.begin : span.end]
            if len(surface) > LONGEST_NAME:
                continue
            own_entities = marked.get((span.begin, span.end), ())
            key = keys.get(surface)
            if key is None:
                key = keys[surface] = _key(surface)
            if key:
                own = found.setdefault(key, Name())
                own.surfaces[surface] += 1
                mention = Mention(place, span)
                own.mentions.append(mention)
                if own_entities:
                    own.concepts.update(_concepts(own_entities))
                    own.types[mention] = frozenset(namespace(entity.type) for entity in own_entities)
    same = _same(found, texts, [bool(one.passage.entities) for one in sentences])
    asked = frozenset(word_forms(question))
    in_question = {same.get(key, key) for key, own in found.items() if asked.issuperset(word_forms(own.text))}
    in_question |= {same.get(key, key) for pair in abbreviations(question) for key in map(plain, pair)}
    of_question = _asked_concepts(sentences, asked)
    in_question |= {same.get(key, key) for key, own in found.items() if own.concept in of_question}
    together: dict[str, Name] = {}
    for key, own in found.items():
        first = same.get(key, key)
        whole = together.setdefault(first, Name(asked=first in in_question, spelled_out=spelled_out))
        whole.surfaces.update(own.surfaces)
        whole.mentions += own.mentions
        whole.keys.add(key)
        whole.defined = whole.defined or key in same
        whole.concepts.update(own.concepts)
        whole.types |= own.types
    return list(together.values())


_Marks = dict[tuple[int, int], tuple[Entity, ...]]


def _marked(one: Read, length: int) -> _Marks:
    """[begin, end) in a sentence's text, of which `length` characters are read → the mentions that are marked there."""
    found: _Marks = {}
    first, last = one.sentence.begin, one.sentence.begin + length
    for entity in one.passage.entities:
        if first <= entity.begin and entity.end <= last:
            place = entity.begin - first, entity.end - first
            found[place] = (*found.get(place, ()), entity)
    return found


def _both(offered: list[Span], marked: _Marks) -> list[Span]:
    """What the text offers and what is marked, each place once."""
    if not marked:
        return offered
    places = {(span.begin, span.end): span.whole or (span.begin, span.end) in marked for span in offered}
    return [Span(*place, whole) for place, whole in sorted({**dict.fromkeys(marked, True), **places}.items())]


def _concepts(entities: Iterable[Entity]) -> set[str]:
    return {concepts.key(entity.type, entity.identifier) for entity in entities} - {""}


def _asked_concepts(sentences: Sequence[Read], asked: frozenset[str]) -> set[str]:
    """The concepts that a title or a text marks under a name that stands in the question."""
    found = set[str]()
    for passage in {id(one.passage): one.passage for one in sentences}.values():
        for text, entities in ((passage.title, passage.title_entities), (passage.text, passage.entities)):
            for entity in entities:
                forms = word_forms(text[entity.begin : entity.end])
                if forms and asked.issuperset(forms):
                    found |= _concepts((entity,))
    return found


def _key(surface: str) -> str:
    forms = word_forms(surface)
    if not any(len(form) > 1 or form.isdecimal() for form in forms) or _EVERYWHERE.issuperset(forms):
        return ""
    return plain(surface)


def _mostly(name: Name, annotated: Sequence[bool]) -> bool:
    """Whether its concept marks at least half of its mentions in passages with marked mentions: no stray tag."""
    return bool(name.concept) and 2 * name.concepts[name.concept] >= sum(
        annotated[mention.sentence] for mention in name.mentions
    )


def _same(found: dict[str, Name], texts: Sequence[str], annotated: Sequence[bool]) -> dict[str, str]:
    """key → the one that stands for its group: of names of one concept, of a long form and its abbreviation, of a name
    and that with "gene". annotated: of each text, whether its passage has marked mentions.
    """
    above = dict[str, str]()
    of_group = {key: Name(concepts=Counter(concepts.telling(own.concepts))) for key, own in found.items()}

    def top(key: str) -> str:
        while key in above:
            key = above[key]
        return key

    def join(one: str, other: str) -> None:
        first, second = top(one), top(other)
        if first != second and not of_group[first].apart(of_group[second]):
            above[second] = first
            of_group[first].concepts.update(of_group[second].concepts)

    first_of: dict[str, str] = {}
    for key, own in found.items():
        if _mostly(own, annotated):
            join(first_of.setdefault(own.concept, key), key)
    for text in texts:
        for short, long in abbreviations(text):
            one, other = plain(long), plain(short)
            if one in found and other in found:
                join(one, other)
    for key in sorted(found):
        for ending in CLASSES:
            base = key.removesuffix(ending)
            if base != key and len(base) > 2 and not base.endswith("ing") and base in found:
                join(base, key)
    return {key: top(key) for key in found if top(key) != key or key in above.values()}
