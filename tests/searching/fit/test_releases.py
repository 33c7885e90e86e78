"""The releases that readers are made from are recognised by content, whatever their names."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

from anagnosis.searching.fit.releases import BIOASQ, PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS, releases

ARTIFICIAL = {"QUESTION": "Is it?", "LONG_ANSWER": "It is.", "final_decision": "yes"}
PQAA = json.dumps({"1": ARTIFICIAL}).encode()
PQAL = json.dumps({"1": {"reasoning_required_pred": "yes", **ARTIFICIAL}}).encode()
TEST_SET = json.dumps({"questions": [{"body": "Which?", "snippets": []}]}).encode()
GOLDEN = json.dumps({"questions": [{"body": "Which?", "ideal_answer": ["It."], "snippets": []}]}).encode()
ABSTRACT = json.dumps({"doc_id": 2, "title": "Tea", "abstract": ["Tea helps."], "structured": False}).encode()
CLAIM = json.dumps({"id": 1, "claim": "Tea helps.", "cited_doc_ids": [2]}).encode()


def archive(path: Path, **contents: bytes) -> None:
    with tarfile.open(path, "w:gz") as opened:
        for name, content in contents.items():
            member = tarfile.TarInfo(f"data/{name}")
            member.size = len(content)
            opened.addfile(member, io.BytesIO(content))


def test_releases_are_known_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(PQAL))
    (tmp_path / "b.json").write_bytes(GOLDEN)
    archive(tmp_path / "c.tar.gz", golden=GOLDEN)
    archive(tmp_path / "d.tar.gz", corpus=ABSTRACT, claims=CLAIM)
    (tmp_path / "broken.json.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / "broken.tar.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / "notes.txt").write_text("questions")
    assert releases(sorted(tmp_path.iterdir())) == {
        PUBMEDQA: [tmp_path / "a.json.gz"],
        BIOASQ: [tmp_path / "b.json", tmp_path / "c.tar.gz"],
        SCIFACT: [tmp_path / "d.tar.gz"],
    }


def test_files_of_one_release_are_told_apart(tmp_path: Path) -> None:
    contents = {
        "7B1-testset": TEST_SET,
        "claims_dev.jsonl": CLAIM,
        "claims_train.jsonl": CLAIM,
        "corpus.jsonl": ABSTRACT,
        "ori_pqaa.json": PQAA,
        "ori_pqal.json": PQAL,
        "ori_pqal_again.json": PQAL,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    assert releases(sorted(tmp_path.iterdir())) == {
        PUBMEDQA: [tmp_path / "ori_pqal.json"],
        SCIFACT: [tmp_path / "claims_dev.jsonl", tmp_path / "claims_train.jsonl"],
        SCIFACT_ABSTRACTS: [tmp_path / "corpus.jsonl"],
    }


def test_a_golden_file_is_known_whose_first_question_is_long(tmp_path: Path) -> None:
    documents = [f"http://www.ncbi.nlm.nih.gov/pubmed/{number}" for number in range(4_000)]
    question = {"body": "Which?", "documents": documents, "exact_answer": ["It"], "snippets": []}
    (tmp_path / "2B2_golden.json").write_text(json.dumps({"questions": [question]}))
    assert releases(sorted(tmp_path.iterdir())) == {BIOASQ: [tmp_path / "2B2_golden.json"]}
