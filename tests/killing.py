"""Kill a command at any moment of its life, give it again, and compare what it leaves with an undisturbed run.

    trial = Killing(run, lambda out: ["-q", "index", "papers.xml", "--out", str(out)], result, tmp_path)
    trial.check(kills=10, seed=1)

Every run is a process of its own, in a group of its own with its workers. It is forked from a server that has
imported PRELOADED, so that a run takes milliseconds to start and a test can afford many.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from random import Random

PRELOADED = [
    "anagnosis.api",
    "anagnosis.cli",
    "anagnosis.searching.engines.embedded",
    "anagnosis.training.train",
    "numpy",
    "tantivy",
]
START = 0.3  # seconds: the first moments after the start, and after the first file, get kills of their own
_TRIES = 6
_LONGEST = 120  # seconds
Target = Callable[[list[str]], int]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended. code: -SIGKILL where it was killed. seconds: of its life. begun: until `out` was there."""

    code: int
    seconds: float
    begun: float
    errors: str

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


def run(
    target: Target,
    arguments: Sequence[str],
    out: Path,
    log: Path,
    *,
    after: float | None = None,
    since_out: bool = False,
) -> Ended:
    """Call `target(arguments)` in a process, and kill the process and its workers `after` so many seconds.

    since_out: count them from the moment in which `out` is there. log: gets the standard error. target: a function of
    a module, which returns the exit code.
    """
    server = get_context("forkserver")
    server.set_forkserver_preload([*PRELOADED, target.__module__])
    process = server.Process(target=_called, args=(target, list(arguments), str(log)))
    log.unlink(missing_ok=True)
    process.start()
    assert process.pid is not None
    start, begun = time.monotonic(), 0.0
    while process.is_alive():
        passed = time.monotonic() - start
        if not begun and out.exists():
            begun = passed
        if passed > _LONGEST or (
            after is not None and (begun or not since_out) and passed >= after + begun * since_out
        ):
            _kill(process.pid)
            break
        time.sleep(0.0005 if after is not None else 0.002)
    process.join()
    assert process.exitcode is not None
    seconds = time.monotonic() - start
    assert seconds < _LONGEST, f"ran for {_LONGEST} seconds: {arguments}"
    return Ended(process.exitcode, seconds, begun, log.read_text() if log.exists() else "")


@dataclass
class Killing:
    """A command under test.

    target, arguments: what is called, with the arguments for an output folder. result: what a finished run has left
    there, as something that can be compared. folder: for all outputs. before: makes what an output begins with.
    """

    target: Target
    arguments: Callable[[Path], Sequence[str]]
    result: Callable[[Path], object]
    folder: Path
    before: Callable[[Path], None] | None = None
    code: int = 0

    @cached_property
    def undisturbed(self) -> tuple[object, Ended]:
        """What a run that nobody killed leaves, and how long it took."""
        out = self._new("undisturbed")
        ended = self.run(out)
        assert ended.code == self.code, ended.errors
        return self.result(out), ended

    def check(self, *, kills: int, seed: int) -> None:
        """Kill so many runs, each at its moment and every fourth of them twice, finish each, and compare."""
        expected, whole = self.undisturbed
        for number, (after, since_out) in enumerate(moments(kills, seed, whole)):
            out = self._new(f"killed{number}")
            said = f"killed after {after:.4f} s of {'its output' if since_out else 'its life'}"
            assert self.kill(out, after, since_out), f"never {said}"
            if number % 4 == 3:
                self.kill(out, after / 2, False)
            ended = self.run(out)
            assert ended.code == self.code, f"{said}: {ended.errors}"
            assert self.result(out) == expected, said

    def kill(self, out: Path, after: float, since_out: bool) -> bool:
        """Kill one run, earlier where it had ended by then; whether it was killed."""
        for _ in range(_TRIES):
            if self.run(out, after, since_out).killed:
                return True
            after /= 2
            self._clear(out)
        return False

    def run(self, out: Path, after: float | None = None, since_out: bool = False) -> Ended:
        """The command, killed or not."""
        log = self.folder / "errors.txt"
        return run(self.target, self.arguments(out), out, log, after=after, since_out=since_out)

    def _new(self, name: str) -> Path:
        out = self.folder / name
        if self.before is not None:
            self.before(out)
        return out

    def _clear(self, out: Path) -> None:
        import shutil

        if out.is_dir():
            shutil.rmtree(out)
        out.unlink(missing_ok=True)
        if self.before is not None:
            self.before(out)


def moments(count: int, seed: int, whole: Ended) -> Iterator[tuple[float, bool]]:
    """(seconds, since the output is there) of so many kills, drawn.

    A third of them fall into the first START seconds of the life, a third into those after the output is there, and a
    third anywhere between its beginning and the end.
    """
    draw = Random(seed)
    made = max(whole.seconds - whole.begun, 0.001)
    for number in range(count):
        if number % 3 == 0:
            yield draw.uniform(0, min(START, made)), True
        elif number % 3 == 1:
            yield draw.uniform(0, min(START, whole.seconds)), False
        else:
            yield draw.uniform(0, whole.seconds), False


def _called(target: Target, arguments: list[str], log: str) -> None:
    os.setsid()
    errors = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(errors, 2)
    try:
        code = target(arguments)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _kill(pid: int) -> None:
    """The process and its workers; the process alone in its first moment, when it has no group yet."""
    try:
        group = os.getpgid(pid)
        os.kill(pid, signal.SIGKILL)
        if group == pid:
            os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
