"""evaluate_search from an index that is asked; with run files alone, `tests/acceptance` has it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.retrieval_files import written

from anagnosis import api
from anagnosis.errors import InputError

RANKED = {
    "statins and survival": [("d1", 9.0), ("d2", 8.0), ("d8", 8.0)],
    "deafness": [("d4", 7.0)],
    "lead": [("d1", 1.0)],
}


class FakeIndex:
    """What is asked of an index."""

    asked: list[tuple[str, int]]
    closed = False

    def __init__(self) -> None:
        self.asked = []

    def ranking(self, wanted: str | None = None) -> str:
        return wanted or "lexical"

    def expanding(self, options: object) -> FakeIndex:
        return self

    def documents(self, question: str, limit: int, *, ranking: str) -> list[tuple[str, float]]:
        self.asked.append((question, limit))
        return RANKED.get(question, [])[:limit]

    def is_unfinished(self) -> bool:
        return False

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


@pytest.fixture
def index(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeIndex]:
    (folder / "built").mkdir()
    made = FakeIndex()
    monkeypatch.setattr(import_module("anagnosis.searching.index.index"), "open_index", lambda path: made)
    yield made
    assert made.closed or not made.asked


def test_an_index_is_asked_the_queries_that_count(folder: Path, index: FakeIndex) -> None:
    found = api.evaluate_search(["built"], judgements="qrels.txt", topics="topics.tsv", depth=200)
    assert index.asked == [
        (query, 200) for query in ("statins and survival", "deafness", "pregnancy and COVID-19")
    ]
    (system,) = found.systems
    assert system.name == "built"
    assert system.values["recall@100"] == (1, 1, 0)
    assert system.problems["no_results"].first == ("q3",)
    assert "depth:200" in found.signatures["map"]


def test_the_run_file_of_an_index_has_every_topic_and_is_worth_the_same(
    folder: Path, index: FakeIndex
) -> None:
    asked = api.evaluate_search(["own=built"], judgements="qrels.txt", topics="topics.tsv", runs="runs/new")
    assert [question for question, _ in index.asked][-2:] == ["lead", "zinc"]
    text = (folder / "runs/new/own.run").read_text()
    assert text.splitlines()[:2] == ["q1 Q0 d1 1 9.0 own", "q1 Q0 d2 2 8.0 own"]
    assert "q4 Q0 d1 1 1.0 own\n" in text
    read = api.evaluate_search(["runs/new/own.run"], judgements="qrels.txt", topics="topics.tsv")
    assert read.systems[0].values == asked.systems[0].values
    assert read.systems[0].estimates == asked.systems[0].estimates


def test_an_unfinished_index_of_two_rankings_says_so_once(
    index: FakeIndex, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(index, "is_unfinished", lambda: True)
    how = {"judgements": "qrels.txt", "topics": "topics.tsv", "rankings": ["lexical", "dense"]}
    assert len(api.evaluate_search(["built"], **how).systems) == 2
    assert capsys.readouterr().err.count("built is unfinished") == 1


def test_ties_of_an_index_go_by_id_or_by_its_own_order(folder: Path, index: FakeIndex) -> None:
    def second(ties: str) -> float:
        how = {"judgements": "qrels.txt", "topics": "topics.tsv", "measures": ["precision@2"]}
        return api.evaluate_search(["built"], **how, ties=ties).systems[0].values["precision@2"][0]

    assert (second("trec"), second("rank")) == (0.5, 1.0)


def test_a_path_with_an_equals_sign_is_that_path(folder: Path) -> None:
    (folder / "best.run").rename(folder / "k1=0.9.run")
    (system,) = api.evaluate_search(["k1=0.9.run"], judgements="qrels.txt").systems
    assert system.name == "k1=0.9"
    with pytest.raises(InputError, match="no system; name an index folder or a run file"):
        api.evaluate_search([], judgements="qrels.txt")
