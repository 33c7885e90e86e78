"""Documents and snippets of an index: addresses of PubMed, and offsets in title and abstract that give the text."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.kinds.question import SUMMARY, QuestionInstance
from anagnosis.documents.document import Document, Section
from anagnosis.predictions import Prediction
from anagnosis.searching.index.index import Index, create_index, open_index
from anagnosis.searching.passages import LONGEST, passages
from anagnosis.submissions.bioasq.retrieval import abstract_of, retrieve, texts_of
from anagnosis.submissions.bioasq.rules import ADDRESS, faults

QUESTION = "Does cold brew coffee raise gastric pH less than espresso?"


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("retrieval") / "index"
    api.index([carried(), carried("medline")], out=folder)
    return open_index(folder)


def document(*sections: Section, ident: str = "31", **facts: str) -> Document:
    return Document(ident, (Section("title", "Salt water and blue mice."), *sections), facts=facts)


def part(text: str, label: str = "") -> Section:
    return Section("abstract", text, title=label)


def test_ten_documents_and_snippets_with_true_offsets(collection: Index) -> None:
    found = retrieve(collection, "q", QUESTION)
    assert len(found.documents or ()) == len(found.snippets or ()) == 10
    assert (found.documents or [])[0] == ADDRESS.format(99000027)
    assert "For half an hour, cold brew raises gastric pH less than espresso does." in {
        snippet.text for snippet in found.snippets or ()
    }
    texts = texts_of(collection)
    assert not [*faults(QuestionInstance("q", SUMMARY, QUESTION), found, texts)]
    assert {snippet.document for snippet in found.snippets or ()} <= {*(found.documents or ())}
    for snippet in found.snippets or ():
        text = texts(snippet.document.rpartition("/")[2], snippet.begin_section)
        assert text is not None
        assert text[snippet.begin : snippet.end] == snippet.text


def test_a_moved_snippet_is_found_out(collection: Index) -> None:
    found = retrieve(collection, "q", QUESTION)
    first = (found.snippets or [])[0]
    moved = type(first)(
        first.document,
        first.begin_section,
        (first.begin or 0) + 1,
        first.end_section,
        (first.end or 0) + 1,
        first.text,
    )
    wrong = faults(
        QuestionInstance("q", SUMMARY, "?"), Prediction("q", snippets=[moved]), texts_of(collection)
    )
    assert [name for name, _ in wrong] == ["offsets"]


def test_a_paper_that_the_index_lacks_has_no_text(collection: Index) -> None:
    assert texts_of(collection)("1", "abstract") is None


@pytest.mark.parametrize("question", ["", "   ", "What is it?"])
def test_a_question_that_names_nothing_gets_nothing(collection: Index, question: str) -> None:
    assert retrieve(collection, "q", question) == Prediction("q", documents=[], snippets=[])


def test_papers_without_a_pmid_are_no_documents(tmp_path: Path) -> None:
    index = create_index(tmp_path / "index")
    index.begin()
    from collections import Counter

    for number in range(40):
        sections = part("Salt water stops blue mice. They sleep."), part("It was salt.")
        index.add(document(*sections, ident=f"x{number}"), Counter(), "jsonl")
    index.add(document(part("Salt water is not blue."), ident="77"), Counter(), "jsonl")
    index.add(document(part("Mice."), ident="y", pmid="78"), Counter(), "jsonl")
    index.commit()
    found = retrieve(index, "q", "Does salt water stop blue mice?")
    assert {*(found.documents or ())} == {ADDRESS.format(77), ADDRESS.format(78)}


def test_parts_of_an_abstract_are_joined_with_their_labels() -> None:
    made = passages(
        document(part("We asked.", "Background"), part("They slept.", "RESULTS:"), part("So.", "UNASSIGNED"))
    )
    found = abstract_of(made)
    assert found.text == "BACKGROUND: We asked. RESULTS: They slept. So."
    assert [found.text[found.begins[one.number] :][: len(one.text)] for one in made] == [
        "We asked.",
        "They slept.",
        "So.",
    ]


def test_pieces_of_one_part_are_joined_as_they_were_cut() -> None:
    text = " ".join(f"Sentence {n} says that mice slept." for n in range(LONGEST // 8)).strip()
    made = passages(document(part(text)))
    assert len(made) > 2
    assert abstract_of(made).text == text


def test_sections_of_a_full_text_are_no_abstract() -> None:
    body = Section("body", "We bought mice.", title="Methods")
    assert abstract_of(passages(document(part("They slept."), body))).text == "They slept."
