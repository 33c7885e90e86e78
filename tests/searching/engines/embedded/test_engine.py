"""The engine in process: a full disk, damaged files, and words however they are written."""

from __future__ import annotations

import msgspec
import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from typing import TYPE_CHECKING

from tests.disk import full_after
from tests.searching.engines.contract_trial import EngineTrial, abstract, stored, trial

from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.engines import Engine
from anagnosis.searching.engines import embedded as module
from anagnosis.searching.engines.embedded import engine as engine_module
from anagnosis.searching.engines.embedded.segments import MANAGED
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.meaning import words_query
from anagnosis.searching.queries.tree import InField, Query, Word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Iterator[EngineTrial]:
    with trial(module, tmp_path / "engine") as one:
        yield one


def found(engine: Engine, question: str) -> list[str]:
    return [one.stored.name for one in engine.search(words_query(question), Filters(), 10)]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("hepatitis A virus", "hepatitis A"),
        ("NO synthase", "What is NO?"),
        ("TNFα", "TNF-α"),
        ("IL-1β", "IL1β"),
        ("IL\u20102", "IL-2"),
        ("Sjo\u0308gren", "Sj\u00f6gren"),
        ("Sj\u00f6gren", "Sjogren"),
    ],
)
def test_a_name_is_found_whatever_signs_it_is_written_with(
    made: EngineTrial, written: str, asked: str
) -> None:
    made.engine.put(abstract("8", f"We saw hepatitis and {written} here."))
    made.engine.put(abstract("9", "We saw hepatitis and synthase here too."))
    made.engine.commit()
    assert [name for name in made.names(asked) if name in "89"][:1] == ["8"]


def test_the_abstract_of_a_full_text_is_apart(made: EngineTrial) -> None:
    parts = Section("title", "Qqa"), Section("abstract", "Qqb."), Section("body", "Qqc.", "Qqd")
    made.engine.put(stored(Document("8", parts)))
    made.engine.put(stored(Document("9", (parts[0], parts[2]))))
    made.engine.commit()
    expected = {"qqa": ["8"], "qqb": ["8"], "qqc": [], "qqd": []}
    for word, names in expected.items():
        assert made.names(Query((), (InField("abstract", Word(word)),))) == names, word


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    engine: Engine = module.create(tmp_path / "engine")

    def fill() -> None:
        for number in range(3000):
            text = " ".join(f"w{number}x{n}" for n in range(200))
            engine.put(abstract(str(number), text))
        engine.commit()

    with (
        full_after(300_000),
        pytest.raises(InputError, match=r"writing failed: .* killed.*; free some space"),
    ):
        fill()
    engine.close()


def test_it_has_no_connection(tmp_path: Path) -> None:
    for begin in (module.create, module.open):
        with pytest.raises(InputError, match="the engine embedded has no connection; leave --connection out"):
            begin(tmp_path / "engine", tmp_path / "cluster.toml")
    assert not (tmp_path / "engine").exists()


def hepatitis(number: int) -> Document:
    return Document(str(number), (Section("abstract", f"We saw hepatitis x{number} here."),))


@pytest.fixture
def two_commits(tmp_path: Path) -> Path:
    """An engine's folder, in one beside which a file lies."""
    made: Engine = module.create(tmp_path / "engine")
    for number in (8, 9):
        made.put(stored(hepatitis(number)))
        made.commit()
    made.close()
    (tmp_path / "victim.txt").write_text("mine")
    return tmp_path / "engine"


@pytest.mark.parametrize(
    "name", ["../victim.txt", "{}/victim.txt", "notes.txt", f"{'0' * 32}.term/../notes.txt"]
)
def test_a_file_that_the_engine_cannot_have_written_is_not_deleted(name: str, two_commits: Path) -> None:
    name = name.format(two_commits.parent)
    listed = two_commits / MANAGED
    (two_commits / "notes.txt").write_text("mine")
    listed.write_bytes(msgspec.json.encode([name, *msgspec.json.decode(listed.read_bytes())]))
    engine = module.open(two_commits)
    assert found(engine, "hepatitis") == ["8", "9"]
    engine.put(stored(hepatitis(10)))
    engine.commit()
    engine.close()
    assert name not in msgspec.json.decode(listed.read_bytes())
    assert not [fault for _, fault in module.check(two_commits) if fault]
    for path in (two_commits / "notes.txt", two_commits.parent / "victim.txt"):
        assert path.read_text() == "mine"


@pytest.mark.parametrize("data", [None, b"", b"nothing", b"{}", b"[1]", b"\xff", b"[" * 100_000])
def test_a_list_that_is_missing_or_unreadable_is_made_anew(data: bytes | None, two_commits: Path) -> None:
    listed = two_commits / MANAGED
    before = {*msgspec.json.decode(listed.read_bytes())}
    listed.unlink() if data is None else listed.write_bytes(data)
    (two_commits / "notes.txt").write_text("mine")
    engine = module.open(two_commits)
    there = {path.name for path in two_commits.iterdir()}
    assert {*msgspec.json.decode(listed.read_bytes())} == before & there
    engine.delete("8")
    engine.put(stored(hepatitis(10)))
    engine.commit()
    assert {*found(engine, "hepatitis")} == {"9", "10"}
    engine.close()
    # The library still removes what no commit needs.
    named = {name for name, _ in module.check(two_commits)}
    assert {path.name for path in two_commits.iterdir() if path.suffix in (".term", ".store")} <= named


def test_papers_that_share_a_bit_are_told_apart_by_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "ADDED_BITS", 8)
    engine = module.create(tmp_path / "engine")
    for number in range(40):
        assert engine.with_keys([f"id:{number}"]) == []
        engine.put(abstract(str(number), "Salt."))
    engine.commit()
    for number in range(30, 50):
        there = [one.name for one in engine.with_keys([f"id:{number}"])]
        assert there == ([str(number)] if number < 40 else []), number
    engine.put(abstract("39", "Tea."))
    engine.commit()
    assert (engine.committed().counts.documents, found(engine, "tea")) == (40, ["39"])
    engine.close()
