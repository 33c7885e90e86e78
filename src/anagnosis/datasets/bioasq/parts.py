"""Parts of BioASQ's questions: which editions and batches are train, dev and test.

    9B5            a batch, or a file's name
    9B             an edition, all of its batches

Names are separated by commas or blanks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anagnosis.datasets.bioasq.held_out import is_batch
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError, unknown_name
from anagnosis.wording import shortened

_BATCH = re.compile(r"\d{1,4}b\d{0,4}", re.ASCII)


def named_parts(given: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The parts of `--part`: split → names of batches and files. given: split → text.

    InputError: no such split, and a part without a batch.
    """
    found = {split: tuple(batches(text)) for split, text in given.items()}
    for split, names in found.items():
        if split not in SPLITS:
            raise unknown_name("split", split, SPLITS, "--part")
        if not names:
            raise InputError(f"the part {split} names no batch", "--part", f"such as {split}=8B")
    return found


def splits_of(
    files: Sequence[str], named: Mapping[str, Sequence[str]], rest: str | None, option: str
) -> dict[str, str | None]:
    """File → split, of all files; None for those of no part.

    named: split → names of batches and files. rest: the split of all other questions; None leaves them out. option:
    where the user named them. InputError: a batch without a file, and a file of two parts.
    """
    splits: dict[str, str | None] = {}
    for split, names in named.items():
        for name in names:
            own = [file for file in files if is_batch(file, name)]
            if not own:
                there = ", ".join(shortened(each) for each in files[:6])
                raise InputError(f"no file of {name}", option, f"there are {there}, {len(files)} in all")
            if twice := [file for file in own if splits.setdefault(file, split) != split]:
                what = f"{shortened(twice[0])} is of {splits[twice[0]]} and of {split}"
                raise InputError(what, option, "name each batch in one part")
    return {file: splits.get(file, rest) for file in files}


def batches(text: str) -> list[str]:
    """The names that a text lists, each once."""
    names = text.replace(",", " ").split()
    return list(dict.fromkeys(name.upper() if _BATCH.fullmatch(name) else name for name in names))


def parts_of(recipe: object) -> dict[str, str] | None:
    """split → its batches, of the splits for which a recipe names some; None where it names none."""
    named = {split: getattr(recipe, split) for split in SPLITS}
    return {split: text for split, text in named.items() if batches(text)} or None
