"""A writer is killed, stopped or unlocked at any moment; the next command makes every copy whole."""

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
from tests.cluster.loads import REFUSED, Collection, collection, invented, revised, stopping
from tests.cluster.nodes import Node, wait_for

from anagnosis.searching.engines.opensearch import writing
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.lock import unlock

KILLS = int(os.environ.get("ANAGNOSIS_KILLS", "3"))  # of each kind
FIRST = invented(300, seed=1)
INPUTS = (FIRST, *(revised(FIRST, seed) for seed in (2, 3, 4)))


@pytest.fixture(autouse=True)
def small_bulks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_LINES", 60)


@pytest.mark.parametrize("another_input", [False, True])
def test_killed_at_any_moment_the_next_command_makes_all_copies_whole(
    three_nodes: list[Node], tmp_path: Path, another_input: bool
) -> None:
    draw, inputs, killed = Random(28 + another_input), cycle(INPUTS), 0
    with collection(three_nodes, tmp_path) as papers, collection(three_nodes, tmp_path) as undisturbed:
        for _ in range(KILLS):
            wanted = next(inputs)
            begin = time.monotonic()
            undisturbed.load(wanted)
            command = papers.command(wanted)
            command.said.poll(draw.uniform(0, time.monotonic() - begin))
            killed += command.runs
            command.kill()
            if another_input:
                wanted = next(inputs)
                undisturbed.load(wanted)
            papers.load(wanted)
            papers.check(wanted)
        assert killed > KILLS // 2
        for one in (papers, undisturbed):
            one.merge()
        assert papers.rankings() == undisturbed.rankings()
        assert all(papers.rankings())


def sends_and_dies(papers: Collection, wanted: dict[str, list[str]], node: socket.socket) -> None:
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


@pytest.mark.parametrize("another_input", [False, True])
def test_a_bulk_that_arrives_after_the_next_command_harms_nothing(
    nodes_to_harm: list[Node], tmp_path: Path, another_input: bool
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
        wanted = INPUTS[0 if another_input else 1]
        papers.load(wanted)
        held.resume()
        late.settimeout(180)
        reply = late.makefile("rb").read()
        assert (b'"status":409' in reply) != another_input, reply
        wait_for(nodes_to_harm)
        if another_input:
            papers.load(wanted)
        unlock(papers.cluster())  # a node that wakes may still create the dead writer's lock
        papers.check(wanted)


def test_a_writer_that_was_stopped_and_unlocked_ends_when_it_wakes(
    three_nodes: list[Node], tmp_path: Path
) -> None:
    with collection(three_nodes, tmp_path) as papers:
        papers.load(INPUTS[0])
        command = papers.command(INPUTS[1], stopping(200))
        command.stopped()
        assert unlock(papers.cluster()).startswith(f"process {command.process.pid} on ")
        papers.load(INPUTS[2])
        command.wake()
        # It reads the lock before each bulk; one that was on its way meets later versions.
        stopped = (
            "another command has taken over; give this",
            "a later command has written here; when it has ended",
        )
        line = command.line()
        assert any(one in line for one in stopped), line
        papers.load(INPUTS[2])  # what was on its way when it stopped
        papers.check(INPUTS[2])


def test_no_clock_decides(three_nodes: list[Node], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second command's clock is an hour behind."""
    now = time.time
    with collection(three_nodes, tmp_path) as papers:
        papers.load(INPUTS[0])
        monkeypatch.setattr(time, "time", lambda: now() - 3600)
        assert papers.command(INPUTS[1]).line() == ""
        papers.check(INPUTS[1])


def test_a_paper_with_a_refused_passage_is_named_and_written_when_it_is_mended(
    three_nodes: list[Node], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with collection(three_nodes, tmp_path) as papers:
        papers.load({**FIRST, "mended": ["one", "two", "three"]})
        papers.load({**FIRST, "mended": ["one", "other", REFUSED, "more"]})
        notes = [line for line in capfd.readouterr().err.splitlines() if "mended" in line]
        assert len(notes) == 1
        assert "mended is left out, since the cluster refuses it" in notes[0]
        papers.check(FIRST, unfinished={"mended": 4})
        papers.load({**FIRST, "mended": ["one", "two"]})
        papers.check({**FIRST, "mended": ["one", "two"]})
