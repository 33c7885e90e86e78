"""One predictions file of a submission, held strictly against the datasets of a board: all its faults at once.

What `score` counts and passes over, a board refuses: ids that are missing, repeated or unknown, lines for another
dataset, fields that a prediction does not have (those of the gold are among them).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold, Ids, ids_of
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.counts import Counts
from anagnosis.io.files import open_input
from anagnosis.leaderboard.submission import LARGEST_FILE
from anagnosis.predictions import Matched, Prediction, match_each
from anagnosis.predictions.lines import numbered
from anagnosis.wording import shortened

SplitKey = tuple[int, str]  # of a dataset among those of the board, and a split

SHOWN_LINES = 5  # broken lines that are quoted
FIRST_LINES = 256  # by which the dataset of a file is found
# Problem of a predictions file → what a board says of its lines or ids. The others are counted and do no harm.
REFUSED = {
    "wrong_fingerprint": "made for another dataset or split",
    "missing": "without a line",
    "repeated": "twice",
    "unknown": "not in the split",
    "unknown_fields": "with fields that no prediction has",
}


class Golds:
    """Datasets with the gold side of each split, read when first asked for."""

    def __init__(self, datasets: Sequence[Dataset]) -> None:
        self.datasets = tuple(datasets)
        self.ids: dict[SplitKey, Ids] = {}
        self.fingerprints: dict[str, SplitKey] = {}
        for place, dataset in enumerate(self.datasets):
            for split in dataset.sizes:
                self.ids[place, split] = ids_of(dataset, split)
                self.fingerprints.setdefault(store.fingerprint(dataset, split), (place, split))
        self.gold = cache(self._gold)

    def _gold(self, place: int, split: str) -> Gold:
        dataset = self.datasets[place]
        return Gold.of(dataset, split, free=True)

    def place_of(self, lines: Sequence[Prediction], where: str) -> SplitKey | None:
        """The dataset and split of a file with these first lines; None if it was made for others.

        Refused (InputError): none or several fit.
        """
        made_for = dict.fromkeys(line.dataset for line in lines if line.dataset is not None)
        known = {self.fingerprints[each] for each in made_for if each in self.fingerprints}
        if len(known) == 1:
            return next(iter(known))
        if made_for and not known:
            return None
        ids = [line.id for line in lines]
        counts = {key: int((index.rows(ids) >= 0).sum()) for key, index in self.ids.items()}
        most = max(counts.values(), default=0)
        best = [key for key, count in counts.items() if count == most]
        if not most:
            what = f"none of its ids is in a dataset of this board (the first is {ids[0][:80]!r})"
            raise InputError(what, where, "predict on the dataset of this board")
        if len(best) > 1:
            listed = ", ".join(f"{self.datasets[place].folder.name} {split}" for place, split in best)
            remedy = 'write the fingerprint of one, as `show` has it, into each line, as "dataset"'
            raise InputError(f"its ids lie in several splits ({listed})", where, remedy)
        return best[0]


class Examined(NamedTuple):
    """faults: each a line; a file with faults is not scored. place: None for a file of another dataset."""

    faults: Sequence[str] = ()
    place: SplitKey | None = None
    matched: Matched | None = None


def examined(path: Path, golds: Golds, called: str, view: str | None, kept: bool) -> Examined:
    """A predictions file beside the datasets. called: the file in messages, within the submission.

    view, kept: of its answers, as system.toml or the note beside the file says (`notes.how_written`).
    """
    broken: list[str] = []

    def on_fault(fault: InputError) -> None:
        broken.append(shortened(f"line {fault.where.rpartition(':')[2]}: {fault.what}", 200))

    try:
        _demand_size(path, called)
        lines = [line for _, line in islice(numbered(path, Counts(), called, on_fault), FIRST_LINES)]
        if not lines:
            return Examined(["holds no predictions" + "".join(f" ({line})" for line in broken[:1])])
        place = golds.place_of(lines, called)
        if place is None:
            return Examined()
        broken.clear()
        how: dict[str, Any] = {"called": called, "view": view, "kept": kept, "on_fault": on_fault}
        found = match_each(path, golds.gold(*place), check_fingerprint=False, **how)
    except DamagedError:  # of a dataset, so no fault of the file
        raise
    except InputError as fault:
        return Examined([*broken[:SHOWN_LINES], shortened(fault.what, 300)])
    if len(found) > 1 or found[0].annotator is not None:
        return Examined(["holds answers of people; a board ranks systems"])
    faults = broken[:SHOWN_LINES]
    if len(broken) > SHOWN_LINES:
        faults.append(f"and {len(broken) - SHOWN_LINES:,} more that are no predictions")
    for name, words in REFUSED.items():
        if (problem := found[0].problems.get(name)) is not None:
            shown = ", ".join(repr(shortened(example)) for example in problem.first[:3])
            faults.append(f"{problem.count:,} {words} ({shown}{', …' if problem.count > 3 else ''})")
    return Examined(faults, place, found[0])


def _demand_size(path: Path, called: str) -> None:
    """Refuse (InputError) a file that is too large unpacked, before any of it is interpreted."""
    size = 0
    with open_input(path) as stream:
        while block := stream.read1(1 << 20):
            size += len(block)
            if size > LARGEST_FILE:
                what = f"has more than {LARGEST_FILE >> 20} MiB unpacked"
                raise InputError(what, called, "split it into runs, or leave out the scores")
