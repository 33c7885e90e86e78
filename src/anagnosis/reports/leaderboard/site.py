"""A board as a folder of pages: no script, no network, readable from disk and under any address.

    index.html  boards/*.html  systems/*.html  board.json (the records)  manifest.json (the digest of every file)

Everything from a submission goes through jinja2's escaping and is masked. The pages' policy allows their one style by
its hash and nothing else. Files are named after what they show, readable where a name allows it, and never the same
twice:

    systems/gpt-4-with-medrag-1f0c9a2b.html      of the folder `gpt4_medrag32` …
    boards/biomrc-lite-test-names-5e1d0c77.html

A name keeps its letters of ASCII and digits; a digest of all of it keeps names apart that differ in anything else, such
as case on disks that ignore it. Nothing of a name can lead out of the folder or stand for a device.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from anagnosis.errors import InputError
from anagnosis.io import folders, outputs
from anagnosis.io.decoding import json_or_none
from anagnosis.io.files import sha256, write_bytes, write_json
from anagnosis.io.folders import BOARD, MANIFEST
from anagnosis.io.paths import PathLike
from anagnosis.leaderboard.board import (
    Board,
    BoardSystem,
    Figure,
    Gain,
    Part,
    PeopleRow,
    Result,
    Row,
    Standing,
)
from anagnosis.leaderboard.disclosure import SMALLEST_GROUP
from anagnosis.reports.leaderboard import drawn, words
from anagnosis.reports.records import as_json
from anagnosis.reports.systems.breakdowns import FACTORS
from anagnosis.showing import environment
from anagnosis.wording import counted

if TYPE_CHECKING:
    from jinja2 import Environment

TITLE = "Leaderboard"
INDEX = "index.html"
LONGEST = 48  # characters of the readable part of a page's name
DIGITS = 8
OFF_SCALE = "An arrow stands for a value off the scale, which is that of the systems' intervals."


@dataclass(frozen=True, slots=True)
class Site:
    """What every page has. not_scored: whether anything was not."""

    title: str
    version: str
    not_scored: bool


def replacing(
    out: PathLike, *, inputs: Iterable[PathLike] = (), replace: bool = False
) -> AbstractContextManager[Path]:
    """A hidden folder for a new site, which takes the place of an earlier one when the block ends without an error.

    Refused (InputError), before any work: a folder that holds anything but an unchanged site of ours, unless `replace`
    allows for changed pages; a place in another folder of ours; an input.
    """
    inputs = tuple(inputs)
    target = outputs.output_folder(out, "leaderboard", inputs=inputs)
    outputs.refuse_inside_inputs(target, inputs)
    if target.is_dir():
        _refuse_foreign(target, replace=replace)
    return folders.written_at_once(target)


def _refuse_foreign(folder: Path, *, replace: bool) -> None:
    """Refuse a folder with files that no site has, or that somebody has changed."""
    manifest = json_or_none(folder / MANIFEST, Manifest)
    known = {} if manifest is None else manifest.files
    inside = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    names = [path.relative_to(folder).as_posix() for path in inside]
    folders.refuse_foreign(folder, (name for name in names if name not in (*known, MANIFEST)))
    changed = [name for name in names if name in known and sha256(folder / name) != known[name]]
    if changed and not replace:
        raise InputError(
            f"holds {counted(len(changed), 'page')} that changed since the site was built ({changed[0]})",
            str(folder),
            "choose another --out, or give --replace to overwrite them",
        )


class Manifest(msgspec.Struct, frozen=True):
    """leaderboard: the version that wrote the site. files: name → SHA-256 of every file but this one."""

    leaderboard: str
    files: dict[str, str]


def write(board: Board, folder: Path, title: str = TITLE) -> int:
    """Write every file of the site into an empty folder; gives how many."""
    digests: dict[str, str] = {}
    for name, data in contents(board, title):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / name, data)
        digests[name] = hashlib.sha256(data).hexdigest()
    write_json(folder / MANIFEST, Manifest(board.version, digests))
    return len(digests) + 1


def contents(board: Board, title: str = TITLE) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of each file but the manifest."""
    not_scored = bool(board.refused or board.over_limit)
    shared = {"site": Site(title, board.version, not_scored), "board": board}
    yield BOARD, as_json(board).encode()
    yield INDEX, _page("board_index", up="", **shared)
    for part in board.parts:
        yield part_page(part), _page("board_part", up="../", part=part, **shared)
    for system in board.systems:
        yield system_page(system.submission), _page("board_system", up="../", system=system, **shared)


def system_page(submission: str) -> str:
    """The page of a submission, by the name of its folder; relative to the site."""
    return f"systems/{page_name(submission)}.html"


def part_page(part: Part) -> str:
    """The page of a dataset, split and view; relative to the site."""
    return f"boards/{page_name(part.dataset, part.split, part.view)}.html"


def page_name(*names: str) -> str:
    """A file's name without its ending for several names together."""
    spelled = unicodedata.normalize("NFKD", "-".join(filter(None, names))).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^a-z0-9]+", "-", spelled.lower())[:LONGEST].strip("-")
    # A name of a file may hold bytes that are not UTF-8, as lone surrogates.
    encoded = (name.encode("utf-8", "surrogatepass") for name in names)
    each = b"".join(b"%d:%b," % (len(data), data) for data in encoded)
    return f"{readable or 'page'}-{hashlib.sha256(each).hexdigest()[:DIGITS]}"


class Beside(NamedTuple):
    """What stands below a ranking and is not ranked: people, or a reader that does not read. page: empty for none."""

    name: str
    page: str
    about: str
    figure: Figure


def beside(board: Board, standing: Standing) -> list[tuple[str, list[Beside]]]:
    """(title, rows) of what stands below a ranking, without empty parts."""
    people = [
        Beside(
            row.group + (f" (mean of {row.people})" if row.people > 1 else ""),
            system_page(row.submission),
            f"{board.system(row.submission).name}, on the {row.figure.n:,} questions that they were asked",
            row.figure,
        )
        for row in standing.people
    ]
    readers = [
        Beside(row.reader, "", row.looks_at, row.figure)
        for row in standing.shortcuts
        if row.figure is not None
    ]
    every = ("People, by their answers", people), ("Baselines without reading", readers)
    return [(title, rows) for title, rows in every if rows]


class MeasuredResult(NamedTuple):
    """A system by one measure. row, below: its row in the ranking and the next; None where it has none."""

    standing: Standing
    figure: Figure
    row: Row | None
    below: BoardSystem | None
    gain: Gain | None


def measured(board: Board, part: Part, result: Result) -> list[MeasuredResult]:
    """A result by each measure of its part."""
    found: list[MeasuredResult] = []
    for standing in part.standings:
        name = standing.measure
        if name in result.figures:
            ranked = [row.submission for row in standing.rows]
            place = ranked.index(result.submission) if result.submission in ranked else None
            row = None if place is None else standing.rows[place]
            following = [] if place is None else ranked[place + 1 : place + 2]
            below = board.system(following[0]) if following else None
            found.append(MeasuredResult(standing, result.figures[name], row, below, result.gains.get(name)))
    return found


def people_of(part: Part, submission: str) -> list[tuple[Standing, PeopleRow]]:
    """What the people of a submission have reached on a part, by each measure."""
    return [
        (standing, row)
        for standing in part.standings
        for row in standing.people
        if row.submission == submission
    ]


def boards_of(board: Board, system: BoardSystem) -> str:
    """The boards on which a system or people of a submission stand, by name."""
    return ", ".join(
        f"{part.dataset} {part.split}"
        for part in board.parts
        if any(result.submission == system.submission for result in part.results)
        or people_of(part, system.submission)
    )


def _page(template: str, **values: object) -> bytes:
    text = _environment().get_template(f"{template}.html.jinja").render(**values)
    return (text.strip() + "\n").encode()


@cache
def _environment() -> Environment:
    from markupsafe import Markup

    style = files("anagnosis.reports").joinpath("templates/board.css").read_text("utf-8")
    # The element holds a line break before the style.
    digest = hashlib.sha256(f"\n{style}".encode()).digest()
    return environment(
        "anagnosis.reports",
        style=Markup(style),
        style_hash=f"sha256-{base64.b64encode(digest).decode()}",
        words=words,
        factors=FACTORS,
        smallest_group=SMALLEST_GROUP,
        off_scale=OFF_SCALE,
        bar_units=drawn.BAR,
        scale=drawn.scale,
        over_time=lambda *of: Markup(drawn.over_time(*of)),
        counted=counted,
        system_page=system_page,
        part_page=part_page,
        beside=beside,
        measured=measured,
        people_of=people_of,
        boards_of=boards_of,
    )
