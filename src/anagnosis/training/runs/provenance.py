"""What a run was trained on, kept with it: taught.npy in the run folder.

    uint64 [n], ascending, each once: the keys (datasets/question_keys.py) of the instances whose answers taught it,
    and those
    of the runs that it began with

So a part of its training data, more than that, or the same questions in another dataset are known again. A run that was
trained before there was such a file has none, nor has one that began with it, and whoever asks is told.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anagnosis.checksums import verified
from anagnosis.datasets.folder import store
from anagnosis.datasets.question_keys import Keys, as_keys, key_of, keys_of
from anagnosis.errors import InputError
from anagnosis.files import write_bytes
from anagnosis.folder_names import TAUGHT as FILE
from anagnosis.predictions.problems import NAMED, Problem
from anagnosis.progress import Progress, tell
from anagnosis.readers.learning import Material
from anagnosis.training.runs.run import AGAIN, Run, read_facts

# Files repeat a question now and then: of the 499 of BioASQ's edition 8 one stands in editions 1 to 7 too.
REPEATED = 0.05


@dataclass(frozen=True, slots=True)
class Provenance:
    """keys: ascending."""

    keys: Keys

    def among(self, others: Keys) -> npt.NDArray[np.bool_]:
        """bool [n]: which of these it was trained on. others: uint64 [n]."""
        return np.isin(others, self.keys)


def write(folder: Path, part: Material, begins: Run | None) -> None:
    """Keep what a run is trained on. begins: the run whose weights it began with."""
    with Progress("what it was taught", part.rows, "instances") as bar:
        own = as_keys(key_of(each) for each in _seen(part, bar) if _answered(each))
    before = provenance_of(begins.folder) if begins is not None else None
    if begins is not None and before is None:
        return
    found = np.unique(own if before is None else np.concatenate([own, before.keys]))
    stream = io.BytesIO()
    np.save(stream, found)
    write_bytes(folder / FILE, stream.getvalue())


def provenance_of(folder: Path) -> Provenance | None:
    """What a run was trained on; None where its folder does not tell."""
    path, facts = folder / FILE, read_facts(folder)
    if facts is not None and FILE in facts.files:
        verified(path, facts.files[FILE], AGAIN)
    if not path.exists():
        return None
    try:
        return Provenance(np.load(path))
    except (OSError, ValueError, EOFError) as fault:
        raise InputError(f"cannot be read ({fault})", str(path), "train again, with --replace") from fault


def left_to_fit(run: Run, asked: Keys, where: str, remedy: str) -> npt.NDArray[np.bool_]:
    """bool [n]: which instances a run was not trained on. asked: uint64 [n], their keys.

    Refused (InputError): more questions that it was trained on than files repeat by chance. where, remedy: of that.
    """
    known = provenance_of(run.folder)
    if known is None:
        tell(
            f"{run.folder} does not tell what it was trained on ({FILE}), so that is not looked for in {where}"
        )
        return np.ones(len(asked), np.bool_)
    questions = np.unique(asked)
    count = int(known.among(questions).sum())
    if count > REPEATED * len(questions):
        raise InputError(f"{count:,} of {len(questions):,} questions were trained on", where, remedy)
    return ~known.among(asked)


def trained_on(
    folders: Sequence[Path],
    dataset: store.Dataset,
    split: str,
    limit: int | None = None,
    *,
    asked: Callable[[], Keys] | None = None,
) -> Problem | None:
    """How many instances of a split any of some runs was trained on, and the first; None for none, or if none tells.

    asked: what gives their keys, where several systems are asked for.
    """
    known = [one for folder in folders if (one := provenance_of(folder)) is not None]
    if not known:
        return None
    keys = asked() if asked is not None else keys_of(dataset, split, limit)
    rows = np.flatnonzero(np.any([one.among(keys) for one in known], axis=0))
    if not len(rows):
        return None
    first = set(rows[:NAMED].tolist())
    ids = (ident for row, (ident, _) in enumerate(store.ids_and_keys(dataset, split)) if row in first)
    return Problem(len(rows), tuple(ids))


def _seen(part: Material, bar: Progress) -> Iterator[Any]:
    for each in part.viewed():
        yield each
        bar.advance()


def _answered(shown: object) -> bool:
    """Whether an instance, as a reader sees it, has an answer; what has none teaches nothing."""
    target = getattr(shown, "target", None)
    return (getattr(shown, "answer", None) is not None) if target is None else target >= 0
