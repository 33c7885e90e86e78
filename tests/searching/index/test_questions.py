"""A question to an index goes to papers, keeps to what it requires, and says what the index does not have."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rows import each_row
from tests.searching.engines.contract_trial import index_of

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers.asking import ask, search
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import ExpansionOptions
from anagnosis.searching.synonyms.stored_terms import read_terms

RECORD = {"id_of": "other", "date": "2001"}  # its id is a PMID or a DOI, and no fact says so
PAPERS = (
    Document(
        "p1",
        (
            Section("title", "Green tea and sleep"),
            Section("abstract", "Green tea was given to adults. Sleep was longer in children."),
        ),
        facts={
            "pmid": "31",
            "doi": "10.1000/tea.1",
            "date": "2015-03-02",
            "journal": "Lancet (London, England)",
            "types": "Review",
            "authors": "Smith, John A; Wu, Li",
            "mesh": "Tea; Sleep",
        },
    ),
    Document(
        "p2",
        (Section("title", "Black tea"), Section("abstract", "Tea that is green when young helps sleep of adults.")),
        facts={
            "pmcid": "PMC7",
            "date": "2019",
            "journal": "The New England Journal of Medicine",
            "authors": "Smith, K",
        },
    ),
    Document(
        "p3",
        (Section("title", "Hypertension and coffee"), Section("abstract", "Coffee raises the pressure of adults.")),
        facts={"pmid": "12345678", "date": "2021-05"},
    ),
    Document("p4", (Section("title", "Undated milk"), Section("abstract", "Milk helps sleep; hypertensive people.")),
             facts={"authors": "Nemo, Ana; Plato", "corporate_authors": "Milk Group"}),
    Document("34092517", (Section("title", "Salt"), Section("abstract", "Salt is old.")), facts=RECORD),
    Document("7654321", (Section("title", "Older salt"), Section("abstract", "It was white.")), facts=RECORD),
    Document("10.1000/Salt.X", (Section("title", "White salt"), Section("abstract", "It was dry.")), facts=RECORD),
)  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return index_of(tmp_path_factory.mktemp("questions") / "index", *PAPERS)


RETURNED = (
    ('"green tea" OR coffee', {"p1", "p3"}),
    ("sleep -tea", {"p4"}),
    ("green[ab]", {"p1", "p2"}),
    ("hypertensi*", {"p3", "p4"}),
    ("Smith J[au]", {"p1"}),
    ("Plato[lastau]", {"p4"}),
    ("Milk Group[au]", {"p4"}),
    ("sleep 2015:2018[dp]", {"p1"}),
    ("Does (green OR black) tea help sleep? -children", {"p2"}),
    ("31[pmid] sleep", {"p1"}),
    ("New England Journal of Medicine[ta]", {"p2"}),
)


@each_row(("question", "documents"), RETURNED, ids=[question for question, _ in RETURNED])
def test_a_query_returns_its_passages(index: Index, question: str, documents: set[str]) -> None:
    answer = search(index, question)
    assert {hit.passage.document for hit in answer.found} == documents
    assert {ident for ident, _ in index.documents(question, 10)} == documents


@each_row(
    ("question", "documents"),
    [
        ("31[pmid]", ["p1"]),
        ("PMID: 31", ["p1"]),
        ("https://doi.org/10.1000/TEA.1", ["p1"]),
        ('"10.1000/tea.1"', ["p1"]),
        ("12345678", ["p3"]),
        ("PMC7", ["p2"]),
        ("34092517", ["34092517"]),
        ("7654321", ["7654321"]),
        ("10.1000/Salt.X", ["10.1000/Salt.X"]),
    ],
)
def test_identifiers_go_to_their_papers(index: Index, question: str, documents: list[str]) -> None:
    answer = search(index, question, Filters(since="2050"))
    assert [hit.passage.document for hit in answer.found] == documents
    assert answer.understood.papers == documents
    assert answer.understood.repairs == ()
    assert not any(hit.sentences and hit.sentences[0].strength for hit in answer.found)


@pytest.mark.parametrize(
    ("question", "line", "documents"),
    [
        ("10.1000/tea.2", "no paper here is 10.1000/tea.2", []),
        ("PMID: 4", "no paper here is 4", []),
        ("10.1000/tea.2 PMC7", "no paper here is 10.1000/tea.2", ["p2"]),
        ("PMID:4 PMID:5 PMID:6 PMID:7 PMID:8", "no paper here is 4 or 5 or 6 or 2 others", []),
    ],
)
def test_identifiers_that_are_not_here_are_named_and_no_words(
    index: Index, question: str, line: str, documents: list[str]
) -> None:
    answer = search(index, question)
    assert list(answer.understood.repairs) == [line]
    assert [hit.passage.document for hit in answer.found] == documents
    assert answer.did_you_mean == ""


def test_a_number_of_seven_digits_that_is_no_paper_here_is_a_word(index: Index) -> None:
    understood = search(index, "7654320").understood
    assert (understood.papers, understood.repairs) == ((), ())


def test_a_phrase_that_is_not_here_is_searched_by_its_words(index: Index) -> None:
    answer = search(index, '"sleep tea"')
    assert list(answer.understood.repairs) == ['no passage here has "sleep tea", so its words are searched']
    assert answer.understood.line == ""
    assert {hit.passage.document for hit in answer.found} == {"p1", "p2", "p4"}


def test_names_and_dates_of_a_query_are_checked_like_filters(index: Index) -> None:
    left_out = search(index, "tea 2015:2020[dp] reviews[pt] Zzz[ta]").left_out
    assert left_out == (
        "No such journal here: zzz. No such type of publication here: reviews; for example Review. "
        "Left out by the filter of dates: 1 paper without a date of publication."
    )
    assert search(index, "Lancet[ta]").left_out == ""


def test_an_abbreviated_journal_is_shown_by_its_name(index: Index) -> None:
    understood = search(index, "N Engl J Med[ta] tea").understood
    assert 'journal: "The New England Journal of Medicine"' in understood.line


def test_what_is_excluded_and_what_is_a_name_does_not_score_sentences(index: Index) -> None:
    answer = ask(index, "Does tea help sleep? -milk Smith[au]", limit=20)
    plain = ask(index, "Does tea help sleep?", limit=20)
    scores = {one.text: one.score for one in plain.evidence}
    assert answer.evidence
    assert all(scores[one.text] == one.score for one in answer.evidence)
    assert answer.question == "Does tea help sleep? -milk Smith[au]"
    assert answer.kind == plain.kind


def test_words_that_begin_so_rank_passages(index: Index) -> None:
    hits = search(index, "hypertensi*").found
    assert hits[0].passage.document == "p3"
    assert hits[0].score > 0


MESH = """id\tname\tentry_terms\ttree_numbers
D1\tBeverages\tdrinks\tG07.203
D2\tTea\t\tG07.203.650
D3\tSleep\t\tF02.830
"""


@pytest.fixture
def with_tree(index: Index, tmp_path: Path) -> Index:
    """The same papers, with a vocabulary that has MeSH's tree."""
    (tmp_path / "mesh.tsv").write_text(MESH)
    made = index_of(tmp_path / "index", *PAPERS)
    made.store_terms(read_terms([tmp_path / "mesh.tsv"]))
    return made


@pytest.mark.parametrize(
    ("question", "papers", "line", "repairs"),
    [
        ("beverages[mh]", {"p1"}, "MeSH: beverages and 1 narrower term", ()),
        ("drinks/therapeutic use[mh]", {"p1"}, 'MeSH: "Beverages" and 1 narrower term', ()),
        ("beverages[mh:noexp]", set[str](), "MeSH (this term alone): beverages", ()),
        ("sleep -beverages[mh]", {"p2", "p4"}, "best with: sleep · not MeSH: beverages and 1 narrower term", ()),
        ("sleep[mh]", {"p1"}, "MeSH: sleep", ()),
        ("milk[mh]", set[str](), "MeSH: milk", ("milk[mh] has no narrower terms",)),
    ],
)  # fmt: skip
def test_a_mesh_term_has_its_narrower_ones(
    with_tree: Index, question: str, papers: set[str], line: str, repairs: tuple[str, ...]
) -> None:
    found = search(with_tree, question, Filters())
    assert {one.passage.document for one in found.found} == papers
    assert found.understood.line == line
    assert tuple(one.partition(":")[0] for one in found.understood.repairs) == repairs
    plain = with_tree.expanding(ExpansionOptions(synonyms=False))
    assert search(plain, question, Filters()).understood == found.understood


def test_without_a_tree_a_mesh_term_is_searched_alone(index: Index) -> None:
    found = search(index, "beverages[mh] OR tea[mh]", Filters())
    assert [one.passage.document for one in found.found] == ["p1"]
    assert [one.partition(":")[0] for one in found.understood.repairs] == [
        "beverages[mh] has no narrower terms",
        "tea[mh] has no narrower terms",
    ]
