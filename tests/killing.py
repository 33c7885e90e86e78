"""Kill a command at any moment of its life, give it again, and compare what it leaves with an undisturbed run.

    trial = Killing(run, lambda out: ["-q", "index", "papers.xml", "--out", str(out)], result, tmp_path)
    trial.check(kills=10, seed=1)

Every run is a process of its own, in a group of its own with its workers. It is forked from a server that has
imported PRELOADED, so that a run takes milliseconds to start and a test can afford many.

A kill falls at a moment of the clock, which reaches what workers and engines do, or just before one of the changes that
the process makes to files: it opens one to write, renames, removes, makes a folder. Between two changes nothing that
lies on the disk becomes other, but for the bytes of a file that is being written; so kills before each change reach
states that last microseconds.
"""

from __future__ import annotations

import os
import shutil
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
    "anagnosis.reports.renderers.html",
    "anagnosis.searching.engines.embedded",
    "anagnosis.training.train",
    "matplotlib.backends.backend_svg",
    "nltk",
    "numpy",
    "nupunkt",
    "pandas",
    "scipy.stats",
    "tantivy",
    "torch._dynamo",
]
_TRIES = 6
_LONGEST = 120  # seconds
# Events of Python's that tell of a change, before it is made; beside them the opening of a file to write.
_CHANGES = {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate"}
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
Target = Callable[[list[str]], int]


@dataclass(frozen=True, slots=True)
class Moment:
    """When a run is killed: so many seconds after its start, or before that change of a file, counted from 0."""

    after: float = 0.0
    change: int | None = None

    def earlier(self) -> Moment:
        """After half of the time, or of the changes."""
        return Moment(self.after / 2, None if self.change is None else self.change // 2)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended. code: -SIGKILL where it was killed. seconds: of its life.

    changes: of files, which this process made; 0 where it was killed.
    """

    code: int
    seconds: float
    errors: str
    changes: int = 0

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


def run(target: Target, arguments: Sequence[str], log: Path, moment: Moment | None = None) -> Ended:
    """Call `target(arguments)` in a process, and kill the process and its workers at a moment.

    log: gets the standard error. target: a function of a module, which returns the exit code.
    """
    server = get_context("forkserver")
    server.set_forkserver_preload([*PRELOADED, target.__module__])
    change = None if moment is None else moment.change
    process = server.Process(target=_called, args=(target, list(arguments), str(log), change))
    counted = _counted(str(log))
    log.unlink(missing_ok=True)
    counted.unlink(missing_ok=True)
    process.start()
    assert process.pid is not None
    start = time.monotonic()
    process.join(_LONGEST if moment is None or change is not None else moment.after)
    if process.is_alive():
        _kill(process.pid)
        process.join()
    assert process.exitcode is not None
    seconds = time.monotonic() - start
    assert seconds < _LONGEST, f"ran for {_LONGEST} seconds: {arguments}"
    return Ended(
        process.exitcode,
        seconds,
        log.read_text() if log.exists() else "",
        int(counted.read_text() or 0) if counted.exists() else 0,
    )


@dataclass
class Killing:
    """A command under test.

    target, arguments: what is called, with the arguments for an output. result: what a finished run has left there,
    as something that can be compared. folder: for all outputs. before: makes what an output begins with. seen: is
    given the output after each kill, before the command is given again. once: the command refuses an output that is
    whole.
    """

    target: Target
    arguments: Callable[[Path], Sequence[str]]
    result: Callable[[Path], object]
    folder: Path
    before: Callable[[Path], None] | None = None
    seen: Callable[[Path], None] | None = None
    once: bool = False

    @cached_property
    def undisturbed(self) -> tuple[object, Ended]:
        """What a run that nobody killed leaves, and how long it took."""
        out = self._new("undisturbed")
        ended = self.run(out)
        assert ended.code == 0, ended.errors
        return self.result(out), ended

    def check(self, *, kills: int, seed: int) -> None:
        """Kill so many runs, each at its moment and every third of them twice, finish each, and compare."""
        for number, moment in enumerate(moments(kills, seed, self.undisturbed[1])):
            self.check_one(moment, f"killed{number}", twice=number % 3 == 2)

    def check_one(self, moment: Moment, name: str, *, twice: bool = False) -> None:
        """Kill one run at that moment, finish it, and compare."""
        out = self._new(name)
        assert self.kill(out, moment), f"never {moment}"
        if twice:
            self.run(out, moment.earlier())
        if self.seen is not None:
            self.seen(out)
        expected = self.undisturbed[0]
        if not (self.once and self.result(out) == expected):
            ended = self.run(out)
            assert ended.code == 0, f"{moment}: {ended.errors}"
        left = self.result(out)
        assert left == expected, f"{moment}: {_differing(left, expected)}"

    def kill(self, out: Path, moment: Moment) -> bool:
        """Kill one run, earlier where it had ended by then; whether it was killed."""
        for _ in range(_TRIES):
            if self.run(out, moment).killed:
                return True
            shutil.rmtree(out.parent)
            self._new(out.parent.name)
            moment = moment.earlier()
        return False

    def run(self, out: Path, moment: Moment | None = None) -> Ended:
        """The command, killed or not."""
        return run(self.target, self.arguments(out), self.folder / "errors.txt", moment)

    def _new(self, number: str) -> Path:
        """A place for an output, in a folder of its own."""
        out = self.folder / number / "out"
        out.parent.mkdir()
        if self.before is not None:
            self.before(out)
        return out


def _differing(left: object, expected: object) -> object:
    """Of two dictionaries the keys that differ, else both."""
    if isinstance(left, dict) and isinstance(expected, dict):
        return sorted(key for key in left.keys() | expected.keys() if left.get(key) != expected.get(key))
    return left, expected


def moments(count: int, seed: int, whole: Ended) -> Iterator[Moment]:
    """So many kills, drawn: by turns of the clock, and before a change, of which each part has as many as any other.

    Where the process makes no changes itself (its engine or its workers do), all are of the clock.
    """
    draw = Random(seed)
    parts = len(range(1, count, 2))
    for number in range(count):
        if whole.changes and number % 2:
            yield Moment(change=int((number // 2 + draw.random()) * whole.changes / parts))
        else:
            yield Moment(draw.uniform(0, whole.seconds))


def _called(target: Target, arguments: list[str], log: str, change: int | None) -> None:
    os.setsid()
    errors = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(errors, 2)
    sys.dont_write_bytecode = True
    changes = _count_changes(change)
    try:
        code = target(arguments)
    except BaseException:
        traceback.print_exc()
        code = 1
    made = changes[0]
    sys.stdout.flush()
    sys.stderr.flush()
    _counted(log).write_text(str(made))
    os._exit(code)


def _counted(log: str) -> Path:
    """Where a run writes how many changes it made."""
    return Path(log + ".changes")


def _count_changes(last: int | None) -> list[int]:
    """A counter of the changes that this process makes to files; before that of the number `last` it is killed."""
    found = [0]

    def see(event: str, given: tuple[object, ...]) -> None:
        if event == "open":
            path, _, flags = given
            if not isinstance(flags, int) or not flags & _TO_WRITE or isinstance(path, int):
                return
            if os.fsdecode(path).startswith("/dev/"):  # pyright: ignore[reportArgumentType]
                return
        elif event not in _CHANGES:
            return
        if found[0] == last:
            os.killpg(0, signal.SIGKILL)
        found[0] += 1

    sys.addaudithook(see)
    return found


def _kill(pid: int) -> None:
    """The process and its workers; the process alone in its first moment, when it has no group yet."""
    try:
        group = os.getpgid(pid)
        os.kill(pid, signal.SIGKILL)
        if group == pid:
            os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
