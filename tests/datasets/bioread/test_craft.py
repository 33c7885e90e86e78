"""BioRead-like questions of CRAFT's 97 articles, with its own sentences and concepts: the counts that are known.

shared/reference/bioread.md has the counts. The twins on texts of our own are in test_build.py and test_article.py.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from benchmarks.bioread_craft import documents

from anagnosis.datasets.bioread import build
from anagnosis.datasets.bioread.article import BioReadRecipe
from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.recipes import load as recipes

if TYPE_CHECKING:
    from pathlib import Path

    from anagnosis.documents.document import Document

PAPER = BioReadRecipe(sentences="given", minimum_question_tokens=0, minimum_candidates=0, lower_case=False)


class Counted(NamedTuple):
    """instances: by part of CRAFT. dropped, repairs: over all parts."""

    instances: Counter[str]
    dropped: Counter[str]
    repairs: Counter[str]


@pytest.fixture(scope="module")
def craft(shared: Path) -> dict[str, list[Document]]:
    return documents(shared / "data" / "craft")


def counted(parts: dict[str, list[Document]], recipe: BioReadRecipe) -> Counted:
    instances, dropped, repairs = Counter[str](), Counter[str](), Counter[str]()
    for part, papers in parts.items():
        for paper in papers:
            screening = Screening(ClozeColumns())
            build.judge(paper, recipe, screening)
            instances[part] += len(screening.columns)
            dropped.update(screening.instances_dropped)
            repairs.update(screening.repairs.counts)
    return Counted(instances, dropped, repairs)


def test_bioread_s_limits_give_48_143_instances(craft: dict[str, list[Document]]) -> None:
    found = counted(craft, PAPER)
    assert found.instances == {"train": 29_152, "dev": 4_801, "test": 14_190}
    assert found.dropped["no_shared_entity"] == 7_858
    assert found.instances.total() + found.dropped["too_many_candidates"] == 51_914
    assert found.repairs == {
        "mention_discontinuous": 2_015,
        "mention_overlapping": 4_109,
        "mention_across_sentences": 1,
    }


def test_strict_rules_leave_out_captions_back_matter_and_windows_across_sections(
    craft: dict[str, list[Document]],
) -> None:
    values = {**recipes.load("bioread-strict"), "sentences": "given"}
    strict = recipes.configured(BioReadRecipe, values, "bioread-strict", apart=("dataset",))
    counts = counted(craft, strict)
    assert counts.instances.total() == 20_585
    assert counts.repairs["sentence_left_out_by_recipe"] == 9_070
    assert counts.dropped == {
        "no_shared_entity": 3_634,
        "too_many_candidates": 3_760,
        "question_too_short": 120,
        "window_across_sections": 12_546,
        "answer_visible_in_question": 3_820,
    }
