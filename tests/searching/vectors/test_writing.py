"""Vectors on disk: built piece by piece or at once they are the same, and a kill leaves the last commit."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.rows import each_row
from tests.searching.vectors.test_compact import drawn

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.checksums import write_checked_json
from anagnosis.searching.filters import Filters
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.layout import PARTS, STATE, VectorsState, key_of, part
from anagnosis.searching.vectors.reading import Vectors
from anagnosis.searching.vectors.writing import Writer, create, writing

WIDTH = 24
FACTS = {"date": "2020-03", "journal": "Journal of Tea", "types": "review-article; Letter",
    "collections": "Drinks; Drinks › Tea", "tags": "To Read; Cups", "added": "2026-03"}  # fmt: skip


def add(writer: Writer, ident: int, count: int = 2, mark: str = "m") -> None:
    own = [
        Passage(f"d{ident}", number, ("abstract", "results")[number % 2], "", "", "t", FACTS)
        for number in range(count)
    ]
    writer.add(mark, own, drawn(ident, count, WIDTH))


def contents(folder: Path) -> dict[tuple[str, int], bytes]:
    """Every passage with its vector."""
    vectors = Vectors(folder)
    every: dict[tuple[str, int], bytes] = {}
    for row, document in enumerate(vectors.document_of.tolist()):
        number = row - int(vectors.first[document])
        assert vectors.row(document, number) == row
        each = vectors.numbers[row], vectors.rows["scale"][row], vectors.signs[row]
        every[vectors.ident(document), number] = b"".join(one.tobytes() for one in each)
    return every


@pytest.fixture
def made(tmp_path: Path) -> Path:
    create(tmp_path / "v", VectorsState("tiny", "digest", WIDTH, 64))
    with writing(tmp_path / "v") as writer:
        for ident in range(6):
            add(writer, ident)
        writer.commit()
    return tmp_path / "v"


@given(steps=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.booleans()), max_size=14))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_piece_by_piece_is_as_at_once(
    steps: list[tuple[int, int, bool]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Steps: a document, how many passages it now has (0: it goes), and whether all is committed then."""
    folders = [tmp_path_factory.mktemp("v") for _ in range(2)]
    for folder in folders:
        create(folder, VectorsState("tiny", "", WIDTH, 64))
    there: dict[int, int] = {}
    with writing(folders[0]) as writer:
        for ident, count, commit in steps:
            if ident in there:
                writer.commit()
                writer.leave_out({f"d{ident}"})
                del there[ident]
            if count:
                add(writer, ident, count)
                there[ident] = count
            if commit:
                writer.commit()
        writer.commit()
    with writing(folders[1]) as writer:
        for ident, count in there.items():
            add(writer, ident, count)
        writer.commit()
    assert contents(folders[0]) == contents(folders[1])
    state = Vectors(folders[0]).state
    assert state.rows == sum(there.values())
    assert {path.name.split(".")[0] for path in folders[0].iterdir()} == {
        str(state.generation),
        "vectors",
        "lock",
    }


def test_what_was_not_committed_is_not_there_and_is_cut_off(made: Path) -> None:
    before = contents(made)
    with writing(made) as writer:
        add(writer, 9)
        for stream in writer._files.values():
            stream.flush()
        assert contents(made) == before
    assert contents(made) == before
    with writing(made) as writer:
        assert set(writer.there) == {f"d{n}" for n in range(6)}
        add(writer, 7)
        writer.commit()
    after = contents(made)
    assert set(after) - set(before) == {("d7", 0), ("d7", 1)}
    assert {key: after[key] for key in before} == before


def test_an_open_reader_outlives_a_new_generation(made: Path) -> None:
    before = Vectors(made)
    own = before.numbers.copy()
    with writing(made) as writer:
        writer.leave_out({f"d{ident}" for ident in range(4)})
        assert writer.state.generation == 2
        add(writer, 8)
        writer.commit()
    assert np.array_equal(before.numbers, own)
    assert {ident for ident, _ in contents(made)} == {"d4", "d5", "d8"}
    assert Vectors(made).numbers_of(["d4", "d0", "d8", "d4"]).keys() == {"d4", "d8"}


def test_two_writers_are_refused(made: Path) -> None:
    with writing(made), pytest.raises(InputError, match="another process is writing"), writing(made):
        pass


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
    vectors = Vectors(made)
    allowed = vectors.allowed(filters)
    assert allowed is not None
    documents = vectors.document_of[allowed]
    assert set((np.flatnonzero(allowed) - vectors.first[documents]).tolist()) == expected
    if filters.documents and expected:
        assert set(documents.tolist()) == {1}


def flipped(data: bytes) -> bytes:
    return bytes([*data[: len(data) // 2], data[len(data) // 2] ^ 4, *data[len(data) // 2 + 1 :]])


def looked_at(folder: Path) -> None:
    vectors = Vectors(folder)
    vectors.verify()
    _ = vectors.names, vectors.ident(0)


def is_one_line(folder: Path, what: str) -> None:
    with pytest.raises(InputError, match=what) as fault:
        looked_at(folder)
    assert "--no-encoder" in str(fault.value)
    assert "\n" not in str(fault.value)


WAYS: dict[str, Callable[[bytes], bytes]] = {
    "is shorter than was committed": lambda data: data[:-1],
    "is damaged: .*checksum": flipped,
}


@each_row("name", [*PARTS])
def test_a_damaged_or_missing_part_is_one_line(name: str, made: Path) -> None:
    path = part(made, 1, name)
    whole = path.read_bytes()
    for what, damaged in WAYS.items():
        path.unlink()
        path.write_bytes(damaged(whole))
        is_one_line(made, f"{name}: {what}")
    path.unlink()
    is_one_line(made, "vectors are missing")
    path.write_bytes(whole)


WRONG = "is of another version, or damaged"


@each_row(
    ("changes", "what"),
    [
        ({"format": 9}, WRONG),
        ({"width": 0}, WRONG),
        ({"sizes": {}}, WRONG),
        ({"sizes": dict.fromkeys(PARTS, -24)}, WRONG),
        ({"sizes": {"documents": 0}, "checksums": {"documents": 0}}, "contradicts the other files"),
    ],
)
def test_a_state_of_impossible_numbers_is_one_line(changes: dict[str, Any], what: str, made: Path) -> None:
    path = made / STATE
    whole = path.read_text()
    state = json.loads(whole)
    del state["checksum"]
    for name, value in changes.items():
        state[name] = {**state[name], **value} if value and name in ("sizes", "checksums") else value
    write_checked_json(path, state)
    is_one_line(made, what)
    path.write_text("{")
    is_one_line(made, "cannot be read")
    path.write_text(
        whole.replace('"generation": 1', '"generation": 2').replace('"generation":1', '"generation":2')
    )
    is_one_line(made, "is damaged: its checksum differs")
    path.write_text(whole)


@each_row(("name", "data"), [("names", b"x"), ("ids", b"\xff")])
def test_a_part_that_cannot_be_decoded_is_one_line(name: str, data: bytes, made: Path) -> None:
    path, state = part(made, 1, name), made / STATE
    before, whole = path.read_bytes(), json.loads(state.read_text())
    path.unlink()
    path.write_bytes(data * len(before))
    sums = {**whole["checksums"], name: zlib.crc32(path.read_bytes())}
    write_checked_json(
        state, {**{key: value for key, value in whole.items() if key != "checksum"}, "checksums": sums}
    )
    is_one_line(made, f"{name} of vectors are damaged")
    path.write_bytes(before)
    state.write_text(json.dumps(whole))


def test_only_rows_that_are_read_are_verified_and_each_once(made: Path) -> None:
    path = part(made, 1, "numbers")
    path.write_bytes(flipped(path.read_bytes()))
    vectors = Vectors(made)
    damaged = vectors.state.rows // 2
    others = np.array([row for row in range(vectors.state.rows) if row != damaged])
    vectors.verify(others)
    vectors.verify(np.array([], np.int64))
    for _ in range(2):
        with pytest.raises(DamagedError, match=f"the checksum of row {damaged} differs"):
            vectors.verify(np.array([0, damaged]))


def test_keys_of_ids_are_the_same_everywhere() -> None:
    assert key_of("d1") != key_of("d2")
    assert key_of("PMC1") == 5147697407284627430
