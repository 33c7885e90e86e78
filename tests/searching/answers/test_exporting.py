"""Papers of an index as references: each once, best first, with its facts; by id, PMID, PMC number and DOI."""

from __future__ import annotations

import json
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
from anagnosis.searching.answers.exporting import references, references_of
from anagnosis.searching.citing.reference import Reference
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.passage import Notice

PAPER = Document(
    "27",
    (
        Section("title", "Tea and\nsalt"),
        Section("abstract", "We gave tea.", "METHODS"),
        Section("abstract", "Tea helped against salt.", "RESULTS"),
        Section("body", "Tea was warm, and tea was green.", "Discussion"),
    ),
    facts={
        "date": "2016-03", "journal": "J Tea", "authors": "Nemo, Ana; Bo, B", "corporate_authors": "Tea Group",
        "volume": "3", "issue": "2", "pages": "7-9", "doi": "10.1/Tea", "pmcid": "PMC7", "mesh": "Tea; Humans",
        "keywords": "tea", "types": "Journal Article; Review", "retracted": "31", "language": "eng",
    },
)  # fmt: skip
OTHERS = [
    Document(str(100 + n), (Section("title", f"Paper {n}"), Section("abstract", f"Salt in water, part {n}.")))
    for n in range(7)
]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with closing(index_of(tmp_path / "index", PAPER, *OTHERS)) as made:
        yield made


WHOLE = Reference(
    id="27",
    title="Tea and salt",
    authors=("Nemo, Ana", "Bo, B", "Tea Group"),
    journal="J Tea",
    date="2016-03",
    volume="3",
    issue="2",
    pages="7-9",
    doi="10.1/Tea",
    pmid="27",
    pmcid="PMC7",
    language="eng",
    types=("Journal Article", "Review"),
    keywords=("tea",),
    mesh=("Tea", "Humans"),
    abstract="METHODS: We gave tea. RESULTS: Tea helped against salt.",
    notices=(Notice("retracted", "RETRACTED", "31"),),
    address="https://pubmed.ncbi.nlm.nih.gov/27/",
)


@pytest.mark.parametrize("ident", ["27", "pmid:27", "PMC7", "10.1/tea", "https://doi.org/10.1/TEA"])
def test_a_paper_is_exported_by_its_id_or_any_identifier(index: Index, ident: str) -> None:
    assert list(references_of(index, [ident])) == [WHOLE]


def test_an_id_of_several_papers_is_refused_with_their_names(index: Index) -> None:
    for ident in ("31", "32"):
        index.add(Document(ident, (Section("title", "A review"),), facts={"doi": "10.1/review"}), Counter())
    index.commit()
    with pytest.raises(InputError, match="id of several papers") as fault:
        list(references_of(index, ["10.1/review"]))
    assert fault.value.remedy == "name 31 or 32"


def test_papers_come_once_and_best_first(index: Index) -> None:
    found = list(references(index, "tea salt"))
    assert Counter(one.id for one in found) == Counter(["27", *(each.id for each in OTHERS)])
    assert found[0] == WHOLE


def test_a_paper_whose_source_has_only_the_year_has_it_as_its_date(index: Index) -> None:
    sections = (Section("title", "Tea of old"), Section("abstract", "Tea was cheap."))
    index.add(Document("5", sections, facts={"year": "1998"}), Counter())
    index.commit()
    assert [(one.date, one.year) for one in references_of(index, ["5"])] == [("1998", "1998")]
    assert [hit.passage.date for hit in api.search(index, "cheap").found] == ["1998"]


def test_the_limit_counts_papers_and_filters_hold(index: Index) -> None:
    assert [one.id for one in references(index, "tea", limit=1)] == ["27"]
    assert len(list(references(index, "tea salt", limit=3))) == 3
    assert [one.id for one in references(index, "salt", Filters(journals=("j tea",)))] == ["27"]


def test_by_date_the_latest_papers_come_first(index: Index, tmp_path: Path) -> None:
    for ident, date in (("8", "2011-05"), ("9", "2021-02"), ("10", "2003")):
        index.add(Document(ident, (Section("abstract", "Salt."),), facts={"date": date}), Counter())
    index.commit()
    for sort, first in (("score", "27"), ("date", "9")):
        out = tmp_path / f"{sort}.jsonl"
        api.export_results(index, "salt", to="jsonl", out=out, sort=sort, filters=Filters(since="2000"))
        ids = [json.loads(line)["id"] for line in out.read_text().splitlines()]
        assert ids[0] == first, sort
    assert ids == ["9", "27", "8", "10"]


def test_the_verb_writes_a_file_whole_or_not_at_all(index: Index, tmp_path: Path) -> None:
    out = tmp_path / "papers.bib"
    assert api.export_results(index, "tea salt", to="bibtex", out=out, limit=5) == 5
    assert out.read_text().count("@") == 5
    with pytest.raises(InputError, match="no document '99'"):
        api.export_results(index, ids=["27", "99"], to="ris", out=tmp_path / "b.ris")
    assert not (tmp_path / "b.ris").exists()


def test_without_a_matching_paper_the_file_is_valid_and_one_line_says_so(
    index: Index, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for to, written in (("ris", ""), ("bibtex", ""), ("jsonl", ""), ("csv", "id,pmid,")):
        out = tmp_path / f"papers.{to}"
        assert api.export_results(index, "zebra", to=to, out=out) == 0
        text = out.read_text(encoding="utf-8-sig")
        assert text.startswith(written)
        assert text.count("\n") == bool(written)
        line = capsys.readouterr().err
        assert line.startswith("no paper here matches 'zebra', so the list is empty")
        assert line.count("\n") == 1
    none = api.filters(since="2999")
    assert api.export_results(index, to="ris", out=tmp_path / "none.ris", filters=none) == 0
    assert capsys.readouterr().err.startswith("no paper here matches the filters, so the list is empty")
    api.export_results(index, "salt", to="ris", out=tmp_path / "some.ris")
    everything = api.search(index)
    assert api.export_results(index, to="ris", sort="date", out=tmp_path / "all.ris") == everything.matches
    some = api.filters(since="2016")
    assert api.export_results(index, to="ris", filters=some, out=tmp_path / "new.ris") < everything.matches
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"to": "ris"}, "no paper is selected"),
        ({"question": "tea", "ids": ["27"], "to": "ris"}, "leave out one of them"),
        ({"question": "tea", "to": "word"}, "format"),
        ({"question": "tea", "to": "ris", "limit": 0}, "limit"),
        ({"question": "the of", "to": "ris"}, "question: all of these"),
        ({"question": "tea", "to": "ris", "sort": "year"}, "sort"),
        ({"question": "tea", "to": "ris", "sort": "date", "ranking": "dense"}, "by date"),
    ],
)
def test_what_cannot_be_exported_is_refused(index: Index, how: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        api.export_results(index, **how)  # pyright: ignore[reportArgumentType]


CLEAN = "Tea lowers blood pressure in adults. We gave tea to forty adults for a year."
FULL = Document(
    "full",
    (
        Section("title", "Tea"),
        Section("abstract", f"{CLEAN} Keywords: tea, adults."),
        Section("body", "It was warm. " * 40),
    ),
    facts={"doi": "10.1/tea"},
)
SUPPLEMENT = Document(
    "supplement",
    (
        Section("title", "Tea, tables"),
        Section("abstract", "Times of brewing."),
        Section("body", "We brewed more. " * 90),
    ),
    facts={"doi": "10.1/tea"},
)


@pytest.mark.parametrize("source", ["ris/0123", "bibtex/45", "zotero/6", "medline", "nbib"])
def test_the_abstract_is_that_of_a_library_or_of_medline(source: str, tmp_path: Path) -> None:
    entry = Document("31", (Section("title", "Tea"), Section("abstract", CLEAN)), facts={"doi": "10.1/TEA/"})
    made = create_index(tmp_path / "index")
    for document, its_source in ((SUPPLEMENT, "pdf"), (entry, source), (FULL, "pdf")):
        made.add(document, Counter(), its_source)
    made.commit()
    (found,) = references(made, "tea")
    assert found.abstract == CLEAN
    assert [one.abstract for one in references_of(made, [found.id])] == [CLEAN]
    made.close()
