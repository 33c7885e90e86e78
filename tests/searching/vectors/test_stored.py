"""Stored vectors: built piece by piece or at once they are the same, and the nearest are those of brute force."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.rows import each_row

pytest.importorskip("transformers", reason="the extra train is not installed")

from anagnosis.errors import DamagedError
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.stored import DIGITS, Vectors, VectorsHeader, verify
from anagnosis.searching.vectors.updating import Growing

WIDTH = 24


def drawn(seed: int, count: int, width: int) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).standard_normal((count, width)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def empty(width: int = WIDTH) -> Growing:
    return Growing(VectorsHeader("tiny", "digest", width, 64, "", []))


def add(growing: Growing, paper: int, count: int = 2) -> None:
    sections = ("abstract", "results")
    own = [Passage(f"d{paper}", number, sections[number % 2], "", "", "t") for number in range(count)]
    growing.add(f"d{paper}", count, own, drawn(paper, count, WIDTH))


def begun(folder: Path, digests: dict[str, int] | None = None) -> Growing:
    """What is stored in a folder, of the papers that have these digests (None for all)."""
    growing = empty()
    if (folder / "v").exists():
        there = Vectors(folder / "v")
        every = dict(zip(there.header.papers, there.digests.tolist(), strict=True))
        growing.take(there, every if digests is None else digests)
    return growing


def contents(folder: Path) -> dict[tuple[str, int], bytes]:
    """Every passage with its section and vector."""
    vectors = Vectors(folder / "v")
    verify(folder / "v")
    every: dict[tuple[str, int], bytes] = {}
    for row, paper in enumerate(vectors.paper_of.tolist()):
        name, number = vectors.header.papers[paper], row - int(vectors.first[paper])
        assert vectors.row(name, number) == row
        section = vectors.header.sections[vectors.sections[row]]
        every[name, number] = section.encode() + (vectors.numbers[row] * vectors.scales[row]).tobytes()
    return every


def made_in(folder: Path) -> Path:
    growing = empty()
    for paper in range(6):
        add(growing, paper)
    growing.save(folder / "v")
    return folder


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return made_in(tmp_path)


@given(steps=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.booleans()), max_size=14))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_piece_by_piece_is_as_at_once(
    steps: list[tuple[int, int, bool]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Steps: a paper, how many passages it now has (0: it goes), and whether all is stored then."""
    one, other = (tmp_path_factory.mktemp("v") for _ in range(2))
    there: dict[int, int] = {}
    growing = begun(one)
    for paper, count, store in steps:
        if paper in there:
            growing.save(one / "v")
            del there[paper]
            growing = begun(one, {f"d{each}": its for each, its in there.items()})
        if count:
            add(growing, paper, count)
            there[paper] = count
        if store:
            growing.save(one / "v")
            growing = begun(one)
    growing.save(one / "v")
    at_once = begun(other)
    for paper, count in there.items():
        add(at_once, paper, count)
    at_once.save(other / "v")
    assert contents(one) == contents(other)
    assert len(Vectors(one / "v").numbers) == at_once.count == growing.count == sum(there.values())
    assert [path.name for path in one.iterdir()] == ["v"]


def test_an_open_reader_outlives_what_takes_its_place(made: Path) -> None:
    before = Vectors(made / "v")
    own = before.numbers.copy()
    growing = empty()
    assert growing.take(before, {"d4": 2, "d5": 2, "d0": 7}) == 4
    add(growing, 8)
    growing.save(made / "v", "version")
    assert np.array_equal(before.numbers, own)
    assert {name for name, _ in contents(made)} == {"d4", "d5", "d8"}
    after = Vectors(made / "v")
    assert after.header.version == "version"
    assert [after.number.get(name) for name in ("d4", "d0", "d8")] == [0, None, 2]
    assert [after.row(*place) for place in (("d8", 1), ("d8", 2), ("d0", 0), ("d4", -1))] == [5, *[None] * 3]


def kept(path: Path, vectors: NDArray[np.float32]) -> Vectors:
    """A paper a vector."""
    growing = empty(vectors.shape[1])
    for number, vector in enumerate(vectors):
        growing.add(str(number), 1, [Passage(str(number), 0, "abstract", "", "", "text")], vector[None])
    growing.save(path)
    return Vectors(path)


@given(seed=st.integers(0, 999), count=st.integers(1, 60), width=st.integers(1, 90))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_scores_are_those_of_brute_force(
    seed: int, count: int, width: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    question, *some = drawn(seed, count + 1, width)
    vectors = np.array(some)
    vectors[0] = 0
    there = kept(tmp_path_factory.mktemp("v") / "v", vectors)
    again = there.numbers.astype(np.float32) * there.scales[:, None]
    assert (np.abs(again - vectors) <= 0.51 * there.scales[:, None]).all()  # within half a step
    assert not again[0].any()
    exact = np.round(again.astype(np.float64) @ question, DIGITS)
    assert there.scores(question) == pytest.approx(exact, abs=2e-6)
    rows = np.arange(0, count, 2)
    assert np.array_equal(there.scores(question, rows), there.scores(question)[rows])


def opened(path: Path) -> None:
    Vectors(path)
    verify(path)


def of_other_header(data: bytes) -> bytes:
    return data.replace(b'"longest"', b'"highest"')


@each_row(
    ("cut", "what"),
    [
        (lambda data: data[:-1], "vectors cannot be read"),
        (lambda data: data[:3], "vectors cannot be read"),
        (lambda data: b"", "vectors cannot be read"),
        (of_other_header, "vectors cannot be read"),
        (lambda data: data[:-500] + bytes([data[-500] ^ 1]) + data[-499:], "its checksum differs"),
    ],
)
def test_a_damaged_file_is_one_line(tmp_path: Path, cut: object, what: str) -> None:
    made = made_in(tmp_path)
    whole = (made / "v").read_bytes()
    info = zipfile.ZipFile(made / "v").getinfo("numbers.npy")
    assert info.header_offset < len(whole) - 500 < info.header_offset + info.file_size  # the changed byte
    (made / "v").write_bytes(cut(whole))  # pyright: ignore
    with pytest.raises(DamagedError, match=what) as fault:
        opened(made / "v")
    assert "--no-encoder" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_parts_that_do_not_fit_are_refused(made: Path) -> None:
    growing = begun(made)
    growing.digests["d9"] = 3
    growing.save(made / "v")
    with pytest.raises(DamagedError, match="its parts do not fit each other"):
        Vectors(made / "v")


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match=r"vectors cannot be read \(no such file or directory\)"):
        Vectors(tmp_path / "v")
