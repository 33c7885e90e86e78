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


def hold_answers(runs: Iterable[Matched], labels: Sequence[str]) -> bool:
    """Whether the lines answer freely. InputError: some do, and some answer with one of the labels."""
    first: dict[bool, Matched] = {}
    for run in runs:
        if run.typed and run.free:
            what = f"{run.typed:,} lines hold {_types(labels)}, and {run.free:,} exact answers"
            raise InputError(what, run.name, "give two files, or say what to score with --measure")
        if run.typed or run.free:
            first.setdefault(bool(run.free), run)
    if len(first) > 1:
        what = f"{first[False].name} holds {_types(labels)}, and {first[True].name} exact answers"
        raise InputError(what, "", "score them apart")
    return True in first


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
    return tuple(
        name
        for name in measures
        if all(named(name).of_run(gold, run, chosen).counted.any() for gold, run in matched)
    )


def hold_items(runs: Iterable[Matched]) -> bool:
    """Whether lines hold documents, snippets, concepts or triples, and no answer."""
    return any(
        not (run.typed or run.free) and any(items is not None for items in run.retrieved or ())
        for run in runs
    )


def _types(labels: Sequence[str]) -> str:
    return f"types ({', '.join(labels)})"
