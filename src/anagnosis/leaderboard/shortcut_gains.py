"""Readers that do not read, beside the systems of a part: what each system gains over them, and the hard questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anagnosis.errors import DamagedError, InputError
from anagnosis.evaluation.differences.paired import ALPHA, DRAWS
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.shortcuts import ShortcutReader, Shortcuts, shortcuts
from anagnosis.evaluation.systems import System
from anagnosis.leaderboard.board import Figure, Gain, ShortcutRow
from anagnosis.leaderboard.board_split import SEED, UNIT, BoardSplit
from anagnosis.submissions.shortcut_readers import shortcut_readers


@dataclass(frozen=True, slots=True)
class ShortcutGains:
    """By one measure. rows: what each reader reaches. gains: of each system over the best of them.

    hard: how many questions none of them points at; None where that may not be shown.
    """

    rows: tuple[ShortcutRow, ...]
    gains: dict[str, Gain]
    hard: int | None

    @property
    def hard_figures(self) -> dict[str, Figure]:
        """System → its figure on the hard questions."""
        return {name: gain.hard for name, gain in self.gains.items() if gain.hard is not None}


def gains_by_measure(
    split: BoardSplit,
    view: str,
    systems: Mapping[str, System],
    measures_of: Mapping[str, Sequence[str]],
    measures: Sequence[str],
) -> dict[str, ShortcutGains]:
    """measures_of: by which each system is judged. Empty where there are no such readers."""
    kind = split.dataset.kind
    # The readers answer with candidates or labels.
    judging = [
        measure
        for measure in measures
        if kind.shortcuts
        and not named(measure).retrieved
        and not (named(measure).free and kind.free_protocols)
    ]
    if not judging:
        return {}
    try:
        readers = shortcut_readers(split.dataset, split.gold, view=view or "global")
    except DamagedError:
        raise
    except InputError:
        return {}
    found: dict[str, ShortcutGains] = {}
    for measure in judging if readers else ():
        own = {name: system for name, system in systems.items() if measure in measures_of[name]}
        found[measure] = _gains(split, view, own, measure, readers)
    return found


def _gains(
    split: BoardSplit,
    view: str,
    systems: Mapping[str, System],
    measure: str,
    readers: Sequence[ShortcutReader],
) -> ShortcutGains:
    found = shortcuts(
        split.gold,
        (),
        readers,
        {view or None: systems},
        measures=[measure],
        protocol=split.protocol(measure),
        unit=UNIT,
        seed=SEED,
        draws=DRAWS,
        view=view or None,
    )
    own, looks_at, disclosure = found.measures[measure], split.dataset.kind.shortcuts, split.disclosure
    rows = (
        ShortcutRow(
            reader.name,
            looks_at[reader.name],
            None if reader.score is None else disclosure.figure(reader.score),
        )
        for reader in own.readers
    )
    gains = {
        gain.name: Gain(
            over=own.best,
            difference=disclosure.difference(gain.difference, gain.interval),
            verdict="tied" if gain.p > ALPHA else "better" if gain.difference > 0 else "worse",
            hard=disclosure.of_some(gain.hard, len(split.gold)) if _shows_hard(split) else None,
        )
        for of_view in own.gains
        for gain in of_view.systems
    }
    return ShortcutGains(tuple(rows), gains, _hard_count(split, found))


def _hard_count(split: BoardSplit, found: Shortcuts) -> int | None:
    """The size of the hard subset, None where there is none or it may not be shown."""
    hard = found.hard if _shows_hard(split) else None
    return hard if hard is not None and split.disclosure.is_large(hard, len(split.gold)) else None


def _shows_hard(split: BoardSplit) -> bool:
    """Whether the hard subset may be shown. Of fixed labels it is all questions but those of the commonest label."""
    return not (split.disclosure.hidden and split.gold.labels)
