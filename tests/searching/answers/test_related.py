"""Related papers: by rare words in common, by vectors where there are some, never the paper itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.searching.engines.contract_trial import index_of

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.searching.answers.related import MOST_WORDS, related, telling_words
from anagnosis.searching.index.index import Index


def paper(ident: str, title: str, *texts: str, body: str = "", **facts: str) -> Document:
    sections = [Section("title", title), *(Section("abstract", text) for text in texts)]
    if body:
        sections.append(Section("body", body, "Methods"))
    return Document(ident, tuple(sections), facts=facts)


PAPERS = [
    paper("1", "Heliotropes and tea", "Heliotropes grew in tea. The patients slept.", body="Zebras " * 5),
    paper(
        "2", "Heliotropes", "Heliotropes grew. The patients woke.", date="2016", journal="J", retracted="9"
    ),
    paper("3", "Tea", "Tea was warm. The patients drank."),
    paper("4", "Zebras", "Zebras ran. The patients ran."),
    *(paper(str(10 + n), f"Patients {n}", "The patients slept and woke.") for n in range(6)),
]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with closing(index_of(tmp_path / "index", *PAPERS)) as made:
        yield made


def test_papers_with_rare_words_in_common_come_first_without_the_paper_itself(index: Index) -> None:
    answer = related(index, "1", 3)
    assert (answer.document, answer.title) == ("1", "Heliotropes and tea")
    assert [one.passage.document for one in answer.related[:2]] == ["2", "3"]
    assert len(answer.related) == 3
    first = answer.related[0].passage
    assert (first.title, first.date, first.journal) == ("Heliotropes", "2016", "J")
    assert [notice.kind for notice in first.notices] == ["retracted"]
    assert [link.name for link in first.links] == ["PubMed"]
    assert answer.related[0].score > answer.related[1].score


def test_telling_words_are_of_title_and_abstract_and_not_of_this_paper_alone(index: Index) -> None:
    words = telling_words(index, index.stored("1").passages)
    assert words[:2] == ["heliotrop", "tea"]
    assert "zebra" not in words
    assert len(words) <= MOST_WORDS


def test_a_paper_is_named_by_any_identifier_and_an_unknown_one_is_refused(index: Index) -> None:
    index.add(paper("5", "Warm tea", "Tea was warm.", doi="10.1/Tea"), Counter())
    index.add(paper("6", "Quokkas", "Quokkas hop."), Counter())
    index.commit()
    assert related(index, "10.1/tea").document == "5"
    assert related(index, "6").related == [], "nothing shares its words"
    for ident in ("99", ""):
        with pytest.raises(InputError):
            api.related(index, ident)
    with pytest.raises(InputError):
        api.related(index, "1", limit=0)
