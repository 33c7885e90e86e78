"""What can be chosen when BioMRC is built: every number of section 2, and what the paper leaves open.

The values are spelled out, with their sources, in recipes/biomrc.toml and recipes/biomrc-strict.toml.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Treatment = Literal["drop-article", "leave-out"]


class SplitWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How large the splits are, as any three numbers; only their ratio counts."""

    train: float
    dev: float
    test: float


class BioMRCRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lengths of titles and abstracts are characters or tokens as the key says; see recipes/biomrc.toml."""

    minimum_title_characters: int = 15
    maximum_title_tokens: int = 60
    minimum_abstract_characters: int = 100
    minimum_sentences: int = 10
    sentences: str = "nupunkt"
    minimum_mentions: int = 5
    minimum_identifiers: int = 2
    maximum_identifiers: int = 20
    on_unlinked: Treatment = "drop-article"
    on_composite: Treatment = "drop-article"
    drop_most_frequent_answer: bool = True
    drop_visible_answer: bool = False
    drop_repeated_text: bool = False
    fold_identifiers: bool = False
    split: Literal["head", "document", "date"] = "head"
    split_weights: SplitWeights = SplitWeights(700_000, 50_000, 62_707)
    seed: int = 0
    since: str = ""
