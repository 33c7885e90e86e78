"""`evaluate-search` as its users drive it: run files and judgements in, a table, a page, or plain data out."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from tests.retrieval_files import written
from tests.typed import Said

COLLECTIONS = {
    # benchmarks/search_quality.py makes these runs anew; here the files are read and judged by themselves.
    "scifact": (300, 339),
    "med": (30, 696),
    "nfcorpus_test": (323, 12_334),
    "trec_covid_mini": (30, 173),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


def test_two_runs_are_ranked_tested_and_what_does_not_fit_is_named(said: Said, folder: Path) -> None:
    out = said(
        "evaluate-search",
        "other.run",
        "best.run",
        "--judgements",
        "qrels.txt",
        "--topics",
        "topics.tsv",
        "--full",
    )
    assert "queries scored: 3, each with a relevant document" in out
    rows = out.splitlines()
    best, other = (
        next(i for i, row in enumerate(rows) if row.startswith(name)) for name in ("best ", "other ")
    )
    assert best < other
    assert "0.8710 [" in rows[best]
    assert "best over other" in out
    assert "pregnancy and COVID-19" in out
    for name in ("no_relevant", "no_topic", "unjudged_query", "no_results", "never_retrieved"):
        assert name in out
    assert "qrels.txt@" in out


def test_an_index_is_asked_and_its_run_file_is_worth_the_same(said: Said, folder: Path) -> None:
    pytest.importorskip("tantivy")
    texts = {"d1": "Statins and survival", "d2": "Survival of mice", "d4": "Deafness", "d5": "Pregnancy"}
    lines = [
        json.dumps({"_id": id, "title": text, "text": f"{text}, a study."}) for id, text in texts.items()
    ]
    (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    said("index", "corpus.jsonl", "--out", "built")
    line = ("--judgements", "qrels.txt", "--topics", "topics.tsv", "--json")
    asked = json.loads(said("evaluate-search", "built", "--runs", "runs", *line))["systems"][0]
    assert asked["values"]["ndcg@10"][:2] == [1.0, 1.0]
    assert asked["problems"]["not_in_index"]["first"] == ["d9"]
    read = json.loads(said("evaluate-search", "runs/built.run", *line))["systems"][0]
    assert (read["values"], read["estimates"]) == (asked["values"], asked["estimates"])


def test_a_fault_is_one_line_with_its_place(said: Said, folder: Path) -> None:
    with (folder / "best.run").open("a") as stream:
        stream.write("q1 Q0 d1 9 1 best\n")
    out = said("evaluate-search", "best.run", "--judgements", "qrels.txt", code=2)
    assert out == "anagnosis: best.run:6: document 'd1' stands twice for query 'q1'; keep its best line\n"


@pytest.mark.parametrize("name", COLLECTIONS)
def test_the_judgements_of_real_collections_are_read(
    name: str, said: Said, shared: Path, tmp_path: Path
) -> None:
    """A run that brings exactly the relevant documents in their best order is worth everything."""
    with tarfile.open(shared / "data" / "retrieval" / f"{name}.tar.gz") as archive:
        for member in ("queries.jsonl", "qrels/test.tsv"):
            found = archive.extractfile(f"{name}/{member}")
            assert found is not None
            (tmp_path / Path(member).name).write_bytes(found.read())
    lines = [line.split("\t") for line in (tmp_path / "test.tsv").read_text().splitlines()[1:]]
    ideal = [f"{query} Q0 {document} 1 {grade} ideal\n" for query, document, grade in lines if grade != "0"]
    (tmp_path / "ideal.run").write_text("".join(ideal))
    out = said(
        *("evaluate-search", tmp_path / "ideal.run", "--judgements", tmp_path / "test.tsv"),
        *("--topics", tmp_path / "queries.jsonl", "--measure", "ndcg", "--measure", "map", "--json"),
    )
    evaluation = json.loads(out)
    queries, judged = COLLECTIONS[name]
    assert (len(evaluation["queries"]), evaluation["judgements"]) == (queries, judged)
    assert set(map(round, evaluation["systems"][0]["values"]["ndcg"])) == {1}
    assert min(evaluation["systems"][0]["values"]["map"]) == 1
