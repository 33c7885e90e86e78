"""What can be chosen when BioMRC is built: every number of section 2, and what the paper leaves open.

The values are spelled out, with their sources, in recipes/biomrc.toml and recipes/biomrc-strict.toml.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from anagnosis.datasets.build.recipe_values import Since, SplitWeights, refuse_other_than_dates
from anagnosis.recipes.values import Count, Seed

Treatment = Literal["drop-article", "leave-out"]


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
        refuse_other_than_dates(self.since)
