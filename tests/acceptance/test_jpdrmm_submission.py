"""From a search to a submission: `jpdrmm` ranks what BM25 retrieved, and `submit --phase A` writes its lines."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.golden_files import ADDRESS, ident, python2, question, snippet, written
from tests.typed import Said

import anagnosis
from anagnosis.cli import run
from anagnosis.corpus import carried
from anagnosis.searching.index.index import open_index
from anagnosis.submissions.bioasq.retrieval import texts_of

PARTS = {"6B1": range(1, 25), "7B1": range(25, 31), "8B1": range(31, 39)}
WIDTH = 4


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """golden: titles of the bundled papers as questions, whose gold snippet is the paper's abstract; index, vectors."""
    at = tmp_path_factory.mktemp("ground")
    assert run(["-q", "index", str(carried("medline")), "--out", str(at / "index")]) == 0
    text_of = texts_of(open_index(at / "index"))
    papers = [paper for paper in anagnosis.read(carried("medline")) if text_of(paper.id, "abstract")]
    words: set[str] = set()
    for name, numbers in PARTS.items():
        asked: list[dict[str, Any]] = []
        for number in numbers:
            pmid, title = papers[number].id, papers[number].sections[0].text
            abstract = text_of(pmid, "abstract") or ""
            words |= {*re.findall("[a-z]+", f"{title} {abstract}".lower())}
            gold = [snippet(abstract, document=ADDRESS + pmid, begin=0)]
            asked.append(question(number, body=title, documents=[ADDRESS + pmid], snippets=gold))
        written(at / f"golden/{name}_golden.json", python2(asked))
    drawn = random.Random(0)
    rows = [
        f"{word} {' '.join(f'{drawn.gauss(0, 1):.3f}' for _ in range(WIDTH))}\n" for word in sorted(words)
    ]
    (at / "words.txt").write_text(f"{len(rows)} {WIDTH}\n{''.join(rows)}")
    return at


def test_lines_of_a_run_become_a_submission_of_documents_and_true_snippets(
    said: Said, ground: Path, tmp_path: Path
) -> None:
    parts = [part for each in ("train=6B", "dev=7B", "test=8B") for part in ("--part", each)]
    said("import", ground / "golden", "--layout", "bioasq", *parts, "--out", tmp_path / "held")
    settings = [part for each in ("train=6B", "dev=7B", "test=8B") for part in ("--set", each)]
    said(
        "build",
        "bioasq-retrieval",
        ground / "golden",
        *settings,
        "--workers",
        "1",
        "--out",
        tmp_path / "pool",
    )
    how = (f"vectors={ground / 'words.txt'}", f"embedding={WIDTH}", "epochs=2")
    options = [part for each in how for part in ("--set", each)]
    given = ("--data", tmp_path / "pool", *options, "--threads", "1")
    said("train", "retrieval-jpdrmm", *given, "--out", tmp_path / "run")
    lines, out = tmp_path / "found.jsonl", tmp_path / "submission.json"
    said("predict", tmp_path / "run", tmp_path / "pool", "--out", lines, "--threads", "1")

    # The offsets that the reader gives are compared with the papers.
    index = ("--index", ground / "index")
    text = said("submit", tmp_path / "held", lines, "--phase", "A", *index, "--out", out)
    assert f"wrote {out} (8 questions of test, 8 answered)" in text
    assert "sound: 8 lines for 8 questions of test looked at" in said("check", tmp_path / "held", out, *index)
    pmids = {ADDRESS + paper.id for paper in anagnosis.read(carried("medline"))}
    found = {each["id"]: each for each in json.loads(out.read_text())["questions"]}
    assert [*found] == [ident(number) for number in PARTS["8B1"]]
    for each in found.values():
        assert 1 < len(each["documents"]) <= 10
        assert 1 < len(each["snippets"]) <= 10
        assert {*each["documents"]} <= pmids
    assert all(len(each["snippets"]) == 10 for each in found.values())

    def scores(file: Path) -> dict[str, float]:
        names = ("document_map", "snippet_f1")
        measures = [part for name in names for part in ("--measure", name)]
        told = json.loads(said("score", tmp_path / "held", file, *measures, "--any-dataset", "--json"))[
            "systems"
        ][0]["measures"]
        return {name: told[name]["value"] for name in names}

    assert scores(lines) == scores(out)
    assert scores(out)["document_map"] > 1 / 10
