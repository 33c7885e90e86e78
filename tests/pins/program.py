"""The program as the pins reach it: its command line and its tables. No other file here imports it.

What moves in `src/` is followed here, in one place; the pinned values stay.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path


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


def dataset_recipes() -> list[str]:
    """Names of the recipes that make a dataset, from documents or as a sample."""
    from anagnosis import api

    return [name for name in api.described("recipes") if not {"reader", "trains"} & {*api.recipe(name)}]


def layouts() -> list[str]:
    """Names of the authors' layouts that can be read."""
    from anagnosis.datasets.export.layouts import LAYOUTS

    return [*LAYOUTS]
