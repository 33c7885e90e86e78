"""A build that is killed or interrupted at any moment and started again ends in the same bytes."""

from __future__ import annotations

import shutil
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from benchmarks.invented_papers import documents
from tests.builds import INPUTS, PHASES, Watched, contents

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder import writing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")

BLOCK_BYTES, PART_ROWS = 10_000, 10


@dataclass(frozen=True, slots=True)
class Measured:
    """A build that nobody killed: its input, its files, and the seconds it spent in each phase."""

    dataset: str
    sources: list[str]
    files: dict[str, bytes]
    seconds: dict[str, float]

    def start(self, out: Path, *options: str) -> Watched:
        chosen = INPUTS[self.dataset].options
        command = ["build", self.dataset, *self.sources, *chosen, "--out", str(out), "--workers", "2"]
        small = ["--block-bytes", str(BLOCK_BYTES), "--part-rows", str(PART_ROWS)]
        return Watched(command, *small, *options)

    def finish(self, out: Path) -> None:
        """Build again without a disturbance, with one worker, and compare every byte."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(writing, "PART_ROWS", PART_ROWS)
            chosen = INPUTS[self.dataset]
            api.build(
                self.dataset,
                self.sources,
                out,
                settings=chosen.settings,
                terms=chosen.terms,
                workers=1,
                block_bytes=BLOCK_BYTES,
            )
        assert contents(out) == self.files

    def kill(self, out: Path, phase: str, share: float) -> str:
        """Kill the build when so much of a phase should have passed; the phase it died in, "" if it had ended."""
        build = self.start(out)
        build.wait_for(phase)
        time.sleep(share * self.seconds[phase])
        build.signal(signal.SIGKILL)
        ended = build.end(within=10)
        return ended.phase if ended.code == -signal.SIGKILL else ""


def undisturbed(dataset: str, sources: list[Path], folder: Path) -> Measured:
    names = [*map(str, sources)]
    unkilled = Measured(dataset, names, {}, {}).start(folder / "out").end()
    assert (unkilled.code, unkilled.errors) == (0, "")
    return Measured(dataset, names, contents(folder / "out"), unkilled.seconds)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    folder = tmp_path_factory.mktemp("measured")
    api.write(documents(60, seed=8), folder / "synthetic.pubtator.gz")
    shutil.copy(carried(), folder / "carried.pubtator")
    return undisturbed("biomrc", [folder / "carried.pubtator", folder / "synthetic.pubtator.gz"], folder)


def test_the_build_that_nobody_killed_has_many_parts_and_nothing_else(measured: Measured) -> None:
    names = sorted(measured.files)
    assert len([name for name in names if name.startswith("data/")]) > 5
    assert [name for name in names if not name.startswith("data/")] == [
        "README.md",
        "entities.parquet",
        "receipt.json",
        "recipe.toml",
    ]


@pytest.mark.slow  # test_commands_killed.py kills a build of one worker
@pytest.mark.parametrize("dataset", INPUTS)
def test_killed_once_in_each_phase_and_started_again_it_ends_in_the_same_bytes(
    dataset: str, tmp_path: Path
) -> None:
    measured = undisturbed(dataset, INPUTS[dataset].sources(tmp_path), tmp_path / "undisturbed")
    random = Random(3)
    for phase in PHASES:
        share = random.random()
        # On a machine that has become faster since it was measured, the moment may lie beyond the phase.
        for _ in range(5):
            if measured.kill(tmp_path / "out", phase, share) == phase:
                break
            shutil.rmtree(tmp_path / "out", ignore_errors=True)
            share /= 2
        else:
            pytest.fail(f"the build was never killed in {phase}")
    measured.finish(tmp_path / "out")


@pytest.mark.parametrize(
    ("phase", "results"),
    [("screen", ".work/rows"), pytest.param("write", "data/.*", marks=pytest.mark.slow)],
)
def test_interrupted_it_says_one_line_takes_its_workers_along_and_leaves_nothing(
    measured: Measured, tmp_path: Path, phase: str, results: str
) -> None:
    ended = None
    while ended is None or ended.code == 0:  # it may have ended before it was interrupted
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        build = measured.start(tmp_path / "out")
        build.wait_for(phase)
        while not list(tmp_path.glob(f"out.part-*/{results}")) and build.process.poll() is None:
            time.sleep(0.005)
        build.signal(signal.SIGINT, group=True)  # as a terminal sends it
        ended = build.end(within=5)
    assert ended.code == 130
    assert (
        ended.errors.strip()
        == "anagnosis: interrupted; nothing is half written, and the same command can be given again"
    )
    assert not list(tmp_path.iterdir())
    measured.finish(tmp_path / "out")


def test_a_disk_that_fills_up_is_one_line_and_leaves_nothing(measured: Measured, tmp_path: Path) -> None:
    ended = measured.start(tmp_path / "out", "--file-bytes", "1500").end(within=20)
    assert (ended.code, ended.phase) == (2, "screen")
    (line,) = ended.errors.splitlines()
    assert line.startswith("anagnosis: ")
    assert line.endswith(": writing failed: file too large; free some space or choose another place")
    assert not list(tmp_path.iterdir())
    measured.finish(tmp_path / "out")
