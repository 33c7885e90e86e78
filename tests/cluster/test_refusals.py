"""What a cluster refuses, and what is no cluster of ours: one line each, which says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path

import pytest
from tests.cluster.loads import Collection, begins, collection, invented, made, stopping
from tests.cluster.nodes import Node
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.searching.engines import opensearch
from anagnosis.searching.engines.opensearch import lease
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.meaning import words_query

FEW = invented(30, seed=1)
WRITES = r"another command is writing \(process {} on .*\); give this one again when that has ended"


@pytest.fixture
def papers(three_nodes: list[Node], tmp_path: Path) -> Iterator[Collection]:
    with collection(three_nodes, tmp_path) as made:
        yield made


def test_of_six_writers_at_once_one_writes(papers: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    six = [papers.start(partial(begins, papers)) for _ in range(6)]
    lines = list[str]()
    while len(lines) < 5:
        ready = wait([one.said for one in six], 60)
        assert ready
        lines += [one.line() for one in six if one.said in ready]
        six = [one for one in six if one.said not in ready]
    (winner,) = six
    with pytest.raises(InputError, match=WRITES.format(winner.process.pid)):
        papers.load(FEW)
    for line in lines:
        assert f"another command is writing (process {winner.process.pid} on " in line
    winner.kill()
    monkeypatch.setattr(lease, "LEASE", 2.0)
    papers.load(FEW)
    papers.check(FEW)


def test_an_index_deleted_while_in_use_is_said_and_not_made_again(papers: Collection) -> None:
    writer, reader = papers.engine(), papers.engine()
    writer.begin()
    writer.put(made("d1", "tea"))
    papers.send("DELETE", f"/{papers.name}-*")
    gone = r"the cluster answers 404 \(no such index .*; make the index again"
    with pytest.raises(InputError, match=gone):
        reader.search(words_query("tea"), Filters(), 10)
    with pytest.raises(InputError, match=gone):
        writer.commit()
    writer.close()
    assert papers.send("GET", f"/_cat/indices/{papers.name}*") == ""
    with pytest.raises(InputError, match=f"the cluster has no index {papers.name}; make the index again"):
        papers.engine()


@each_row("mapping", [{}, {"properties": {"title": {"type": "text"}}}])
def test_a_foreign_index_is_refused(papers: Collection, mapping: dict[str, object]) -> None:
    node = papers.nodes[0]
    node.send("DELETE", f"/{papers.name}-*")
    node.send("PUT", f"/{papers.name}-1", {"aliases": {papers.name: {}}, "mappings": mapping})
    theirs = (
        f"the index {papers.name} is another program's, or another version's; name another `index`, or delete"
    )
    with pytest.raises(InputError, match=theirs):
        papers.engine()
    with pytest.raises(InputError, match=theirs):
        opensearch.create(papers.place.with_suffix(".other"), papers.file)


def test_a_blocked_disk_stops_a_load(papers: Collection) -> None:
    blocked = (
        r"the cluster answers \d+ \(.*; free disk space on its nodes, remove the block, and give the same"
    )
    command = papers.command(FEW, stopping(20))
    command.stopped()
    papers.set(**{"index.blocks.read_only_allow_delete": True})
    command.wake()
    assert re.search(blocked, command.line())
    with pytest.raises(InputError, match=blocked):
        papers.load(FEW)
    papers.set(**{"index.blocks.read_only_allow_delete": None})
    papers.load(FEW)
    papers.check(FEW)
