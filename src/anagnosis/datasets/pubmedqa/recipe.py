"""What can be chosen when PubMedQA is built; recipes/pubmedqa.toml spells the values out, with their sources."""

from __future__ import annotations

from typing import Literal

import msgspec

from anagnosis.datasets.build.recipe_values import Since, SplitWeights, refuse_other_than_dates
from anagnosis.recipes.values import Seed


class PubMedQARecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """tagger, model: language/tags.py; the model file is one that `anagnosis tagger` trained."""

    kind: Literal["decision"] = "decision"
    questions: bool = True
    statements: bool = True
    question_ends_title: bool = False
    tagger: str = "rule"
    model: str = ""
    english_only: bool = True
    drop_protocols: bool = False
    drop_retracted: bool = False
    drop_repeated_text: bool = False
    split: Literal["head", "document", "date"] = "head"
    split_weights: SplitWeights = SplitWeights(1, 0, 0)
    seed: Seed = 0
    since: Since = ""

    def __post_init__(self) -> None:
        refuse_other_than_dates(self.since)
        if self.model and self.tagger != "crf":
            raise ValueError(f"a model is of the tagger crf, not of {self.tagger}")
        if not (self.questions or self.statements):
            raise ValueError("neither questions nor statements are wanted")
