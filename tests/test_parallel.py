"""Shards come back in order, in bounded memory, and survive the death of whoever runs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from anagnosis import parallel
from anagnosis.errors import InputError


def square(number: int) -> int:
    return number * number


def slow_first(number: int) -> int:
    time.sleep(0.3 if number == 0 else 0)
    return number


def refuse_three(number: int) -> int:
    if number == 3:
        raise InputError("three is not allowed", f"number:{number}", "leave it out")
    return number


def is_first(number: int, folder: Path) -> bool:
    """Whether number 4 is met for the first time."""
    mark = folder / "died"
    if number != 4 or mark.exists():
        return False
    mark.touch()
    return True


def die_once(task: tuple[int, Path]) -> bytes:
    if is_first(*task):
        os.kill(os.getpid(), signal.SIGKILL)
    return bytes(task[0])


def die_in_a_result(task: tuple[int, Path]) -> bytes:
    """Kill this worker when it has sent half of a result."""
    if is_first(*task):

        def half(pipe: Connection, data: bytes) -> None:
            os.write(pipe.fileno(), data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(Connection, "_send", half)  # noqa: B010
    return bytes(task[0])


def die_always(shard: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def sleep_long(task: tuple[int, Path]) -> None:
    number, folder = task
    (folder / f"worker-{number}").write_text(str(os.getpid()))
    time.sleep(60 if number >= 0 else 0)


class Counted:
    """Numbers that count how many of them were taken."""

    def __init__(self, end: int) -> None:
        self.end = end
        self.taken = 0

    def __iter__(self) -> Iterator[int]:
        for number in range(self.end):
            self.taken += 1
            yield number


@pytest.fixture(params=[1, 2])
def make_pool(request: pytest.FixtureRequest) -> Any:
    return parallel.local(request.param)


def test_results_come_in_shard_order(make_pool: Any) -> None:
    assert list(parallel.map(slow_first, range(12), make_pool)) == list(range(12))


@pytest.mark.parametrize(("workers", "most"), [(1, 1), (2, 4)])
def test_no_more_shards_are_taken_than_twice_the_workers(workers: int, most: int) -> None:
    numbers = Counted(40)
    given = 0
    for _ in parallel.map(square, numbers, parallel.local(workers)):
        assert numbers.taken - given <= most
        given += 1
    assert given == 40


def test_the_users_error_arrives_as_itself_after_the_results_before_it(make_pool: Any) -> None:
    results = parallel.map(refuse_three, range(9), make_pool)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError) as caught:
        next(results)
    assert str(caught.value) == "number:3: three is not allowed; leave it out"
    assert next(results, None) is None


class UnpicklableError(Exception):
    """By its arguments, or by what it holds."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__("not by its arguments")
        self.lock = threading.Lock() if two else one


def fail(number: int) -> int:
    raise UnpicklableError(1, number)


@pytest.mark.parametrize("number", [0, 1])
def test_an_error_that_cannot_be_sent_is_told_once(number: int) -> None:
    with pytest.raises(RuntimeError, match="UnpicklableError: not by its arguments"):
        list(parallel.map(fail, [number, number], parallel.local(2)))


@pytest.mark.parametrize("die", [die_once, die_in_a_result])
def test_a_killed_worker_costs_nothing(die: Any, tmp_path: Path) -> None:
    tasks = [(number, tmp_path) for number in range(10)]
    assert [len(each) for each in parallel.map(die, tasks, parallel.local(2))] == [*range(10)]
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize("size", [1, 8 << 20])  # a large shard in the pipe must not hang the broken pool
def test_workers_that_always_die_end_in_one_line(size: int) -> None:
    with pytest.raises(InputError, match=r"^worker processes died 4 times in a row") as caught:
        list(parallel.map(die_always, (bytes(size) for _ in range(6)), parallel.local(2)))
    assert "\n" not in str(caught.value)


def test_closing_early_ends_the_workers_at_once(tmp_path: Path) -> None:
    began = time.monotonic()
    results = parallel.map(sleep_long, [(number, tmp_path) for number in (-1, 0, 1)], parallel.local(2))
    assert next(results) is None
    results.close()
    assert time.monotonic() - began < 20


def test_no_worker_at_all_is_refused() -> None:
    with pytest.raises(InputError, match=r"--workers: 0 workers"):
        parallel.local(0)


# A shell without job control starts what it puts into the background with interrupts ignored, tests too.
PARENT = """
import signal
import sys
from pathlib import Path
from anagnosis import parallel
from tests.test_parallel import sleep_long
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    list(parallel.map(sleep_long, [(number, Path(sys.argv[1])) for number in range(5)], parallel.local(2)))
"""


@pytest.fixture
def parent_with_workers(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A process in its own group that maps over two workers, both of them busy."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    root = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    parent = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: len(list(tmp_path.glob("worker-*"))) == 2)
    wait_until(lambda: all(mark.read_text() for mark in tmp_path.glob("worker-*")))
    yield parent, [int(mark.read_text()) for mark in tmp_path.glob("worker-*")]
    if parent.poll() is None:
        os.killpg(parent.pid, signal.SIGKILL)
    parent.communicate()


def wait_until(condition: Any, seconds: float = 12) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_workers_die_with_a_killed_parent(parent_with_workers: tuple[Any, list[int]]) -> None:
    parent, workers = parent_with_workers
    os.kill(parent.pid, signal.SIGKILL)
    wait_until(lambda: not any(alive(worker) for worker in workers))


def test_ctrl_c_is_the_parents_business_alone(parent_with_workers: tuple[Any, list[int]]) -> None:
    parent, workers = parent_with_workers
    os.killpg(parent.pid, signal.SIGINT)  # a terminal sends it to the whole group
    _, errors = parent.communicate(timeout=12)
    assert parent.returncode == -signal.SIGINT
    assert errors.count("Traceback") == 1
    assert "SpawnProcess" not in errors
    assert not any(alive(worker) for worker in workers)


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, host="127.0.0.1"
    ) as running:
        yield running.scheduler_address


def test_a_cluster_gives_the_same_results_in_the_same_order(cluster: str) -> None:
    numbers = Counted(30)
    given = []
    for result in parallel.map(square, numbers, parallel.dask(cluster)):
        assert numbers.taken - len(given) <= 4
        given.append(result)
    assert given == [number * number for number in range(30)]


def test_a_killed_worker_of_a_cluster_costs_nothing(cluster: str, tmp_path: Path) -> None:
    tasks = [(number, tmp_path) for number in range(10)]
    assert [len(each) for each in parallel.map(die_once, tasks, parallel.dask(cluster))] == [*range(10)]
    assert (tmp_path / "died").exists()


def test_a_shard_that_kills_every_worker_of_a_cluster_ends_in_one_line(cluster: str) -> None:
    with pytest.raises(InputError, match="the cluster lost a shard") as caught:
        list(parallel.map(die_always, [1], parallel.dask(cluster)))
    assert "\n" not in str(caught.value)


def test_a_missing_cluster_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r'needs distributed.*pip install "anagnosis\[cluster\]"'):
        parallel.dask("tcp://127.0.0.1:8786")


@pytest.mark.parametrize("address", ["nowhere", "tcp://nowhere", "host:port", "bogus://host:8786"])
def test_what_is_no_address_is_one_line_at_once(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(
        InputError, match=f"--cluster {address}: is no address of a dask scheduler .*tcp://HOST:8786"
    ):
        list(parallel.map(square, [1], parallel.dask(address)))


def test_a_silent_address_is_one_line() -> None:
    pytest.importorskip("distributed")
    import dask.config

    quickly = dask.config.set({"distributed.comm.timeouts.connect": "500ms"})
    silence = pytest.raises(InputError, match=r"--cluster tcp://127\.0\.0\.1:9: no dask scheduler answers")
    with quickly, silence:
        list(parallel.map(square, [1], parallel.dask("tcp://127.0.0.1:9")))
