"""The baselines on the real BIOMRC files, ten instances each, give the expected numbers right that were
counted independently (by a program that knew nothing of this one), in Setting A and in Setting B alike.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row

from anagnosis.datasets.biomrc import layout
from anagnosis.readers.predict import make_reader, tied

READERS = ("random-candidate", "BASE1", "BASE2", "BASE3", "BASE3+", "BASE4")
# Expected number right of 10, in the order of READERS; last, how often BASE4 ties at the top.
EXPECTED = {
    "large/dataset_train": (2.2429, 5, 3, 0.5, 5.0, 5.5, 2),
    "large/dataset_val": (1.9854, 4, 1, 0.3333, 3.8333, 7.0, 3),
    "lite/dataset_train_small": (1.3464, 2, 1, 0.6667, 1.6667, 3.4583, 4),
    "lite/dataset_val_small": (1.1079, 3, 0, 0.5, 2.3333, 5.4167, 4),
    "lite/dataset_test_small": (1.4642, 1, 1, 0, 1.5, 5.6, 3),
    "tiny/dataset_tiny": (2.3781, 2, 5, 0.3333, 4.8333, 5.3333, 5),
    "tiny/dataset_tiny_B": (1.9187, 3, 0, 0.1111, 3.9444, 5.5333, 3),
}
FILES = [
    (file, expected)
    for name, expected in EXPECTED.items()
    for file in ((name,) if name.startswith("tiny") else (name, f"{name}_B"))
]


@pytest.mark.shared
@each_row(("file", "expected"), FILES, ids=[file for file, _ in FILES])
def test_every_baseline_has_the_expected_number_right(
    file: str, expected: tuple[float, ...], shared: Path
) -> None:
    imported = layout.imported(shared / "data" / "biomrc" / f"{file}.json")
    instances = [instance for split in imported.splits.values() for instance in split]
    answers = [instance.answer for instance in instances if instance.answer is not None]
    assert len(answers) == len(instances) == 10

    for name, right in zip(READERS, expected, strict=False):
        best = [tied(scores) for scores in map(make_reader(name, training=lambda: ()), instances)]
        credits = [1 / len(own) for own, answer in zip(best, answers, strict=True) if answer in own]
        assert sum(credits) == pytest.approx(right, abs=5e-5), name
    base4 = make_reader("BASE4", training=lambda: ())
    assert sum(len(tied(base4(instance))) > 1 for instance in instances) == expected[-1]
