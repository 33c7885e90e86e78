"""MEDLINE text: records, fields and labels, dirt counted by name, and that nothing depends on blocks."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.truncated import up_to_the_break

from anagnosis.documents.bibliography import COUNTED
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import medline, nbib
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

SAMPLES = Path(__file__).parents[2] / "samples" / "nbib"
RECORDS = (SAMPLES / "records.nbib").read_bytes()


def read(data: bytes, name: str = "ours.nbib") -> tuple[list[Document], Repairs]:
    repairs = Repairs()
    return up_to_the_break(nbib.read(io.BytesIO(data), repairs, name), repairs), repairs


@pytest.fixture(scope="module")
def carried() -> dict[str, Document]:
    return {document.id: document for document in read(RECORDS)[0]}


def test_a_record_is_read_as_the_citation_it_is(carried: dict[str, Document]) -> None:
    assert carried["90000001"] == Document(
        "90000001",
        (
            Section(
                "title",
                "Does a glass of water before bed shorten hiccups? A trial with a title that goes on in another line.",
            ),
            Section("abstract", "Hiccups at night are a nuisance.", "BACKGROUND"),
            Section("abstract", "We gave 40 people a glass of water, or none.", "METHODS"),
            Section("abstract", "Hiccups lasted 3 min and 9 min (P<.05).", "RESULTS AND DISCUSSION"),
            Section("abstract", "NCT00000000.", "Trial registration"),
            Section("abstract", "A glass of water shortened hiccups: so DNA: is no label.", "CONCLUSIONS"),
        ),
        facts={
            "date": "2021-02-04",
            "year": "2021",
            "journal": "The journal of invented medicine : JIM",
            "language": "eng",
            "doi": "10.1000/jim.2021.1",
            "pmcid": "PMC9000001",
            "types": "Journal Article; Randomized Controlled Trial",
            "mesh": "Hiccup; Water; Humans",
            "authors": "Nemo, A",
            "volume": "10",
        },
    )


def test_a_paper_has_the_facts_that_its_xml_has(carried: dict[str, Document]) -> None:
    with (SAMPLES.parent / "medline/citations.xml").open("rb") as stream:
        citations = {document.id: document for document in medline.read(stream, Repairs())}
    # What the text does not tell, or the sample tells otherwise.
    for ident in ("90000001", "90000003"):
        assert carried[ident].facts == {
            k: v for k, v in citations[ident].facts.items() if k in carried[ident].facts
        }
    # Other abstracts are left out.
    assert carried["90000003"].sections == citations["90000003"].sections[:1]


def test_a_journal_without_a_full_title_is_named_by_its_short_one() -> None:
    for fields, journal in (
        ("JT  - Journal of salt\nTA  - J Salt\n", "Journal of salt"),
        ("TA  - J Salt\n", "J Salt"),
    ):
        (document,), _ = read(f"PMID- 1\nTI  - T.\n{fields}".encode())
        assert document.facts["journal"] == journal


def test_states_are_facts_and_a_notice_is_another_record(carried: dict[str, Document]) -> None:
    assert carried["90000006"].facts == {
        "version": "2",
        "date": "1998-12",
        "year": "1998",
        "doi": "10.1000/soup",
        "retracted": "90000007; Stew. 2020 Jan 2;3(1):4",
        "expression_of_concern": "90000902",
        "partly_retracted": "90000903",
        "erratum": "Soup. 2019;1:9. Nemo, A [added]",
    }
    assert carried["90000007"].facts["retraction_notice"] == "90000006"
    assert carried["90000007"].facts["erratum_notice"] == "90000908"
    assert carried["90000007"].facts["pmcid"] == "PMC9000007"


def test_a_second_pmid_ends_a_record_as_a_blank_line_does() -> None:
    documents, repairs = read(RECORDS)
    assert [document.id for document in documents] == ["90000001", "90000003", "90000006", "90000007"]
    assert {name: n for name, n in repairs.counts.items() if name not in COUNTED} == {}
    assert read(RECORDS.replace(b"\n\nPMID", b"\nPMID"))[0] == documents


def test_faults_are_counted_and_what_cannot_be_read_refused() -> None:
    documents, repairs = read((SAMPLES / "hostile.txt").read_bytes(), "hostile.txt")
    assert documents == [
        Document(
            "91000002",
            (
                Section("title", "A title in two fields"),
                Section("abstract", "One abstract."),
                Section("abstract", "Another abstract."),
            ),
            facts={"date": "2001-02", "year": "2001"},
        ),
        Document("91000005", (Section("title", "Last, without a line end"),)),
    ]
    assert repairs.counts == {
        "line_unreadable": 2,
        "publication_day_impossible": 1,
        "book_left_out": 1,
        "citation_without_date": 1,
    }
    assert repairs.refused == 2
    assert repairs.refusals == [
        ("hostile.txt:1", "a record without PMID"),
        ("hostile.txt:9", "a line that is no field and continues none"),
        ("hostile.txt:17", "a line that is no field and continues none"),
        ("hostile.txt:19", "PMID 91000003 is a book, left out"),
        ("hostile.txt:22", "a record without PMID"),
    ]


def test_only_the_records_that_are_not_utf_8_are_refused_each_by_its_line() -> None:
    documents, repairs = read(b"PMID- 1\nTI  - One\n\nPMID- 2\nTI  - T\xe9\n\nPMID- 3\nTI  - Th\0ree\n")
    assert [(document.id, document.title) for document in documents] == [("1", "One"), ("3", "Th ree")]
    assert repairs.refusals == [("ours.nbib:5", "not UTF-8; convert it to UTF-8")]


@pytest.mark.parametrize("data", [b"PMC some PMC\n  PMID\n", b"TY  - JOUR\nTI  - RIS\n"])
def test_what_is_no_medline_text_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(InputError, match=r"ours\.nbib:1: no line like `PMID- 27000083`: not MEDLINE text"):
        read(data)


def test_a_record_need_not_begin_with_its_pmid() -> None:
    records = [f"OWN - NLM\nTI  - Title {number}\nPMID- {number}\nJT  - Soup\n" for number in range(1, 9)]
    data = "\n".join(records).encode()
    whole, _ = read(data)
    assert [document.sections[0].text for document in whole] == [f"Title {number}" for number in range(1, 9)]


def test_of_several_identifiers_of_a_kind_the_first_that_can_be_read_wins() -> None:
    ids = "LID - 10.1234/location [doi]\nAID - S1 [pii]\nAID - 10.1234/first [doi]\nAID - 10.1234/second [doi]\n"
    (document,), _ = read(f"PMID- 1\nTI  - T.\n{ids}PMC - x\nPMC - PMC1\nPMC - PMC2\n".encode())
    assert (document.facts["doi"], document.facts["pmcid"]) == ("10.1234/first", "PMC1")
