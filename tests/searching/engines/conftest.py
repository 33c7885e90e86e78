"""An engine of the table, with four papers; of a cluster one in one shard, and one in three with a copy of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from tests.searching.engines import contract_trial
from tests.searching.engines.contract_trial import EngineTrial

from anagnosis.searching.engines import engine_module

# The engine → the fixture of its nodes, shards and copies
CLUSTERS = {
    "opensearch": ("one_node", 1, 0),
    "opensearch, line 2": ("line_2_node", 1, 0),
    "opensearch, three nodes": ("three_nodes", 3, 1),
}
TRIALS = ("embedded", *(pytest.param(name, marks=pytest.mark.cluster) for name in CLUSTERS))


@pytest.fixture(params=TRIALS)
def trial(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EngineTrial]:
    settings = None
    if request.param in CLUSTERS:
        fixture, shards, replicas = CLUSTERS[request.param]
        nodes = request.getfixturevalue(fixture)
        hosts = [node.url for node in (nodes if isinstance(nodes, list) else [nodes])]
        settings = tmp_path / "cluster.toml"
        keys = {"hosts": hosts, "index": f"trial-{uuid4().hex}", "shards": shards, "replicas": replicas}
        settings.write_bytes(msgspec.toml.encode(keys))
    module = engine_module(request.param.partition(",")[0])
    with contract_trial.trial(module, tmp_path / "engine", settings) as made:
        yield made
    module.remove(made.place)
