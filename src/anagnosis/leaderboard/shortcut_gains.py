"""Readers that do not read, beside the systems of a part: what each system gains over them, and the hard questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anagnosis.errors import InputError
from anagnosis.evaluation.differences.paired import DRAWS
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.shortcuts import Shortcuts, shortcuts
from anagnosis.evaluation.systems import System
from anagnosis.leaderboard.board import Figure, Gain
from anagnosis.leaderboard.board_split import SEED, UNIT, BoardSplit
from anagnosis.submissions.shortcut_readers import shortcut_readers


def shortcuts_by_measure(
    split: BoardSplit,
    view: str,
    systems: Mapping[str, System],
    measures_of: Mapping[str, Sequence[str]],
    measures: Sequence[str],
) -> dict[str, Shortcuts]:
    """By measure: what readers reach that do not read, and each system's gain over the best.

    measures_of: by which each system is judged.
    """
    gold, kind = split.gold, split.dataset.kind
    try:
        readers = shortcut_readers(split.dataset, gold, view=view or "global") if kind.shortcuts else []
    except InputError:
        return {}
    found: dict[str, Shortcuts] = {}
    for measure in measures if readers else ():
        if named(measure).retrieved or (named(measure).free and kind.free_protocols):
            continue  # the readers answer with candidates or labels
        own = {name: system for name, system in systems.items() if measure in measures_of[name]}
        found[measure] = shortcuts(
            gold,
            (),
            readers,
            {view or None: own},
            measures=[measure],
            protocol=split.protocol(measure),
            unit=UNIT,
            seed=SEED,
            draws=DRAWS,
            view=view or None,
        )
    return found


def gains_of(split: BoardSplit, name: str, found: Mapping[str, Shortcuts]) -> dict[str, Gain]:
    """The gains of a system, by measure."""
    return {
        measure: Gain(
            over=own.measures[measure].best,
            difference=split.disclosure.difference(gain.difference, gain.interval),
            verdict="tied" if gain.holm > ALPHA else "better" if gain.difference > 0 else "worse",
            hard=_hard_figure(split, gain.hard),
        )
        for measure, own in found.items()
        for gains in own.measures[measure].gains
        for gain in gains.systems
        if gain.name == name
    }


def hard_figures(split: BoardSplit, found: Shortcuts | None, measure: str) -> dict[str, Figure]:
    """System → its figure on the hard subset."""
    gains = () if found is None else found.measures[measure].gains
    return {
        gain.name: figure
        for own in gains
        for gain in own.systems
        if (figure := _hard_figure(split, gain.hard)) is not None
    }


def hard_count(split: BoardSplit, found: Shortcuts | None) -> int | None:
    """The size of the hard subset, None where there is none or it may not be shown."""
    hard = None if found is None or not _shows_hard(split) else found.hard
    return hard if hard is not None and split.disclosure.is_large(hard, len(split.gold)) else None


def _hard_figure(split: BoardSplit, value: Estimate | None) -> Figure | None:
    return split.disclosure.of_some(value, len(split.gold)) if _shows_hard(split) else None


def _shows_hard(split: BoardSplit) -> bool:
    """Whether the hard subset may be shown. Of fixed labels it is all questions but those of the commonest label."""
    return not (split.disclosure.hidden and split.gold.labels)
