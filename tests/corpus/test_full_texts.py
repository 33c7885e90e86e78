"""No text of the bundled corpus is a real paper's."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.documents.document import Document
from anagnosis.documents.formats import medline
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input


@pytest.fixture(scope="module")
def articles() -> list[Document]:
    return list(api.read(carried("jats"), full_text=True))


def told_by(text: str) -> set[str]:
    """What its sentences say, each by itself, and the whole."""
    pieces = [text.lower(), *text.lower().split(". ")]
    return {said for piece in pieces if len(said := piece.strip(" .?[]")) > 30}


def real_texts(data: Path) -> list[str]:
    texts: list[str] = []
    abstracts = data / "structured_abstracts/structured_abstracts.jsonl.gz"
    with gzip.open(abstracts, "rt", encoding="utf-8") as lines:
        for paper in map(json.loads, lines):
            texts += [paper["title"], *(section["text"] for section in paper["sections"])]
    for path in sorted((data / "medline").glob("*.xml.gz")):
        with open_input(path) as stream:
            texts += [s.text for d in medline.read(stream, Repairs()) for s in d.sections]
    with gzip.open(data / "pubmedqa/ori_pqal.json.gz") as stream:
        for question in json.load(stream).values():
            texts += [question["QUESTION"], *question["CONTEXTS"], question["LONG_ANSWER"]]
    with gzip.open(data / "e3c/cases.jsonl.gz", "rt", encoding="utf-8") as cases:
        texts += [json.loads(case)["text"] for case in cases]
    papers = api.read(data / "jats/mixed.tar.xz", full_text=True)
    return [*texts, *(section.text for paper in papers for section in paper.sections)]


def test_no_title_or_sentence_is_that_of_a_real_paper(shared: Path, articles: list[Document]) -> None:
    bundled = (*articles, *api.read(carried("medline")))
    ours = {said for document in bundled for section in document.sections for said in told_by(section.text)}
    assert len(ours) > 700
    assert ours.isdisjoint(said for text in real_texts(shared / "data") for said in told_by(text))
