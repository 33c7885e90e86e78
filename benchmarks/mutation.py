"""Mutants drawn by seed, and how many of them the tests kill.

    python benchmarks/mutation.py --mutants 1000 --seed 28

mutmut changes one operator, number, word, argument or assignment of a function at a time; `[tool.mutmut]` in
pyproject.toml says which modules and which tests. Each mutant runs in a fork of one process that has collected the
tests: first those of its module's mirror, then others that call the function, quick files first, up to --seconds of
recorded time. What a module calls while it is imported needs a new process instead.

Every mutant of the draw goes to mutants/verdicts.tsv, those that no test noticed to the screen.
design/mutants.tsv lists survivors that change nothing (equivalent) or a message only, each with its reason; they do
not count. The bar is 90 % of the others.

The run is made in mutants/, anew each time; --resume goes on with an interrupted one.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "mutants"
CALLS = WORK / "calls.json"
FINISHED = WORK / "finished.tsv"
VERDICTS = WORK / "verdicts.tsv"
LISTED = ROOT / "design" / "mutants.tsv"
BAR = 0.90
# A mutant may loop for ever, or fill the memory.
TIMES, GRACE_SECONDS, MEMORY_BYTES = 5, 20, 16 << 30
ANEW_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to one function. line: of the file, 1-based. before, after: the changed lines, blanks stripped."""

    name: str
    file: str
    line: int
    before: str
    after: str

    @property
    def change(self) -> tuple[str, str, str]:
        """What identifies the mutant when lines move: file, before, after."""
        return self.file, self.before, self.after


@dataclass(slots=True)
class Calls:
    """What one run of all tests recorded. tests: by function, who calls it. seconds: by test, its fixtures included."""

    tests: dict[str, list[str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw mutants by seed, and count those that the tests kill.")
    parser.add_argument("--mutants", type=int, default=1000, help="how many are drawn (default 1000)")
    parser.add_argument("--seed", type=int, default=28, help="of the draw (default 28)")
    parser.add_argument("--seconds", type=float, default=15, help="of tests for one mutant (default 15)")
    parser.add_argument("--names", type=Path, help="a file of names to test instead of a draw, one a line")
    parser.add_argument("--resume", action="store_true", help="go on with the run in mutants/")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    if not chosen.resume:
        shutil.rmtree(WORK, ignore_errors=True)
    all_names = generated()
    names = chosen.names.read_text().split() if chosen.names else draw(all_names, chosen.mutants, chosen.seed)
    kill(names, chosen.seconds)
    verdicts = finished()
    mutants = sorted(described(names), key=lambda mutant: (mutant.file, mutant.line, mutant.name))
    write(mutants, verdicts)
    report(mutants, verdicts)


def generated() -> list[str]:
    """The name of every mutant, each of them written into mutants/."""
    from mutmut.__main__ import copy_also_copy_files, copy_src_dir, create_mutants
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.utils.file_utils import walk_mutatable_files

    copy_src_dir()
    copy_also_copy_files()
    create_mutants(1)
    names: list[str] = []
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        names += data.exit_code_by_key
    return sorted(names)


def draw(names: list[str], count: int, seed: int) -> list[str]:
    """That many of the names, the same for the same code and seed; all of them where there are fewer."""
    return random.Random(seed).sample(names, min(count, len(names)))


def kill(names: list[str], seconds: float) -> None:
    """Run the tests on each mutant that has no verdict yet, in a process of its own."""
    left = [name for name in names if name not in finished()]
    if not left:
        return
    from mutmut.configuration import config

    settings = config()
    # Tests that start the program anew start the mutant too.
    os.environ["PYTHONPATH"] = str(WORK / "src")
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(WORK)
    # Functions that are called while the tests are collected are called by modules, as they are imported.
    os.environ["MUTANT_UNDER_TEST"] = "stats"
    sys.path.insert(0, str(WORK / "src"))
    os.chdir(WORK)
    ended = pytest.main(
        ["--rootdir=.", "-q", *settings.pytest_add_cli_args, *settings.pytest_add_cli_args_test_selection],
        plugins=[Loop(left, seconds)],
    )
    os.chdir(ROOT)
    if ended != pytest.ExitCode.OK:
        sys.exit("the tests could not be collected or run")


class Loop:
    """Pytest's loop over tests, made a loop over mutants: each forks, and runs the tests that call its function."""

    def __init__(self, names: list[str], seconds: float) -> None:
        self.names = names
        self.seconds = seconds

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("the tests could not be collected")
        reporter = session.config.pluginmanager.getplugin("terminalreporter")
        session.config.pluginmanager.unregister(reporter)
        at_import = called_by_modules()
        calls = recorded(session)
        items = {item.nodeid: item for item in session.items}
        with FINISHED.open("a", encoding="utf-8") as stream:
            for at, name in enumerate(self.names, 1):
                tests = chosen_tests(name, calls, self.seconds)
                expected = sum(calls.seconds[test] for test in tests)
                started = monotonic()
                if function_of(name) in at_import:
                    verdict = tried_anew(name, calls, self.seconds)
                else:
                    verdict = tried(session, name, [items[test] for test in tests], expected)
                print(f"{name}\t{verdict}", file=stream, flush=True)
                spent = monotonic() - started
                print(
                    f"{at}/{len(self.names)} {verdict} {spent:.1f} s {name}", file=sys.__stderr__, flush=True
                )
        return True


def called_by_modules() -> frozenset[str]:
    """The functions that imports have called so far; from here on no mutant is in force."""
    from mutmut.mutation.trampoline import set_mutant_under_test
    from mutmut.state import state

    functions = frozenset(state()._stats)
    state()._stats.clear()
    set_mutant_under_test("")
    return functions


def recorded(session: pytest.Session) -> Calls:
    """Which tests call which functions, from one run of all of them, in a fork; kept for a resumed run."""
    if not CALLS.exists():
        print(f"running {len(session.items)} tests once", file=sys.__stderr__, flush=True)
        child = os.fork()
        if child == 0:
            leave(lambda: record(session))
        _, status = os.waitpid(child, 0)
        if status != 0:
            raise session.Interrupted("the tests could not be run")
    kept = json.loads(CALLS.read_text())
    return Calls(kept["tests"], kept["seconds"])


def record(session: pytest.Session) -> int:
    from mutmut.mutation.trampoline import set_mutant_under_test
    from mutmut.state import state

    set_mutant_under_test("stats")
    hits: set[str] = state()._stats
    tests: dict[str, set[str]] = defaultdict(set)
    # A fixture of a module works for all its tests, though the first one sets it up.
    of_file: dict[str, list[str]] = defaultdict(list)
    for item in session.items:
        of_file[item.nodeid.partition("::")[0]].append(item.nodeid)

    class Setups:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_call(self, item: pytest.Item) -> None:
            for function in hits:
                tests[function].update(of_file[item.nodeid.partition("::")[0]])
            hits.clear()

    session.config.pluginmanager.register(Setups())
    seconds: dict[str, float] = {}
    failing: set[str] = set()
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        started, failed = monotonic(), session.testsfailed
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        seconds[item.nodeid] = monotonic() - started
        if session.testsfailed > failed:
            failing.add(item.nodeid)
            print(f"fails without any mutant, left out: {item.nodeid}", file=sys.__stderr__, flush=True)
        for function in hits:
            tests[function].add(item.nodeid)
        hits.clear()
    sound = {name: sorted(who - failing) for name, who in tests.items()}
    CALLS.write_text(json.dumps({"tests": sound, "seconds": seconds}))
    return 0


def chosen_tests(name: str, calls: Calls, seconds: float) -> list[str]:
    """The tests for a mutant, file by file: its module's mirror first, then quick files; as many as the time allows."""
    function = function_of(name)
    module = function.rpartition(".")[0].rpartition(".")[2]
    # The tests of a module hold its parts too: test_paper.py is the mirror of papers/records.py as well.
    parts = module.split("_")
    mirrors = ["_".join(parts[:count]) for count in range(len(parts), 0, -1)]
    by_file: dict[str, list[str]] = defaultdict(list)
    for test in calls.tests.get(function, ()):
        by_file[test.partition("::")[0]].append(test)

    def rank(file: str) -> tuple[int, float]:
        stem = Path(file).stem
        place = next((at for at, mirror in enumerate(mirrors) if stem.endswith(f"_{mirror}")), len(mirrors))
        return place, sum(calls.seconds[test] for test in by_file[file])

    tests: list[str] = []
    for file in sorted(by_file, key=rank):
        tests += sorted(by_file[file], key=lambda test: calls.seconds[test])
    spent = 0.0
    for at, test in enumerate(tests):
        spent += calls.seconds[test]
        if spent > seconds and at:
            return tests[:at]
    return tests


def function_of(name: str) -> str:
    """The function that a mutant changes, by mutmut's name for it."""
    return name.partition("__mutmut_")[0]


def tried_anew(name: str, calls: Calls, seconds: float) -> str:
    """The verdict on a function that a module calls as it is imported: files of the module's tests in a new process.

    The files come as for other mutants; the process may take --seconds, as recorded, or its first file.
    """
    files = list(dict.fromkeys(test.partition("::")[0] for test in chosen_tests(name, calls, seconds)))
    if not files:
        return "untested"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--rootdir=.", "-p", "no:cacheprovider", *files]
    try:
        ended = subprocess.run(
            command, env={**os.environ, "MUTANT_UNDER_TEST": name}, capture_output=True, timeout=ANEW_SECONDS
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    return "survived" if ended.returncode == pytest.ExitCode.OK else "killed"


def tried(session: pytest.Session, name: str, items: list[pytest.Item], expected: float) -> str:
    """killed, survived, timeout, crashed or untested: what the tests make of a mutant."""
    if not items:
        return "untested"
    child = os.fork()
    if child == 0:
        leave(lambda: test(session, name, items, expected))
    _, status = os.waitpid(child, 0)
    ended = os.waitstatus_to_exitcode(status)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if ended in (-signal.SIGALRM, -signal.SIGXCPU):
        return "timeout"
    return {0: "survived", 1: "killed"}.get(ended, "crashed")


def test(session: pytest.Session, name: str, items: list[pytest.Item], expected: float) -> int:
    from mutmut.mutation.trampoline import set_mutant_under_test

    os.setpgid(0, 0)
    allowed = int(expected * TIMES) + GRACE_SECONDS
    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + allowed, int(spent) + allowed + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.alarm(allowed * TIMES)
    set_mutant_under_test(name)
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return 1
    return 0


def leave(work: Callable[[], int]) -> NoReturn:
    """End a fork with what its work returned, and with 1 whatever it raised."""
    try:
        code = work()
    except BaseException:
        code = 1
    os._exit(code)


def finished() -> dict[str, str]:
    """The verdict of each mutant by name, a line cut off by a kill left out."""
    if not FINISHED.exists():
        return {}
    lines = FINISHED.read_text(encoding="utf-8").splitlines(keepends=True)
    return dict(line.rstrip("\n").split("\t") for line in lines if line.endswith("\n"))


def described(names: list[str]) -> list[Mutant]:
    """The mutants of these names, with where and what they change."""
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.mutation.diff_apply import get_diff_for_mutant
    from mutmut.utils.file_utils import walk_mutatable_files

    asked = set(names)
    mutants: list[Mutant] = []
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        lines = path.read_text().splitlines()
        for name in asked & data.exit_code_by_key.keys():
            before, after = changed(get_diff_for_mutant(name, path=path))
            mutants.append(
                Mutant(name, str(path), line_of(lines, name, before.partition(" ⏎ ")[0]), before, after)
            )
    return mutants


def changed(diff: str) -> tuple[str, str]:
    """The lines that a diff takes out, and those that it puts in."""
    body = diff.splitlines()[2:]
    sides = ([line[1:].strip() for line in body if line.startswith(sign)] for sign in "-+")
    before, after = (" ⏎ ".join(side).replace("\t", "\\t") for side in sides)
    return before, after


def line_of(lines: list[str], name: str, first: str) -> int:
    """The line of the file where a mutant changes something: the first of its function that reads so."""
    from mutmut.utils.format_utils import orig_function_and_class_names_from_key

    function, owner = orig_function_and_class_names_from_key(name)
    tree = ast.parse("\n".join(lines))
    scopes = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for scope in scopes:
        if getattr(scope, "name", None) != owner:
            continue
        for node in scope.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
                span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                return next((at for at in span if lines[at - 1].strip() == first), node.lineno)
    raise ValueError(f"no function {function} for {name}")


def write(mutants: list[Mutant], verdicts: dict[str, str]) -> None:
    rows = [f"{m.file}\t{m.line}\t{m.before}\t{m.after}\t{verdicts[m.name]}\t{m.name}" for m in mutants]
    VERDICTS.write_text("\n".join(["file\tline\tbefore\tafter\tverdict\tname", *rows, ""]), encoding="utf-8")


def listed() -> dict[tuple[str, str, str], str]:
    """The class of each survivor in design/mutants.tsv that does not count, by its change."""
    rows = (line.split("\t") for line in LISTED.read_text(encoding="utf-8").splitlines()[1:])
    return {(file, before, after): kind for kind, file, _, before, after, _ in rows if kind != "alive"}


def report(mutants: list[Mutant], verdicts: dict[str, str]) -> None:
    """Print the score and the survivors that count; end with 1 below the bar."""
    known = listed() if LISTED.exists() else {}
    survivors = [mutant for mutant in mutants if verdicts[mutant.name] in ("survived", "untested")]
    alive = [mutant for mutant in survivors if mutant.change not in known]
    for mutant in alive:
        print(
            f"{mutant.file}:{mutant.line}: {verdicts[mutant.name]}\n  - {mutant.before}\n  + {mutant.after}"
        )
    killed, aside = len(mutants) - len(survivors), len(survivors) - len(alive)
    counted = killed + len(alive)
    score = killed / counted if counted else 1.0
    print(
        f"{len(mutants)} mutants: {killed} killed, {len(alive)} alive, {aside} that change nothing or a message"
    )
    print(f"score {score:.1%} of {counted} that count (bar {BAR:.0%})")
    sys.exit(score < BAR)


if __name__ == "__main__":
    main()
