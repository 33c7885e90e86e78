"""The authors' files by name and by hash: which of them a folder holds, and whether one is as published.

    dataset_train.json.gz         LARGE   setting A      "val" is our dev
    dataset_train_small_B.json    LITE    setting B      "small" means LITE
    dataset_tiny.json             TINY                   a test set only

The names are those of the collection `biomrc_dataset` of the Internet Archive; the ending .gz may be missing.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from anagnosis.datasets.export.authors_files import JSON, authors_files
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.files import sha256
from anagnosis.io.paths import PathLike

SETTINGS = ("A", "B")

_NAME = re.compile(r"dataset_(?:(train|val|test)(_small)?|(tiny))(_B)?\.json(?:\.gz|\.zst)?")
_SPLIT_OF = {"train": "train", "val": "dev", "test": "test"}
_WORD_OF = {split: word for word, split in _SPLIT_OF.items()}


@dataclass(frozen=True, slots=True)
class Published:
    """A file the authors published. bytes and sha256: of the gzip file."""

    name: str
    instances: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PublishedSource:
    """A file of a set. size: "large", "lite" or "tiny", empty where the name does not say.

    setting: "A" or "B" by the name; what the content says counts more (`layout.imported`).
    """

    path: Path
    split: str
    size: str
    setting: str


@cache
def published() -> tuple[Published, ...]:
    """All fourteen."""
    text = files("anagnosis.datasets.biomrc").joinpath("published.toml").read_text(encoding="utf-8")
    return tuple(Published(**entry) for entry in tomllib.loads(text)["file"])


def identify(path: PathLike) -> Published | None:
    """The published file that `path` equals byte for byte, if any. Hashed only if its size is theirs."""
    bytes_ = Path(path).stat().st_size
    alike = [file for file in published() if file.bytes == bytes_]
    found = sha256(path) if alike else ""
    return next((file for file in alike if file.sha256 == found), None)


def file_name(split: str, size: str, setting: str) -> str:
    """What the authors call such a file, without .gz: `dataset_val_small_B.json`. size: as of `PublishedSource`."""
    if setting not in SETTINGS:
        raise unknown_name("setting", setting, SETTINGS)
    word = "tiny" if size == "tiny" else _WORD_OF[split] + ("_small" if size == "lite" else "")
    return f"dataset_{word}{'_B' if setting == 'B' else ''}.json"


def sources(path: PathLike, *, setting: str | None = None, split: str | None = None) -> list[PublishedSource]:
    """The files of the one set at `path` (a file, or a folder with train, val and test), in that order.

    setting: of a folder that holds both, the one to take. split: what a file is whose name does not say.
    """
    if setting is not None and setting not in SETTINGS:
        raise unknown_name("setting", setting, SETTINGS, "option setting")
    given = Path(path)
    if given.is_dir():
        if split is not None:
            raise InputError(
                "a folder names its splits itself", str(path), "leave --split out, or name a file"
            )
        return _sources_of_folder(given, setting)
    authors_files(path, JSON, split=split)  # refuses what is no file
    named = _by_name(given)
    if named is not None:
        return [named if split is None else PublishedSource(given, split, named.size, named.setting)]
    if split is None:
        remedy = (
            "add --split train, dev or test, or name it as the authors do: dataset_test.json; "
            "name another dataset's layout with --layout"
        )
        raise InputError("the file's name does not say which split it is", given.name, remedy)
    return [PublishedSource(given, split, "", setting or "A")]


def _sources_of_folder(folder: Path, setting: str | None) -> list[PublishedSource]:
    named = [source for path in sorted(folder.iterdir()) if path.is_file() and (source := _by_name(path))]
    found = [source for source in named if setting in (None, source.setting)]
    if not found:
        missing = f" of setting {setting}" if setting and named else ""
        raise InputError(
            f"no file{missing} under one of the authors' names", str(folder), "name the file itself"
        )
    sets = {(source.size, source.setting) for source in found}
    if len(sets) > 1 or len({source.split for source in found}) < len(found):
        names = ", ".join(source.path.name for source in found)
        several_settings = len({setting for _, setting in sets}) > 1 and len({size for size, _ in sets}) == 1
        remedy = "choose a setting, A or B" if several_settings else "keep one set a folder, or name one file"
        raise InputError(f"files of several sets side by side: {names}", str(folder), remedy)
    return sorted(found, key=lambda source: SPLITS.index(source.split))


def _by_name(path: Path) -> PublishedSource | None:
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    word, small, tiny, local = found.groups()
    size = "tiny" if tiny else "lite" if small else "large"
    return PublishedSource(path, "test" if tiny else _SPLIT_OF[word], size, "B" if local else "A")
