"""Commands that fill a folder, killed at any moment: the same command then ends as if nobody had killed it.

The commands are those of `test_overwriting.py`. `index` has its own file, `test_index_killed.py`, and the phases of
`build` have `test_build_killed.py`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.acceptance import test_overwriting as commands
from tests.builds import contents
from tests.killing import Killing

from anagnosis import cli

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")

ground = commands.ground
FOLDERS = commands.FOLDERS
SMALL = {"train": ["--set", "epochs=6"]}
RESUMING = ("import", "sample", "train", "train --folds")
# The time that a training took, and what its journal says of time.
TIMED = ("history.jsonl", "run.json", "search.journal")


def saving_often(arguments: list[str]) -> int:
    """The command line in a folder, its first argument, with many checkpoints."""
    from anagnosis.training import train
    from anagnosis.training.loop import Saving

    train._EVERY = Saving(seconds=1e9, steps=2)  # pyright: ignore[reportPrivateUsage]
    os.chdir(arguments[0])
    return cli.run(arguments[1:])


def made(folder: Path) -> object:
    return {name: data for name, data in contents(folder).items() if not name.endswith(TIMED)}


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", RESUMING)
def test_the_same_command_continues(name: str, kills: int, ground: Path, tmp_path: Path) -> None:
    def words(out: Path) -> list[str]:
        return [str(ground), "-q", *commands.words_of(FOLDERS[name], out, *SMALL.get(name, ()))]

    Killing(saving_often, words, made, tmp_path).check(kills=kills, seed=28)
