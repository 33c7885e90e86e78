"""A writer is killed or stopped at any moment; the next command makes every copy whole."""

from __future__ import annotations

import os
import time
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from tests.cluster.loads import collection, invented, revised
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
