"""Nodes for the tests of every folder; a test that takes one of these fixtures is marked `cluster`.

The nodes run until the session ends, so a test makes an index of a name of its own. One that stops nodes takes
`nodes_to_harm`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from tests.cluster.nodes import BESIDE, Node, nodes, wait_for
from tests.cluster.security import Security

from anagnosis.errors import InputError

# A node compiles itself once, not twice, and so starts in half of the time.
QUICK = ("-XX:TieredStopAtLevel=1",)
StartNodes = Callable[..., list[Node]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "start_nodes" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.cluster)


@pytest.fixture(scope="session")
def start_nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartNodes]:
    """`nodes` without the folder; it skips the test where jars or JDK are missing."""
    with ExitStack() as started:

        def start(*arguments: object, **others: object) -> list[Node]:
            folder = tmp_path_factory.mktemp("nodes")
            try:
                return started.enter_context(nodes(folder, *arguments, **{"options": QUICK, **others}))
            except InputError as missing:
                unavailable(missing)

        yield start


def unavailable(missing: InputError) -> None:
    """Skip the test; fail it where continuous integration has the jars, so that these tests are never lost unseen."""
    (pytest.fail if os.environ.get("CI") and BESIDE.is_dir() else pytest.skip)(str(missing))


@pytest.fixture(scope="session")
def one_node(start_nodes: StartNodes) -> Node:
    """A cluster of one node of line 3."""
    return start_nodes("line-3", 1)[0]


@pytest.fixture(scope="session")
def three_nodes(start_nodes: StartNodes) -> list[Node]:
    """A cluster of three nodes of line 3."""
    return start_nodes("line-3", 3)


@pytest.fixture
def nodes_to_harm(three_nodes: list[Node]) -> Iterator[list[Node]]:
    """The three nodes; after the test all run again."""
    yield three_nodes
    for node in three_nodes:
        if not node.running:
            node.start()
    wait_for(three_nodes, "red")


@pytest.fixture(scope="session")
def line_2_node(start_nodes: StartNodes) -> Node:
    """A cluster of one node of line 2."""
    return start_nodes("line-2", 1)[0]


@pytest.fixture(scope="session")
def secure_node(start_nodes: StartNodes, tmp_path_factory: pytest.TempPathFactory) -> Node:
    """A cluster of one node of line 2 with the security plugin."""
    try:
        security = Security.made(tmp_path_factory.mktemp("certificates"))
    except InputError as missing:
        unavailable(missing)
    return start_nodes("line-2", 1, security=security)[0]
