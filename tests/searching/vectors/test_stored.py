"""Stored vectors: built piece by piece or at once they are the same, and the nearest are those of brute force."""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.rows import each_row

pytest.importorskip("transformers", reason="the extra train is not installed")

from anagnosis.errors import DamagedError
from anagnosis.searching.filters import Filters
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.stored import DIGITS, Vectors, key_of
from anagnosis.searching.vectors.updating import Growing

WIDTH = 24
FACTS = {"date": "2020-03", "journal": "Journal of Tea", "types": "review-article; Letter",
    "collections": "Drinks; Drinks › Tea", "tags": "To Read; Cups", "added": "2026-03"}  # fmt: skip


def drawn(seed: int, count: int, width: int) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).standard_normal((count, width)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def add(growing: Growing, ident: int, count: int = 2) -> None:
    own = [
        Passage(f"d{ident}", number, ("abstract", "results")[number % 2], "", "", "t", FACTS)
        for number in range(count)
    ]
    growing.add(f"m{count}", own, drawn(ident, count, WIDTH))


def begun(folder: Path, marks: dict[str, int] | None = None) -> Growing:
    """What is stored in a folder, of the documents that have these marks (None for all)."""
    growing = Growing("tiny", "digest", WIDTH, 64)
    if (folder / "v").exists():
        there = Vectors(folder / "v")
        every = dict(zip(there.header.ids, there.documents["mark"].tolist(), strict=True))
        growing.take(there, every if marks is None else marks)
    return growing


def contents(folder: Path) -> dict[tuple[str, int], bytes]:
    """Every passage with its section and vector."""
    vectors = Vectors(folder / "v")
    every: dict[tuple[str, int], bytes] = {}
    for row, document in enumerate(vectors.document_of.tolist()):
        ident, number = vectors.header.ids[document], row - int(vectors.first[document])
        assert vectors.row(ident, number) == row
        section = vectors.header.names["section"][vectors.rows["section"][row] - 1]
        every[ident, number] = section.encode() + vectors.vectors(np.array([row])).tobytes()
    return every


@pytest.fixture
def made(tmp_path: Path) -> Path:
    growing = begun(tmp_path)
    for ident in range(6):
        add(growing, ident)
    growing.save(tmp_path / "v")
    return tmp_path


@given(steps=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.booleans()), max_size=14))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_piece_by_piece_is_as_at_once(
    steps: list[tuple[int, int, bool]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Steps: a document, how many passages it now has (0: it goes), and whether all is stored then."""
    one, other = (tmp_path_factory.mktemp("v") for _ in range(2))
    there: dict[int, int] = {}
    growing = begun(one)
    for ident, count, store in steps:
        if ident in there:
            growing.save(one / "v")
            del there[ident]
            growing = begun(one, {f"d{each}": key_of(f"m{its}") for each, its in there.items()})
        if count:
            add(growing, ident, count)
            there[ident] = count
        if store:
            growing.save(one / "v")
            growing = begun(one)
    growing.save(one / "v")
    at_once = begun(other)
    for ident, count in there.items():
        add(at_once, ident, count)
    at_once.save(other / "v")
    assert contents(one) == contents(other)
    assert len(Vectors(one / "v").rows) == at_once.count == growing.count == sum(there.values())
    assert [path.name for path in one.iterdir()] == ["v"]


def test_an_open_reader_outlives_what_takes_its_place(made: Path) -> None:
    before = Vectors(made / "v")
    own = before.rows.copy()
    growing = Growing("tiny", "digest", WIDTH, 64)
    assert growing.take(before, {"d4": key_of("m2"), "d5": key_of("m2"), "d0": key_of("changed")}) == 4
    add(growing, 8)
    growing.save(made / "v", "version")
    assert np.array_equal(before.rows, own)
    assert {ident for ident, _ in contents(made)} == {"d4", "d5", "d8"}
    assert Vectors(made / "v").header.version == "version"
    assert [Vectors(made / "v").number(ident) for ident in ("d4", "d0", "d8")] == [0, None, 2]


@given(seed=st.integers(0, 999), count=st.integers(1, 5), width=st.integers(1, 200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whole_numbers_are_within_half_a_step(
    seed: int, count: int, width: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    vectors = drawn(seed, count, width)
    vectors[0] = 0
    there = kept(tmp_path_factory.mktemp("v") / "v", vectors)
    again = there.vectors(np.arange(count))
    assert (np.abs(again - vectors) <= 0.51 * there.rows["scale"][:, None]).all()
    assert not again[0].any()


def kept(path: Path, vectors: NDArray[np.float32]) -> Vectors:
    """A document a vector."""
    growing = Growing("tiny", "", vectors.shape[1], 64)
    for number, vector in enumerate(vectors):
        growing.add("mark", [Passage(str(number), 0, "abstract", "", "", "text")], vector[None])
    growing.save(path)
    return Vectors(path)


@given(seed=st.integers(0, 999), count=st.integers(1, 60), width=st.integers(1, 90), limit=st.integers(1, 70))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_nearest_are_in_the_order_of_brute_force(
    seed: int, count: int, width: int, limit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    question, *vectors = drawn(seed, count + 1, width)
    there = kept(tmp_path_factory.mktemp("v") / "v", np.array(vectors))
    exact = np.round(
        (there.rows["numbers"].astype(np.float64) * there.rows["scale"][:, None]) @ question, DIGITS
    )
    rows, found = zip(*there.nearest(question, limit), strict=True)
    assert [*found] == pytest.approx(np.sort(exact)[::-1][: len(found)], abs=2e-6)
    assert [*found] == pytest.approx(exact[[*rows]], abs=2e-6)
    assert len(rows) >= min(limit, count)
    allowed = np.arange(count) % 2 == 0
    assert {row for row, _ in there.nearest(question, limit, allowed)} <= {*np.flatnonzero(allowed).tolist()}
    assert there.nearest(question, limit, np.zeros(count, np.bool_)) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(sections=("results",)), {1}),
        (Filters(sections=("abstract", "results")), {0, 1}),
        (Filters(sections=("methods",)), set()),
        (Filters(journals=("JOURNAL of tea",)), {0, 1}),
        (Filters(journals=("tea",)), set()),
        (Filters(types=("letter",)), {0, 1}),
        (Filters(types=("Review",)), {0, 1}),
        (Filters(types=("review-article",)), {0, 1}),
        (Filters(types=("Review; Letter",)), set()),
        (Filters(collections=("drinks > tea",)), {0, 1}),
        (Filters(collections=("tea",), tags=("cups",)), set()),
        (Filters(tags=("to read",)), {0, 1}),
        (Filters(tags=("to read; cups",)), set()),
        (Filters(added_since="2026-03"), {0, 1}),
        (Filters(added_since="2026-04"), set()),
        (Filters(since="2020-03", until="2020-03"), {0, 1}),
        (Filters(since="2020-04"), set()),
        (Filters(since="2020-03-20", until="2020-03-21"), {0, 1}),
        (Filters(sections=("results",), documents=("d1",)), {1}),
        (Filters(documents=("d77",)), set()),
    ],
)
def test_filters_let_through_what_an_engine_would(made: Path, filters: Filters, expected: set[int]) -> None:
    vectors = Vectors(made / "v")
    allowed = vectors.allowed(filters)
    assert allowed is not None
    documents = vectors.document_of[allowed]
    assert set((np.flatnonzero(allowed) - vectors.first[documents]).tolist()) == expected
    if filters.documents and expected:
        assert set(documents.tolist()) == {1}


def test_no_filter_lets_all_through(made: Path) -> None:
    assert Vectors(made / "v").allowed(Filters()) is None


def of_other_header(data: bytes) -> bytes:
    """A sound checksum over another header."""
    data = data[:-4].replace(b'"longest"', b'"highest"')
    return data + zlib.crc32(data).to_bytes(4, "little")


@each_row(
    ("cut", "what"),
    [
        (lambda data: data[:-1], "is damaged: its checksum differs"),
        (lambda data: data[: len(data) // 2] + b"\0" + data[len(data) // 2 + 1 :], "its checksum differs"),
        (lambda data: data[:3], "vectors cannot be read"),
        (lambda data: bytes(4), "vectors cannot be read"),
        (lambda data: b"", "vectors cannot be read"),
        (of_other_header, "vectors cannot be read"),
    ],
)
def test_a_damaged_file_is_one_line(made: Path, cut: object, what: str) -> None:
    (made / "v").write_bytes(cut((made / "v").read_bytes()))  # pyright: ignore
    with pytest.raises(DamagedError, match=what) as fault:
        Vectors(made / "v")
    assert "--no-encoder" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match=r"vectors cannot be read \(no such file or directory\)"):
        Vectors(tmp_path / "v")


def test_the_format_is_this_one(made: Path) -> None:
    data = (made / "v").read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = msgspec.json.decode(data[8 : 8 + size])
    assert header["ids"] == [f"d{number}" for number in range(6)]
    assert header["names"]["section"] == ["abstract", "results"]
    assert len(data) == 8 + size + 6 * (8 + 4 * 7) + 12 * (8 + WIDTH) + 4
    assert zlib.crc32(data[:-4]) == int.from_bytes(data[-4:], "little")


def test_keys_of_marks_are_the_same_everywhere() -> None:
    assert key_of("d1") != key_of("d2")
    assert key_of("PMC1") == 5147697407284627430
