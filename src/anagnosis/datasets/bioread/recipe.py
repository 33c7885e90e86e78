"""What can be chosen when a BioRead-like dataset is built: the numbers of section 2, and what the paper leaves open.

The values are spelled out, with their sources, in recipes/bioread.toml, bioread-lite.toml and
bioread-strict.toml.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from anagnosis.datasets.build.recipe_values import Since, SplitWeights, refuse_other_than_dates
from anagnosis.recipes.values import Count, Seed

DrawnShare = Annotated[float, msgspec.Meta(gt=0, le=1)]
Sentences = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class BioReadRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lengths are white-space tokens once entities are replaced; limits are inclusive. See recipes/bioread.toml."""

    share_of_articles: DrawnShare = 1.0
    passage_sentences: Sentences = 20
    maximum_passage_tokens: Count = 999
    maximum_question_tokens: Count = 300
    maximum_candidates: Count = 40
    minimum_passage_tokens: Count = 0
    minimum_question_tokens: Count = 5
    minimum_candidates: Count = 2
    sentences: str = "nupunkt"
    per: Literal["entity", "mention"] = "entity"
    lower_case: bool = True
    ascii_only: bool = False
    numbering: Literal["first-appearance", "global"] = "first-appearance"
    leave_out: tuple[str, ...] = ()
    within_sections: bool = False
    drop_visible_answer: bool = False
    drop_repeated_text: bool = False
    split: Literal["head", "document", "date"] = "document"
    split_weights: SplitWeights = SplitWeights(15_100, 600.7, 652.9)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        refuse_other_than_dates(self.since)
