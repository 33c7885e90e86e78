"""Parts of BioASQ's questions: which editions and batches are train, dev and test.

    9B5            a batch, or a file's name
    9B             an edition, all of its batches
    2B-6B          editions
    10B2-6         batches of one edition

Names are separated by commas or blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from anagnosis.datasets.bioasq.held_out import is_batch
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError, unknown_name
from anagnosis.wording import shortened

LONGEST_RANGE = 100  # editions or batches; the newest edition is the 14th
_RANGE = re.compile(r"(\d{1,4})[Bb](\d{0,4})-(?:(\d{1,4})[Bb])?(\d{0,4})", re.ASCII)
_BATCH = re.compile(r"(\d{1,4})b(\d{0,4})", re.ASCII)


def named_parts(given: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The parts of `--part`: split → names of batches and files. given: split → text.

    InputError: no such split, a part without a batch, and what `batches` refuses.
    """
    found: dict[str, tuple[str, ...]] = {}
    for split, text in given.items():
        if split not in SPLITS:
            raise unknown_name("split", split, SPLITS, "--part")
        found[split] = tuple(batches(text, "--part"))
        if not found[split]:
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
        if missing := [name for name in names if not any(is_batch(file, name) for file in files)]:
            what, there = f"no file of {_few(missing)}", f"there are {_few(files)}"
            raise InputError(what, option, there)
        for file in files:
            if (
                any(is_batch(file, name) for name in names)
                and (other := splits.setdefault(file, split)) != split
            ):
                what = f"{shortened(file)} is of {other} and of {split}"
                raise InputError(what, option, "name each batch in one part")
    return {file: splits.get(file, rest) for file in files}


def batches(text: str, option: str) -> list[str]:
    """The names that a text lists, ranges spelled out, each once. option: where it was given, for errors."""
    return list(
        dict.fromkeys(name for part in text.replace(",", " ").split() for name in _names(part, option))
    )


def parts_of(recipe: object) -> dict[str, str]:
    """split → its batches, of the splits for which a recipe names some. InputError: as of `batches`."""
    named = {split: getattr(recipe, split) for split in SPLITS}
    return {split: text for split, text in named.items() if batches(text, split)}


def _names(part: str, option: str) -> Iterator[str]:
    ends = _RANGE.fullmatch(part)
    if ends is None:
        yield part.upper() if _BATCH.fullmatch(part) else part
        return
    edition, first, last_edition, last = ends.groups()
    if not first and last_edition and not last:
        low, high, name = int(edition), int(last_edition), "{}B"
    elif first and last and int(last_edition or edition) == int(edition):
        low, high, name = int(first), int(last), f"{int(edition)}B{{}}"
    else:
        remedy = "editions (2B-6B), or batches of one edition (10B2-6)"
        raise InputError(f"{part} is no range", option, f"a range goes over {remedy}")
    if high < low:
        raise InputError(f"{part} is no range", option, "the smaller number comes first")
    if high - low >= LONGEST_RANGE:
        raise InputError(f"{part} is no range", option, f"a range has at most {LONGEST_RANGE} numbers")
    yield from (name.format(number) for number in range(low, high + 1))


def _few(names: Sequence[str]) -> str:
    """Up to six names for an error line."""
    listed = ", ".join(shortened(name) for name in names[:6])
    return listed if len(names) <= 6 else f"{listed} and {len(names) - 6} more"
