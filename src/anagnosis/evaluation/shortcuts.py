"""What systems have beyond readers that do not read: gains over the best of them, and the hard subset.

A system's gain is its accuracy less that of the best shortcut reader (submissions/shortcut_readers.py). The hard subset
is what none of those readers points at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.shortcuts import Shortcut
from anagnosis.evaluation.differences.over_runs import covariance_of_means, larger_p, over_runs
from anagnosis.evaluation.differences.paired import Codes, bootstrap, randomisation
from anagnosis.evaluation.differences.ranked_pairs import corrected
from anagnosis.evaluation.exact_sums import mean_credits
from anagnosis.evaluation.intervals import Estimate, Floats, Interval, estimate
from anagnosis.evaluation.scoring import scored_rows, signature


@dataclass(frozen=True, slots=True, eq=False)
class ShortcutReader:
    """credits: float64 [m] of the instances with a gold answer, shared at ties; None where it is undefined, and why."""

    name: str
    credits: Floats | None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class ShortcutScore:
    """accuracy: of a shortcut reader; None where it is undefined, and why."""

    name: str
    accuracy: Estimate | None
    undefined: str


@dataclass(frozen=True, slots=True)
class Gain:
    """A system beside the best shortcut reader. p: two-tailed, by randomisation, of several runs the larger one of that
    and of the test over runs; holm: corrected for all pairs of a system and a reader, since the best was chosen here.

    hard: its accuracy on the hard subset, None where that is empty.
    """

    name: str
    difference: float
    interval: Interval
    p: float
    holm: float
    hard: Estimate | None


@dataclass(frozen=True, slots=True)
class Gains:
    """Those of the systems of a view."""

    view: str | None
    systems: tuple[Gain, ...]
    signature: str


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """card: what instances have, by dataset part. readers: their scores on a split; best: the name of the best one.

    hard: of `instances` how many no reader points at.
    """

    split: str
    card: tuple[Shortcut, ...]
    readers: tuple[ShortcutScore, ...]
    best: str
    instances: int
    hard: int
    signature: str
    gains: tuple[Gains, ...]


def shortcuts(
    gold: Gold,
    card: tuple[Shortcut, ...],
    readers: Sequence[ShortcutReader],
    systems: Mapping[str | None, Mapping[str, Floats]],
    *,
    protocol: str,
    unit: str,
    seed: int,
    draws: int,
    view: str | None = None,
) -> Shortcuts:
    """systems: view → name → credits of its runs, float64 [runs, m]. view: that of the readers.

    protocol: of the systems' credits; the readers' ties always stand by their expectation.
    """
    rows = scored_rows(gold)
    documents = gold.document[rows] if unit == "document" else None

    def signed(saw: str | None, *settings: tuple[str, str]) -> str:
        drawn = (("draws", str(draws)), ("unit", unit), *settings)
        return str(signature(gold, n=len(rows), protocol=protocol, view=saw, seed=seed, settings=drawn))

    return Shortcuts(
        split=gold.split,
        card=card,
        readers=tuple(
            ShortcutScore(
                one.name, None if one.credits is None else estimate(one.credits, documents), one.undefined
            )
            for one in readers
        ),
        best=best_reader(readers).name,
        instances=len(rows),
        hard=int(hard_subset(gold, readers).sum()),
        signature=signed(view),
        gains=tuple(
            Gains(
                saw,
                tuple(gains(gold, readers, own, unit=unit, seed=seed, draws=draws)),
                signed(saw, *([("shortcuts", view or "global")] if saw != view else [])),
            )
            for saw, own in systems.items()
            if own
        ),
    )


def hard_subset(gold: Gold, readers: Sequence[ShortcutReader]) -> npt.NDArray[np.bool_]:
    """bool [m]: the instances with a gold answer that no reader points at.

    A reader points at the answer if it gives it more credit than blind choice would: a tie of all candidates, as of
    an entity prior that knows none of them, points at nothing.
    """
    blind = 1 / np.diff(gold.starts)[scored_rows(gold)]
    known = [reader.credits for reader in readers if reader.credits is not None]
    return np.all([credits <= blind * (1 + 1e-9) for credits in known], axis=0)


def hard_ids(gold: Gold, readers: Sequence[ShortcutReader]) -> list[str]:
    """The ids of the hard subset, in the order of the split."""
    rows = scored_rows(gold)[hard_subset(gold, readers)].tolist()
    return [gold.ids.between(row, row + 1)[0] for row in rows]


def gains(
    gold: Gold,
    readers: Sequence[ShortcutReader],
    systems: Mapping[str, Floats],
    *,
    unit: str,
    seed: int,
    draws: int,
) -> list[Gain]:
    """systems: name → credits of its runs, float64 [runs, m]. unit: what is swapped, "instance" or "document"."""
    best = best_reader(readers)
    assert best.credits is not None
    hard = hard_subset(gold, readers)
    documents = gold.document[scored_rows(gold)] if unit == "document" else None
    p_values = {
        (name, reader.name): _p_value(runs, reader.credits, documents, draws, seed)
        for name, runs in systems.items()
        for reader in readers
        if reader.credits is not None
    }
    holm = corrected(p_values)
    found: list[Gain] = []
    for name, runs in systems.items():
        credits, pair = mean_credits(runs), (name, best.name)
        interval = bootstrap(credits, best.credits, documents, draws=draws, seed=seed)
        difference = float(credits.mean() - best.credits.mean())
        own = estimate(credits[hard], None if documents is None else documents[hard]) if hard.any() else None
        found.append(Gain(name, difference, interval, p_values[pair], holm[pair], own))
    return found


def _p_value(runs: Floats, reader: Floats, documents: Codes | None, draws: int, seed: int) -> float:
    """Two-tailed. A reader that is not trained has the same credits in every run."""
    swaps = randomisation(mean_credits(runs), reader, documents, draws=draws, seed=seed)
    if len(runs) == 1:
        return swaps.p_two_tailed
    every = np.vstack([runs, reader])
    *values, own = every.mean(axis=1)
    over = over_runs(
        np.array(values),
        np.array([own]),
        covariance_of_means(every, documents),
        swaps.units,
        fixed=(False, True),
    )
    return larger_p(swaps.p_two_tailed, over)


def best_reader(readers: Sequence[ShortcutReader]) -> ShortcutReader:
    """The one with the highest accuracy, the first of several; BASE1 to BASE4 are always defined."""
    defined = [(float(one.credits.mean()), one) for one in readers if one.credits is not None]
    return max(defined, key=lambda scored: scored[0])[1]
