"""Values that the recipes of all datasets have: splits, seeds, dates."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec

from anagnosis.datasets.splits import first_day

Weight = Annotated[float, msgspec.Meta(ge=0, le=1e15)]
Since = Annotated[
    str,
    msgspec.Meta(pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$", description="write YYYY, YYYY-MM or YYYY-MM-DD"),
]


class SplitWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How large the splits are, as any three numbers; only their ratio counts."""

    train: Weight
    dev: Weight
    test: Weight

    def __post_init__(self) -> None:
        if not self.train + self.dev + self.test:
            raise ValueError("all three are 0")


def refuse_other_than_dates(since: str) -> None:
    """A date that the calendar does not have is a ValueError; none is a date too."""
    if since:
        try:
            date.fromisoformat(first_day(since))
        except ValueError as fault:
            raise ValueError(f"since: {since} is not in the calendar") from fault
