"""A list of results: its papers counted, by date with all words, its facets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.searching.engines.contract_trial import index_of

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError
from anagnosis.reports.records import report
from anagnosis.reports.renderers.text import render
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import Facet


def paper(ident: str, date: str, *texts: str, **facts: str) -> Document:
    sections = (Section("title", f"Paper {ident}"), *(Section("abstract", text, "RESULTS") for text in texts))
    return Document(ident, sections, facts={"date": date, **facts})


PAPERS = [
    paper("1", "2019", "Cold tea and salt.", journal="J Tea", types="Review"),
    paper("2", "2021-03", "Tea was warm.", "Tea was green.", journal="J Tea", types="Letter"),
    paper("3", "2020", "Cold tea was cold.", journal="Salt", types="Review; Letter"),
    paper("4", "2022", "A cold."),
]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with closing(index_of(tmp_path / "index", *PAPERS)) as made:
        yield made


def test_a_list_by_score_has_the_papers_with_any_of_the_words(index: Index) -> None:
    answer = api.search(index, "cold tea", limit=1)
    assert (answer.sort, answer.facets) == ("score", None)
    assert answer.matches == 4


def test_a_list_by_date_has_the_papers_with_all_words_the_latest_first(index: Index) -> None:
    answer = api.search(index, "cold tea", sort="date", facets=True)
    assert [hit.passage.document for hit in answer.found] == ["3", "1"]
    assert answer.matches == 2
    assert answer.ranking == "lexical"
    assert answer.understood.repairs == ()
    assert answer.facets is not None
    assert list(answer.facets.years) == [Facet("2019", 1), Facet("2020", 1)]
    assert list(answer.facets.types) == [Facet("Review", 2), Facet("Letter", 1)]


def test_a_tag_that_is_spelled_as_an_old_type_is_counted_as_it_is(tmp_path: Path) -> None:
    tagged = paper("1", "2020", "Tea.", types="review-article", tags="review-article")
    made = index_of(tmp_path / "index", tagged)
    counts = api.search(made, "tea", facets=True).facets
    made.close()
    assert counts is not None
    assert ([*counts.types], [*counts.tags]) == ([Facet("Review", 1)], [Facet("review-article", 1)])


SPELLED = ("case-report", "CASE REPORTS", ["case-report", "protocol"], "review-article; Review")


def test_every_spelling_of_a_publication_type_is_the_same_type(tmp_path: Path) -> None:
    papers = [{"id": f"{n}", "title": "Cold tea", "text": "", "types": one} for n, one in enumerate(SPELLED)]
    (tmp_path / "papers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in papers))
    api.index([tmp_path / "papers.jsonl"], tmp_path / "index")
    found = api.search(tmp_path / "index", "cold tea", facets=True).facets
    assert found is not None
    assert [*found.types] == [Facet("Case Reports", 3), Facet("protocol", 1), Facet("Review", 1)]
    for kind in ("Case Reports", "case-report", "Case report"):
        by_filter = api.search(tmp_path / "index", "cold tea", filters=Filters(types=(kind,)))
        by_tag = api.search(tmp_path / "index", f'cold tea AND "{kind}"[pt]')
        for answer in (by_filter, by_tag):
            assert (answer.matches, answer.left_out) == (3, "")
            kinds = {"; ".join(hit.passage.types) for hit in answer.found}
            assert kinds == {"Case Reports", "Case Reports; protocol"}


def test_without_a_paper_with_all_words_a_list_by_date_has_those_with_any(index: Index) -> None:
    answer = api.search(index, "salt green", sort="date")
    assert [hit.passage.document for hit in answer.found] == ["2", "1"]
    assert answer.matches == 2
    (note,) = answer.understood.repairs
    assert note == "no paper here has all of these words, so the list has those with any of them"
    assert api.search(index, "salt green").understood.repairs == ()
    assert api.search(index, "zzz yyy", sort="date").understood.repairs == ()


def test_a_list_by_date_has_one_of_the_names_or_all_words_of_the_typed_one(tmp_path: Path) -> None:
    texts = {
        "1": "A heart attack.",
        "2": "An infarction of the myocardium: myocardial infarction.",
        "3": "An attack on the heart.",
        "4": "The heart was large.",
        "5": "An attack of asthma.",
    }
    lines = [f'{{"_id": "{one}", "title": "", "text": "{text}"}}\n' for one, text in texts.items()]
    (tmp_path / "papers.jsonl").write_text("".join(lines))
    (tmp_path / "terms.tsv").write_text("id\tname\tsynonyms\n1\tMyocardial infarction\theart attack\n")
    api.index([tmp_path / "papers.jsonl"], tmp_path / "index", terms=[tmp_path / "terms.tsv"])
    answer = api.search(tmp_path / "index", "heart attack", sort="date")
    assert sorted(hit.passage.document for hit in answer.found) == ["1", "2", "3"]
    assert answer.matches == 3
    asthma = api.search(tmp_path / "index", "heart attack asthma", sort="date")
    assert (asthma.matches, len(asthma.understood.repairs)) == (5, 1)


def test_an_index_lists_by_date_as_a_search_does(index: Index) -> None:
    for question in ("cold tea", "salt green"):
        listed = api.search(index, question, sort="date").found
        assert [hit.passage for hit in index.search(question, sort="date")] == [hit.passage for hit in listed]


def test_a_query_of_identifiers_counts_its_papers_alone(index: Index) -> None:
    answer = api.search(index, "PMID: 2", facets=True)
    assert answer.matches == 1
    assert answer.facets is None


def test_a_report_says_how_many_papers_there_are_and_of_which_years(index: Index) -> None:
    text = render(report(api.search(index, "cold tea", facets=True, sort="date")))
    assert "In all 2 papers, the latest first." in text
    assert "Papers by year" in text


def test_an_unknown_order_and_a_ranking_that_has_none_are_refused(index: Index) -> None:
    with pytest.raises(InputError, match="sort"):
        api.search(index, "tea", sort="title")
    with pytest.raises(InputError, match="by words"):
        api.search(index, "tea", sort="date", ranking="dense")
