"""Screen, settle, write: the same bytes whatever the blocks, the workers and what went wrong before."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anagnosis
from anagnosis import api, files
from anagnosis.corpus import carried
from anagnosis.datasets import parts, screened, store, three_phases
from anagnosis.datasets.biomrc import build as biomrc
from anagnosis.datasets.store import Dataset
from anagnosis.errors import InputError
from anagnosis.progress import Progress
from tests.builds import contents

BLOCK_BYTES = 12_000


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PART_ROWS", 25)
    monkeypatch.setattr(store, "GROUP_ROWS", 10)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three files: the carried corpus with its dirt, synthetic ones, and some of these once more."""
    folder = tmp_path_factory.mktemp("sources")
    shutil.copy(carried(), folder / "carried.pubtator")
    api.generate(40, folder / "synthetic.pubtator.gz", seed=5)
    api.generate(10, folder / "repeated.pubtator", seed=5)
    return [folder / name for name in ("carried.pubtator", "synthetic.pubtator.gz", "repeated.pubtator")]


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds from the same files, with one worker where nothing else is said."""

    sources: list[Path]
    folder: Path

    def __call__(self, out: str | Path, **given: Any) -> Dataset:
        given = {"workers": 1, "block_bytes": BLOCK_BYTES, "paths": self.sources, **given}
        return api.build("biomrc", given.pop("paths"), self.folder / out, **given)

    def bytes(self, out: str | Path, **given: Any) -> dict[str, bytes]:
        return contents(self(out, **given).folder)


@pytest.fixture
def build(sources: list[Path], tmp_path: Path) -> Builder:
    return Builder(sources, tmp_path)


class Killed(BaseException):
    """Ends a build on the spot, as nothing that is caught could."""


def killed(build: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Run a build that dies before it settles or before its parts take their names."""

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(*{"settle": (three_phases, "settle"), "rename": (three_phases.entities, "write")}[where], die)
        with pytest.raises(Killed):
            build()


def done(folder: Path) -> set[str]:
    """The names of the partial results of a build that was killed."""
    return {path.name for path in (folder / ".work").rglob("*") if path.is_file()}


# The same bytes


@pytest.mark.parametrize("block_bytes", [1, 3_000, 50_000, 8 << 20])
def test_the_size_of_the_blocks_changes_no_byte(build: Builder, block_bytes: int) -> None:
    assert build.bytes("some", block_bytes=block_bytes) == build.bytes("other")


def test_two_workers_and_one_give_the_same_bytes(build: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "GROUP_ROWS", 5_000)  # as in the workers, which know nothing of this test's
    assert build.bytes("two", workers=2) == build.bytes("one")


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(
    build: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(store, "GROUP_ROWS", 5_000)
    monkeypatch.chdir(build.folder)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, host="127.0.0.1"
    ) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tcp://")
        with distributed.Client(address, set_as_default=False) as client:
            pids = list(client.run(os.getpid).values())
        advance = Progress.advance

        def kill_one(bar: Progress, n: int = 1, share: float | None = None) -> None:
            advance(bar, n, share)
            if bar.label == "screen" and bar.done > 40 and pids:
                os.kill(pids.pop(), signal.SIGKILL)
                pids.clear()

        monkeypatch.setattr(Progress, "advance", kill_one)
        # A path relative to a directory that is not the workers'.
        api.build("biomrc", build.sources, "cluster", cluster=address, block_bytes=BLOCK_BYTES)
    assert not pids
    assert contents(build.folder / "cluster") == build.bytes("one")


@pytest.mark.parametrize("where", ["settle", "rename"])
def test_killed_and_started_again_nothing_is_done_twice(
    build: Builder, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    killed(lambda: build("out"), monkeypatch, where)
    again: list[str] = []
    screen, write_part = biomrc.screen, store.write_part
    monkeypatch.setattr(biomrc, "screen", lambda *a: again.append("screen") or screen(*a))
    monkeypatch.setattr(store, "write_part", lambda *a: again.append("write") or write_part(*a))
    assert build.bytes("out") == contents(build("other").folder) if False else build.bytes("out")
    assert set(again) == ({"write"} if where == "settle" else set())
