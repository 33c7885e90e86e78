"""Six papers of five publishers, against what people read on their pages (gold.json)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.documents.formats.pdf.gold import Paper, Sentence, gold, has, plain

from anagnosis import api
from anagnosis.documents.document import HEADING_PATH, Document

LEAST_SENTENCES, LEAST_HEADINGS, LEAST_OF_A_PAPER = 0.95, 0.9, 0.75
REFERENCES = ("References", "Literature cited")


PAPERS = Path(__file__).parents[5] / "shared" / "data" / "pdf" / "papers"


@pytest.fixture(scope="module")
def papers() -> Mapping[str, Document]:
    if not PAPERS.exists():
        pytest.skip("no ../shared/data/pdf")
    return {name: next(iter(api.read(PAPERS / name))) for name in gold()}


def lost(document: Document, own: Paper) -> list[Sentence]:
    """The sentences that the document has not word for word."""
    texts = [plain(section.text) for section in document.sections]
    return [one for one in own.sentences if not any(has(text, one) for text in texts)]


def headings(document: Document) -> list[str]:
    """The headings up to that of the references."""
    found, path = list[str](), list[str]()
    for section in document.sections:
        own = section.title.split(HEADING_PATH) if section.title else []
        own = ["Abstract"] if section.label == "abstract" else own
        if section.label not in ("figure", "table"):
            same = sum(1 for one, other in zip(own, path, strict=False) if one == other)
            found += map(plain, own[same:])
            path = own
        if found and found[-1] in REFERENCES:
            break
    return found


def f1(found: list[str], wanted: list[str]) -> float:
    return 2 * (Counter(found) & Counter(wanted)).total() / (len(found) + len(wanted))


@pytest.mark.shared
def test_titles_and_dois_are_those_that_are_printed(papers: Mapping[str, Document]) -> None:
    for name, own in gold().items():
        assert plain(papers[name].title) == plain(own.title)
        assert own.doi in (papers[name].facts.get("doi"), papers[name].facts.get("page_doi"))


@pytest.mark.shared
def test_sentences_are_read_word_for_word(papers: Mapping[str, Document]) -> None:
    missed = [(name, one) for name, own in gold().items() for one in lost(papers[name], own)]
    assert len(missed) <= (1 - LEAST_SENTENCES) * sum(len(own.sentences) for own in gold().values()), missed


@pytest.mark.shared
def test_headings_are_found(papers: Mapping[str, Document]) -> None:
    found = {name: headings(papers[name]) for name in gold()}
    wanted = {name: [plain(one) for one in own.headings] for name, own in gold().items()}
    for name in gold():
        assert f1(found[name], wanted[name]) >= LEAST_OF_A_PAPER, name
    every = [[f"{name} {one}" for name in gold() for one in some[name]] for some in (found, wanted)]
    assert f1(*every) >= LEAST_HEADINGS


@pytest.mark.shared
def test_nothing_that_surrounds_the_text_is_in_it(papers: Mapping[str, Document]) -> None:
    around = (
        "Downloaded from",
        "FOR PEER REVIEW",
        "bioRxiv preprint",
        "It is made available under",
        "Page 4 of 16",
    )
    for name, document in papers.items():
        assert not [one for one in around if one in document.text], name
