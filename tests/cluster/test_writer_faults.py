"""A writer is killed or stopped at any moment; the next command makes every copy whole."""

from __future__ import annotations

import os
import socket
import time
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from tests.cluster.loads import collection, invented, revised, stopping
from tests.cluster.nodes import Node

from anagnosis.searching.engines.opensearch import lease, writing

KILLS = int(os.environ.get("ANAGNOSIS_KILLS", "3"))  # of each kind
FIRST = invented(300, seed=1)
INPUTS = (FIRST, *(revised(FIRST, seed) for seed in (2, 3, 4)))


@pytest.fixture(autouse=True)
def small_bulks_and_short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_PAPERS", 20)
    monkeypatch.setattr(lease, "BEAT", 1.0)
    monkeypatch.setattr(lease, "LEASE", 3.0)


@pytest.mark.parametrize("another_input", [False, True])
def test_killed_at_any_moment_the_next_command_makes_all_copies_whole(
    three_nodes: list[Node], tmp_path: Path, another_input: bool
) -> None:
    draw, inputs, killed = Random(28 + another_input), cycle(INPUTS), 0
    with collection(three_nodes, tmp_path) as papers:
        begin = time.monotonic()
        papers.load(next(inputs))
        needed = time.monotonic() - begin
        for _ in range(KILLS):
            wanted = next(inputs)
            command = papers.command(wanted)
            command.said.poll(draw.uniform(0, needed))
            killed += command.runs
            command.kill()
            if another_input:
                wanted = next(inputs)
            papers.load(wanted)
            papers.check(wanted)
        assert killed > KILLS // 2
        assert all(papers.rankings())


def test_a_writer_that_was_stopped_is_taken_over_and_ends_when_it_wakes(
    three_nodes: list[Node], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with collection(three_nodes, tmp_path) as papers:
        papers.load(INPUTS[0])
        command = papers.command(INPUTS[1], stopping(200))
        command.stopped()
        papers.load(INPUTS[2])
        said = f"waiting to see whether process {command.process.pid} on {socket.gethostname()} still writes"
        assert said in capfd.readouterr().err
        command.wake()
        line = command.line()  # by its lease, or by the bulk that was on its way
        assert (
            "another command is writing (one that has just ended)" in line or "has meanwhile written" in line
        )
        papers.load(INPUTS[2])  # what was on its way when it stopped
        papers.check(INPUTS[2])
