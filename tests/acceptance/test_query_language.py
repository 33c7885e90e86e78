"""The query language as its users type it: into search, ask and evaluate-search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.typed import Said

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.cli import run
from anagnosis.corpus import carried

COFFEE = "99000027"
LINE = 'Understood as all of: "cold brew" · without: tea · title: coffee.'


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    index = tmp_path_factory.mktemp("query_language") / "index"
    assert run(["-q", "index", str(carried("medline")), "--out", str(index)]) == 0
    return index


def test_search_shows_how_it_understood_a_query(said: Said, collection: Path) -> None:
    out = said("search", collection, '"cold brew" coffee[ti] -tea')
    assert LINE in out
    assert "title: Cold brew coffee raises gastric pH less than espresso in healthy volunteers." in out
    first = said("search", collection, '-tea "cold brew" (coffee[ti]', "--limit", 1)
    assert LINE in first
    assert "Please note: a parenthesis has no partner." in first
    assert "Please note: a parenthesis has no partner." in said("search", collection, "tea OR (coffee")


def test_a_pmid_goes_to_its_paper(said: Said, collection: Path) -> None:
    found = json.loads(said("search", collection, f"PMID: {COFFEE}", "--json"))
    assert found["understood"]["papers"] == [COFFEE]
    assert {hit["passage"]["document"] for hit in found["found"]} == {COFFEE}
    out = said("search", collection, "10.1000/nothing")
    assert "no paper here is 10.1000/nothing." in out


def test_ask_answers_by_the_plain_words(said: Said, collection: Path) -> None:
    question = "Does cold brew coffee raise gastric pH less than espresso?"
    plain = json.loads(said("ask", collection, question, "--json"))
    asked = json.loads(said("ask", collection, f"{question} -mice", "--json"))
    assert asked["question"] == f"{question} -mice"
    assert asked["evidence"][0] == plain["evidence"][0]
    assert asked["kind"] == plain["kind"]


@pytest.mark.parametrize(
    ("command", "query", "why"),
    [
        ("search", "-tea", "it only says what to leave out; add words for what the question is about"),
        ("ask", "-tea", "it only says what to leave out; add words for what the question is about"),
        ("ask", "Smith J[au]", "it has no words that a sentence could answer; add words"),
        ("search", "the AND of", "all of these words stand in nearly every paper; add words"),
    ],
)
def test_a_query_for_nothing_is_asked_for_more(
    said: Said, collection: Path, command: str, query: str, why: str
) -> None:
    assert why in said(command, collection, query, code=2)


def test_topics_of_evaluate_search_are_queries(said: Said, collection: Path, tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text(f'q1\t"cold brew" -tea\nq2\tcoffee -espresso\nq3\tPMID: {COFFEE}\n')
    (tmp_path / "qrels.txt").write_text("".join(f"q{n} 0 {COFFEE} 1\n" for n in (1, 2, 3)))
    files = "--judgements", tmp_path / "qrels.txt", "--topics", tmp_path / "topics.tsv"
    found = json.loads(said("evaluate-search", collection, *files, "--measure", "P@1", "--json"))
    assert found["systems"][0]["values"]["precision@1"] == [1.0, 0.0, 1.0]
