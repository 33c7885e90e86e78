"""Collections of invented papers on real nodes: commands that write them, each a process that a test may kill or
pause, and what every copy of every shard has afterwards."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import msgspec
from tests.cluster.nodes import Node

from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.engines import opensearch
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.entries import stored_in
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import create_index
from anagnosis.searching.papers.records import StoredPaper, record_of
from anagnosis.searching.queries.meaning import words_query

Papers = Mapping[str, str]  # name → text
WORDS = ("tea", "sleep", "salt", "fever", "coffee", "pain", "age", "dose", "heart", "lung")
SECONDS = 60  # for one command
_fork = get_context("fork")  # a command begins at once, with what the test has patched


def invented(count: int, seed: int) -> Papers:
    """So many papers."""
    draw = Random(seed)
    return {f"d{number}": _text(draw) for number in range(count)}


def revised(papers: Papers, seed: int) -> Papers:
    """The papers with 10 % changed, 5 % removed and a few new ones."""
    draw, left = Random(seed), dict(papers)
    for name in papers:
        kind = draw.random()
        if kind < 0.1:
            left[name] = _text(draw)
        elif kind < 0.15:
            del left[name]
    return left | {f"{seed}-{number}": _text(draw) for number in range(10)}


def _text(draw: Random) -> str:
    return " ".join(draw.choices(WORDS, range(1, len(WORDS) + 1), k=20))


def made(name: str, text: str) -> StoredPaper:
    """A paper."""
    return StoredPaper(name, (record_of(Document(name, (Section("abstract", text),)), "", 1),))


@dataclass
class Command:
    """A process that writes."""

    process: Any
    said: Any

    @property
    def runs(self) -> bool:
        return self.process.is_alive()

    def line(self, seconds: float = SECONDS) -> str:
        """The line with which it ends; "" if it has done its work."""
        assert self.said.poll(seconds), f"it still runs after {seconds} s"
        said = self.said.recv()
        self.process.join(SECONDS)
        return said

    def kill(self) -> None:
        self.process.kill()
        self.process.join(SECONDS)

    def stopped(self) -> None:
        """Wait until it has stopped itself."""
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        assert self.runs

    def wake(self) -> None:
        os.kill(self.process.pid, signal.SIGCONT)


@dataclass
class Collection:
    """An index of a test's own."""

    nodes: list[Node]
    folder: Path
    commands: list[Command]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def file(self) -> Path:
        """What a user says of it."""
        return self.folder.with_suffix(".toml")

    @property
    def place(self) -> Path:
        """What the index folder has of the cluster."""
        return self.folder / "opensearch"

    def send(self, method: str, path: str, body: object = None, **others: Any) -> Any:
        """Ask the first node that runs."""
        return next(node for node in self.nodes if node.running).send(method, path, body, **others)

    def engine(self) -> OpenSearchEngine:
        return opensearch.open(self.place)

    def load(self, papers: Papers, before_each: Callable[[int], None] = lambda number: None) -> None:
        """What `index` does: write each paper that is another one, remove the rest, commit.

        before_each: called with the number of each paper.
        """
        engine = self.engine()
        try:
            engine.begin()
            there = {stored.name: stored for stored in engine.every()}
            engine.with_keys([f"id:{name}" for name in papers])
            for number, (name, text) in enumerate(papers.items()):
                before_each(number)
                if there.get(name) != (paper := made(name, text)):
                    engine.put(paper)
            for name in there.keys() - papers.keys():
                engine.delete(name)
            engine.commit()
        finally:
            engine.close()

    def command(self, papers: Papers, before_each: Callable[[int], None] = lambda number: None) -> Command:
        """`load` in a process of its own."""
        return self.start(partial(self.load, papers, before_each))

    def start(self, work: Callable[[], object]) -> Command:
        heard, said = _fork.Pipe(duplex=False)
        process = _fork.Process(target=_run, args=(work, said, self.nodes), daemon=True)
        process.start()
        said.close()
        self.commands.append(Command(process, heard))
        return self.commands[-1]

    def check(self, papers: Papers) -> None:
        """Each copy has these papers and nothing else; nobody has the lease."""
        self.green()
        shards: dict[str, list[dict[str, Any]]] = {}
        for shard in self.send("GET", f"/_cat/shards/{self.name}*?format=json&h=shard,node"):
            found = self.send(
                "GET",
                f"/{self.name}/_search?preference=_shards:{shard['shard']}|_only_nodes:{shard['node']}",
                {"query": {"exists": {"field": "name"}}, "size": 10_000},
            )
            assert found["_shards"]["successful"] == 1
            copy = {one["_id"]: one["_source"] for one in found["hits"]["hits"]}
            shards.setdefault(shard["shard"], []).append(copy)
        assert all(copy == copies[0] for copies in shards.values() for copy in copies)
        every = [one for copies in shards.values() for one in copies[0].values()]
        there = {one["name"]: stored_in(one["stored"]) for one in every}
        assert len(there) == len(every)
        assert there == {name: made(name, text) for name, text in papers.items()}
        committed = self.engine().committed()
        assert committed.version
        assert committed.counts.documents == len(papers)
        assert self.lease() is None

    def lease(self) -> dict[str, Any] | None:
        """The document that says who writes."""
        (found,) = self.send("POST", "/_mget", {"docs": [{"_index": self.name, "_id": "lease"}]})["docs"]
        return found.get("_source")

    def home(self) -> Node:
        """The node that holds the lease of an index without replicas."""
        (shard,) = self.send("GET", f"/{self.name}/_search_shards?routing=lease")["shards"][0]
        (name,) = self.send("GET", f"/_nodes/{shard['node']}/name")["nodes"].values()
        return next(node for node in self.nodes if node.folder.name == name["name"])

    def rankings(self) -> list[list[tuple[str, float]]]:
        """What is found, with scores."""
        engine = self.engine()
        asked = [WORDS[:1], WORDS[1:3], WORDS[4:]]
        found = [engine.search(words_query(" ".join(words)), Filters(), 100) for words in asked]
        return [[(one.stored.name, one.score) for one in papers] for papers in found]

    def green(self) -> None:
        health = f"/_cluster/health/{self.name}?wait_for_status=green&timeout=50s&wait_for_no_relocating_shards=true"
        assert not self.send("GET", health)["timed_out"]

    def set(self, **settings: Any) -> None:
        """Change settings of the index."""
        self.send("PUT", f"/{self.name}/_settings", settings)


def _run(work: Callable[[], object], said: Any, nodes: Sequence[Node]) -> None:
    for node in nodes:  # a node ends when the test's process does, whatever becomes of this one
        if node.process is not None and node.process.stdin is not None:
            node.process.stdin.close()
    try:
        work()
    except InputError as fault:
        said.send(str(fault))
    except BaseException as fault:
        said.send(repr(fault))
        raise
    else:
        said.send("")


def begins(papers: Collection) -> None:
    """Become the writer, and wait for the end."""
    papers.engine().begin()
    time.sleep(SECONDS)


def stopping(at: int) -> Callable[[int], None]:
    """For `before_each`: the process stops itself before the paper of this number."""
    return lambda number: os.kill(os.getpid(), signal.SIGSTOP) if number == at else None


@contextmanager
def collection(
    nodes: list[Node], folder: Path, *, shards: int = 3, replicas: int = 1
) -> Iterator[Collection]:
    """A new index, empty. Processes that are left of it are killed, and the index is deleted."""
    file = folder / f"faults-{uuid4().hex}.toml"
    keys = {"hosts": [node.url for node in nodes], "index": file.stem, "shards": shards, "replicas": replicas}
    file.write_bytes(msgspec.toml.encode(keys))
    create_index(folder / file.stem, "opensearch", file).close()
    made = Collection(nodes, folder / file.stem, [])
    try:
        yield made
    finally:
        for command in made.commands:
            if command.runs:
                command.kill()
        made.send("DELETE", f"/{made.name}-*")
