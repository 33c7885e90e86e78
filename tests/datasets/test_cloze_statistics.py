"""The size of any cloze dataset: BIOMRC's Table 2 and BioRead's Table 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.datasets.biomrc import layout
from anagnosis.datasets.cloze_statistics import statistics, table
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.published_sets import Lengths, Size

SAMPLES = Path(__file__).parents[1] / "samples" / "biomrc"


@pytest.mark.parametrize("setting", ["A", "B"])
def test_lengths_are_white_space_tokens_with_entities_and_the_placeholder_as_one(setting: str) -> None:
    imported = layout.imported(SAMPLES, setting=setting)
    columns = statistics(imported.splits, text_form="replaced", numbering=imported.recipe["numbering"])
    assert columns["train"] == Size(3, Lengths(4.0, 4, 4), Lengths(116 / 3, 42, 32), Lengths(22 / 3, 8, 7))
    assert columns["dev"] == Size(1, Lengths(2.0, 2, 2), Lengths(6.0, 6, 6), Lengths(3.0, 3, 3))
    assert columns["test"] == Size(2, Lengths(4.0, 4, 4), Lengths(37.0, 42, 32), Lengths(7.0, 11, 3))
    assert columns["total"] == Size(6, Lengths(22 / 6, 4, 2), Lengths(196 / 6, 42, 6), Lengths(6.5, 11, 3))


def test_the_length_of_an_original_text_is_that_of_its_replaced_text() -> None:
    candidates = (Candidate("gene/1", "Gene", 1, ("T cell",)), Candidate("gene/2", "Gene", 2, ("B",)))
    mentions = (PassageMention(((0, 6),), 0), PassageMention(((7, 8),), 1))
    one = ClozeInstance("1:0", "1", "", "T cell/B", "Of-XXXX", mentions, (), candidates, 0, ("T",))
    size = statistics({"test": [one]}, text_form="original")["test"]
    assert (size.passage, size.question) == (Lengths(3.0, 3, 3), Lengths(2.0, 2, 2))


def test_no_instance_gives_zeros() -> None:
    nothing = Size(0, *[Lengths(0.0, 0, 0)] * 3)
    assert statistics({"train": []}, text_form="original") == {"train": nothing, "total": nothing}


def test_the_lines_stand_in_the_papers_order() -> None:
    size = Size(2, Lengths(2.5, 3, 2), Lengths(15.0, 20, 10), Lengths(4.5, 5, 4))
    lines = table({"train": size}, "abstract", "title")
    assert [(label, *figures) for label, figures in lines] == [
        ("Instances", 2),
        ("Avg candidates", 2.5),
        ("Max candidates", 3),
        ("Min candidates", 2),
        ("Avg abstract len.", 15.0),
        ("Max abstract len.", 20),
        ("Min abstract len.", 10),
        ("Avg title len.", 4.5),
        ("Max title len.", 5),
        ("Min title len.", 4),
    ]
