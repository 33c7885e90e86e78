"""Protocols: what counts as an answer, and what a predictions file must hold, for each kind of dataset.

protocols.toml lists and describes them. What the lines of predictions hold (fixed labels, free answers, or documents
and snippets) decides by which measures they are scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from anagnosis.array_types import Longs
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.io.decoding import table_beside
from anagnosis.predictions import UNANSWERED, Matched

ANSWER, FIXED, OFFICIAL = "answer", "fixed", "official"


class Scoring(msgspec.Struct, frozen=True):
    """How a kind is scored, as protocols.toml has it."""

    protocols: tuple[str, ...]
    measures: tuple[str, ...]
    free_protocols: tuple[str, ...] = ()
    free_measures: tuple[str, ...] = ()
    ideal_measures: tuple[str, ...] = ()
    retrieval_protocols: tuple[str, ...] = ()
    retrieval_measures: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every protocol, once."""
        return tuple(dict.fromkeys((*self.protocols, *self.free_protocols, *self.retrieval_protocols)))


SCORING = table_beside(__name__, dict[str, Scoring])
BY_SCORES = ("expected", "sentences")  # those by which a line with scores and no answer has answered
_NOT_ALL = ("missing", "unknown")


def every_protocol() -> list[str]:
    """The protocols of all kinds that predictions may be matched by, in their order."""
    return [*dict.fromkeys(name for each in SCORING.values() for name in each.all)]


def protocol_of(dataset: Dataset, asked: str | None, measures: Sequence[Measure] = ()) -> str:
    """The protocol by which predictions for that dataset count, by these measures (default: the kind's usual ones)."""
    known = protocols_for(dataset.kind, measures)
    if asked is None:
        return known[0]
    demand_known(dataset, asked)
    if asked not in known:
        listed = ", ".join(measure.name for measure in measures)
        what = f"the protocol {asked!r} is not for the measures {listed}"
        raise InputError(what, "--protocol", f"take one of {', '.join(known)}")
    return asked


def demand_known(dataset: Dataset, asked: str) -> None:
    """Refuse a protocol that is none of the dataset's kind."""
    if asked not in (known := SCORING[dataset.kind.name].all):
        raise unknown_name("protocol", asked, known, f"for {dataset.kind.holds}")


def protocols_for(kind: Kind, measures: Sequence[Measure]) -> tuple[str, ...]:
    """The protocols by which such measures judge a kind, the usual one first."""
    judged: dict[str, str] = {}
    for measure in measures:
        judged.setdefault(_judged(kind, measure), measure.name)
    if len(judged) > 1:
        (first, one), (second, other), *_ = judged.items()
        raise InputError(f"{one!r} judges {first}, and {other!r} {second}", "--measure", "score them apart")
    own = SCORING[kind.name]
    if any(measure.retrieved for measure in measures):
        return own.retrieval_protocols
    return (any(measure.free for measure in measures) and own.free_protocols) or own.protocols


def _judged(kind: Kind, measure: Measure) -> str:
    """What a measure judges, where a kind has protocols for each."""
    if measure.retrieved:
        return "what was retrieved"
    if measure.free and kind.is_free:
        return "free answers"
    return f"one of {len(kind.labels)} labels" if kind.is_free else "answers"


def usual_protocol(kind: Kind, measure: Measure) -> str:
    """The protocol by which a measure judges a kind where the user names none."""
    return protocols_for(kind, [measure])[0]


def people_protocol(gold: Gold, protocol: str) -> str:
    """The protocol for people, who are taken by their answers: of those that read scores the one that reads answers."""
    return ANSWER if protocol in BY_SCORES and ANSWER in SCORING[gold.kind].protocols else protocol


def demand_fit(
    gold: Gold,
    runs: Sequence[Matched],
    protocol: str,
    measures: Sequence[Measure],
    *,
    asked: Longs | None = None,
    people: bool = False,
) -> None:
    """Refuse what a protocol does not count by these measures. asked: int64, the instances that count (default: all).

    people: whether the runs are theirs; who leaves a question open is wrong there.
    """
    complete = protocol == OFFICIAL or any(protocol in measure.complete for measure in measures)
    free = all(measure.free for measure in measures)
    for run in runs:
        _demand_fit(gold, run, protocol, asked, free=free, complete=complete and not people)


def _demand_fit(
    gold: Gold, run: Matched, protocol: str, asked: Longs | None, *, free: bool, complete: bool
) -> None:
    if protocol == FIXED and run.strays and not free:
        strays = ", ".join(repr(stray) for stray in list(run.strays)[:3])
        what = f"answers that are none of {', '.join(gold.labels)}: {strays}, {sum(run.strays.values()):,} in all"
        official = OFFICIAL in SCORING[gold.kind].protocols
        counts = ", or score with --protocol official, which counts them as a class" if official else ""
        raise InputError(what, run.name, f"correct them{counts}")
    if not complete:
        return
    for name in _NOT_ALL if asked is None else ("unknown",):
        if problem := run.problems.get(name):
            what = f"{problem.count:,} {name.replace('_', ' ')} ids ({', '.join(problem.first[:3])})"
            raise InputError(
                what, run.name, f"the {protocol} score takes all and only the ids of {gold.split}"
            )
    silent = int(((run.choice if asked is None else run.choice[asked]) == UNANSWERED).sum())
    if silent:
        raise InputError(
            f"{silent:,} answers are null", run.name, f"the {protocol} score takes an answer to each"
        )


_ANSWERS, _ITEMS = "exact answers", "documents and snippets"


def hold_answers(runs: Iterable[Matched], labels: Sequence[str]) -> bool:
    """Whether the lines answer freely. InputError: lines or files hold different things."""
    first: dict[str, Matched] = {}
    for run in runs:
        if run.typed and run.free:
            what = f"{run.typed:,} lines hold {_types(labels)}, and {run.free:,} exact answers"
            raise InputError(what, run.name, "give two files, or say what to score with --measure")
        if content := _content(run, labels):
            first.setdefault(content, run)
    if len(first) > 1:
        (content, run), (other, beside), *_ = first.items()
        raise InputError(f"{run.name} holds {content}, and {beside.name} {other}", "", "score them apart")
    return _ANSWERS in first


def usual_measures(
    kind: Kind, matched: Sequence[tuple[Gold, Matched]], protocol: str | None
) -> tuple[str, ...]:
    """The measures by which lines are scored where nobody names any: those of what they hold.

    Measures of free answers that no question of a split counts for are left out, and beside exact answers those of
    ideal answers that a run lacks. protocol: the one asked for.
    """
    runs = [run for _, run in matched]
    own = SCORING[kind.name]
    protocols, measures = own.protocols, own.measures
    ideal = [any(run.ideals or ()) for run in runs]
    if own.free_protocols and hold_answers(runs, kind.labels):
        protocols = own.free_protocols
        measures = (*own.free_measures, *(own.ideal_measures if all(ideal) else ()))
    elif own.retrieval_protocols and any(_content(run, ()) == _ITEMS for run in runs):
        protocols, measures = own.retrieval_protocols, own.retrieval_measures
    elif any(ideal):
        protocols, measures = own.free_protocols, own.ideal_measures
    chosen = protocol or protocols[0]
    if measures is own.measures or chosen in own.protocols:
        return own.measures
    if measures is own.retrieval_measures and chosen not in protocols:
        what = f"the lines hold {_ITEMS}, which the protocol {chosen!r} is not for"
        raise InputError(what, "--protocol", f"take one of {', '.join(protocols)}")
    return tuple(
        name
        for name in measures
        if all(named(name).of_run(gold, run, chosen).counted.any() for gold, run in matched)
    )


def _content(run: Matched, labels: Sequence[str]) -> str:
    """What the lines of a run hold, in words; "" where they hold nothing."""
    if run.typed or run.free:
        return _ANSWERS if run.free else _types(labels)
    return _ITEMS if any(items is not None for items in run.retrieved or ()) else ""


def _types(labels: Sequence[str]) -> str:
    return f"types ({', '.join(labels)})"
