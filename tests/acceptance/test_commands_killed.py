"""Commands that fill a folder, killed at any moment and on a full disk: the same command then ends as if undisturbed.

All commands write through the writers of `io/`, which `tests/io/test_writers.py` kills before every change. Here a
build, a training, sheets and their reading are killed and fill the disk end to end; commands with a bookkeeping of
their own besides are killed in the slow tests. `index` has `test_index_killed.py`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial, update_wrapper
from pathlib import Path

import pytest
from tests.acceptance.ground import SMALL
from tests.builds import contents
from tests.disk import full_after
from tests.killing import Killing, Moment

from anagnosis import api, cli

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")

BLOCK_BYTES, PART_ROWS = 40_000, 20
_RUN = "train pubmedqa-shallow-features --data questions --set hidden=4 --threads 1 --set epochs=3"

# The command line without its output.
END_TO_END = {
    "build": "build biomrc corpora/a.pubtator --recipe biomrc-demo --workers 1 --out",
    "train": f"{_RUN} --out",
    "label": "label read unlabelled --sheets sheets --out",
    "label --sheets": "label draw built --kind answers --draw 2 --people ann,bea --sheets",
}
OTHERS = {
    "train --folds": f"{_RUN} --folds 2 --out",
    "train of phases": "train pubmedqa-shallow-features-multiphase --set phases=final --data questions --folds 1 "
    "--threads 1 --set epochs=1 --out",
    "tune": "tune clicr-gated-attention --data built --trials 2 --threads 1 --limit 8 --set epochs=1 "
    "--set embedding=8 --set hops=1 --out",
    "leaderboard build": "leaderboard build entered --gold built --out",
    "export": "export built --setting A --out",
    "demo": "demo --out",
    "build of two workers": "build biomrc corpora/a.pubtator --recipe biomrc-demo --workers 2 --out",
    "annotate": "annotate corpora/a.pubtator --terms terms.tsv --workers 2 --replace --out",
}
ONCE = (  # which refuse an output that is whole
    "build",
    "build of two workers",
    "label",
    "leaderboard build",
    "export",
)
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in OTHERS]
# The time that a training took, and what its journal says of time.
TIMED = ("history.jsonl", "run.json", "trials.jsonl")


def in_small_steps(arguments: list[str]) -> int:
    """The command line in a folder, its first argument, with many blocks and parts."""
    from anagnosis.datasets.folder import writing

    writing.PART_ROWS = writing.GROUP_ROWS = PART_ROWS
    api.build = update_wrapper(partial(api.build, block_bytes=BLOCK_BYTES), api.build)
    os.chdir(arguments[0])
    return cli.run(arguments[1:])


def made(folder: Path) -> object:
    """What lies in a folder and around it, and of an index, whose files have drawn names, what is found in it."""
    found: dict[str, object] = {
        name: data
        for name, data in contents(folder.parent).items()
        if not name.endswith(TIMED) and "/index/" not in name
    }
    if (folder / "index").is_dir():
        found["index"] = api.search(folder / "index", "coffee", limit=20)
    return found


def trial_of(name: str, ground: Path, folder: Path) -> Killing:
    words = {**END_TO_END, **OTHERS}[name].split()
    return Killing(
        in_small_steps,
        lambda out: [str(ground), "-q", *words, str(out)],
        made,
        folder,
        once=name in ONCE,
    )


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*END_TO_END, *SLOW])
def test_the_same_command_continues(name: str, kills: int, ground: Path, tmp_path: Path) -> None:
    trial_of(name, ground, tmp_path).check(kills=kills, seed=28)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["train", "label", "label --sheets", "leaderboard build", "export"])
def test_killed_before_each_change_the_same_command_continues(
    name: str, ground: Path, tmp_path: Path
) -> None:
    trial = trial_of(name, ground, tmp_path)
    for change in range(trial.undisturbed[1].changes):
        trial.check_one(Moment(change=change), f"killed{change}")


def test_check_search_and_show_say_that_an_index_is_unfinished(
    ground: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["index", "corpora/a.pubtator", "--out"]
    trial = Killing(in_small_steps, lambda out: [str(ground), "-q", *words, str(out)], made, tmp_path)
    out = tmp_path / "out"
    # The engine of an index writes its files itself; the last change but two puts index.json in its place.
    assert trial.run(out, Moment(change=trial.undisturbed[1].changes - 3)).killed
    for command in ("check", "show", "search"):
        capsys.readouterr()
        code = cli.run([command, str(out), *(["coffee"] if command == "search" else [])])
        said = capsys.readouterr()
        lines = [line for line in (said.err + said.out).splitlines() if re.search("unfinished.* again", line)]
        assert len(lines) == 1, (command, said)
        # It is searched and shown all the same, as far as it goes.
        assert code == (2 if command == "check" else 0)
    assert trial.run(out).code == 0
    assert trial.result(out)


# --- a full disk ------------------------------------------------------------------------------------

FULL = {
    **END_TO_END,
    "train": f"train pubmedqa-shallow-features --data questions {' '.join(SMALL)} --out",
    "index": "index corpora/a.pubtator --out",
}


def refused_on_full_disk(words: list[str], size: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command on a disk on which no file grows beyond so many bytes. (Both streams stay in memory.)"""
    capsys.readouterr()
    with full_after(size):
        code = cli.run(words)
    line = capsys.readouterr().err
    assert code == 2, f"{words}: {line}"
    assert line.startswith("anagnosis: "), line
    assert line.count("\n") == 1, line
    assert re.search("(?i)file too large|writing failed", line), line
    assert re.search("; (free some space|check the path, its rights and the disk)", line), line


def comparable(folder: Path) -> object:
    """What a folder holds, the time apart that it took; of an index, what is found in it."""
    if (folder / "embedded").exists():
        return api.search(folder, "aspirin", limit=20)
    return {name: data for name, data in contents(folder).items() if not name.endswith(TIMED)}


@pytest.mark.parametrize("name", FULL)
def test_a_folder_is_made_by_the_same_command_once_there_is_space(
    name: str, ground: Path, at: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def words(out: Path) -> list[str]:
        return ["-q", *FULL[name].split(), str(out)]

    assert cli.run(words(at / "whole")) == 0
    half = max(map(len, contents(at / "whole").values())) // 2
    for size in (0, half):
        out = at / f"full after {size}"
        refused_on_full_disk(words(out), size, capsys)
        assert cli.run(words(out)) == 0
        assert comparable(out) == comparable(at / "whole")


def test_ctrl_c_and_the_same_line_again_end_in_the_same_weights(at: Path) -> None:
    longer = "--set embedding=4 --set hidden=4 --set epochs=3 --set stop=epochs --threads 1 --limit 40"
    words = f"train gated-attention --data built {longer} --out".split()
    command = [sys.executable, "-m", "anagnosis", *words, str(at / "cut")]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (at / "cut" / "history.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=60)
    assert (child.returncode, "Traceback" in told) == (130, False), told
    assert not (at / "cut" / "model.safetensors").exists()
    for name in ("cut", "whole"):
        assert cli.run(["-q", *words, str(at / name)]) == 0
    weights = [(at / name / "model.safetensors").read_bytes() for name in ("cut", "whole")]
    assert weights[0] == weights[1]
