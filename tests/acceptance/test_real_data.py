"""Commands over the data of papers: figures that are published, collections and reports as users gave them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from anagnosis import api
from anagnosis.searching.index.index import open_index

if TYPE_CHECKING:
    from pathlib import Path

    from tests.typed import Said


@pytest.mark.shared
def test_the_paper_s_row_of_people_is_recomputed(said: Said, shared: Path, tmp_path: Path) -> None:
    """PubMedQA, Table 4: only these people's labels are published."""
    source, built = shared / "data/pubmedqa/ori_pqal.json.gz", tmp_path / "pqal"
    said("import", source, "--layout", "pubmedqa", "--out", built)
    found = json.loads(said("agreement", built, "--people", "--split", "test", "--json"))
    # Accuracy and macro-F1 on test, in percent with the two decimals of the paper.
    people = {
        each["name"]: (
            round(100 * each["measures"]["accuracy"]["value"], 2),
            round(100 * each["measures"]["macro_f1"]["value"], 2),
        )
        for each in found["scores"]
        if each["annotator"]
    }
    assert people == {"reasoning_required": (78.00, 72.19), "reasoning_free": (90.40, 84.18)}


# Those that are about pregnancy and COVID-19 by their titles; two more write another name of the disease throughout.
PREGNANCY = "34088595 34051531 34096434 33929653 34020209 32428112 34088329 32196655"


@pytest.mark.slow
def test_the_thesis_s_question_over_all_papers_at_hand(said: Said, shared: Path, tmp_path: Path) -> None:
    folders = ("pubtator", "cord19", "medline", "jats", "structured_abstracts")
    inputs = (shared / "data" / name for name in folders)
    out = said("index", *inputs, "--out", tmp_path / "index", "--json", code=2)  # two members are refused
    assert json.JSONDecoder().raw_decode(out)[0]["documents"] > 25_000
    found = api.search(tmp_path / "index", "pregnant women and COVID-19", limit=30).found
    assert {each.passage.document for each in found[:8]} == set(PREGNANCY.split())
    for each in found:
        passage = each.passage
        source = open_index(tmp_path / "index").stored(passage.document).passages
        assert passage in source
        assert all(passage.text[s.begin : s.end].strip() for s in each.sentences)


@pytest.mark.shared
def test_a_zotero_folder_of_a_public_report(shared: Path, tmp_path: Path, said: Said) -> None:
    out = said("index", shared / "cases/36-zotero-folder", "--out", tmp_path / "index", "--json")
    found = json.loads(out)
    assert found["repairs"]["companion_file"] == 1  # storage/notes.txt
    assert found["documents"] == 3  # a JATS article, a PDF, and the entry of a library
    not_read = {name: count for name, count in found["repairs"].items() if name.startswith("file_not_read")}
    assert not_read == {"file_not_read.csv": 1, "file_not_read.sqlite": 1}


def test_the_case_of_pubmed_s_queries(said: Said, shared: Path, tmp_path: Path) -> None:
    case = shared / "cases/b39-pubmed-queries"
    said("index", case / "c.jsonl", "--out", tmp_path / "index")
    for query, right in json.loads((case / "q.json").read_text("utf-8")):
        if right == "?":
            assert "signs of other databases are words" in said("search", tmp_path / "index", query), query
        else:
            found = api.search(tmp_path / "index", query).found
            assert " ".join(sorted({hit.passage.document for hit in found})) == right, query
