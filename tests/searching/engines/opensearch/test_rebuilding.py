"""A rebuild fills a second index, which takes the place of the first in one step; what `check` tells of a cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.cluster.nodes import Node
from tests.refusals import refused

pytest.importorskip("opensearchpy", reason="the extra opensearch is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.searching.engines import engine_module
from anagnosis.searching.index.index import open_index

Papers = Callable[..., Path]


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    """A file of papers with these texts; their ids count from 1."""

    def written(*texts: str) -> Path:
        place = tmp_path / f"{uuid4().hex}.pubtator"
        place.write_text("".join(f"{n}|t|{text}\n{n}|a|\n\n" for n, text in enumerate(texts, 1)))
        return place

    return written


@pytest.fixture
def built(one_node: Node, papers: Papers, tmp_path: Path) -> Iterator[Path]:
    """An index of two papers in the cluster."""
    name = f"rebuilt-{uuid4().hex}"
    (tmp_path / "cluster.toml").write_text(
        f'hosts = ["{one_node.url}"]\nindex = "{name}"\nreplicas = 1\nshards = 1\n'
    )
    folder = tmp_path / "all"
    api.index(
        [papers("Cold tea", "Warm milk")], folder, engine="opensearch", connection=tmp_path / "cluster.toml"
    )
    yield folder
    one_node.send("DELETE", f"/{name}-*")


def found(folder: Path, question: str) -> list[str]:
    return [hit.passage.document for hit in api.search(folder, question).found]


def indices(node: Node, folder: Path) -> dict[str, list[str]]:
    """The indices of the collection, by the last part of their name, with their aliases in short."""
    name = json.loads((folder / "opensearch").read_text())["index"]
    there = node.send("GET", f"/{name}-*/_alias")
    return {
        index.removeprefix(name): sorted(alias.removeprefix(name) for alias in of["aliases"])
        for index, of in sorted(there.items())
    }


def test_a_rebuild_takes_the_place_of_the_first_index_in_one_step(
    built: Path, papers: Papers, one_node: Node, capfd: pytest.CaptureFixture[str]
) -> None:
    reader = open_index(built)
    before = reader.engine.committed()
    api.index([papers("Cold coffee")], built, rebuild=True)
    assert (found(built, "coffee"), found(built, "tea")) == (["1"], [])
    assert reader.engine.committed().version != before.version
    assert [hit.passage.title for hit in reader.search("cold")] == ["Cold coffee"]
    assert indices(one_node, built) == {"-1": ["-1.writes"], "-2": ["", "-2.writes"]}
    assert any("-1 is not searched" in note for note in api.check(built).notes)
    assert run(["index", "--out", str(built), "--drop-old"]) == 0
    assert "-1\n" in capfd.readouterr().out
    assert indices(one_node, built) == {"-2": ["", "-2.writes"]}
    api.index([papers("Cold coffee", "Water")], built)  # into the one that is searched
    assert found(built, "water") == ["2"]


def test_until_it_ends_readers_have_the_first_index_and_nobody_else_writes(
    built: Path, papers: Papers, one_node: Node
) -> None:
    module, place = engine_module("opensearch"), built / "opensearch"
    rebuilt = module.rebuilt(place)
    rebuilt.begin()
    assert found(built, "tea") == ["1"]
    assert dict(rebuilt.marks()) == {}
    with pytest.raises(InputError, match="another command is writing"):
        module.rebuilt(place)
    with pytest.raises(InputError, match="another command is writing"):
        module.open(place).begin()
    with pytest.raises(InputError, match="another command is writing"):
        module.drop_old(place)
    rebuilt.close()  # as if killed
    assert indices(one_node, built) == {"-1": ["", "-1.writes"], "-2": ["-2.writes"]}
    api.index([papers("Cold coffee")], built, rebuild=True)
    assert indices(one_node, built) == {"-1": ["-1.writes"], "-3": ["", "-3.writes"]}
    assert found(built, "cold") == ["1"]


def test_what_was_unlocked_meanwhile_is_not_replaced(built: Path, papers: Papers) -> None:
    module, place = engine_module("opensearch"), built / "opensearch"
    rebuilt = module.rebuilt(place)
    rebuilt.begin()
    rebuilt.commit()
    (note,) = api.check(built, unlock=True).notes
    assert note.startswith("process ")
    assert note.endswith("had the lock, which is removed")
    assert api.check(built, unlock=True).notes == ["nothing is locked here"]
    api.index([papers("Cold tea", "Warm milk", "Water")], built)
    with pytest.raises(InputError, match="another command has taken over"):
        rebuilt.swap()
    rebuilt.close()
    assert found(built, "water") == ["3"]


def test_inputs_that_cannot_be_read_leave_the_first_index(
    built: Path, papers: Papers, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole, broken = papers("Cold coffee"), tmp_path / "broken.pubtator"
    broken.write_text("")
    line = refused(["index", str(whole), str(broken), "--out", str(built), "--rebuild"], capfd)
    assert "(so the earlier index stays)" in line
    assert found(built, "tea") == ["1"]


def test_check_tells_what_there_is_to_know_of_the_cluster(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(built), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    engine = told["engine"]
    assert engine["version"].startswith("OpenSearch 3.")
    assert engine["nodes"] == "1, of which 1 hold data"
    assert (engine["shards"], engine["replicas"]) == ("1, with 1 there", "1 of each, with 0 there")
    assert "GB used" in engine["disk"]
    assert (engine["reading"], engine["writing"]) == ("allowed", "allowed")
    assert engine["connection ca"] == "the certificates that this machine trusts"
    assert engine["connection replicas"] == "1"
    assert told["notes"] == [
        "1 shard copy without a node: the cluster has too few, or waits for one to come back"
    ]
    assert (told["documents"], told["counts"]) == (2, {})


def test_another_connection_replaces_the_first_one_to_the_same_index_alone(
    built: Path, papers: Papers, tmp_path: Path
) -> None:
    place = tmp_path / "cluster.toml"
    text = place.read_text()
    place.write_text(text.replace("replicas = 1", "replicas = 0"))
    api.index([papers("Cold coffee")], built, rebuild=True, drop_old=True, connection=place)
    assert api.check(built).notes == []
    place.write_text(text.replace('index = "', 'index = "another-'))
    with pytest.raises(InputError, match=r"of its cluster, not another-.*; index into another folder"):
        api.index([papers("Water")], built, connection=place)
    assert found(built, "cold") == ["1"]
