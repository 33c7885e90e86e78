"""Parts of BioASQ's questions: which editions and batches are train, dev and test.

    9B5            a batch, or a file's name
    9B             an edition, all of its batches

Names are separated by commas or blanks. Held-out questions have twins, which ask the same in another file, in the same
words. In the golden files of editions 1 to 11 at hand, three questions of 9B5 and 10B1 have one each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.compression import without_compression
from anagnosis.wording import shortened

PART = "--part"  # or the setting of a recipe
_WORD = re.compile(r"\w+")
_TEST_SET = re.compile(r"(?<!\d)(\d{1,4})[Bb]Phase[AB]-testset(\d{1,4})", re.ASCII)
_BATCH = re.compile(r"\d{1,4}b\d{0,4}", re.ASCII)


def named_parts(given: Mapping[str, str]) -> dict[str, list[str]]:
    """The parts of `--part`: split → names of batches and files. given: split → text.

    InputError: no such split, and a part without a batch.
    """
    found = {split: batches(text) for split, text in given.items()}
    for split, names in found.items():
        if split not in SPLITS:
            raise unknown_name("split", split, SPLITS, PART)
        if not names:
            raise InputError(f"the part {split} names no batch", PART, f"such as {split}=8B")
    return found


def splits_of(
    files: Sequence[str], named: Mapping[str, Sequence[str]], rest: str | None
) -> dict[str, str | None]:
    """File → split, of all files; None for those of no part.

    named: split → names of batches and files. rest: the split of all other questions; None leaves them out.
    InputError: a batch without a file, and a file of two parts.
    """
    splits: dict[str, str | None] = {}
    for split, names in named.items():
        for name in names:
            own = [file for file in files if is_batch(file, name)]
            if not own:
                there = ", ".join(shortened(each) for each in files[:6])
                raise InputError(f"no file of {name}", PART, f"there are {there}, {len(files)} in all")
            if twice := [file for file in own if splits.setdefault(file, split) != split]:
                what = f"{shortened(twice[0])} is of {splits[twice[0]]} and of {split}"
                raise InputError(what, PART, "name each batch in one part")
    return {file: splits.get(file, rest) for file in files}


def batches(text: str) -> list[str]:
    """The names that a text lists, each once."""
    names = text.replace(",", " ").split()
    return list(dict.fromkeys(name.upper() if _BATCH.fullmatch(name) else name for name in names))


def parts_of(recipe: object) -> dict[str, str] | None:
    """split → its batches, of the splits for which a recipe names some; None where it names none."""
    named = {split: getattr(recipe, split) for split in SPLITS}
    return {split: text for split, text in named.items() if batches(text)} or None


def same_question(question: str) -> str:
    """What two questions share if and only if they ask the same: their words, case folded."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", question).casefold()))


def is_batch(file: str, batch: str) -> bool:
    """Whether a file, by its name, holds that batch, or one of that edition.

    "9B5_golden.json" is of 9B5 and 9B, and so is "BioASQ-task9bPhaseB-testset5".
    """
    stem = without_compression(file).removesuffix(".json")
    found = _TEST_SET.search(stem)
    name = f"{int(found[1])}B{int(found[2])}" if found else stem.removesuffix("_golden")
    return batch in (file, stem, name) or (batch == name.rstrip("0123456789") and batch.endswith("B"))
