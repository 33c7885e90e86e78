"""Held-out questions, by the batch or edition that a file's name has, and what twins share.

A twin asks the same in another file: its question has the same words, whatever their case, signs and blanks (NFKC, case
folded). In the golden files of editions 1 to 11 at hand, three questions of 9B5 and 10B1 have one each.
"""

from __future__ import annotations

import re
import unicodedata

from anagnosis.io.compression import without_compression

HELD_OUT = ("9B5", "10B1")

_WORD = re.compile(r"\w+")
_TEST_SET = re.compile(r"(?<!\d)(\d{1,4})[Bb]Phase[AB]-testset(\d{1,4})", re.ASCII)


def same_question(question: str) -> str:
    """What two questions share if and only if they ask the same: their words, case folded."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", question).casefold()))


def is_batch(file: str, batch: str) -> bool:
    """Whether a file, by its name, holds that batch, or one of that edition.

    "9B5_golden.json" is of 9B5 and 9B, and so is "BioASQ-task9bPhaseB-testset5".
    """
    stem = without_compression(file).removesuffix(".json")
    name = _test_set_of(stem) or stem.removesuffix("_golden")
    return batch in (file, stem, name) or (batch == name.rstrip("0123456789") and batch.endswith("B"))


def _test_set_of(file: str) -> str:
    """The batch of the organisers' test set that a file's name has; "" for none."""
    found = _TEST_SET.search(file)
    return f"{int(found[1])}B{int(found[2])}" if found else ""
