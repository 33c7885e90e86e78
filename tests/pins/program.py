"""The program as the pins reach it: its command line, its application, its words. No other file here imports it.

What moves in `src/` is followed here, in one place; the pinned values stay.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from starlette.testclient import TestClient


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command line ended."""

    code: int
    out: str
    err: str


def typed(words: Sequence[str], folder: Path) -> Ended:
    """Run one command line in a folder, in this process."""
    from anagnosis.cli import run

    os.environ.pop("ANAGNOSIS_QUIET", None)
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([*words])
        out.flush(), err.flush()
    os.environ.pop("ANAGNOSIS_QUIET", None)
    return Ended(code, *(each.buffer.getvalue().decode() for each in (out, err)))  # pyright: ignore[reportAttributeAccessIssue]


@contextlib.contextmanager
def float32() -> Generator[None]:
    """What is left to the processor is computed in float32, as every processor can."""
    import pytest
    import torch

    with pytest.MonkeyPatch.context() as patch:
        for name in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"):
            patch.setattr(torch.cpu, name, bool, raising=False)
        yield


def carried(name: str) -> Path:
    """A corpus that comes with the program: "pubtator", "medline", "jats" or "terms-tsv"."""
    from anagnosis.corpus import carried

    return carried(name)  # pyright: ignore[reportArgumentType]


def commands() -> dict[str, click.Command]:
    """Every command by the name that is typed; "" is what stands before it."""
    import click

    from anagnosis.cli import cli

    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {"": cli, **{name: command for name, command in found.items() if command is not None}}


def version() -> str:
    from anagnosis.version import __version__

    return __version__


def learning_readers() -> list[str]:
    """Names of all readers that are trained into a run folder."""
    from anagnosis import readers

    return [name for name in readers.names() if hasattr(readers.find(name), "prepare")]


def other_readers() -> list[str]:
    """Names of all readers that are not."""
    from anagnosis import readers

    return [name for name in readers.names() if not hasattr(readers.find(name), "prepare")]


@contextlib.contextmanager
def served(folder: Path, readers: Path | None = None) -> Generator[TestClient]:
    """A client of what `serve` runs over an index, with trained readers that answer if a folder is given."""
    from starlette.testclient import TestClient
    from tests.web.apps import web_app

    from anagnosis.api.searching import load_readers
    from anagnosis.searching.answers.readers import NONE
    from anagnosis.searching.index.index import open_index
    from anagnosis.web.limits import Limits

    answering = load_readers(readers, "cpu", 1) if readers else NONE
    limits = Limits(rate=0, reading_seconds=60)
    with TestClient(web_app(open_index(folder), limits, answering)) as client:
        yield client


def dataset_recipes() -> list[str]:
    """Names of the recipes that make a dataset, from documents or as a sample."""
    from anagnosis import api

    return [name for name in api.described("recipes") if not {"reader", "trains"} & {*api.recipe(name)}]


def layouts() -> list[str]:
    """Names of the authors' layouts that can be read."""
    from anagnosis.datasets.export.layouts import LAYOUTS

    return [*LAYOUTS]
