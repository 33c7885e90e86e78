"""How much of a hidden split its figures tell.

A figure has two decimals, in percent. Groups of a breakdown that are too small are left out, and so is one more where
the others would give the missing one away by subtraction. No p-value, no value of a single run, no example of a line is
shown. People of a hidden split have one figure, the mean of all of a submission: were each person shown, lines of many
invented people would tell the answer of each question. Where all questions have the same labels, the hard subset is
what has not the commonest label, so it is not shown either. What remains is what every score of a hidden test tells:
how many of an entry's answers are right, of all questions, of the hard ones and of each group that is shown. Each tells
something of the answers, so a team's entries are limited. Groups stay because they say what a system can do, and a
figure of a hundred questions or more tells little of a single one.

A maintainer names the splits that are hidden: a split of all datasets, or of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.intervals import Estimate, Interval
from anagnosis.leaderboard.board import FactorBreakdown, Figure, Group
from anagnosis.leaderboard.golds import SplitKey

DECIMALS = 4  # of a fraction: two of its percents
SMALLEST_GROUP = 100  # instances of a hidden split whose figure stands alone
OPTION = "--hidden"


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Of a split. hidden: whether its answers are."""

    hidden: bool

    def number(self, value: float) -> float:
        """A value as it may be shown."""
        return round(value, DECIMALS) if self.hidden else value

    def figure(self, estimate: Estimate, signature: str = "") -> Figure:
        """A measured value as it may be shown."""
        value, low, high = map(self.number, (estimate.value, *estimate.ends))
        return Figure(value, low, high, estimate.n, signature)

    def of_some(self, estimate: Estimate | None, instances: int) -> Figure | None:
        """A value on some of so many instances, as it may be shown; None where these, or the others, are too few."""
        if estimate is None or not self.is_large(estimate.n, instances):
            return None
        return self.figure(estimate)

    def is_large(self, n: int, instances: int) -> bool:
        """Whether n of so many instances may have a figure: with that of all, it gives that of the others."""
        return not self.hidden or n == instances or min(n, instances - n) >= SMALLEST_GROUP

    def difference(self, value: float, interval: Interval) -> Figure:
        """A difference as it may be shown."""
        return Figure(self.number(value), self.number(interval.low), self.number(interval.high), 0)

    def p_value(self, p: float) -> float | None:
        """A p-value as it may be shown."""
        return None if self.hidden else p

    def breakdown(self, factor: str, groups: Sequence[Group]) -> FactorBreakdown | None:
        """A breakdown as it may be shown; None where nothing of it may."""
        if not self.hidden:
            return FactorBreakdown(factor, tuple(groups))
        small = [group for group in groups if group.n < SMALLEST_GROUP]
        shown = sorted((group for group in groups if group.n >= SMALLEST_GROUP), key=lambda group: group.n)
        while small and shown and sum(group.n for group in small) < SMALLEST_GROUP:
            small.append(shown.pop(0))
        if len(shown) < 2:
            return None
        kept = tuple(group for group in groups if group in shown)
        return replace(FactorBreakdown(factor, kept), left_out=sum(group.n for group in small))


def hidden_splits(
    names: Sequence[str], datasets: Sequence[Dataset], titles: Sequence[str]
) -> frozenset[SplitKey]:
    """names: `SPLIT`, of every dataset that has it, or `DATASET/SPLIT`, where DATASET is the path of a dataset, its
    title on the board, or the name of its folder.

    Refused (InputError): a dataset or a split that there is not, and a folder's name that two datasets have.
    """
    found: set[SplitKey] = set()
    for name in names:
        folder, split = Path(name).parent, Path(name).name
        of_all = folder == Path()
        places = [*range(len(datasets))] if of_all else [_place(folder, name, datasets, titles)]
        known = {each for place in places for each in datasets[place].sizes}
        if split not in known:
            raise unknown_name("split", split, known, OPTION if of_all else f"{OPTION} {name}")
        found.update((place, split) for place in places if split in datasets[place].sizes)
    return frozenset(found)


def _place(folder: Path, name: str, datasets: Sequence[Dataset], titles: Sequence[str]) -> int:
    paths = [dataset.folder.resolve() for dataset in datasets]
    same = [place for place, path in enumerate(paths) if path == folder.resolve()]
    same = same or [place for place, title in enumerate(titles) if title == str(folder)]
    same = same or [place for place, path in enumerate(paths) if path.name == str(folder)]
    if not same:
        raise unknown_name(
            "dataset", str(folder), {*titles, *(path.name for path in paths)}, f"{OPTION} {name}"
        )
    if len(same) > 1:
        what = f"{len(same)} datasets lie in a folder of that name"
        raise InputError(what, f"{OPTION} {name}", "give the path of the dataset, as to --gold")
    return same[0]
