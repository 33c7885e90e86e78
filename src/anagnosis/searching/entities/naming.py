"""Names that answer a question: found in the best sentences, ranked, read by a cloze reader, and how sure one can be.

    read        the best sentences of the passages (candidate_names.py)
    rank        every name by what is known of it (features.py, ranking.py)
    ask         a cloze reader, of the best names (reading.py): rank first, read little
    together    names that differ by spelling alone become one
    give        the best five for one name; for several those that are sure enough, at most ten

A paper that was retracted, and a notice about another one, is evidence of a name only where no other paper has it; such
names come behind all others. Each answer has the best sentence that it stands in, verbatim. Of several runs log
probabilities are averaged.
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
from anagnosis.searching.entities.candidate_names import Name, Read, names, read
from anagnosis.searching.entities.features import features
from anagnosis.searching.entities.reading import CANDIDATES, log_shares, posed
from anagnosis.searching.entities.same_entity import alike, plain
from anagnosis.searching.records.answers import Evidence, Exact, ExactAnswer
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.sentences import quoted

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed
    from anagnosis.searching.engines import Engine
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.answers import Hit
    from anagnosis.training.runs.predicting import Answering

VIEWS = ("local", "names")
UNFITTED = 0.1  # from which confidence on a name belongs to a list where nothing was fitted
FLOOR = "untrained"


class Known(NamedTuple):
    """What is known of a question's names before a reader is asked.

    every: all names that do not stand in the question; rows: float64 [every, FEATURES]. asked: those that do.
    """

    question: str
    sentences: list[Read]
    every: list[Name]
    rows: Floats
    asked: list[Name]


class Ranked(NamedTuple):
    """The best names by falling score, each with what is like it joined. scores, overlaps: float64 [names]."""

    names: list[Name]
    scores: Floats
    overlaps: list[float]


@dataclass(frozen=True, slots=True)
class Namer:
    """A loaded reader.

    reader: its name, "untrained" for none. view: what it reads. weights: SHA-256 of each run's. fitted: by `anagnosis
    calibrate`, for these weights. marks: what the papers' own mentions count (marked_types.WEIGHTS). held_out: what it
    reaches on questions that nothing was fitted on, None where nobody has measured that.
    """

    reader: str = FLOOR
    view: str = VIEWS[0]
    answering: tuple[Answering, ...] = ()
    weights: tuple[str, ...] = ()
    fitted: NameParameters | None = None
    marks: Mapping[str, float] = field(default_factory=lambda: marked_types.WEIGHTS)
    held_out: HeldOut | None = None

    def answer(self, index: Index, question: str, kind: str, found: Sequence[Hit]) -> Exact | None:
        """kind: factoid or list. found: passages in the order of their rank.

        None where there is no name in them, or nobody has measured the reader.
        """
        if self.held_out is None:
            return None
        counted, uncounted = parted(found)
        had = known(index.engine, question, counted)
        given = self.answers(index.engine, kind, had) if had.every else ()
        if uncounted:
            given = self._behind(index.engine, kind, given, had, known(index.engine, question, uncounted))
        return Exact(given, self.reader, self.held_out, self.fitted is not None) if given else None

    def _behind(
        self, engine: Engine, kind: str, given: tuple[ExactAnswer, ...], had: Known, uncounted: Known
    ) -> tuple[ExactAnswer, ...]:
        """given, of what `had` is known; and where there is room what is uncounted alone, no surer than the last."""
        keys = _keys(had, uncounted)
        own = [place for place, name in enumerate(uncounted.every) if keys.isdisjoint(name.keys)]
        alone = uncounted._replace(every=[uncounted.every[place] for place in own], rows=uncounted.rows[own])
        most = FIRST_LIST if kind == LIST else FIRST_FACTOID
        if not own or len(given) == most:
            return given
        least = given[-1].confidence if given else 1.0
        enough = self.enough if given and kind == LIST else 0.0
        more = [
            msgspec.structs.replace(one, confidence=min(one.confidence, least))
            for one in self.answers(engine, kind, alone)
            if min(one.confidence, least) >= enough and not any(alike(plain(one.text), key) for key in keys)
        ]
        return (*given, *more)[:most]

    @property
    def enough(self) -> float:
        """The confidence from which on a name belongs to a list."""
        return self.fitted.enough if self.fitted is not None else UNFITTED

    def answers(self, engine: Engine, kind: str, had: Known) -> tuple[ExactAnswer, ...]:
        """The best names, at least one. had: with names."""
        ranked = self.rank(engine, had)
        sure = self.confidences(kind, ranked)
        most = FIRST_LIST if kind == LIST else FIRST_FACTOID
        return tuple(
            ExactAnswer(
                name.text, name.others, float(value), evidence(had.sentences, name), tuple(name.linked_to())
            )
            for place, (name, value) in enumerate(zip(ranked.names[:most], sure, strict=False))
            if kind != LIST or not place or value >= self.enough
        )

    def rank(self, engine: Engine, had: Known) -> Ranked:
        """The names that are likeliest before they are read, in the order that the reader gives them."""
        chosen, values = self.likeliest(had)
        if self.answering:
            reading = self.fitted.reading if self.fitted is not None else ranking.READING
            said = ranking.reading(self.shares(had, chosen))
            values = values + said @ np.array([reading[ranking.SHARE], reading[ranking.UNSEEN]])
        return _ranked(engine, had, chosen, values)

    def likeliest(self, had: Known) -> tuple[list[Name], Floats]:
        """The names that are read, the likeliest first, and their scores before that."""
        weights = self.fitted.features if self.fitted is not None else ranking.BY_HAND
        values = ranking.scores(had.rows, weights) + _bonuses(had, self.marks)
        order = np.argsort(-values, kind="stable")[:CANDIDATES]
        return [had.every[place] for place in order], values[order]

    def shares(self, had: Known, chosen: Sequence[Name]) -> list[float | None]:
        """The reader's log probability of each name, None for one that it was not shown."""
        made = posed(had.question, had.sentences, chosen, had.asked, self.view)
        if made is None:
            return [None] * len(chosen)
        seen, places = made
        every = [self._scores(each, seen) for each in self.answering]
        return log_shares(list(np.mean(every, axis=0)), places)

    def _scores(self, answering: Answering, seen: Viewed) -> list[float]:
        (scores,) = answering.answers([seen], self.reader)
        # A candidate whose mentions do not fit into the reader's window has no place at the end of its row.
        return [*scores, *[-math.inf] * len(seen.candidates)][: len(seen.candidates)]

    def confidences(self, kind: str, ranked: Ranked) -> Floats:
        """float64 [names], in their order; without what was fitted, shares of the scores."""
        if self.fitted is None:
            return softmax(ranked.scores)
        rows = confidence_rows(ranked.scores, ranked.overlaps)
        return np.minimum.accumulate(confidences(rows, self.fitted.confidence[kind]))


def load_namer(
    place: Path, device: str = "auto", threads: int | None = None, *, fitted: bool = True
) -> Namer:
    """From a run folder or one of several runs. fitted: with what `anagnosis calibrate` left there.

    Refused (InputError): a reader that gives no names, one that knows entities by global numbers.
    """
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import load

    found = load(place)
    runs = found.runs
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
    kept = ranking.fitted_of(found.folder, found.digests) if fitted else None
    measured = parameters.read(found.folder, HeldOut, found.digests) if fitted else None
    return Namer(first.reader, first.config.view, answering, found.digests, kept, held_out=measured)


def known(engine: Engine, question: str, found: Sequence[Hit]) -> Known:
    """Every name of the best sentences, with its features."""
    sentences = read(found)
    both = names(sentences, question)
    every = [name for name in both if not name.asked]
    rows = features(engine, question, sentences, every)
    return Known(question, sentences, every, rows, [name for name in both if name.asked])


def parted(found: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """The passages of papers that count, and those of papers that do not."""
    sides: tuple[list[Hit], list[Hit]] = [], []
    for each in found:
        sides[not each.passage.counted].append(each)
    return sides


def _keys(had: Known, others: Known) -> set[str]:
    """same.plain of every name that stands in what is `had`, as it is written in the others too."""
    count = len(had.sentences)
    both = names([*had.sentences, *others.sentences], had.question)
    held = [name for name in both if any(mention.sentence < count for mention in name.mentions)]
    return {key for name in held for key in name.keys}


def _bonuses(had: Known, weights: Mapping[str, float]) -> Floats:
    """float64 [every]: what the papers' own mentions add to the score of each name."""
    found = marked_types.marked(had.every, had.sentences, wanted(had.question))
    return np.array([marked_types.bonus(one, weights) for one in found])


def evidence(sentences: Sequence[Read], name: Name) -> Evidence:
    """The best sentence in which a name stands as it is shown."""
    own = {
        mention.sentence
        for mention in name.mentions
        if sentences[mention.sentence].text[mention.span.begin : mention.span.end] == name.text
    }
    best = sentences[min(own, key=lambda place: (-sentences[place].sentence.score, place))]
    return quoted(best.sentence, best.passage, best.hit_rank)


def _ranked(engine: Engine, had: Known, chosen: Sequence[Name], values: Floats) -> Ranked:
    """By falling score; a name that is like a better one goes to it."""
    score = overlap.scorer(engine, had.question)
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
            first, value, own = kept[better]
            kept[better] = first.joined(name), value, own
    overlaps = [score(evidence(had.sentences, name).text) for name, _, _ in kept]
    return Ranked([name for name, _, _ in kept], np.array([value for _, value, _ in kept]), overlaps)
