"""A dask cluster of two local workers that loses one of them while a dataset is built."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from anagnosis.progress import Progress


@contextmanager
def losing_a_worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the scheduler; a worker is killed once 30 documents are screened.

    Fails at the end if no worker was killed. Skips where dask is not installed.
    """
    distributed = pytest.importorskip("distributed")
    advance = Progress.advance
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, host="127.0.0.1"
    ) as cluster:
        address: str = cluster.scheduler_address
        with distributed.Client(address, set_as_default=False) as client:
            workers: list[int] = list(client.run(os.getpid).values())

        def kill_one_midway(bar: Progress, n: int = 1, share: float | None = None) -> None:
            advance(bar, n, share)
            if bar.label == "screen" and bar.done > 30 and len(workers) == 2:
                os.kill(workers.pop(), signal.SIGKILL)

        monkeypatch.setattr(Progress, "advance", kill_one_midway)
        yield address
    assert len(workers) == 1
