"""The candidate names in the best sentences, with their mentions; names of the same thing are merged.

A name whose words are all in the question is no answer (asked_for.py). Such names stay, flagged `in_question`.

Annotated mentions of the papers are candidates in addition to those of the text. Two names are merged, also across
papers, if they have the same most frequent concept, and it annotates at least half of each name's mentions in passages
with annotations. Names without a common concept are never merged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.entities.candidates import CandidateSpan, spans
from anagnosis.entities.same_entity import CLASSES, plain, word_forms
from anagnosis.entities.short_forms import abbreviations
from anagnosis.searching.entities import concepts
from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import Entity, Passage
from anagnosis.searching.sentences.asked_for import DISEASE, QuestionNames, wanted
from anagnosis.word_vectors.namespaces import namespace

if TYPE_CHECKING:
    from anagnosis.searching.records.hits import Hit

SENTENCES = 60  # sentences to read, the best of all passages
LONGEST_SENTENCE = 1000  # characters
LONGEST_NAME = 100  # characters
# Nouns of nearly every paper, which are no names.
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
_EQUATION = re.compile(r"\s*[=<>≤≥]")


class ReadSentence(NamedTuple):
    """A sentence to read. rank: of its passage among those to read, from 0. hit_rank: among all hits, from 1."""

    rank: int
    passage: Passage
    sentence: Sentence
    hit_rank: int = 0

    @property
    def text(self) -> str:
        return self.passage.text[self.sentence.begin : self.sentence.end]


class NameMention(NamedTuple):
    """The place of a name. sentence: index of the read sentence. span: in that sentence's text."""

    sentence: int
    span: CandidateSpan


@dataclass(slots=True)
class Name:
    """A name with its mentions.

    surfaces: spelling → count. keys: `plain` of each spelling. in_question: whether the question has it. defined:
    whether a text gives its abbreviation. spelled_out: whether to show the long form. concepts: key of a concept →
    number of mentions annotated with it. types: types of each annotated mention.
    """

    surfaces: Counter[str] = field(default_factory=Counter[str])
    mentions: list[NameMention] = field(default_factory=list[NameMention])
    keys: set[str] = field(default_factory=set[str])
    in_question: bool = False
    defined: bool = False
    spelled_out: bool = False
    concepts: Counter[str] = field(default_factory=Counter[str])
    types: dict[NameMention, frozenset[str]] = field(default_factory=dict[NameMention, frozenset[str]])

    def joined(self, other: Name) -> Name:
        """Merge with another name of the same thing; the most frequent spelling of both is shown."""
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
        """The most frequent concept, "" if no mention is linked to one."""
        return next(iter(self.linked_to()), "")

    def linked_to(self) -> list[str]:
        """The concepts, the most frequent first."""
        return sorted(self.concepts, key=lambda one: (-self.concepts[one], one))

    def apart(self, other: Name) -> bool:
        """Whether both have concepts, and none in common."""
        if not self.concepts or not other.concepts:
            return False
        concepts_here, others = (
            {part for one in name.concepts for part in concepts.parts(one)} for name in (self, other)
        )
        return concepts_here.isdisjoint(others)

    @property
    def text(self) -> str:
        """The most frequent spelling, of equal ones the longest."""
        return min(self.surfaces, key=self._place)

    def _place(self, surface: str) -> tuple[bool, int, int, str]:
        abbreviated = self.spelled_out and self.defined and " " not in surface
        return abbreviated, -self.surfaces[surface], -len(surface), surface

    @property
    def others(self) -> tuple[str, ...]:
        """The other spellings, the most frequent first, without those that differ in case alone."""
        seen, surfaces = {self.text.casefold()}, list[str]()
        for one in sorted(self.surfaces, key=lambda one: (-self.surfaces[one], one)):
            if one.casefold() not in seen:
                seen.add(one.casefold())
                surfaces.append(one)
        return tuple(surfaces)


def read(hits: Sequence[Hit], most: int = SENTENCES) -> list[ReadSentence]:
    """The best sentences of the hits, in the order of their places."""
    sentences = [
        ReadSentence(rank, hit.passage, sentence, hit.rank or rank + 1)
        for rank, hit in enumerate(hits)
        for sentence in hit.sentences
    ]
    best = sorted(sentences, key=lambda one: (-one.sentence.score, one.rank, one.sentence.begin))[:most]
    return sorted(best, key=lambda one: (one.rank, one.sentence.begin))


def _begin(text: str) -> str:
    """The part of a sentence to read: a table of numbers can look like a sentence of any length."""
    if len(text) <= LONGEST_SENTENCE:
        return text
    end = text.rfind(" ", 0, LONGEST_SENTENCE)
    return text[: end if end > 0 else LONGEST_SENTENCE]


def names(
    sentences: Sequence[ReadSentence], question: str, equivalents: Sequence[Equivalent] = ()
) -> list[Name]:
    """All names of the sentences, in the order of their first mentions. equivalents: of words of the question.

    We show diseases in their long form, other names in their most frequent spelling, as BioASQ's experts answer.
    """
    asking = wanted(question)
    spelled_out = asking.kind == DISEASE
    texts = [_begin(one.text) for one in sentences]
    by_key: dict[str, Name] = {}
    keys: dict[str, str] = {}
    for place, (one, text) in enumerate(zip(sentences, texts, strict=True)):
        marked = _marked(one, len(text))
        for span in _both(spans(text), marked):
            surface = text[span.begin : span.end]
            if len(surface) > LONGEST_NAME or is_label(text, span.begin, span.end):
                continue
            entities = marked.get((span.begin, span.end), ())
            key = keys.get(surface)
            if key is None:
                key = keys[surface] = _key(surface)
            if key:
                name = by_key.setdefault(key, Name())
                name.surfaces[surface] += 1
                mention = NameMention(place, span)
                name.mentions.append(mention)
                if entities:
                    name.concepts.update(_concepts(entities))
                    name.types[mention] = frozenset(namespace(entity.type) for entity in entities)
    same = _same(by_key, texts, [bool(one.passage.entities) for one in sentences])
    question_forms = frozenset(word_forms(question))
    of_words = QuestionNames(question, equivalents, _EVERYWHERE)
    of_question = _question_concepts(sentences, question_forms)
    in_question = {
        same.get(key, key)
        for key, name in by_key.items()
        if of_words.has(name.text) or name.concept in of_question
    }
    groups: dict[str, Name] = {}
    for key, name in by_key.items():
        first = same.get(key, key)
        group = groups.setdefault(first, Name(in_question=first in in_question, spelled_out=spelled_out))
        group.surfaces.update(name.surfaces)
        group.mentions += name.mentions
        group.keys.add(key)
        group.defined = group.defined or key in same
        group.concepts.update(name.concepts)
        group.types |= name.types
    return list(groups.values())


def is_label(sentence: str, begin: int, end: int) -> bool:
    """Whether characters [begin, end) are a label ("RATIONALE: Tea is …"), or the left side of an equation ("n = 40").

    A label stands before a colon, where a sentence begins or all before it is in capitals.
    """
    after = sentence[end : end + 8].lstrip()
    if _EQUATION.match(after):
        return True
    if not after.startswith(":"):
        return False
    before = sentence[:begin].strip()
    return not before or before[-1] in ".?!" or (before.isupper() and sentence[begin:end].isupper())


_MarkedPlaces = dict[tuple[int, int], tuple[Entity, ...]]


def _marked(one: ReadSentence, length: int) -> _MarkedPlaces:
    """[begin, end) in a sentence's text → annotated mentions there. length: characters of the sentence to read."""
    by_place: _MarkedPlaces = {}
    first, last = one.sentence.begin, one.sentence.begin + length
    for entity in one.passage.entities:
        if first <= entity.begin and entity.end <= last:
            place = entity.begin - first, entity.end - first
            by_place[place] = (*by_place.get(place, ()), entity)
    return by_place


def _both(offered: list[CandidateSpan], marked: _MarkedPlaces) -> list[CandidateSpan]:
    """The candidates of the text and the annotated mentions, each place once."""
    if not marked:
        return offered
    places = {(span.begin, span.end): span.whole or (span.begin, span.end) in marked for span in offered}
    return [
        CandidateSpan(*place, whole)
        for place, whole in sorted({**dict.fromkeys(marked, True), **places}.items())
    ]


def _concepts(entities: Iterable[Entity]) -> set[str]:
    return {concepts.key(entity.type, entity.identifier) for entity in entities} - {""}


def _question_concepts(sentences: Sequence[ReadSentence], question_forms: frozenset[str]) -> set[str]:
    """The concepts that a title or text annotates on a name of the question."""
    keys = set[str]()
    for passage in {id(one.passage): one.passage for one in sentences}.values():
        for text, entities in ((passage.title, passage.title_entities), (passage.text, passage.entities)):
            for entity in entities:
                forms = word_forms(text[entity.begin : entity.end])
                if forms and question_forms.issuperset(forms):
                    keys |= _concepts((entity,))
    return keys


def _key(surface: str) -> str:
    forms = word_forms(surface)
    if not any(len(form) > 1 or form.isdecimal() for form in forms) or _EVERYWHERE.issuperset(forms):
        return ""
    return plain(surface)


def _mostly(name: Name, annotated: Sequence[bool]) -> bool:
    """Whether its concept annotates at least half of its mentions in annotated passages, and so is no stray tag."""
    return bool(name.concept) and 2 * name.concepts[name.concept] >= sum(
        annotated[mention.sentence] for mention in name.mentions
    )


def _same(by_key: dict[str, Name], texts: Sequence[str], annotated: Sequence[bool]) -> dict[str, str]:
    """key of a name → key of its group. Groups: names of one concept, a long form and its abbreviation, a name with and
    without "gene". annotated: for each text, whether its passage has annotated mentions.
    """
    above = dict[str, str]()
    of_group = {key: Name(concepts=Counter(concepts.telling(name.concepts))) for key, name in by_key.items()}

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
    for key, name in by_key.items():
        if _mostly(name, annotated):
            join(first_of.setdefault(name.concept, key), key)
    for text in texts:
        for short, long in abbreviations(text):
            one, other = plain(long), plain(short)
            if one in by_key and other in by_key:
                join(one, other)
    for key in sorted(by_key):
        for ending in CLASSES:
            base = key.removesuffix(ending)
            if base != key and len(base) > 2 and not base.endswith("ing") and base in by_key:
                join(base, key)
    return {key: top(key) for key in by_key if top(key) != key or key in above.values()}
