"""What the lines of predictions hold: fixed labels, free answers, or documents and snippets.

It decides by which measures they are scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.predictions import Matched

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

    Measures of free answers that no question of a split counts for are left out. protocol: the one asked for.
    """
    runs = [run for _, run in matched]
    protocols, measures = kind.protocols, kind.measures
    if kind.free_protocols and hold_answers(runs, kind.labels):
        protocols, measures = kind.free_protocols, kind.free_measures
    elif kind.retrieval_protocols and hold_items(runs):
        protocols, measures = kind.retrieval_protocols, kind.retrieval_measures
    chosen = protocol or protocols[0]
    if measures is kind.measures or chosen in kind.protocols:
        return kind.measures
    if measures is kind.retrieval_measures and chosen not in protocols:
        what = f"the lines hold {_ITEMS}, which the protocol {chosen!r} is not for"
        raise InputError(what, "--protocol", f"take one of {', '.join(protocols)}")
    return tuple(
        name
        for name in measures
        if all(named(name).of_run(gold, run, chosen).counted.any() for gold, run in matched)
    )


def hold_items(runs: Iterable[Matched]) -> bool:
    """Whether lines hold documents, snippets, concepts or triples, and no answer."""
    return any(_content(run, ()) == _ITEMS for run in runs)


def _content(run: Matched, labels: Sequence[str]) -> str:
    """What the lines of a run hold, in words; "" where they hold nothing."""
    if run.typed or run.free:
        return _ANSWERS if run.free else _types(labels)
    return _ITEMS if any(items is not None for items in run.retrieved or ()) else ""


def _types(labels: Sequence[str]) -> str:
    return f"types ({', '.join(labels)})"
