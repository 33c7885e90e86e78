"""What every engine promises; a new one is one more name here."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.disk import full_after
from tests.searching.conftest import PAPERS

from anagnosis.errors import InputError
from anagnosis.searching.engines import ENGINES, Engine
from anagnosis.searching.filters import Filters
from anagnosis.searching.passages import passages
from anagnosis.searching.records.passage import Passage

EVERY = {"1#0", "1#1", "2#0", "3#0", "4#0"}


@pytest.fixture(params=sorted(ENGINES))
def module(request: pytest.FixtureRequest) -> Any:
    return import_module(ENGINES[request.param])


@pytest.fixture
def engine(module: Any, tmp_path: Path) -> Iterator[Engine]:
    made: Engine = module.create(tmp_path / "engine")
    for paper in PAPERS:
        made.add(passages(paper), f"mark of {paper.id}")
    made.commit()
    yield made
    made.close()


def found(engine: Engine, question: str, limit: int = 10, **filters: Any) -> list[str]:
    return [hit.passage.id for hit in engine.search(question, Filters(**filters), limit)]


def test_passages_come_back_as_they_were(engine: Engine) -> None:
    for paper in PAPERS:
        assert engine.document(paper.id) == passages(paper)
        assert engine.mark(paper.id) == f"mark of {paper.id}"
    assert engine.count() == (4, 5)
    assert (engine.document("5"), engine.mark("5")) == ([], None)


def test_single_passages_and_all_marks(engine: Engine) -> None:
    (first, second), (salt,) = passages(PAPERS[0]), passages(PAPERS[2])
    places = [("1", 1), ("3", 0), ("1", 0), ("1", 2), ("9", 0)]
    assert engine.passages(places) == [second, salt, first, None, None]
    assert sorted(engine.marks()) == [(paper.id, f"mark of {paper.id}") for paper in PAPERS]
    engine.delete("1")
    engine.commit()
    assert engine.passages([("1", 0)]) == [None]
    assert dict(engine.marks()).keys() == {"2", "3", "4"}


def test_a_version_changes_with_what_is_committed_and_only_then(
    module: Any, engine: Engine, tmp_path: Path
) -> None:
    before = engine.version()
    assert module.open(tmp_path / "engine").version() == engine.version() == before
    engine.delete("1")
    assert engine.version() == before
    engine.commit()
    assert engine.version() != before


def test_the_best_come_first_and_no_more_than_asked(engine: Engine) -> None:
    hits = engine.search("Does cold tea change sleep?", Filters(), 10)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[0].passage.document == "1"
    assert {hit.passage.id for hit in hits} == {"1#0", "1#1", "4#0"}
    assert found(engine, "cold tea sleep", 1) == [hits[0].passage.id]


@pytest.mark.parametrize(
    ("question", "filters", "expected"),
    [
        ("tea", {"sections": ("conclusion",)}, ["1#1"]),
        ("tea", {"sections": ("results", "conclusion")}, ["1#0", "1#1"]),
        ("sleep", {"journals": ("journal of tea",)}, ["1#0", "1#1"]),
        ("sleep", {"types": ("Clinical trial",)}, ["1#0", "1#1"]),
        ("sleep", {"since": "2019-06"}, []),
        ("fever", {"since": "2020-03"}, ["2#0"]),
        ("fever", {"since": "2020", "until": "2020"}, ["2#0"]),
        ("fever", {"until": "2020-02"}, []),
        ("salt", {"until": "2021"}, ["3#0"]),
        ("sleep", {"since": "1900"}, ["1#0", "1#1"]),
        ("sleep", {"documents": ("4",)}, ["4#0"]),
        ("sleep", {"sections": ("results",), "documents": ("4",)}, []),
    ],
)
def test_filters(engine: Engine, question: str, filters: dict[str, Any], expected: list[str]) -> None:
    assert sorted(found(engine, question, **filters)) == expected


def test_a_filter_changes_no_score(engine: Engine) -> None:
    every = {hit.passage.id: hit.score for hit in engine.search("cold tea", Filters(), 10)}
    (one,) = engine.search("cold tea", Filters(sections=("conclusion",)), 10)
    assert one.score == pytest.approx(every["1#1"])


@pytest.mark.parametrize(
    "question", ["", "the of and", "]} AND (", '"', "zzzz", "\x00", "* ? ~", "title:tea AND NOT", "-"]
)
def test_any_text_is_a_question(engine: Engine, question: str) -> None:
    assert set(found(engine, question)) <= EVERY


def test_a_very_long_question_is_answered(engine: Engine) -> None:
    assert found(engine, "cold tea " + " ".join(f"word{n}" for n in range(5_000)), 1) != []


@pytest.mark.parametrize("question", ["IL-2", "IL2", "TGF-beta1", "TGF-β1", "0.5 mg", "FEVERS"])
def test_names_are_found_however_they_are_written(engine: Engine, question: str) -> None:
    assert found(engine, question, 1) == ["2#0"]


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


def test_a_full_disk_is_one_line(module: Any, tmp_path: Path) -> None:
    engine: Engine = module.create(tmp_path / "engine")

    def fill() -> None:
        for number in range(3000):
            text = " ".join(f"w{number}x{n}" for n in range(200))
            engine.add([Passage(str(number), 0, "abstract", "", "", text)], "m")
        engine.commit()

    with full_after(300_000), pytest.raises(InputError, match=r"writing failed|cannot be written"):
        fill()
    engine.close()


def test_nothing_is_seen_before_a_commit_and_all_of_it_after(engine: Engine) -> None:
    engine.delete("1")
    engine.add([Passage("9", 0, "abstract", "", "New", "Cold tea again.")], "m")
    assert set(found(engine, "cold tea")) == {"1#0", "1#1"}
    engine.commit()
    assert set(found(engine, "cold tea")) == {"9#0"}
    assert engine.count() == (4, 4)


def test_what_was_not_committed_is_lost(engine: Engine) -> None:
    engine.delete("1")
    engine.close()
    assert set(found(engine, "cold tea")) == {"1#0", "1#1"}
    engine.delete("1")
    engine.commit()
    assert found(engine, "cold tea") == []


def test_a_reader_sees_another_s_commit(engine: Engine, module: Any, tmp_path: Path) -> None:
    reader: Engine = module.open(tmp_path / "engine")
    assert set(found(reader, "cold tea")) == {"1#0", "1#1"}
    engine.delete("1")
    engine.commit()
    assert found(reader, "cold tea") == []
    assert reader.count() == (3, 3)


def test_two_writers_are_refused(engine: Engine, module: Any, tmp_path: Path) -> None:
    engine.delete("1")
    other: Engine = module.open(tmp_path / "engine")
    with pytest.raises(InputError, match="another process is writing; wait until it has ended"):
        other.delete("2")
    engine.close()
    other.delete("2")
    other.close()


def test_words_and_how_often_they_occur(engine: Engine) -> None:
    words = engine.words("Sleeping with TGF-β1")
    assert words == ["sleep", "with", "tgf", "beta1", "beta"]
    assert engine.frequency(["sleep", "beta1", "unknown"]) == [3, 1, 0]


def test_a_damaged_folder_is_one_line(engine: Engine, module: Any, tmp_path: Path) -> None:
    engine.close()
    for file in (tmp_path / "engine").iterdir():
        if file.name.endswith(".json") or file.suffix in (".idx", ".store", ".term"):
            file.write_bytes(b"nothing")
    with pytest.raises(InputError, match="make the index again"):
        module.open(tmp_path / "engine")


def test_documents_without_a_date_are_counted(engine: Engine) -> None:
    assert engine.undated() == 1
    engine.delete("4")
    engine.commit()
    assert engine.undated() == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "journal of TEA": ["Journal of Tea"],
        "Journal of Teas": ["Journal of Tea"],
        "fever": ["Fever Letters"],
        "Tea": ["Journal of Tea"],
        "zzz": [],
        "": [],
    }.items(),
)
def test_a_journal_is_there_or_others_of_near_names(engine: Engine, name: str, expected: list[str]) -> None:
    assert engine.journals(name, 1) == expected
    engine.delete("1")
    engine.delete("2")
    engine.commit()
    assert engine.journals(name, 3) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "clinical TRIAL": ["Clinical Trial"],
        "Clinical Trials": ["Clinical Trial"],
        "review": [],
        "zzz": [],
    }.items(),
)
def test_a_type_is_there_or_others_of_near_names(engine: Engine, name: str, expected: list[str]) -> None:
    assert engine.types(name, 1) == expected
