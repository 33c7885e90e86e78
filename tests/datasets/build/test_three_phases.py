"""Screen, resolve, write: the same bytes whatever the blocks, the workers and what went wrong before."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builds import BLOCK_BYTES, INPUTS, Builder, contents, texts
from tests.clusters import losing_a_worker

from anagnosis import api, corpus
from anagnosis.datasets import DATASETS, definition
from anagnosis.datasets.build import three_phases
from anagnosis.datasets.folder import writing
from anagnosis.registry import referenced

if TYPE_CHECKING:
    from collections.abc import Callable


class Killed(BaseException):
    """Ends a build on the spot."""


def kill_at(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, build: Callable[[], object]) -> None:
    """Run a build that dies when it calls that function."""

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(place, name, die)
        with pytest.raises(Killed):
            build()


# The same bytes


DIRT: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda text: text,
    "windows line ends": lambda text: text.replace(b"\n", b"\r\n"),
    "NUL": lambda text: text.replace(b" ", b"\0", 2),
    "not UTF-8": lambda text: text.replace(b"a", b"\xe9", 1),
    "a blank line inside": lambda text: text.replace(b"\nsynthetic", b"\n\nsynthetic", 3),
    "no abstract": lambda text: b"\n".join(line for line in text.split(b"\n") if b"|a|" not in line),
    "a stray line": lambda text: text.replace(b"\n\n", b"\nstray\n\n"),
    "no blank line after": lambda text: text.removesuffix(b"\n"),
    "many blank lines after": lambda text: text + b"\n\n\n",
    "rows out of order": lambda text: (
        b"\n".join([*text.split(b"\n")[:2], *text.split(b"\n")[:1:-1]]) + b"\n\n"
    ),
}


@settings(max_examples=12)  # each example is built several times, by processes of its own
@given(
    st.lists(st.sampled_from(sorted(DIRT)), min_size=1, max_size=8),
    st.integers(1, 12_000),
    st.none() | st.integers(1, 9),
)
def test_no_dirt_makes_the_blocks_matter(dirt: list[str], block_bytes: int, limit: int | None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "dirty.pubtator"
        dirty = zip(texts(len(dirt), 3), dirt, strict=True)
        clean = (*dirty, (corpus.carried().read_bytes(), "none"))  # so that there is something to build
        source.write_bytes(b"".join(DIRT[name](text) for text, name in clean))
        build = Builder([source], Path(scratch))
        small = build.files("small", block_bytes=block_bytes, limit=limit)
        assert small == build.files("large", block_bytes=8 << 20, limit=limit)


def test_every_dataset_that_is_built_from_documents_has_an_input_for_these_tests() -> None:
    builders = {name: definition.named(name).builder for name in DATASETS}
    assert INPUTS.keys() == {
        name for name, builder in builders.items() if builder and referenced(builder).judge
    }


@pytest.fixture
def build_any(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    monkeypatch.setattr(writing, "PART_ROWS", 25)
    return Builder(INPUTS[request.param].sources(tmp_path), tmp_path, request.param)


@pytest.mark.parametrize("build_any", INPUTS, indirect=True)
def test_two_workers_over_small_blocks_give_the_bytes_of_one_over_large_ones(build_any: Builder) -> None:
    one = build_any.files("one", block_bytes=8 << 20)
    assert len([name for name in one if name.startswith("data/")]) > 3
    assert build_any.files("two", workers=2) == one


@pytest.mark.parametrize("build_any", INPUTS, indirect=True)
def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(
    build_any: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = build_any
    chosen = INPUTS[build.dataset]
    with losing_a_worker(monkeypatch) as address:
        assert address.startswith("tcp://")
        # The workers run in another directory than the one to which this path is relative.
        monkeypatch.chdir(build.folder)
        api.build(
            build.dataset,
            build.paths,
            "cluster",
            settings=chosen.settings,
            terms=chosen.terms,
            cluster=address,
            block_bytes=BLOCK_BYTES,
        )
    assert contents(build.folder / "cluster") == build.files("one")


# Stopped and started again


@pytest.mark.parametrize(
    ("place", "name"),
    [(three_phases, "resolve"), (Path, "rename"), (writing, "card")],
    ids=["before settling", "before the folder takes its name", "before the card"],
)
def test_a_build_that_stops_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Any, name: str
) -> None:
    build = Builder([corpus.carried()], tmp_path)
    kill_at(monkeypatch, place, name, lambda: build("out"))
    assert not list(build.folder.glob("out*"))
    before = build.files("out")
    kill_at(monkeypatch, place, name, lambda: build("out", replace=True))
    assert contents(build.folder / "out") == before
    assert [path.name for path in build.folder.glob("out*")] == ["out"]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({}, "dev has 4 documents and test has 5 documents, too few"),
        ({"train": 1, "dev": 0, "test": 0}, ""),
        ({"train": 42, "dev": 10, "test": 10}, ""),
    ],
)
def test_a_part_with_few_documents_is_reported(
    weights: dict[str, int], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chosen = {"split_weights": weights} if weights else {}
    api.build("biomrc", [corpus.carried()], tmp_path / "out", settings=chosen, workers=1)
    line = capfd.readouterr().err
    assert said in line
    assert ("give more papers" in line) == bool(said)
