"""The releases that readers are made from are recognised by content, whatever their names."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

from anagnosis.searching.fit.releases import BIOASQ, PUBMEDQA, SCIFACT, releases

PQAL = json.dumps({"1": {"QUESTION": "Is it?", "LONG_ANSWER": "It is.", "final_decision": "yes"}}).encode()
GOLDEN = json.dumps({"questions": [{"body": "Which?", "snippets": []}]}).encode()
CLAIM = json.dumps({"id": 1, "claim": "Tea helps.", "cited_doc_ids": [2]}).encode()


def archive(path: Path, name: str, content: bytes) -> None:
    with tarfile.open(path, "w:gz") as opened:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        opened.addfile(member, io.BytesIO(content))


def test_releases_are_known_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(PQAL))
    (tmp_path / "b.json").write_bytes(GOLDEN)
    archive(tmp_path / "c.tar.gz", "x/y.json", GOLDEN)
    archive(tmp_path / "d.tar.gz", "data/claims.jsonl", CLAIM)
    (tmp_path / "broken.json.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / "broken.tar.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / "notes.txt").write_text("questions")
    assert releases(tmp_path) == {
        PUBMEDQA: [tmp_path / "a.json.gz"],
        BIOASQ: [tmp_path / "b.json", tmp_path / "c.tar.gz"],
        SCIFACT: [tmp_path / "d.tar.gz"],
    }
