"""Nodes that are killed or paused while papers are written and searched."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cluster.loads import collection, invented, revised, stopping
from tests.cluster.nodes import Node, wait_for

from anagnosis.searching.engines.opensearch import lease, writing

FIRST = invented(300, seed=1)
SECOND = revised(FIRST, seed=2)
UNREACHABLE = "no node answers", "the cluster answers 50", "shards answered"


@pytest.fixture(autouse=True)
def small_bulks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_PAPERS", 20)


def test_with_a_replica_a_load_goes_on_without_a_node(nodes_to_harm: list[Node], tmp_path: Path) -> None:
    with collection(nodes_to_harm, tmp_path) as papers:
        papers.load(FIRST)
        papers.green()  # a copy that is still being made does not stand in for a node
        command = papers.command(SECOND, stopping(150))
        command.stopped()
        nodes_to_harm[1].kill()
        command.wake()
        assert command.line() == ""
        nodes_to_harm[1].start()
        papers.check(SECOND)


def test_a_load_whose_node_stays_away_stops_in_one_line_and_is_given_again(
    nodes_to_harm: list[Node], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, limit in ((writing, "_PATIENCE"), (writing, "_SECONDS"), (lease, "_SECONDS")):
        monkeypatch.setattr(module, limit, 1.0)
    with collection(nodes_to_harm, tmp_path, replicas=0) as papers:
        papers.load(FIRST)
        home = papers.home()
        command = papers.command(SECOND, stopping(150))
        command.stopped()
        home.kill()
        command.wake()
        line = command.line()
        assert any(one in line for one in UNREACHABLE), line
        assert "\n" not in line
        home.start()
        wait_for(nodes_to_harm)
        monkeypatch.undo()
        papers.load(SECOND)
        papers.check(SECOND)
