"""Readers are told in one line what the cluster cannot answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.loads import collection, invented
from tests.cluster.nodes import Node

from anagnosis import cli
from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.meaning import words_query

NOTHING = Filters()
QUERY = words_query("tea sleep")
# Each method that reads, with what it is asked
READING: dict[str, Callable[[OpenSearchEngine], Any]] = {
    "search": lambda engine: engine.search(QUERY, NOTHING, 10),
    "by date": lambda engine: engine.search(QUERY, NOTHING, 10, sort="date"),
    "facets": lambda engine: engine.facets(QUERY, NOTHING, 5),
    "numbers": lambda engine: engine.facets(QUERY, NOTHING, 0),
    "meeting": lambda engine: engine.meeting(["d1"], QUERY, NOTHING),
    "papers": lambda engine: engine.papers(["d1"]),
    "keys": lambda engine: engine.with_keys(["id:d1"]),
    "every paper": lambda engine: list(engine.every()),
    "rarity": lambda engine: engine.rarity(["tea"]),
    "words": lambda engine: engine.names(tree.TITLE, "t", 5),
    "names": lambda engine: engine.names(tree.JOURNAL, "t", 5),
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
                with pytest.raises(InputError, match=r"the cluster answers 50[03]|2 of 3 shards answered"):
                    raise AssertionError(name, ask(opened))
        assert cli.run(["search", str(papers.folder), "tea"]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert ["the cluster answers 50" in line for line in lines[-2:]] == [
            False,
            True,
        ]  # first: a load is unfinished
