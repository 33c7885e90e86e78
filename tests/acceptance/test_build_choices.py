"""What the choices of `anagnosis build` do: a limit, and a split by document."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builds import Builder, contents, sources

from anagnosis import api, cli
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.io.files import open_input


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture
def build(paths: list[Path], tmp_path: Path) -> Builder:
    return Builder(paths, tmp_path)


@pytest.mark.parametrize("limit", [30, 100])
def test_a_limit_gives_what_the_first_documents_alone_would(build: Builder, limit: int) -> None:
    limited = build("limited", limit=limit)
    alone: list[Path] = []
    left = limit
    (build.folder / "alone").mkdir()
    for path in build.paths:
        with open_input(path) as stream:
            documents = re.split(rb"(?m)^(?=[^|\t\n]+\|t\|)", stream.read())[1:]
        if left:
            alone.append(build.folder / "alone" / path.name)
            alone[-1].write_bytes(b"".join(documents[:left]))
        left = max(0, left - len(documents))
    whole = replace(build, paths=alone)("whole")
    assert limited.receipt.documents == whole.receipt.documents
    assert limited.receipt.documents.read == limit - left
    assert (limited.receipt.instances, limited.receipt.repairs, limited.receipt.refusals) == (
        whole.receipt.instances,
        whole.receipt.repairs,
        whole.receipt.refusals,
    )
    tables = {name: data for name, data in contents(limited.folder).items() if name.endswith(".parquet")}
    assert tables == {n: data for n, data in contents(whole.folder).items() if n.endswith(".parquet")}


def test_a_file_that_the_limit_cuts_short_has_no_hash(build: Builder) -> None:
    carried_file, synthetic_file = build("out", limit=100).receipt.inputs
    assert carried_file.sha256
    assert (synthetic_file.bytes, synthetic_file.sha256) == (build.paths[1].stat().st_size, "")


def run(build: Builder, out: str, *words: str) -> Dataset:
    command = [
        "build",
        "biomrc",
        *map(str, build.paths[1:2]),
        "--workers",
        "1",
        "--out",
        str(build.folder / out),
    ]
    assert cli.run([*command, *words]) == 0
    return api.load(build.folder / out)


def test_a_split_by_document_stays_when_documents_come_and_go(build: Builder) -> None:
    words = ["--set", "split=document", "--set", "split_weights={train=2, dev=1, test=1}"]
    few, all_of_them = run(build, "few", "--limit", "20", *words), run(build, "all", *words)

    def documents(dataset: Dataset, split: str) -> set[str]:
        return {instance.document for instance in store.instances(dataset, split)}

    chosen = set[str]().union(*(documents(few, split) for split in few.sizes))
    for split in ("train", "dev", "test"):
        assert documents(few, split) == documents(all_of_them, split) & chosen
    assert documents(run(build, "seed", "--set", "seed=1", *words), "train") != documents(
        all_of_them, "train"
    )
