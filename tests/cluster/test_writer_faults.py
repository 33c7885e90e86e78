"""A writer is killed or stopped at any moment; the next command makes every copy whole."""

from __future__ import annotations

import os
import signal
import socket
import time
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cluster.loads import Collection, Papers, collection, invented, revised, stopping
from tests.cluster.nodes import Node, wait_for

from anagnosis.searching.engines.opensearch import lease, writing
from anagnosis.searching.engines.opensearch.connection import Cluster

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


def sends_and_dies(papers: Collection, wanted: Papers, node: socket.socket) -> None:
    """Load, and send the first bulk to a node that does not read it."""
    send = Cluster.send

    def instead(self: Cluster, method: str, path: str, body: Any = None, *others: Any, **named: Any) -> Any:
        if path.endswith("/_bulk"):
            bulk(path, body)
        return send(self, method, path, body, *others, **named)

    def bulk(path: str, body: bytes) -> None:
        head = f"POST {path}?require_alias=true HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        node.sendall(
            f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        )
        os.kill(os.getpid(), signal.SIGKILL)

    Cluster.send = instead
    papers.load(wanted)


def test_a_bulk_that_arrives_after_the_next_command_changes_nothing_that_it_has_written(
    nodes_to_harm: list[Node], tmp_path: Path
) -> None:
    held, *others = nodes_to_harm
    with (
        collection(nodes_to_harm, tmp_path) as papers,
        socket.create_connection(("127.0.0.1", held.port)) as late,
    ):
        papers.load(INPUTS[0])
        papers.green()  # a shard without its second copy would stay with the node that is held
        held.pause()
        papers.only(others)
        wait_for(others, "red", 60)
        health = f"/_cluster/health/{papers.name}?wait_for_status=yellow&timeout=50s"
        assert not papers.send("GET", health)["timed_out"]
        dead = papers.start(partial(sends_and_dies, papers, INPUTS[1], late)).process
        dead.join(60)
        assert dead.exitcode == -signal.SIGKILL
        papers.load(INPUTS[1])
        held.resume()
        late.settimeout(180)
        reply = late.makefile("rb").read()
        assert b'"status":409' in reply, reply
        wait_for(nodes_to_harm)
        papers.load(INPUTS[1])  # the late bulk has taken the version of the commit
        papers.check(INPUTS[1])


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
        assert (
            "another command is writing (one that has just ended); give this one again when that has ended"
            in command.line()
        )
        papers.load(INPUTS[2])  # what was on its way when it stopped
        papers.check(INPUTS[2])
