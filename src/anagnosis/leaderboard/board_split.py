"""A split of a dataset on a board, with what all its systems share: train answers, factors, dates of papers."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.breakdown import Factor
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import usual_protocol
from anagnosis.leaderboard.disclosure import Disclosure
from anagnosis.submissions.label_factors import factors_of

UNIT = "document"  # what tests swap and intervals resample as one
SEED = 0
_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


@dataclass(frozen=True)
class BoardSplit:
    """title: of the dataset on the board. What costs time is computed when first asked for."""

    dataset: Dataset
    title: str
    gold: Gold
    disclosure: Disclosure

    @cached_property
    def train(self) -> Gold | None:
        """The train part, by which answers are familiar; None where keys mean nothing beyond an instance."""
        if self.gold.split == "train" or "train" not in self.dataset.sizes:
            return None
        texts = self.gold.exact is not None and not self.gold.labels
        if self.dataset.numbering != "global" and not texts:
            return None
        return Gold.of(self.dataset, "train", free=texts)

    @cached_property
    def factors(self) -> list[Factor]:
        """The factors of the split's questions."""
        return factors_of(self.dataset, self.gold.split, None)

    @cached_property
    def dates(self) -> list[str]:
        """The date of each dated instance, as written, sorted."""
        found: list[str] = []
        columns = [*self.dataset.kind.dates]
        for part in self.dataset.parts(self.gold.split) if columns else ():
            for batch in store.batches(part, 8192, columns):
                for row in zip(*(batch.column(name).to_pylist() for name in columns), strict=True):
                    written = next((value for value in row if value), "")
                    found += [written] if _DATE.fullmatch(written) else []
        return sorted(found)

    def dated_before(self, cutoff: datetime.date | None) -> float | None:
        """The share of dated instances whose paper may be as old as the cut-off: a year alone counts from its start."""
        if cutoff is None or not self.dates:
            return None
        return float(np.mean([_earliest(written) <= cutoff.isoformat() for written in self.dates]))

    def protocol(self, measure: str) -> str:
        """The usual protocol of a measure on these questions."""
        return usual_protocol(self.dataset.kind, named(measure))


def _earliest(written: str) -> str:
    year, month, day = _DATE.fullmatch(written).groups()  # pyright: ignore[reportOptionalMemberAccess]  (`dates` has matches alone)
    return f"{year}-{month or '01'}-{day or '01'}"
