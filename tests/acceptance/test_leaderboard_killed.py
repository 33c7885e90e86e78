"""`leaderboard build` over an earlier site, killed at any moment: the site is the old one or the new one.

That the same command ends as if nobody had killed it is in test_commands_killed.py, too, without an earlier site.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from tests.builds import contents
from tests.killing import Killing, Moment
from tests.leaderboard import boards
from tests.leaderboard.boards import lines, submit

from anagnosis import cli
from anagnosis.cli import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Killing:
    """An earlier site of one submission, and a build of two on two splits."""
    folder = tmp_path_factory.mktemp("ground")
    built = boards.dataset(folder, 30)
    words = ["-q", "leaderboard", "build", str(folder / "submissions"), "--gold", str(built.folder)]
    words += ["--hidden", "test", "--out"]
    submit(folder, "first", {"test.jsonl": lines(built, 0.5)})
    assert run([*words, str(folder / "earlier")]) == 0
    submit(folder, "second", {"test.jsonl": lines(built, 0.9), "dev.jsonl": lines(built, 0.9, split="dev")})
    (folder / "trial").mkdir()
    old = contents(folder / "earlier")

    def before(out: Path) -> None:
        shutil.copytree(folder / "earlier", out)

    def seen(out: Path) -> None:
        new = contents(folder / "trial" / "undisturbed" / "out")
        if out.exists():
            assert contents(out) in (old, new)
        else:  # between two renames: the old site waits in a hidden folder, from which the next command takes it
            assert [path for path in out.parent.glob(".out.*/.out.before") if contents(path) == old]

    return Killing(
        called,
        lambda out: [*words, str(out)],
        lambda out: contents(out.parent),
        folder / "trial",
        before,
        seen=seen,
    )


def called(arguments: list[str]) -> int:
    return cli.run(arguments)


@pytest.mark.parametrize("kills", [8, pytest.param(60, marks=pytest.mark.slow)])
def test_the_site_is_the_old_one_or_the_new_one(trial: Killing, kills: int) -> None:
    for made in trial.folder.glob("killed*"):
        shutil.rmtree(made)
    trial.check(kills=kills, seed=7)


def test_the_last_renames_are_safe(trial: Killing) -> None:
    changes = trial.undisturbed[1].changes

    for number in range(1, 6):
        name = f"last{number}"
        out = trial.folder / name / "out"
        trial.check_one(Moment(change=changes - number), name)
        assert not [*out.parent.glob(".*")]
