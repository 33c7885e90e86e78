"""What the name of a file of BioRead's text form says: its split, and whether it is of BioReadLite."""

from __future__ import annotations

import re

from anagnosis.errors import InputError

_WORDS = re.compile(r"[a-z]+")
_SPLITS = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("dev", "development", "valid", "validation", "val"), "dev"),
    **dict.fromkeys(("test", "testing"), "test"),
}
_LITE = {"lite", "bioreadlite"}


def split_of(name: str) -> str:
    """The split that a word of the name says. InputError: no word, or words of two splits."""
    splits = {_SPLITS[word] for word in _words(name) if word in _SPLITS}
    if len(splits) != 1:
        what = "two splits" if splits else "no split"
        raise InputError(f"the name of the file gives {what}", name, "name its split with --split")
    return splits.pop()


def is_lite(name: str) -> bool:
    """Whether a word of the name says BioReadLite."""
    return not _LITE.isdisjoint(_words(name))


def _words(name: str) -> frozenset[str]:
    """Runs of letters in lower case, so that `interval` is no `val`."""
    return frozenset(_WORDS.findall(name.rpartition("/")[2].lower()))
