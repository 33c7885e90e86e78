"""What can be chosen when a CliCR-like dataset is built.

The values are spelled out, with their sources, in recipes/clicr.toml.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from anagnosis.datasets.clicr.sections import query_section
from anagnosis.datasets.clicr.semantic_types import Concept
from anagnosis.datasets.splits import Since, SplitWeights, refuse_other_than_dates
from anagnosis.recipes.load import Count, Seed


class CliCRRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See recipes/clicr.toml. types: further semantic types of annotations → problem, treatment or test."""

    query_section: str = "learning-points"
    sentences: str = "fast"
    tokens: str = "words"
    types: dict[str, Concept] = {}
    leave_out: tuple[str, ...] = (
        "figure",
        "table",
        "table_cells",
        "supplementary",
        "references",
        "back",
        "other abstract",
    )
    minimum_candidates: Count = 1
    remove_exact_repeats: bool = True
    drop_repeated_text: bool = False
    split: Literal["document", "head", "date"] = "document"
    split_weights: SplitWeights = SplitWeights(91_344, 6_391, 7_184)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        query_section(self.query_section)
        refuse_other_than_dates(self.since)
