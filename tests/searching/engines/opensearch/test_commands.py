"""Commands over a cluster: what `check` tells of it, and another connection to the same index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.cluster.nodes import Node

pytest.importorskip("opensearchpy", reason="the extra opensearch is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import InputError


def papers(folder: Path, *texts: str) -> Path:
    """A file of papers with these texts; their ids count from 1."""
    place = folder / f"{uuid4().hex}.pubtator"
    place.write_text("".join(f"{n}|t|{text}\n{n}|a|\n\n" for n, text in enumerate(texts, 1)))
    return place


@pytest.fixture
def built(one_node: Node, tmp_path: Path) -> Iterator[Path]:
    """An index of two papers in the cluster."""
    name, place = f"built-{uuid4().hex}", tmp_path / "cluster.toml"
    place.write_text(f'hosts = ["{one_node.url}"]\nindex = "{name}"\nreplicas = 1\nshards = 1\n')
    folder = tmp_path / "all"
    api.index([papers(tmp_path, "Cold tea", "Warm milk")], folder, connection=place)
    yield folder
    one_node.send("DELETE", f"/{name}-*")


def found(folder: Path, question: str) -> list[str]:
    return [hit.passage.document for hit in api.search(folder, question).found]


def test_check_reads_every_paper(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(built), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["documents"], said["counts"]) == (2, {})


def test_another_connection_replaces_the_first_one_to_the_same_index_alone(
    built: Path, tmp_path: Path
) -> None:
    place = tmp_path / "cluster.toml"
    text = place.read_text()
    place.write_text(text.replace("replicas = 1", "replicas = 0"))
    api.index([papers(tmp_path, "Cold coffee")], built, connection=place)
    assert (found(built, "coffee"), found(built, "tea"), found(built, "milk")) == (["1"], [], ["2"])
    assert json.loads((built / "opensearch").read_text())["replicas"] == 0
    place.write_text(text.replace('index = "', 'index = "another-'))
    with pytest.raises(InputError, match=r"of its cluster, not another-.*; index into another folder"):
        api.index([papers(tmp_path, "Water")], built, connection=place)
    assert found(built, "cold") == ["1"]
