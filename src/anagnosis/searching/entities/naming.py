"""Answer a question with names from the best sentences, ranked by features and by a cloze reader, with confidences.

    read        take the best sentences of the passages (candidate_names.py)
    rank        rank all names by their features (features.py, ranking.py)
    ask         let a cloze reader judge the best names (reading.py): rank first, read little
    merge       merge names that differ only in spelling
    answer      give the best five for a question of one name; for a list those above a threshold, at most ten

Retracted papers and notices about other papers are evidence only for names that no other paper has; such names come
after all others. Each answer quotes the best sentence with the name. Log probabilities are means over several runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from anagnosis.array_types import Floats
from anagnosis.calibration import parameters
from anagnosis.calibration.held_out import HeldOut
from anagnosis.calibration.names import NameParameters, confidence_rows, confidences
from anagnosis.calibration.newton import softmax
from anagnosis.datasets.kinds.table import CLOZE, demand, named
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.free_answers import FIRST_FACTOID, FIRST_LIST
from anagnosis.language.question_kinds import LIST
from anagnosis.searching.entities import marked_types, ranking
from anagnosis.searching.entities.asked_for import wanted
from anagnosis.searching.entities.candidate_names import Name, ReadSentence, names, read
from anagnosis.searching.entities.features import features
from anagnosis.searching.entities.reading import CANDIDATES, log_shares, posed
from anagnosis.searching.entities.same_entity import alike, plain
from anagnosis.searching.records.answers import Exact, ExactAnswer
from anagnosis.searching.records.evidence import Evidence
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.sentences import quoted

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed
    from anagnosis.searching.engines import Engine
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.answers import Hit
    from anagnosis.training.runs.predicting import Answering

VIEWS = ("local", "names")
UNFITTED = 0.1  # threshold of confidence for names of a list, without a fit
FLOOR = "untrained"


class KnownNames(NamedTuple):
    """The names of the best sentences and their features, before any reader judges them.

    every: names that the question does not have. rows: float64 [every, FEATURES]. in_question: names that it has.
    """

    question: str
    sentences: list[ReadSentence]
    every: list[Name]
    rows: Floats
    in_question: list[Name]


class RankedNames(NamedTuple):
    """The best names by falling score, similar ones merged. scores, overlaps: float64 [names]."""

    names: list[Name]
    scores: Floats
    overlaps: list[float]


@dataclass(frozen=True, slots=True)
class Namer:
    """A loaded reader that answers with names.

    reader: its name, "untrained" for none. view: of its training. weights: SHA-256 of each run's weights. fitted: the
    fit of `anagnosis calibrate` for these weights. mention_weights: of annotated mentions (marked_types.WEIGHTS).
    held_out: its score on questions outside every fit, None if unknown.
    """

    reader: str = FLOOR
    view: str = VIEWS[0]
    answering: tuple[Answering, ...] = ()
    weights: tuple[str, ...] = ()
    fitted: NameParameters | None = None
    mention_weights: Mapping[str, float] = field(default_factory=lambda: marked_types.WEIGHTS)
    held_out: HeldOut | None = None

    def answer(self, index: Index, question: str, kind: str, hits: Sequence[Hit]) -> Exact | None:
        """The names that answer; None if the passages have none, or the reader's held-out score is unknown.

        kind: factoid or list. hits: by rank.
        """
        if self.held_out is None:
            return None
        counted, uncounted = parted(hits)
        counted_names = known(index.engine, question, counted)
        given = self.answers(index.engine, kind, counted_names) if counted_names.every else ()
        if uncounted:
            given = self._behind(
                index.engine, kind, given, counted_names, known(index.engine, question, uncounted)
            )
        return Exact(given, self.reader, self.held_out, self.fitted is not None) if given else None

    def _behind(
        self,
        engine: Engine,
        kind: str,
        given: tuple[ExactAnswer, ...],
        counted_names: KnownNames,
        uncounted: KnownNames,
    ) -> tuple[ExactAnswer, ...]:
        """The given answers, and if there is room names that only uncounted papers have, with no higher confidence."""
        keys = _keys(counted_names, uncounted)
        places = [place for place, name in enumerate(uncounted.every) if keys.isdisjoint(name.keys)]
        remaining = uncounted._replace(
            every=[uncounted.every[place] for place in places], rows=uncounted.rows[places]
        )
        most = FIRST_LIST if kind == LIST else FIRST_FACTOID
        if not places or len(given) == most:
            return given
        least = given[-1].confidence if given else 1.0
        enough = self.enough if given and kind == LIST else 0.0
        more = [
            msgspec.structs.replace(one, confidence=min(one.confidence, least))
            for one in self.answers(engine, kind, remaining)
            if min(one.confidence, least) >= enough and not any(alike(plain(one.text), key) for key in keys)
        ]
        return (*given, *more)[:most]

    @property
    def enough(self) -> float:
        """The threshold of confidence for the names of a list."""
        return self.fitted.enough if self.fitted is not None else UNFITTED

    def answers(self, engine: Engine, kind: str, known_names: KnownNames) -> tuple[ExactAnswer, ...]:
        """The best names, at least one. known_names: not empty."""
        ranked = self.rank(engine, known_names)
        sure = self.confidences(kind, ranked)
        most = FIRST_LIST if kind == LIST else FIRST_FACTOID
        return tuple(
            ExactAnswer(
                name.text,
                name.others,
                float(value),
                evidence(known_names.sentences, name),
                tuple(name.linked_to()),
            )
            for place, (name, value) in enumerate(zip(ranked.names[:most], sure, strict=False))
            if kind != LIST or not place or value >= self.enough
        )

    def rank(self, engine: Engine, known_names: KnownNames) -> RankedNames:
        """The likeliest names by their features, ranked again with the reader's probabilities."""
        chosen, values = self.likeliest(known_names)
        if self.answering:
            reading = self.fitted.reading if self.fitted is not None else ranking.READING
            reader_columns = ranking.reading(self.shares(known_names, chosen))
            values = values + reader_columns @ np.array([reading[ranking.SHARE], reading[ranking.UNSEEN]])
        return _ranked(engine, known_names, chosen, values)

    def likeliest(self, known_names: KnownNames) -> tuple[list[Name], Floats]:
        """The names for the reader, the likeliest first, and their scores by features."""
        weights = self.fitted.features if self.fitted is not None else ranking.BY_HAND
        values = ranking.scores(known_names.rows, weights) + _bonuses(known_names, self.mention_weights)
        order = np.argsort(-values, kind="stable")[:CANDIDATES]
        return [known_names.every[place] for place in order], values[order]

    def shares(self, known_names: KnownNames, chosen: Sequence[Name]) -> list[float | None]:
        """The reader's log probability of each name, None for a name that did not fit into its passage."""
        shown = posed(known_names.question, known_names.sentences, chosen, known_names.in_question, self.view)
        if shown is None:
            return [None] * len(chosen)
        seen, places = shown
        every = [self._scores(each, seen) for each in self.answering]
        return log_shares(list(np.mean(every, axis=0)), places)

    def _scores(self, answering: Answering, seen: Viewed) -> list[float]:
        (scores,) = answering.answers([seen], self.reader)
        # The row is shorter if the last candidates' mentions do not fit into the reader's window.
        return [*scores, *[-math.inf] * len(seen.candidates)][: len(seen.candidates)]

    def confidences(self, kind: str, ranked: RankedNames) -> Floats:
        """float64 [names], in their order; without a fit, the softmax of the scores."""
        if self.fitted is None:
            return softmax(ranked.scores)
        rows = confidence_rows(ranked.scores, ranked.overlaps)
        return np.minimum.accumulate(confidences(rows, self.fitted.confidence[kind]))


def load_namer(
    place: Path, device: str = "auto", threads: int | None = None, *, fitted: bool = True
) -> Namer:
    """Load a run folder or a folder of replicates. fitted: use the fit of `anagnosis calibrate`, if there is one.

    InputError: the reader does not answer with names, or identifies entities by global numbers.
    """
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import load

    loaded = load(place)
    runs = loaded.runs
    first = runs[0]
    other = f"{first.reader} does not answer with names"
    demand(named(first.config.kind), CLOZE, str(place), other, "name a run of a biomrc- recipe")
    if first.config.view not in VIEWS:
        raise InputError(
            f"knows entities by their numbers in its own dataset (view {first.config.view})",
            str(place),
            'train one with view = "local"',
        )
    answering = tuple(Answering(run, device, threads) for run in runs)
    kept = ranking.fitted_of(loaded.folder, loaded.digests) if fitted else None
    measured = parameters.read(loaded.folder, HeldOut, loaded.digests) if fitted else None
    return Namer(first.reader, first.config.view, answering, loaded.digests, kept, held_out=measured)


def known(engine: Engine, question: str, hits: Sequence[Hit]) -> KnownNames:
    """The names of the best sentences, with their features."""
    sentences = read(hits)
    every_name = names(sentences, question)
    every = [name for name in every_name if not name.in_question]
    rows = features(engine, question, sentences, every)
    return KnownNames(question, sentences, every, rows, [name for name in every_name if name.in_question])


def parted(hits: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """(passages of papers that count, passages of papers that do not)."""
    sides: tuple[list[Hit], list[Hit]] = [], []
    for hit in hits:
        sides[not hit.passage.counted].append(hit)
    return sides


def _keys(known_names: KnownNames, others: KnownNames) -> set[str]:
    """Keys of all names in the sentences of `known_names`, with their spellings in those of `others` too."""
    count = len(known_names.sentences)
    every_name = names([*known_names.sentences, *others.sentences], known_names.question)
    standing = [name for name in every_name if any(mention.sentence < count for mention in name.mentions)]
    return {key for name in standing for key in name.keys}


def _bonuses(known_names: KnownNames, weights: Mapping[str, float]) -> Floats:
    """float64 [every]: the change of each name's score by annotated mentions."""
    marked = marked_types.marked(known_names.every, known_names.sentences, wanted(known_names.question))
    return np.array([marked_types.bonus(one, weights) for one in marked])


def evidence(sentences: Sequence[ReadSentence], name: Name) -> Evidence:
    """The best sentence with the name in the shown spelling."""
    places = {
        mention.sentence
        for mention in name.mentions
        if sentences[mention.sentence].text[mention.span.begin : mention.span.end] == name.text
    }
    best = sentences[min(places, key=lambda place: (-sentences[place].sentence.score, place))]
    return quoted(best.sentence, best.passage, best.hit_rank)


def _ranked(engine: Engine, known_names: KnownNames, chosen: Sequence[Name], values: Floats) -> RankedNames:
    """Rank by falling score, and merge each name into a similar better one."""
    score = overlap.scorer(engine, known_names.question)
    kept: list[tuple[Name, float, str]] = []
    for place in np.argsort(-values, kind="stable"):
        name, key = chosen[place], plain(chosen[place].text)
        better = next(
            (at for at, (one, _, other) in enumerate(kept) if alike(key, other) and not one.apart(name)),
            None,
        )
        if better is None:
            kept.append((name, float(values[place]), key))
        else:
            first, value, first_key = kept[better]
            kept[better] = first.joined(name), value, first_key
    overlaps = [score(evidence(known_names.sentences, name).text) for name, _, _ in kept]
    return RankedNames([name for name, _, _ in kept], np.array([value for _, value, _ in kept]), overlaps)
