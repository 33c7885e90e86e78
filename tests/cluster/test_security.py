"""The published security plugin: who may read, who may write, and whose certificate is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from uuid import uuid4

import msgspec
import pytest
from tests.cluster.loads import invented, made
from tests.cluster.nodes import Node
from tests.cluster.security import PASSWORD, Security
from tests.cluster.test_reader_faults import READING

from anagnosis.errors import InputError
from anagnosis.searching.engines import Engine, opensearch
from anagnosis.searching.engines.opensearch.connection import read_connection
from anagnosis.searching.index.index import create_index

# The least that a user needs (docs/cluster.md): permissions of the cluster, and of the index.
READER = (
    ("cluster:monitor/main", "indices:data/read/msearch"),
    (
        "indices:admin/aliases/get",
        "indices:admin/mappings/get",
        "indices:data/read/search",
    ),
)
WRITER = (
    (*READER[0], "cluster:monitor/health", "indices:data/write/bulk"),
    (
        *READER[1],
        "indices:admin/refresh*",
        "indices:data/read/get",
        "indices:data/write/bulk[s]",
        "indices:data/write/delete",
        "indices:data/write/index",
    ),
)
# Who also makes an index.
OWNER = (WRITER[0], (*WRITER[1], "indices:admin/aliases", "indices:admin/create"))


@pytest.fixture
def security(secure_node: Node) -> Security:
    assert secure_node.security is not None
    return secure_node.security


class Secured:
    """An index folder of a user, and what others say of the same index."""

    def __init__(self, node: Node, folder: Path) -> None:
        assert node.security is not None
        self.node, self.folder, self.name = node, folder, f"secure-{uuid4().hex}"
        self.ca = node.security.folder / "ca.pem"

    def file(self, user: str = "administrator", **other: object) -> Path:
        """A user's file."""
        keys = {
            "hosts": [self.node.url],
            "index": self.name,
            "shards": 1,
            "replicas": 0,
            "ca": str(self.ca),
            "user": user,
            "password_env": "PASSWORD_OF_TEST",
        }
        path = self.folder / f"{uuid4().hex}.toml"
        path.write_bytes(msgspec.toml.encode({**keys, **other}))
        return path

    def engine(self, user: str = "administrator", **other: object) -> opensearch.OpenSearchEngine:
        """The index as another user sees it."""
        from anagnosis.io.files import write_json

        place = self.folder / uuid4().hex
        write_json(place, read_connection(self.file(user, **other)))
        return opensearch.open(place)

    def give(self, user: str, cluster: tuple[str, ...], index: tuple[str, ...]) -> None:
        """Let a user do this, and nothing else."""
        with suppress(
            HTTPError
        ):  # the plugin lets everybody do some of it, until an administrator takes that back
            self.node.send("DELETE", "/_plugins/_security/api/rolesmapping/own_index")
        of_index = [{"index_patterns": [f"{self.name}*"], "allowed_actions": index}]
        role = {"cluster_permissions": cluster, "index_permissions": of_index}
        self.node.send("PUT", "/_plugins/_security/api/roles/tried", role)
        self.node.send("PUT", "/_plugins/_security/api/rolesmapping/tried", {"users": [user]})


@pytest.fixture
def secured(secure_node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Secured]:
    monkeypatch.setenv("PASSWORD_OF_TEST", PASSWORD)
    made = Secured(secure_node, tmp_path)
    index = create_index(tmp_path / "index", "opensearch", made.file())
    write(index.engine)
    yield made
    secure_node.send("DELETE", f"/{made.name}-*")


def write(engine: Engine, seed: int = 1) -> None:
    try:
        engine.begin()
        for name, text in invented(5, seed).items():
            engine.put(made(name, text))
        engine.delete(f"d{seed}")
        engine.commit()
    finally:
        engine.close()


def read(engine: opensearch.OpenSearchEngine) -> None:
    for ask in READING.values():
        ask(engine)


def test_these_permissions_are_enough_to_read(secured: Secured) -> None:
    secured.give("newcomer", *READER)
    read(secured.engine("newcomer"))
    missing = r"no permissions for \[indices:data/read/get\].*\); let the user do it \(docs/cluster.md\)"
    with pytest.raises(InputError, match=rf"the cluster answers 403 \({missing}"):
        write(secured.engine("newcomer"))


def test_these_permissions_are_enough_to_write(secured: Secured) -> None:
    secured.give("newcomer", *WRITER)
    write(secured.engine("newcomer"), seed=2)
    read(secured.engine("newcomer"))


def test_these_permissions_are_enough_to_make_an_index(
    secure_node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSWORD_OF_TEST", PASSWORD)
    own, place = Secured(secure_node, tmp_path), tmp_path / "index" / "opensearch"
    own.give("newcomer", *OWNER)
    try:
        write(create_index(place.parent, "opensearch", own.file("newcomer")).engine)
        read(opensearch.open(place))
    finally:
        secure_node.send("DELETE", f"/{own.name}-*")


def test_another_authority_is_not_trusted(secured: Secured, security: Security) -> None:
    with pytest.raises(
        InputError,
        match=r"the certificate is not trusted \(unable to get local issuer certificate\); name the right `ca`",
    ):
        secured.engine(ca=str(security.folder / "other.pem"))
