"""The engine in process: a full disk, damaged files, and words however they are written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.disk import full_after

from anagnosis.errors import InputError
from anagnosis.searching.engines import Engine, contract
from anagnosis.searching.engines import embedded as module
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.plain_words import words_query
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import passage_words, words_of


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with contract.trial(module, tmp_path / "engine") as made:
        yield made.engine


def found(engine: Engine, question: str, limit: int = 10) -> list[str]:
    return [hit.passage.id for hit in engine.search(words_query(question), Filters(), limit)]


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
def test_a_name_is_found_whatever_signs_it_is_written_with(engine: Engine, written: str, asked: str) -> None:
    engine.add([Passage("8", 0, "abstract", "", "", f"We saw hepatitis and {written} here.")], "m")
    engine.add([Passage("9", 0, "abstract", "", "", "We saw hepatitis and synthase here too.")], "m")
    engine.commit()
    assert found(engine, asked, 1) == ["8#0"]


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    engine: Engine = module.create(tmp_path / "engine")

    def fill() -> None:
        for number in range(3000):
            text = " ".join(f"w{number}x{n}" for n in range(200))
            engine.add([Passage(str(number), 0, "abstract", "", "", text)], "m")
        engine.commit()

    with full_after(300_000), pytest.raises(InputError, match=r"writing failed|cannot be written"):
        fill()
    engine.close()


def test_a_damaged_folder_is_one_line(engine: Engine, tmp_path: Path) -> None:
    engine.close()
    for file in (tmp_path / "engine").iterdir():
        if file.name.endswith(".json") or file.suffix in (".idx", ".store", ".term"):
            file.write_bytes(b"nothing")
    with pytest.raises(InputError, match="make the index again"):
        module.open(tmp_path / "engine")


def test_it_takes_no_settings(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="the engine embedded takes no settings; leave --engine-settings out"
    ):
        module.create(tmp_path / "engine", tmp_path / "settings.toml")
    assert not (tmp_path / "engine").exists()


def test_words_are_those_that_it_indexes(engine: Engine) -> None:
    assert words_of("Sleeping with TGF-β1") == ["sleep", "with", "tgf", "beta1", "beta"]
    passage = Passage("8", 0, "abstract", "Zzqx", "Wwqx of TGF-β1", "Yyqx sleeps.")
    engine.add([passage], "m")
    engine.commit()
    every, of_title = passage_words(passage)
    assert all(engine.frequency(every))
    assert set(of_title) < set(every)
    assert engine.frequency(["zzqx", "wwqx", "yyqx"]) == [1, 1, 1]
