"""The list of what papers conclude."""

from __future__ import annotations

from pathlib import Path

from tests.searching.engines.contract_trial import index_of

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.conclusions.concluding import conclusions
from anagnosis.searching.filters import Filters

IMPROVES = "Does metformin improve oocyte maturation?"
# document → (title, conclusion, whether it is listed)
PAPERS = {
    "plain": ("Metformin and oocytes", "Metformin improved oocyte maturation.", True),
    "denied": ("Metformin and mice", "Metformin did not improve oocyte maturation.", True),
    "other-drug": ("Letrozole", "Letrozole improved oocyte maturation.", False),
}


OTHERS = [Document(f"else-{n}", (Section("abstract", f"Sheep ate hay {n}."),)) for n in range(20)]


def test_each_paper_about_the_question_is_listed_with_its_conclusion(tmp_path: Path) -> None:
    papers = [
        Document(name, (Section("title", title), Section("abstract", text, "CONCLUSIONS")))
        for name, (title, text, _) in PAPERS.items()
    ]
    index = index_of(tmp_path / "index", *papers, *OTHERS)
    read = index.read(IMPROVES)
    hits = highlighted(index, read.topic, index.search(read, Filters(), READ))
    listed = conclusions(index, read.topic, hits)
    assert {one.document: one.evidence and one.evidence.text for one in listed.papers} == {
        name: text for name, (_, text, is_listed) in PAPERS.items() if is_listed
    }
