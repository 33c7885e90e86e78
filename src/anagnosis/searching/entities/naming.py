"""Answer a question with names from the best sentences, each with its sentence, where a fitted reader is sure enough.

    read        take the best sentences of the passages (candidate_names.py)
    rank        rank all names by their features (features.py, ranking.py), and merge spellings of one name
    quote       take the best sentence of a name that does not deny what it says of it, and finds something
    show        the names whose confidence (confidence.py) reaches the reader's threshold, the surest first

No names are shown by a reader that has not earned it (records/names.py), for a negated question, or from retracted
papers and notices about other papers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.entities.same_entity import alike, plain
from anagnosis.evaluation.phase_b.rules import FIRST_FACTOID, FIRST_LIST
from anagnosis.language.negation import cues, negated
from anagnosis.language.question_kinds import LIST
from anagnosis.language.sentence_kinds import AIM, CITATION, NO_FINDINGS, sentence_kind
from anagnosis.searching.entities import marked_types, ranking
from anagnosis.searching.entities.candidate_names import Name, ReadSentence, names, read
from anagnosis.searching.entities.confidence import confidence_rows
from anagnosis.searching.entities.features import features
from anagnosis.searching.entities.name_types import fitting
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.names import NEGATED, NONE_SURE, NOT_EARNED, NamedAnswer, NameFigures, Names
from anagnosis.searching.records.passage import Evidence
from anagnosis.searching.sentences.asked_for import wanted
from anagnosis.searching.sentences.sentences import quoted

if TYPE_CHECKING:
    from anagnosis.searching.engines import Engine
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.hits import Hit

NAME = "name-features"
RANKED = 30  # the likeliest names, of which spellings are merged
CONTRADICTING = 0.7  # share of a sentence's word overlap
_NOTHING_FOUND = NO_FINDINGS | {AIM, CITATION}


class KnownNames(NamedTuple):
    """The names of the best sentences that the question does not have. rows: float64 [names, FEATURES]."""

    question: str
    sentences: Sequence[ReadSentence]
    names: list[Name]
    rows: Floats


class RankedNames(NamedTuple):
    """The best names by falling score, similar ones merged. scores: float64 [names]. rows: [names, FEATURES]."""

    names: list[Name]
    scores: Floats
    rows: Floats


@dataclass(frozen=True, slots=True)
class NamesReader:
    """A loaded reader of names. mention_weights: of annotated mentions (marked_types.WEIGHTS)."""

    fitted: ranking.NameWeights
    mention_weights: Mapping[str, float] = field(default_factory=lambda: marked_types.WEIGHTS)
    name: str = field(default=NAME)

    @property
    def figures(self) -> NameFigures:
        return self.fitted.figures

    def answer(self, index: Index, topic: Topic, kind: str, hits: Sequence[Hit]) -> Names:
        """The names that answer. kind: factoid or list. hits: by rank, their sentences scored by word overlap."""
        if not self.figures.earned:
            return Names(off=NOT_EARNED)
        if negated(topic.text):
            return Names(off=NEGATED)
        counted = [hit for hit in hits if hit.passage.counted]
        given = self.answers(kind, known(index.engine, topic, counted))
        return Names(given, self.name, self.figures, "") if given else Names(off=NONE_SURE)

    def answers(self, kind: str, known_names: KnownNames) -> tuple[NamedAnswer, ...]:
        """The names that are sure enough, the surest first."""
        judged = [one for one in self.judged(kind, known_names) if one.confidence >= self.fitted.least]
        return tuple(sorted(judged, key=lambda one: -one.confidence))

    def judged(self, kind: str, known_names: KnownNames) -> list[NamedAnswer]:
        """The best names with their confidence, whatever it is, by rank."""
        ranked = self.rank(known_names)
        quotes = quotable(known_names, ranked, most_names(kind))
        rows = quote_rows(kind, known_names, ranked, quotes)
        sure = ranking.confidences(rows, self.fitted.confidence)
        return [
            NamedAnswer(
                ranked.names[place].text,
                ranked.names[place].others,
                float(value),
                quote,
                tuple(ranked.names[place].linked_to()),
            )
            for (place, quote), value in zip(quotes.items(), sure, strict=True)
        ]

    def rank(self, known_names: KnownNames) -> RankedNames:
        """The likeliest names by their features and annotations."""
        values = ranking.scores(known_names.rows, self.fitted.features)
        return merged(known_names, values + _bonuses(known_names, self.mention_weights))


def load_names_reader(place: Path) -> NamesReader:
    """Load a reader of names."""
    return NamesReader(ranking.load_name_weights(place))


def most_names(kind: str) -> int:
    """How many names may answer a question, as BioASQ counts. kind: factoid or list."""
    return FIRST_LIST if kind == LIST else FIRST_FACTOID


def known(engine: Engine, topic: Topic, hits: Sequence[Hit]) -> KnownNames:
    """The names of the best sentences that do not repeat the question, with their features."""
    question, sentences = topic.text, read(hits)
    every = [name for name in names(sentences, question, topic.equivalents) if not name.in_question]
    fit = fitting(question, every, sentences)
    every = [name for name, fits in zip(every, fit, strict=True) if fits]
    return KnownNames(question, sentences, every, features(engine, question, sentences, every))


def merged(known_names: KnownNames, values: Floats) -> RankedNames:
    """Rank by falling score, and merge each of the first names into a similar better one."""
    kept: list[tuple[Name, int, str]] = []
    for place in np.argsort(-values, kind="stable")[:RANKED]:
        name, key = known_names.names[place], plain(known_names.names[place].text)
        better = next(
            (at for at, (one, _, other) in enumerate(kept) if alike(key, other) and not one.apart(name)),
            None,
        )
        if better is None:
            kept.append((name, int(place), key))
        else:
            first, first_place, first_key = kept[better]
            kept[better] = first.joined(name), first_place, first_key
    places = [place for _, place, _ in kept]
    return RankedNames([name for name, _, _ in kept], values[places], known_names.rows[places])


def quotable(known_names: KnownNames, ranked: RankedNames, most: int) -> dict[int, Evidence]:
    """Index of a name → its quotation, of the first `most` names that have one."""
    made: dict[int, Evidence] = {}
    for place, name in enumerate(ranked.names):
        if len(made) == most:
            break
        if (quote := evidence(known_names.sentences, name)) is not None:
            made[place] = quote
    return made


def quote_rows(
    kind: str, known_names: KnownNames, ranked: RankedNames, quotes: Mapping[int, Evidence]
) -> Floats:
    """float64 [quotes, CONFIDENCE]"""
    return confidence_rows(known_names.question, kind, known_names.sentences, *ranked, quotes)


def evidence(sentences: Sequence[ReadSentence], name: Name) -> Evidence | None:
    """The best sentence with the name in the shown spelling that asserts it of the question; None without one.

    Its paper denies this in no other sentence that has at least CONTRADICTING of its word overlap.
    """
    spelled = sorted(
        {
            mention.sentence
            for mention in name.mentions
            if sentences[mention.sentence].text[mention.span.begin : mention.span.end] == name.text
        },
        key=lambda place: (-sentences[place].sentence.score, place),
    )
    if not spelled:
        return None
    against = [
        (one.passage.document, one.sentence.score)
        for one in sentences
        if denied(one.text, name.text, *name.surfaces)
    ]
    for place in spelled:
        one = sentences[place]
        least = CONTRADICTING * one.sentence.score
        if any(document == one.passage.document and score >= least for document, score in against):
            continue
        if not finds_nothing(one.text):
            return quoted(one.sentence, one.passage, one.hit_rank)
    return None


def denied(sentence: str, *spellings: str) -> bool:
    """Whether every mention of a name in a sentence is in the scope of a cue of negation or of an absent effect.

    "Without diabetes, patients took aspirin" does not deny aspirin.
    spellings: of the name, in any case; symbols, which have no small letter, in theirs alone.
    """
    mentions = [at.start() for one in set(spellings) for at in _mention(one).finditer(sentence)]
    if not mentions:
        return False
    scopes = [(cue.scope_begin, cue.scope_end) for cue in cues(sentence)]
    return all(any(first <= at < last for first, last in scopes) for at in mentions)


@lru_cache(1 << 12)
def _mention(name: str) -> re.Pattern[str]:
    # Bounds, so that "EGF" is not mentioned by "EGFR".
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", 0 if name == name.upper() else re.IGNORECASE)


def finds_nothing(sentence: str) -> bool:
    """Whether a sentence is of a kind that finds nothing."""
    return sentence_kind(sentence) in _NOTHING_FOUND


def _bonuses(known_names: KnownNames, weights: Mapping[str, float]) -> Floats:
    """float64 [names]: the change of each name's score by annotated mentions."""
    marked = marked_types.marked(known_names.names, known_names.sentences, wanted(known_names.question))
    return np.array([marked_types.bonus(one, weights) for one in marked])
