"""system.toml: who submits a system, when, what it reads, and what it was trained on.

    name = "Reader of neighbours"
    team = "Example Lab"
    date = 2026-08-01
    view = "global"
    training_data = "the train part of BioMRC LITE"
    training_cutoff = 2020-05-31

The file is a stranger's: its texts stand on a page beside others', so they are short, on one line, and hold visible
characters only. All problems are reported at once.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeGuard
from urllib.parse import urlsplit

import msgspec

from anagnosis.datasets.kinds.table import every_view
from anagnosis.wording import shortened

FILE = "system.toml"
LARGEST = 1 << 16  # bytes: the longest texts below take a tenth of it
LONGEST_NAME = 80
LONGEST_TEXT = 500
LONGEST_DESCRIPTION = 2000
LONGEST_LINK = 300
MARKS = 2  # combining characters on one letter, as Vietnamese has; more cover the lines above and below
_STACKED = re.compile(
    rf"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{{{MARKS + 1},}}"
)
_HOST = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:\d{1,5})?")
# Default_Ignorable_Code_Point of Unicode 16 (DerivedCoreProperties.txt), first and last of each range. Among them are
# the fillers of Hangul (U+115F, U+1160, U+3164, U+FFA0), which are letters, and the variation selectors.
_RANGES = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
_BLANK = 0x2800  # the pattern of Braille without a dot, which looks like a blank


class SystemFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What system.toml says.

    date: of the entry. view: what the system reads, a view of the dataset's kind, or empty. training_data: in words;
    empty where it does not say. training_cutoff: the date of the newest text that it was trained on, None where it
    does not say. link: an https address, or empty.
    """

    name: str
    team: str
    date: date
    view: str
    training_data: str
    training_cutoff: date | None = None
    link: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class _Key:
    """check: the faults of a value. required: whether it must be there."""

    check: Callable[[Any], Iterator[str]]
    required: bool = True


def read(path: Path, today: date) -> tuple[SystemFile | None, list[str]]:
    """The file, None where it has faults, and all its faults, each a line. today: no date may be later."""
    try:
        if path.stat().st_size > LARGEST:
            return None, [f"is larger than {LARGEST >> 10} KiB"]
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as fault:
        return None, ["is missing" if isinstance(fault, FileNotFoundError) else "cannot be read"]
    except UnicodeDecodeError:
        return None, ["is not UTF-8"]
    except RecursionError:
        return None, ["is not TOML: its brackets are nested too deeply"]
    except ValueError as fault:
        return None, [f"is not TOML: {shortened(' '.join(str(fault).split()), 120)}"]
    return parsed(values, today)


def view_of(path: Path) -> str | None:
    """The view that a file names, also one with faults; None where it names none."""
    try:
        values = tomllib.loads(path.read_text("utf-8")) if path.stat().st_size <= LARGEST else {}
    except (OSError, ValueError, RecursionError):
        return None
    return view if (view := values.get("view")) in every_view() else None


def parsed(values: Mapping[str, Any], today: date) -> tuple[SystemFile | None, list[str]]:
    """The system that the keys of a file describe, and their faults."""
    faults: list[str] = []
    for key, value in values.items():
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=2, cutoff=0.5)
            advice = f"did you mean {' or '.join(near)}?" if near else f"known keys: {', '.join(KEYS)}"
            faults.append(f"unknown key {shortened(key)!r} ({advice})")
            continue
        faults += (f"{key}: {fault}" for fault in KEYS[key].check(value))
    faults += (f"the key {key!r} is missing" for key, of in KEYS.items() if of.required and key not in values)
    faults += _dates(values, today)
    if faults:
        return None, faults
    return SystemFile(**{key: _joined(value) for key, value in values.items()}), []


def _dates(values: Mapping[str, Any], today: date) -> Iterator[str]:
    """The faults of dates beside each other and beside today."""
    entered, cutoff = values.get("date"), values.get("training_cutoff")
    if _is_date(entered):
        if entered > today:
            yield f"date: {entered} is after today, {today}"
        if _is_date(cutoff) and cutoff > entered:
            yield f"training_cutoff: {cutoff} is after the date of the entry, {entered}"
    trained = values.get("training_data")
    if isinstance(trained, str) and trained.strip() and cutoff is None:
        yield "training_cutoff is missing, and training_data is given: write the date of the newest text in it"
    if isinstance(trained, str) and not trained.strip() and cutoff is not None:
        yield "training_cutoff is given, and training_data is empty: say what was trained on, or leave the date out"


def _is_date(value: Any) -> TypeGuard[date]:
    return isinstance(value, date) and not isinstance(value, datetime)


def _date(value: Any) -> Iterator[str]:
    if not _is_date(value):
        yield "is no date; write it without quotes and without a time, as 2026-08-01"


def is_invisible(char: str) -> bool:
    """Whether a character of a name would not be seen, although Python may call it printable, or even a letter.

    Two names that differ in such characters alone look the same, so no name may hold one.
    """
    code = ord(char)
    return code == _BLANK or any(first <= code <= last for first, last in _RANGES)


def listed(characters: Sequence[str]) -> str:
    """The first few of some characters as code points, such as `U+3164`."""
    return ", ".join(f"U+{ord(char):04X}" for char in characters[:3])


def _text(longest: int, *, may_be_empty: bool) -> Callable[[Any], Iterator[str]]:
    def check(value: Any) -> Iterator[str]:
        if not isinstance(value, str):
            yield "is no text; write it in quotes"
            return
        if not value.strip() and not may_be_empty:
            yield "is empty"
        if len(value) > longest:
            yield f"has {len(value):,} characters, {longest:,} at most"
        if unseen := sorted({char for char in value if not (char.isprintable() or char == "\n")}):
            yield f"holds characters that are not visible or that steer text ({listed(unseen)})"
        if _STACKED.search(value):
            yield f"holds more than {MARKS} combining characters on one letter"

    return check


def _one_line(longest: int) -> Callable[[Any], Iterator[str]]:
    text = _text(longest, may_be_empty=False)

    def check(value: Any) -> Iterator[str]:
        yield from text(value)
        if not isinstance(value, str):
            return
        if "\n" in value:
            yield "holds a line break"
        # Those that are not printable are named above.
        if hidden := sorted({char for char in value if char.isprintable() and is_invisible(char)}):
            yield f"holds characters that nothing shows ({listed(hidden)})"

    return check


def _view(value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        yield 'is no text; write it in quotes, "" where the system has none'
    elif value and value not in (known := every_view()):
        near = difflib.get_close_matches(value, known, n=2, cutoff=0.5)
        advice = f"did you mean {' or '.join(near)}?" if near else f"views: {', '.join(known)}"
        yield f"there is no view {shortened(value)!r} ({advice})"


def _link(value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        yield "is no text; write it in quotes"
        return
    if len(value) > LONGEST_LINK:
        yield f"has {len(value):,} characters, {LONGEST_LINK} at most"
    try:
        parts = urlsplit(value)
    except ValueError:
        parts = urlsplit("")
    plain = value.isascii() and not re.search(r"[\s\"'<>\\^`{|}]|[^\x21-\x7e]", value)
    if value and not (plain and value.startswith("https://") and _HOST.fullmatch(parts.netloc)):
        yield "is no plain address that begins with https://"


def _joined(value: Any) -> Any:
    """A text on one line, with single blanks."""
    return " ".join(value.split()) if isinstance(value, str) else value


KEYS = {
    "name": _Key(_one_line(LONGEST_NAME)),
    "team": _Key(_one_line(LONGEST_NAME)),
    "date": _Key(_date),
    "view": _Key(_view),
    "training_data": _Key(_text(LONGEST_TEXT, may_be_empty=True)),
    "training_cutoff": _Key(_date, required=False),
    "link": _Key(_link, required=False),
    "description": _Key(_text(LONGEST_DESCRIPTION, may_be_empty=True), required=False),
}
