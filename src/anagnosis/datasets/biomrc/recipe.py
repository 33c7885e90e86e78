"""What can be chosen when BioMRC is built: every number of section 2, and what the paper leaves open.

The values are spelled out, with their sources, in recipes/biomrc.toml and recipes/biomrc-strict.toml.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec

from anagnosis.datasets.splits import first_day

Treatment = Literal["drop-article", "leave-out"]
Count = Annotated[int, msgspec.Meta(ge=0)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
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


class BioMRCRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lengths of titles and abstracts are characters or tokens as the key says; see recipes/biomrc.toml."""

    minimum_title_characters: Count = 15
    maximum_title_tokens: Count = 60
    minimum_abstract_characters: Count = 100
    minimum_sentences: Count = 10
    sentences: str = "nupunkt"
    minimum_mentions: Count = 5
    minimum_identifiers: Count = 2
    maximum_identifiers: Count = 20
    on_unlinked: Treatment = "drop-article"
    on_composite: Treatment = "drop-article"
    drop_most_frequent_answer: bool = True
    drop_visible_answer: bool = False
    drop_repeated_text: bool = False
    fold_identifiers: bool = False
    split: Literal["head", "document", "date"] = "head"
    split_weights: SplitWeights = SplitWeights(700_000, 50_000, 62_707)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        if self.since:
            try:
                date.fromisoformat(first_day(self.since))
            except ValueError as fault:
                raise ValueError(f"since: {self.since} is not in the calendar") from fault
