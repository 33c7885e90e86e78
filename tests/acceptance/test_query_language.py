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


PAPERS = (
    '{"id": "a", "title": "Salt", "text": "IFN-\u03b3 rose.", "facts": {"authors": "O\'Brien, Pat; de Vries, Jan",'
    ' "date": "2018", "mesh": "Humans", "language": "ger"}}',
    '{"id": "b", "title": "Fever and salt", "text": "IFNgamma fell.", "facts": {"authors": "de Vries, Jan; Roe, Ben",'
    ' "date": "2018-05", "types": "Review", "language": "English"}}',
    '{"id": "c", "title": "Fever", "text": "", "facts": {"authors": "Roe, Ben", "date": "2019-01-02"}}',
)
QUERIES = (
    ("2018/06/01:2018/06/30[dp]", "a"),
    ("2018/05/31:2019/01/01[dp]", "a b"),
    ("2018/05[dp]", "b"),
    ("2018[dp]", "a b"),
    ("german[la]", "a"),
    ("fever AND la:eng", "b"),
    ("de Vries J[1au]", "b"),
    ("O'Brien[au]", "a"),
    ("Roe B[lastau]", "b c"),
    ("ti:fever", "b c"),
    ("(fever OR salt) AND hasabstract", "a b"),
    ("humans[Filter] AND salt", "a"),
    ("review[filter]", "b"),
    *(
        (f"{name} AND 2018[dp]", "a b")
        for name in ("IFN-\u03b3", "IFN-gamma", "IFN\u03b3", '"IFN gamma"', "ifngamma")
    ),
)


def test_pubmed_s_fields_mean_what_they_mean_there(said: Said, tmp_path: Path) -> None:
    (tmp_path / "papers.jsonl").write_text("\n".join(PAPERS), "utf-8")
    said("index", tmp_path / "papers.jsonl", "--out", tmp_path / "index")
    assert {query: _papers(said, tmp_path / "index", query) for query, _ in QUERIES} == dict(QUERIES)
    since = json.loads(said("search", tmp_path / "index", "salt", "--since", "2018-07", "--json"))
    assert [hit["passage"]["document"] for hit in since["found"]] == ["a"]


def test_the_case_of_pubmed_s_queries(said: Said, shared: Path, tmp_path: Path) -> None:
    case = shared / "cases/b39-pubmed-queries"
    said("index", case / "c.jsonl", "--out", tmp_path / "index")
    for query, right in json.loads((case / "q.json").read_text("utf-8")):
        if right == "?":
            assert "no sign here, so read as words: " in said("search", tmp_path / "index", query), query
        else:
            assert _papers(said, tmp_path / "index", query) == right, query


def _papers(said: Said, index: Path, query: str) -> str:
    found = json.loads(said("search", index, query, "--json"))
    return " ".join(sorted({hit["passage"]["document"] for hit in found["found"]}))
