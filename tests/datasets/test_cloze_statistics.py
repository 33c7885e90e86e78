"""The size of any cloze dataset: BIOMRC's Table 2 and BioRead's Table 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from anagnosis.datasets.biomrc import layout
from anagnosis.datasets.cloze_statistics import Column, Spread, statistics, table
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.published_sets import Lengths, Size

SAMPLES = Path(__file__).parents[1] / "samples" / "biomrc"


@pytest.mark.parametrize("setting", ["A", "B"])
def test_lengths_are_white_space_tokens_with_entities_and_the_placeholder_as_one(setting: str) -> None:
    imported = layout.read(SAMPLES, setting=setting)
    columns = statistics(imported.splits, text_form="replaced", numbering=imported.numbering)
    assert columns["train"] == Column(3, Spread(3, 12, 4, 4), Spread(3, 116, 42, 32), Spread(3, 22, 8, 7))
    assert columns["dev"] == Column(1, Spread(1, 2, 2, 2), Spread(1, 6, 6, 6), Spread(1, 3, 3, 3))
    assert columns["test"] == Column(2, Spread(2, 8, 4, 4), Spread(2, 74, 42, 32), Spread(2, 14, 11, 3))
    assert columns["total"] == Column(6, Spread(6, 22, 4, 2), Spread(6, 196, 42, 6), Spread(6, 39, 11, 3))


def test_the_length_of_an_original_text_is_that_of_its_replaced_text() -> None:
    candidates = (Candidate("gene/1", "Gene", 1, ("T cell",)), Candidate("gene/2", "Gene", 2, ("B",)))
    mentions = (PassageMention(((0, 6),), 0), PassageMention(((7, 8),), 1))
    one = ClozeInstance("1:0", "1", "", "T cell/B", "Of-XXXX", mentions, (), candidates, 0, ("T",))
    column = statistics({"test": [one]}, text_form="original")["test"]
    assert (column.passage.sum, column.question.sum) == (3, 2)


class Words:
    """Remembers what it is given."""

    rule = "every word"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def add(self, words: Iterable[str]) -> None:
        self.seen += words

    def size(self) -> int:
        return len(self.seen)


def test_words_are_those_of_train_alone_as_the_view_shows_them() -> None:
    imported = layout.read(SAMPLES, setting="A")
    words = Words()
    columns = statistics(imported.splits, text_form="replaced", words=words)
    assert words.size() == columns["train"].passage.sum + columns["train"].question.sum
    assert "XXXX" in words.seen


def test_no_instance_gives_zeros() -> None:
    assert statistics({"train": []}, text_form="original") == {"train": Column(), "total": Column()}
    assert statistics({}, text_form="original") == {"total": Column()}
    assert Spread().mean == 0.0


def test_the_lines_stand_in_the_papers_order() -> None:
    size = Size(2, Lengths(2.5, 3, 2), Lengths(15.0, 20, 10), Lengths(4.5, 5, 4))
    lines = table({"train": size}, "abstract", "title")
    assert [(line.label, line.values["train"]) for line in lines] == [
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


@pytest.mark.shared
def test_the_real_instances_lie_where_the_reference_found_them(shared: Path) -> None:
    folder = shared / "data" / "biomrc"

    def side_a() -> Iterator[ClozeInstance]:
        for path in sorted(folder.glob("*/*.json")):
            if "_B" not in path.name:
                yield from next(iter(layout.read(path).splits.values()))

    (tiny_b,) = layout.read(folder / "tiny" / "dataset_tiny_B.json").splits.values()
    a = statistics({"test": side_a()}, text_form="replaced")["total"]
    b = statistics({"test": tiny_b}, text_form="replaced", numbering="local")["total"]
    # The reference counts 80 instances: abstracts 154 to 465, titles 5 to 35, candidates 2 to 14. The ten of the
    # LARGE test file are not here; none of them is an extreme.
    assert (a.instances, b.instances) == (60, 10)
    assert (min(a.passage.smallest, b.passage.smallest), max(a.passage.largest, b.passage.largest)) == (
        154,
        465,
    )
    assert (min(a.question.smallest, b.question.smallest), max(a.question.largest, b.question.largest)) == (
        5,
        35,
    )
    assert (
        min(a.candidates.smallest, b.candidates.smallest),
        max(a.candidates.largest, b.candidates.largest),
    ) == (2, 14)
    assert (a.candidates.sum, a.passage.sum, a.question.sum) == (419, 15363, 854)
    assert (b.candidates.sum, b.passage.sum, b.question.sum) == (65, 2665, 171)
