"""Real OpenSearch nodes on free loopback ports of this machine: for tests, and for a trial by hand.

    python -m tests.cluster.nodes FOLDER

starts three nodes, writes FOLDER/cluster.toml, and ends the nodes at Ctrl-C. Started again, they still have their data.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

from anagnosis.errors import InputError

if TYPE_CHECKING:
    from tests.cluster.security import Security

HERE = Path(__file__).resolve().parent
BESIDE = HERE.parents[2] / "shared" / "opensearch"
FETCHED = HERE.parents[1] / "build" / "opensearch"
JAVA_HOMES = Path("/usr/lib/jvm")  # where Debian puts them
SETTING = "ANAGNOSIS_OPENSEARCH_JARS"
OLDEST_JAVA = {"line-3": 21, "line-2": 11}
# Below the ports that systems give to clients: none takes the port of a node that is down for a while.
PORTS = range(20_000, 32_000)
START = 180  # seconds
SETTINGS = {
    "network.host": "127.0.0.1",
    "node.store.allow_mmap": False,
    "cluster.routing.allocation.disk.threshold_enabled": False,
    # A node that is silent is given up after about ten seconds; by default after 65.
    "cluster.fault_detection.leader_check.timeout": "3s",
    "cluster.fault_detection.follower_check.timeout": "3s",
    "cluster.publish.timeout": "5s",
}


def jars(line: str) -> Path:
    """The folder of a release line's jars: where SETTING points, beside the checkout, or fetched by `fetch`."""
    for place in map(Path, filter(None, [os.environ.get(SETTING), BESIDE, FETCHED])):
        if any((place / line).glob("*.jar")):
            return place / line
    raise InputError(
        f"no jars of OpenSearch ({line})",
        remedy=f"let {SETTING} name the folder that holds {line}, or run make cluster",
    )


def fetch(line: str) -> None:
    """Put the jars into FETCHED by Maven."""
    copy = ["dependency:copy-dependencies", f"-DoutputDirectory={FETCHED / line}"]
    try:
        subprocess.run(["mvn", "-q", "-f", HERE / "pom.xml", "-P", line, *copy], check=True)
    except (OSError, subprocess.CalledProcessError) as fault:
        raise InputError("Maven did not fetch the jars of OpenSearch", remedy=f"see why: {fault}") from None


def java(line: str) -> Path:
    """The program of the first JDK that is new enough: of JAVA_HOME, of the PATH, then of Debian's folders."""
    javac = shutil.which("javac")
    named = [os.environ.get("JAVA_HOME"), javac and Path(javac).resolve().parents[1]]
    for home in [*map(Path, filter(None, named)), *sorted(JAVA_HOMES.glob("*"))]:
        # A JRE lacks the compiler, which a source file needs.
        if (home / "bin/javac").exists() and (home / "release").exists():
            version = re.search(r'^JAVA_VERSION="(\d+)', (home / "release").read_text(), re.MULTILINE)
            if version and int(version[1]) >= OLDEST_JAVA[line]:
                return home / "bin/java"
    raise InputError(
        f"no JDK of Java {OLDEST_JAVA[line]} or later for OpenSearch ({line})",
        remedy="install one (Debian: openjdk-21-jdk-headless) or let JAVA_HOME name its folder",
    )


@dataclass(eq=False)
class Node:
    """One node, a process of its own. It keeps folder, ports and data over all starts."""

    folder: Path
    port: int
    command: Sequence[str | Path]
    security: Security | None = None
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"http{'s' * (self.security is not None)}://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the process; `wait_for` waits until it takes part in the cluster."""
        assert not self.running
        with (self.folder / "output.txt").open("ab") as output:
            # The node ends itself when its input does. In a group of its own it is spared by Ctrl-C, and the system
            # wakes it, should it be paused when this process ends.
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=output, stderr=output, process_group=0
            )

    def kill(self) -> None:
        """SIGKILL."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate(timeout=60)

    def send(self, method: str, path: str, body: object = None, *, timeout: float = 60) -> Any:
        """The reply, read as JSON where it is JSON. A status of 400 or more raises urllib.error.HTTPError.

        body: JSON lines as text; anything else is turned to JSON.
        """
        data = body if isinstance(body, str | None) else json.dumps(body)
        request = Request(
            self.url + path, data and data.encode(), {"Content-Type": "application/json"}, method=method
        )
        handlers = [ProxyHandler({})]
        if self.security is not None:
            request.add_header("Authorization", self.security.authorization())
            handlers.append(HTTPSHandler(context=self.security.context()))
        with build_opener(*handlers).open(request, timeout=timeout) as reply:
            text = reply.read().decode()
            return json.loads(text) if "json" in reply.headers.get("Content-Type", "") and text else text


@contextmanager
def nodes(
    folder: Path,
    line: str,
    count: int,
    *,
    settings: Mapping[str, Any] | None = None,
    options: Sequence[str] = (),
    security: Security | None = None,
) -> Iterator[list[Node]]:
    """So many nodes of one cluster, joined and green; the block's end ends them, however it comes.

    folder: what they keep. Nodes that were started there before have their ports and their data. settings: in addition
    to SETTINGS. options: of Java, in addition to its heap.
    """
    path, plugins = f"{jars(line)}/*", []
    settings = {**SETTINGS, **(settings or {})}
    if security is not None:
        path, plugins = f"{path}:{jars('security-2')}/*", [security.PLUGIN]
        settings |= security.SETTINGS
    start = [java(line), "-Xms512m", "-Xmx512m", "-XX:-UsePerfData", *options, "-cp", path]
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "ports.json"
    if not kept.exists():
        kept.write_text(json.dumps(_free_ports(2 * count)))
    ports = json.loads(kept.read_text())
    assert len(ports) == 2 * count, "these nodes were another number"
    names = [f"node{number}" for number in range(count)]
    found: list[Node] = []
    for name, port, transport in zip(names, ports, ports[count:]):
        place = folder / name
        (place / "tmp").mkdir(parents=True, exist_ok=True)
        own = {
            "cluster.name": f"anagnosis-{ports[0]}",
            "node.name": name,
            "http.port": port,
            "transport.port": transport,
            "discovery.seed_hosts": [f"127.0.0.1:{other}" for other in ports[count:]],
            "cluster.initial_cluster_manager_nodes": names,
            "path.repo": [str(folder / "snapshots")],
        }
        (place / "opensearch.yml").write_text(json.dumps({**own, **settings}, indent=1))  # JSON is YAML, too
        if security is not None:
            security.install(place / "node_1/config")
        command = [*start, f"-Djava.io.tmpdir={place / 'tmp'}", HERE / "Node.java", place, *plugins]
        found.append(Node(place, port, command, security))
    try:
        for node in found:
            node.start()
        wait_for(found)
        yield found
    finally:
        for node in found:
            if node.running:
                node.kill()


def _free_ports(count: int) -> list[int]:
    free: list[int] = []
    for port in random.sample(PORTS, len(PORTS)):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            free.append(port)
        if len(free) == count:
            return free
    raise InputError("too few free ports", f"127.0.0.1:{PORTS.start}-{PORTS.stop - 1}", "end other programs")


def wait_for(cluster: Sequence[Node], status: str = "green", seconds: float = START) -> None:
    """Wait until each of these nodes sees a cluster of just as many, in that state."""
    end = time.monotonic() + seconds
    for node in cluster:
        while not _sees(node, len(cluster), status):
            if not node.running or time.monotonic() > end:
                output = (node.folder / "output.txt").read_text(errors="replace").splitlines()
                fault = f"is not {status} after {seconds} s" if node.running else "has ended"
                raise RuntimeError("\n".join([f"{node.folder.name} {fault}; its last lines:", *output[-20:]]))
            time.sleep(0.2)


def _sees(node: Node, count: int, status: str) -> bool:
    asked = f"/_cluster/health?wait_for_nodes={count}&wait_for_status={status}&timeout=1s"
    try:
        return not node.send("GET", asked, timeout=5)["timed_out"]
    except (OSError, HTTPException):
        return False


def main(folder: Path) -> None:
    """Three nodes, until Ctrl-C."""
    try:
        jars("line-3")
    except InputError:
        fetch("line-3")
    with nodes(folder, "line-3", 3) as started:
        connection = folder / "cluster.toml"
        connection.write_text(f'hosts = {json.dumps([node.url for node in started])}\nindex = "papers"\n')
        print(f"Three nodes run; {connection} names them. Ctrl-C ends them.", flush=True)
        signal.pause()


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except (InputError, RuntimeError) as fault:
        sys.exit(str(fault))
    except KeyboardInterrupt:
        pass
