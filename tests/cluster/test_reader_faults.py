"""Readers see whole papers whatever happens meanwhile, and are told in one line what the cluster cannot answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cluster.loads import WORDS, Collection, collection, invented
from tests.cluster.nodes import Node

from anagnosis import cli
from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch import writing
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.records.expansion import Defined

READS = 500
NOTHING = Filters()
QUERY = words_query("tea sleep")
# Each method that reads, with what it is asked
READING: dict[str, Callable[[OpenSearchEngine], Any]] = {
    "search": lambda engine: engine.search(QUERY, NOTHING, 10),
    "by date": lambda engine: engine.search(QUERY, NOTHING, 10, sort="date"),
    "facets": lambda engine: engine.facets(QUERY, NOTHING, 5),
    "numbers": lambda engine: engine.facets(QUERY, NOTHING, 0),
    "passages": lambda engine: engine.passages([("d1", 0)]),
    "passages that meet a query": lambda engine: engine.passages([("d1", 0)], QUERY),
    "papers": lambda engine: engine.papers(["d1"]),
    "every mark": lambda engine: list(engine.marks()),
    "marks": lambda engine: list(engine.marks(["d1"])),
    "marks by alias": lambda engine: list(engine.marks([], aliases=["other"])),
    "frequency": lambda engine: engine.frequency(["tea"]),
    "completions": lambda engine: engine.terms(tree.TITLE, "t", 5),
    "near words": lambda engine: engine.terms(tree.TITLE, "sleap", 5, near=True),
    "names": lambda engine: engine.terms(tree.JOURNAL, "t", 5),
    "near names": lambda engine: engine.terms(tree.JOURNAL, "t", 5, near=True),
    "short forms": lambda engine: engine.definitions([Defined("IL")]),
    "long forms": lambda engine: engine.definitions([Defined(long="interleukin")]),
    "commit": lambda engine: engine.committed(),
}


def test_without_one_of_three_shards_nothing_is_answered(
    nodes_to_harm: list[Node],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(Cluster.send.__kwdefaults__, "seconds", 5.0)
    with collection(nodes_to_harm, tmp_path, replicas=0) as papers:
        papers.load(invented(30, seed=1))
        engine = papers.engine()
        for ask in READING.values():
            ask(engine)
        papers.home().kill()
        for opened in (engine, papers.engine()):
            for name, ask in READING.items():
                with pytest.raises(InputError, match=r"not all shards answer|2 of 3 shards answered"):
                    raise AssertionError(name, ask(opened))
        assert cli.run(["search", str(papers.folder), "tea"]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert ["not all shards answer" in line for line in lines[-2:]] == [
            False,
            True,
        ]  # first: a load is unfinished


def versions(papers: Collection, documents: int) -> None:
    """Write every paper again and again, with another number of passages."""
    draw = Random(1)
    for version in count(1):
        sizes = [draw.randint(1, 6) for _ in range(documents)]
        papers.load(
            {f"d{n}": [f"version {version} {size} " + " ".join(WORDS)] * size for n, size in enumerate(sizes)}
        )


def test_no_half_paper_is_read_while_papers_are_written_and_shards_move(
    three_nodes: list[Node], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MOST_LINES", 60)
    draw, seen = Random(5), set[str]()
    with collection(three_nodes, tmp_path) as papers:
        writer = papers.start(lambda: versions(papers, 100))
        engine = papers.engine()
        for number in range(READS):
            if number % 100 == 50:
                papers.move_a_shard(draw)
            document = f"d{draw.randrange(100)}"
            found = [one for one in engine.passages([(document, at) for at in range(8)]) if one is not None]
            if found:
                assert len({one.text for one in found}) == 1
                _, version, size, *_ = found[0].text.split()
                assert [one.number for one in found] == list(range(int(size)))
                seen.add(version)
        assert writer.runs
        assert len(seen) > 1
        writer.kill()
