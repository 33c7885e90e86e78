"""A board as a folder of pages: no script, no network, readable from disk and under any address.

    index.html  boards/*.html  systems/*.html  board.json (the records)  manifest.json (the digest of every file)

Everything from a submission goes through jinja2's escaping and is masked. The pages' policy allows their one style by
its hash and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from anagnosis.errors import InputError
from anagnosis.io import folders, outputs
from anagnosis.io.decoding import json_or_none
from anagnosis.io.files import sha256, write_bytes, write_json
from anagnosis.io.folder_names import BOARD, MANIFEST
from anagnosis.io.paths import PathLike
from anagnosis.leaderboard.board import Board
from anagnosis.reports.leaderboard.figures import BAR
from anagnosis.reports.leaderboard.index_values import index
from anagnosis.reports.leaderboard.page_names import INDEX, system_page
from anagnosis.reports.leaderboard.part_values import part_values
from anagnosis.reports.leaderboard.system_values import system_values
from anagnosis.reports.leaderboard.words import page_of
from anagnosis.reports.records import as_json
from anagnosis.showing import environment
from anagnosis.wording import counted

if TYPE_CHECKING:
    from jinja2 import Environment

TITLE = "Leaderboard"


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
    shared = {"site": Site(title, board.version, bool(board.refused or board.over_limit))}
    yield BOARD, as_json(board).encode()
    yield INDEX, _page("board_index", up="", **shared, **index(board))
    for part in board.parts:
        yield page_of(part), _page("board_part", up="../", **shared, **part_values(board, part))
    for system in board.systems:
        values = system_values(board, system)
        yield system_page(system.submission), _page("board_system", up="../", **shared, **values)


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
        bar_units=BAR,
    )
