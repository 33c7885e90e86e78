"""RIS: records of PubMed, Embase, EndNote and ours; a missing ER loses no record in silence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.libraries.reading import OWN_EXPORT, facts, read
from tests.rows import each_row
from tests.searching.citing.references import REFERENCES, WHOLE

from anagnosis.documents.bibliography import signatories
from anagnosis.documents.document import Section
from anagnosis.searching.citing.formats import export_format
from anagnosis.searching.citing.reference import Reference


def record(*fields: str) -> str:
    return "".join(f"{field}\r\n" for field in ("TY  - JOUR", "TI  - Salt", *fields, "ER  - "))


def test_our_own_export_reads_back() -> None:
    (entry,), repairs = read("ris", "".join(export_format("ris").lines([WHOLE])))
    assert (entry.key, entry.document.id, entry.document.title) == (WHOLE.id, WHOLE.pmid, WHOLE.title)
    assert entry.document.sections[1:] == (
        Section("abstract", "We asked.", "METHODS"),
        Section("abstract", "=1+1", "RESULTS"),
    )
    assert signatories(entry.document.facts) == list(WHOLE.authors)
    assert entry.document.facts == {"date": "2016-03-23", **OWN_EXPORT}
    assert repairs.counts == {}


@given(st.lists(REFERENCES, max_size=3))
def test_whatever_we_export_is_an_entry_or_refused(papers: list[Reference]) -> None:
    entries, repairs = read("ris", "".join(export_format("ris").lines(papers)) or "ER  - \n")
    assert len(entries) + repairs.counts["entry_empty"] == len(papers)
    assert not repairs.refused
    assert not repairs.counts["ris_end_added"]
    titles = [entry.document.title for entry in entries]
    assert len([title for title in titles if title]) == len([one for one in papers if one.title.strip()])


PUBMED = """\
TY  - JOUR
DB  - PubMed
AU  - Hellinger, Frank R
T1  - Does aspirin prevent stroke?
LA  - eng
SN  - 1756-1833
Y1  - 2016/03/23
AB  - METHODS: We asked.
SP  - 817
EP  - 20
VL  - 12
IS  - 3
AN  - 27000083
C2  - PMC4805999
UR  - https://www.ncbi.nlm.nih.gov/pubmed/27000083
U1  - 27000083[pmid]
JF  - Journal of Salt
JA  - J Salt
DO  - 10.1000/x
ER  -
"""
EMBASE = """\
TY  - JOUR
M3  - Review
Y1  - 2019//
VL  - 12
T1  - Salt: a review
A1  - Smith J.A.
A1  - Nemo A.
DB  - Embase
AN  - 2001234567
JF  - Journal of Salt
N2  - Salt helps.
KW  - salt
sea
L2  - http://dx.doi.org/10.1000/y
DO  - 10.1000/y
ER  -
"""


def test_pubmed_s_export_has_a_pmid() -> None:
    (entry,), repairs = read("ris", PUBMED)
    assert entry.document.id == "27000083"
    assert entry.document.facts["pmcid"] == "PMC4805999"
    assert entry.document.facts["journal"] == "Journal of Salt"
    assert entry.document.facts["pages"] == "817-20"
    assert repairs.counts == {}


def test_embase_s_accession_number_is_no_pmid() -> None:
    (entry,), repairs = read("ris", EMBASE)
    assert entry.document.id == "10.1000/y"
    assert entry.document.facts["keywords"] == "salt; sea"
    assert entry.document.facts["authors"] == "Smith J.A.; Nemo A."
    assert entry.document.facts["date"] == "2019"
    assert repairs.counts == {}


def test_every_file_of_a_record_is_kept_and_addresses_are_counted() -> None:
    data = record(
        "L1  - file:///C:/papers/a.pdf",
        "L1  - internal-pdf://0123/b.pdf",
        "L1  - https://example.org/c.pdf",
        "L2  - d.pdf",
        "L3  - e.pdf",
        "L4  - f.png",
        "L4  - ../g.pdf",
    )
    (entry,), repairs = read("ris", data)
    assert entry.files == (
        "C:/papers/a.pdf",
        "/papers/lib.Data/PDF/0123/b.pdf",
        "/papers/d.pdf",
        "/papers/e.pdf",
    )
    assert repairs.counts == {"attachment_not_pdf": 1, "path_outside_library": 1}


@each_row(
    ("text", "titles", "counted"),
    [
        ("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\nER  - \n", ["One", "Two"], {"ris_end_added": 1}),
        ("TY  - JOUR\nTI  - One\nER  - \nTY  - JOUR\nTI  - Two", ["One", "Two"], {"ris_end_added": 1}),
        ("TY  - JOUR\nTI  - One\nER  -\n\n\nTY  - JOUR\nTI  - Two\nER  -", ["One", "Two"], {}),
        ("Provider: X\n\nTY  - JOUR\nTI  - One\nER  - \n", ["One"], {"line_unreadable": 1}),
        ("TY  - JOUR\nTI  - One\nER  - \nER  - \nstray\n", ["One"], {"line_unreadable": 2}),
        ("TY  - JOUR\nlost\nTI  - One\n goes on\nER  - \n", ["One goes on"], {"line_unreadable": 1}),
        ("TY  -  JOUR\nTI  -  One\nAB  -  A\nER  -  \n", ["One"], {}),
        ("TY - JOUR\nTI - One\nAB - A\nER -\n", ["One"], {}),
        ("TY  -\tJOUR\nTI  -\tOne\nER  -\n", ["One"], {}),
        ("TY  - JOUR\nTI  - One\nAB  - We saw\nER - negative cells.\nER  - \n", ["One"], {}),
        (
            "TY  - JOUR\nTI  - One\nUK  - x\nXX  - y\nER  - ",
            ["One"],
            {},
        ),
        ("TY  - JOUR\nTI  - One\nUR  - a;b\nER  - ", ["One"], {}),
        ("TY  - JOUR\nTI  - One\nTI  - Two\nER  - ", ["One Two"], {}),
    ],
)
def test_no_record_is_lost_in_silence(text: str, titles: list[str], counted: dict[str, int]) -> None:
    entries, repairs = read("ris", text)
    assert [each.document.title for each in entries] == titles
    assert repairs.counts == counted


@each_row(
    ("fields", "named"),
    [
        (["PY  - 2016", "DA  - Mar 23"], {"date": "2016-03-23", "year": "2016"}),
        (["PY  - 2016///"], {"date": "2016", "year": "2016"}),
        (["SP  - 817-820"], {"pages": "817-820"}),
        (["SP  - e12", "EP  - e12"], {"pages": "e12"}),
        (["JO  - J S", "T2  - J Salt"], {"journal": "J Salt"}),
        (["AU  - Salt,, Soup Group,"], {"corporate_authors": "Salt, Soup Group"}),
        (["C2  - pmc12"], {"pmcid": "PMC12"}),
        (["C2  - 12"], {}),
        (["N1  - PMID: 27"], {}),
        (["KW  - a; b"], {"keywords": "a; b"}),
    ],
)
def test_fields_are_facts(fields: list[str], named: dict[str, str]) -> None:
    assert facts("ris", record(*fields)) == {"types": "Journal Article", **named}


@pytest.mark.parametrize(
    ("kind", "type_"), [("UNPB", "Preprint"), ("DATA", "Dataset"), ("THES", "THES"), ("GEN", None)]
)
def test_types_have_the_names_of_our_facts(kind: str, type_: str | None) -> None:
    assert facts("ris", f"TY  - {kind}\nTI  - x\nER  - ").get("types") == type_
