"""Nodes join, keep their data over a kill, and never outlive the process that started them."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.cluster import fixtures
from tests.cluster import nodes as module
from tests.cluster.fixtures import QUICK, unavailable
from tests.cluster.nodes import Node, jars, java, nodes, wait_for
from tests.rows import each_row

from anagnosis.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
TINY = {"settings": {"number_of_shards": 1, "number_of_replicas": 2}}
ALONE = {"settings": {"number_of_replicas": 0}}


def test_three_nodes_are_one_green_cluster(three_nodes: list[Node]) -> None:
    for node in three_nodes:
        health = node.send("GET", "/_cluster/health")
        assert (health["status"], health["number_of_nodes"]) == ("green", 3)
        assert node.send("GET", "/")["version"]["number"] == "3.8.0"


def test_a_killed_node_started_again_is_the_same_with_its_data(nodes_to_harm: list[Node]) -> None:
    killed, other = nodes_to_harm[:2]
    killed.send("PUT", "/kept?wait_for_active_shards=all", TINY)
    try:
        killed.send("PUT", "/kept/_doc/1?refresh=true", {"is": "kept"})
        before = [*killed.send("GET", "/_nodes/_local")["nodes"]]
        killed.kill()
        wait_for(nodes_to_harm[1:], "yellow")
        other.send("POST", "/kept/_bulk?refresh=true", '{"index": {"_id": "2"}}\n{"is": "new"}\n')
        killed.start()
        wait_for(nodes_to_harm)
        assert [*killed.send("GET", "/_nodes/_local")["nodes"]] == before
        assert killed.send("GET", "/kept/_count?preference=_local")["count"] == 2
    finally:
        other.send("DELETE", "/kept")


def test_a_paused_node_is_given_up_and_joins_again(nodes_to_harm: list[Node]) -> None:
    paused = nodes_to_harm[2]
    paused.pause()
    wait_for(nodes_to_harm[:2], seconds=60)
    with pytest.raises(OSError, match="timed out"):
        paused.send("GET", "/", timeout=1)
    paused.resume()
    wait_for(nodes_to_harm)


def test_nodes_end_with_their_block_and_start_again_with_their_data(one_node: Node, tmp_path: Path) -> None:
    """`one_node` skips the test where nothing can be started; so it does below."""
    ports = []
    for method, path, body in (("PUT", "/kept", ALONE), ("GET", "/kept/_settings", None)):
        with suppress(KeyboardInterrupt), nodes(tmp_path, "line-3", 1, options=QUICK) as (node,):
            node.send(method, path, body)
            ports.append(node.port)
            raise KeyboardInterrupt
        assert not _listens(node.port)
    assert ports[0] == ports[1] != one_node.port


@each_row("number", [signal.SIGTERM, signal.SIGKILL])
def test_even_a_paused_node_ends_with_the_process_that_started_it(
    one_node: Node, tmp_path: Path, number: int
) -> None:
    program = f"""
import os
from pathlib import Path
from tests.cluster.nodes import nodes
with nodes(Path({str(tmp_path)!r}), "line-3", 1, options={QUICK}) as (node,):
    node.pause()
    print(node.port, flush=True)
    os.kill(os.getpid(), {int(number)})
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert done.returncode == -number
    end = time.monotonic() + 60
    while _listens(int(done.stdout)):
        assert time.monotonic() < end
        time.sleep(0.1)


def _listens(port: int) -> bool:
    """Whether a process, perhaps a paused one, has that port."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_missing_jars_or_jdk_skip_in_one_line_and_fail_where_they_must_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JAVA_HOME", "PATH", "CI"):
        monkeypatch.setenv(name, "")
    for name in ("JAVA_HOMES", "BESIDE", "FETCHED"):
        monkeypatch.setattr(module, name, tmp_path / name)
    monkeypatch.setenv(module.SETTING, str(tmp_path))
    with pytest.raises(InputError, match=r"no jars of OpenSearch \(line-3\); let ANAGNOSIS_OPENSEARCH_JARS"):
        jars("line-3")
    (tmp_path / "line-3").mkdir()
    (tmp_path / "line-3/a.jar").touch()
    assert jars("line-3") == tmp_path / "line-3"
    old = tmp_path / "JAVA_HOMES/java-17"
    (old / "bin").mkdir(parents=True)
    (old / "bin/javac").touch()
    (old / "release").write_text('IMPLEMENTOR="Debian"\nJAVA_VERSION="17.0.15"\n')
    assert java("line-2") == old / "bin/java"
    with pytest.raises(InputError, match="no JDK of Java 21 or later") as missing:
        java("line-3")
    with pytest.raises(pytest.skip.Exception, match="no JDK of Java 21 or later"):
        unavailable(missing.value)
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(fixtures, "BESIDE", tmp_path)
    with pytest.raises(pytest.fail.Exception, match="no JDK of Java 21 or later"):
        unavailable(missing.value)
