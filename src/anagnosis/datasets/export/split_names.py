"""The split that the name of a file gives: train1.0.json, validation_part_0.txt."""

from __future__ import annotations

import re

from anagnosis.errors import InputError

_WORDS = re.compile(r"[a-z]+")
_SPLITS = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("dev", "development", "valid", "validation", "val"), "dev"),
    **dict.fromkeys(("test", "testing"), "test"),
}


def split_of(name: str) -> str:
    """The split that a word of the name gives. InputError: no word, or words of two splits."""
    splits = {_SPLITS[word] for word in words_of(name) if word in _SPLITS}
    if len(splits) != 1:
        what = "two splits" if splits else "no split"
        raise InputError(f"the name of the file gives {what}", name, "name its split with --split")
    return splits.pop()


def words_of(name: str) -> frozenset[str]:
    """Runs of letters in lower case, so that `interval` is no `val`."""
    return frozenset(_WORDS.findall(name.rpartition("/")[2].lower()))
