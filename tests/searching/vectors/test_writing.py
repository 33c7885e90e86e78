"""Vectors on disk: built piece by piece or at once they are the same, and a kill leaves the last commit."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.searching.vectors.test_compact import drawn

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.checksums import write_checked_json
from anagnosis.searching.filters import Filters
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.layout import PARTS, STATE, VectorsState, key_of, part
from anagnosis.searching.vectors.reading import Vectors
from anagnosis.searching.vectors.writing import Writer, create, writing

WIDTH = 24
FACTS = {"date": "2020-03", "journal": "Journal of Tea", "types": "Review; Letter"}


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
        (Filters(types=("Review; Letter",)), set()),
        (Filters(since="2020-03", until="2020-03"), {0, 1}),
        (Filters(since="2020-04"), set()),
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


def shortened(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = part(folder, 1, name)
        path.write_bytes(path.read_bytes()[:-1])

    return damage


def removed(name: str) -> Callable[[Path], None]:
    return lambda folder: part(folder, 1, name).unlink()


def filled(name: str, data: bytes) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        part(folder, 1, name).write_bytes(999 * data)

    return damage


def flipped(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = part(folder, 1, name)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 4
        path.write_bytes(data)

    return damage


def told(**values: object) -> Callable[[Path], None]:
    """Another state, with the checksum that belongs to it."""

    def damage(folder: Path) -> None:
        state = json.loads((folder / STATE).read_text()) | values
        del state["checksum"]
        write_checked_json(folder / STATE, state)

    return damage


def told_alone(folder: Path) -> None:
    state = json.loads((folder / STATE).read_text())
    (folder / STATE).write_text(json.dumps(state | {"generation": state["generation"] + 1}))


def checked(name: str, data: bytes) -> Callable[[Path], None]:
    """A part filled with other bytes, with the checksum that belongs to them."""

    def damage(folder: Path) -> None:
        filled(name, data)(folder)
        state = json.loads((folder / STATE).read_text())
        sums = {
            **state["checksums"],
            name: zlib.crc32(part(folder, 1, name).read_bytes()[: state["sizes"][name]]),
        }
        told(checksums=sums)(folder)

    return damage


def without_documents(folder: Path) -> None:
    state = json.loads((folder / STATE).read_text())
    without = {name: {**state[name], "documents": 0} for name in ("sizes", "checksums")}
    told(**without)(folder)


DAMAGED = {
    **{f"{name} shortened": (shortened(name), "is shorter than was committed") for name in PARTS},
    **{f"{name} removed": (removed(name), "vectors are missing") for name in PARTS},
    "no json": (lambda folder: (folder / STATE).write_text("{"), "cannot be read"),
    "another format": (told(format=9), "is of another version, or damaged"),
    "another state": (told_alone, "vectors.json: is damaged: its checksum differs"),
    **{f"a bit of {name}": (flipped(name), f"{name}: is damaged: .*checksum") for name in PARTS},
    "no width": (told(width=0), "is of another version, or damaged"),
    "fewer than no rows": (told(sizes=dict.fromkeys(PARTS, -24)), "is of another version, or damaged"),
    "a part that is not there": (told(sizes={}), "is of another version, or damaged"),
    "fewer documents than rows": (without_documents, "contradicts the other files"),
    "a name that is none": (checked("names", b"x"), "names of vectors are damaged"),
    "an id that is none": (checked("ids", b"\xff"), "ids of vectors are damaged"),
}  # fmt: skip


def looked_at(folder: Path) -> None:
    vectors = Vectors(folder)
    vectors.verify()
    _ = vectors.names, vectors.ident(0)


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_files_are_one_line(case: str, made: Path) -> None:
    damage, what = DAMAGED[case]
    damage(made)
    with pytest.raises(InputError, match=what) as fault:
        looked_at(made)
    assert "--no-encoder" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_only_rows_that_are_read_are_verified_and_each_once(made: Path) -> None:
    flipped("numbers")(made)
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
