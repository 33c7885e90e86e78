"""Collections of invented papers on real nodes: commands that write them, each a process that a test may kill or
pause, and what every copy of every shard has afterwards."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any
from uuid import uuid4

import msgspec
from tests.cluster.nodes import Node

from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.searching.engines import opensearch
from anagnosis.searching.engines.opensearch.connection import Cluster, Connection
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.entries import being_written, digest, entry, passage_id
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import create_index
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage

Papers = Mapping[str, Sequence[str]]  # document → the texts of its passages
WORDS = ("tea", "sleep", "salt", "fever", "coffee", "pain", "age", "dose", "heart", "lung")
REFUSED = "the cluster refuses this passage"  # its section is too long for a keyword
SECONDS = 60  # for one command
_fork = get_context("fork")  # a command begins at once, with what the test has patched


def invented(count: int, seed: int) -> Papers:
    """So many papers of one to six passages."""
    draw = Random(seed)
    return {f"d{number}": [_text(draw) for _ in range(draw.randint(1, 6))] for number in range(count)}


def revised(papers: Papers, seed: int) -> Papers:
    """The papers with 10 % changed, 5 % shorter and 5 % removed."""
    draw, left = Random(seed), dict(papers)
    for document, texts in papers.items():
        kind = draw.random()
        if kind < 0.1:
            left[document] = [_text(draw) for _ in range(draw.randint(1, 6))]
        elif kind < 0.15:
            left[document] = texts[: max(1, len(texts) - 1)]
        elif kind < 0.2:
            del left[document]
    return left


def _text(draw: Random) -> str:
    return " ".join(draw.choices(WORDS, range(1, len(WORDS) + 1), k=20))


def made(document: str, texts: Sequence[str]) -> tuple[list[Passage], str]:
    """The passages of a paper, and its mark."""
    passages = [
        Passage(document, number, "long" * 10_000 if text == REFUSED else "abstract", "", "", text)
        for number, text in enumerate(texts)
    ]
    return passages, sha256("\n".join(texts).encode()).hexdigest()


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

    def only(self, nodes: list[Node]) -> None:
        """Ask these nodes alone."""
        self.nodes = nodes
        read = read_json(self.place, Connection, "")
        write_json(self.place, msgspec.structs.replace(read, hosts=tuple(node.url for node in nodes)))

    def engine(self) -> OpenSearchEngine:
        return opensearch.open(self.place)

    def cluster(self) -> Cluster:
        return Cluster(read_json(self.place, Connection, ""))

    def load(self, papers: Papers, before_each: Callable[[int], None] = lambda number: None) -> None:
        """What `index` does: write each paper whose mark is another one, remove the rest, commit.

        before_each: called with the number of each paper.
        """
        engine = self.engine()
        try:
            engine.begin()
            there = {one.document: one.mark for one in engine.marks()}
            for number, (document, texts) in enumerate(papers.items()):
                before_each(number)
                passages, mark = made(document, texts)
                if there.get(document) != mark:
                    if document in there:
                        engine.delete(document)
                    engine.add(passages, mark, Paper())
            for document in there.keys() - papers.keys():
                engine.delete(document)
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

    def copies(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """(shard, id → document) of each copy of each shard; the lock and the commit left out."""
        self.green()
        for shard in self.send("GET", f"/_cat/shards/{self.name}*?format=json&h=shard,node"):
            found = self.send(
                "GET",
                f"/{self.name}/_search?preference=_shards:{shard['shard']}|_only_nodes:{shard['node']}",
                {"query": {"exists": {"field": "document"}}, "size": 10_000},
            )
            assert found["_shards"]["successful"] == 1
            yield int(shard["shard"]), {one["_id"]: one["_source"] for one in found["hits"]["hits"]}

    def check(self, papers: Papers, unfinished: Mapping[str, int] = MappingProxyType({})) -> None:
        """Each copy has these papers, their marks and sizes, and nothing else; nobody has the lock.

        unfinished: papers without passages that the next command writes, with their sizes.
        """
        shards: dict[int, list[dict[str, Any]]] = {}
        for shard, documents in self.copies():
            shards.setdefault(shard, []).append(documents)
        assert all(copy == copies[0] for copies in shards.values() for copy in copies)
        there = {ident: one for copies in shards.values() for ident, one in copies[0].items()}
        wanted = {digest(one): json.loads(being_written(one, size)) for one, size in unfinished.items()}
        for document, texts in papers.items():
            written = entry(*made(document, texts), Paper())
            assert written.final is not None
            wanted[digest(document)] = json.loads(written.final)
            for number, source in enumerate(written.passages):
                wanted[passage_id((document, number))] = json.loads(source)
        assert there.keys() == wanted.keys()
        assert there == wanted
        counts = self.engine().committed().counts
        assert (counts.documents, counts.passages) == (len(papers), sum(map(len, papers.values())))
        assert self.lock() is None

    def lock(self) -> dict[str, Any] | None:
        """The document that says who writes."""
        (found,) = self.send("POST", "/_mget", {"docs": [{"_index": self.name, "_id": "lock"}]})["docs"]
        return found.get("_source")

    def home(self, document: str = "lock") -> Node:
        """The node that holds a document of an index without replicas."""
        (shard,) = self.send("GET", f"/{self.name}/_search_shards?routing={document}")["shards"][0]
        (name,) = self.send("GET", f"/_nodes/{shard['node']}/name")["nodes"].values()
        return next(node for node in self.nodes if node.folder.name == name["name"])

    def rankings(self) -> list[list[tuple[str, int, float]]]:
        """What is found, with scores."""
        engine = self.engine()
        asked = [WORDS[:1], WORDS[1:3], WORDS[4:]]
        found = [engine.search(words_query(" ".join(words)), Filters(), 100) for words in asked]
        return [[(hit.passage.document, hit.passage.number, hit.score) for hit in hits] for hits in found]

    def merge(self) -> None:
        """Merge until no copy has a deleted document, which BM25 counts."""
        end = time.monotonic() + 120
        while True:
            for step in (
                "_flush?force=true&wait_if_ongoing=true",
                "_forcemerge?max_num_segments=1",
                "_refresh",
            ):
                self.send("POST", f"/{self.name}/{step}", timeout=120)
            stats = self.send("GET", f"/{self.name}/_stats/docs")
            if not stats["_all"]["total"]["docs"]["deleted"]:
                return
            assert time.monotonic() < end, stats["_all"]
            time.sleep(1)

    def move_a_shard(self, draw: Random) -> None:
        """Move a copy to the node that has none of its shard."""
        copies = self.send("GET", f"/_cat/shards/{self.name}*?format=json&h=index,shard,node,state")
        moved = draw.choice([one for one in copies if one["state"] == "STARTED"])
        homes = {one["node"] for one in copies if one["shard"] == moved["shard"]}
        (other,) = {node.folder.name for node in self.nodes} - {
            name for home in homes for name in home.split()
        }
        to = {
            "index": moved["index"],
            "shard": int(moved["shard"]),
            "from_node": moved["node"],
            "to_node": other,
        }
        self.send("POST", "/_cluster/reroute", {"commands": [{"move": to}]})

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
    """Become the writer, and stop."""
    papers.engine().begin()
    os.kill(os.getpid(), signal.SIGSTOP)


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
        for node in nodes:
            if node.running:
                node.resume()
        made.send("DELETE", f"/{made.name}-*")
