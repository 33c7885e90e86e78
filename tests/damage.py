"""Files damaged by chance, as disks, copies and people damage them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from anagnosis.errors import InputError

_BLOCK = 512  # bytes


def _flip(data: bytearray, draw: Random) -> bytes:
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def _truncate(data: bytearray, draw: Random) -> bytes:
    return bytes(data[: draw.randrange(len(data))])


def _zero(data: bytearray, draw: Random) -> bytes:
    begin = draw.randrange(len(data))
    data[begin : begin + _BLOCK] = bytes(len(data[begin : begin + _BLOCK]))
    return bytes(data)


def _swap(data: bytearray, draw: Random) -> bytes:
    """Two blocks in each other's place, as where a table of blocks is wrong."""
    one, other = (draw.randrange(len(data)) // _BLOCK * _BLOCK for _ in range(2))
    first, second = data[one : one + _BLOCK], data[other : other + _BLOCK]
    if len(first) == len(second):
        data[one : one + _BLOCK], data[other : other + _BLOCK] = second, first
    return bytes(data)


KINDS: dict[str, Callable[[bytearray, Random], bytes]] = {
    "flip": _flip,
    "truncate": _truncate,
    "zero": _zero,
    "swap": _swap,
}
DELETE = "delete"
SWAP_FILES = "swap files"
FAULTS = 60


def files_of(folder: Path) -> list[Path]:
    """All files below a folder that are not empty."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)


def damage(path: Path, kind: str, draw: Random) -> bool:
    """Damage a file; whether it is another one now."""
    if kind == DELETE:
        path.unlink()
        return True
    before = path.read_bytes()
    after = KINDS[kind](bytearray(before), draw)
    path.write_bytes(after)
    return after != before


def damage_one_of(folder: Path, number: int) -> str:
    """Fault `number` in a folder: the kinds take turns, and files swapped; says what was done to which file."""
    draw, files = Random(number), files_of(folder)
    kinds = [*KINDS, DELETE, SWAP_FILES]
    kind, path = kinds[number % len(kinds)], draw.choice(files)
    if kind == SWAP_FILES:
        other = draw.choice(files)
        own, theirs = path.read_bytes(), other.read_bytes()
        path.write_bytes(theirs)
        other.write_bytes(own)
    else:
        damage(path, kind, draw)
    return f"fault {number}: {path.relative_to(folder)}, {kind}"


def check(
    folder: Path, scratch: Path, use: Callable[[Path], object], *, faults: int = FAULTS
) -> tuple[int, int]:
    """(refused, unharmed): how many faults ended in one line, and how many gave what the undamaged folder gives.

    use: what is done with a copy of the folder, as something that can be compared. Any other end fails.
    """
    expected = use(folder)
    refused = unharmed = 0
    for number in range(faults):
        copy = Path(shutil.copytree(folder, scratch / folder.name))
        said = damage_one_of(copy, number)
        try:
            found = use(copy)
        except InputError as fault:
            ended: InputError | None = fault
        except BaseException as fault:
            raise AssertionError(f"{said}: {fault!r}") from fault
        else:
            ended = None
            assert found == expected, said
        finally:
            shutil.rmtree(copy)
        assert ended is None or (ended.remedy and "\n" not in str(ended)), f"{said}: {ended}"
        refused += ended is not None
        unharmed += ended is None
    return refused, unharmed
