"""RIS of PubMed, Embase, EndNote and ours, and Web of Science; a missing ER loses no record in silence."""

from __future__ import annotations

import pytest
from tests.documents.libraries.library_files import WOS_END, WOS_HEAD, WOS_RECORD
from tests.documents.libraries.reading import facts, read
from tests.rows import each_row


def record(*fields: str) -> str:
    return "".join(f"{field}\r\n" for field in ("TY  - JOUR", "TI  - Salt", *fields, "ER  - "))


@each_row(
    ("fields", "ident"),
    [
        (["DB  - PubMed", "AN  - 27000083"], "27000083"),
        (["DB  - Embase", "AN  - 2001234567", "DO  - 10.1000/y"], "10.1000/y"),
    ],
)
def test_an_accession_number_is_a_pmid_of_pubmed_alone(fields: list[str], ident: str) -> None:
    (entry,), repairs = read("ris", record(*fields))
    assert (entry.document.id, repairs.counts) == (ident, {})


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
        (["Y1  - 2016/03/23"], {"date": "2016-03-23", "year": "2016"}),
        (["A1  - Smith J.A.", "A1  - Nemo A."], {"authors": "Smith J.A.; Nemo A."}),
        (["SP  - 817-820"], {"pages": "817-820"}),
        (["SP  - 817", "EP  - 20"], {"pages": "817-20"}),
        (["SP  - e12", "EP  - e12"], {"pages": "e12"}),
        (["JO  - J S", "T2  - J Salt"], {"journal": "J Salt"}),
        (["AU  - Salt,, Soup Group,"], {"corporate_authors": "Salt, Soup Group"}),
        (["C2  - pmc12"], {"pmcid": "PMC12"}),
        (["C2  - 12"], {}),
        (["N1  - PMID: 27"], {}),
        (["KW  - a; b"], {"keywords": "a; b"}),
        (["KW  - salt", "sea"], {"keywords": "salt; sea"}),
    ],
)
def test_fields_are_facts(fields: list[str], named: dict[str, str]) -> None:
    assert facts("ris", record(*fields)) == {"types": "Journal Article", **named}


@pytest.mark.parametrize(
    ("kind", "type_"), [("UNPB", "Preprint"), ("DATA", "Dataset"), ("THES", "THES"), ("GEN", None)]
)
def test_types_have_the_names_of_our_facts(kind: str, type_: str | None) -> None:
    assert facts("ris", f"TY  - {kind}\nTI  - x\nER  - ").get("types") == type_


def test_a_record_of_web_of_science_becomes_an_entry_with_all_its_facts() -> None:
    text = WOS_HEAD + WOS_RECORD + WOS_END
    (entry,), repairs = read("web-of-science", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert (entry.key, entry.document.id) == ("WOS:000123456789012", "27000083")
    assert [(one.title, one.text) for one in entry.document.sections] == [
        ("", "Does aspirin sp. prevent stroke?"),
        ("METHODS", "We asked. PT J was an answer."),
    ]
    assert entry.document.facts == {
        "date": "2016-03-23",
        "year": "2016",
        "journal": "JOURNAL OF SALT",
        "language": "English",
        "doi": "10.1000/x",
        "types": "Journal Article; Proceedings Paper",
        "authors": "Hellinger, Frank R. Jr.; Nemo, Ana",
        "corporate_authors": "Salt Study Grp; Sea Grp",
        "keywords": "salt; sea; deep water",
        "volume": "12",
        "issue": "3",
        "pages": "817-820",
    }
    assert (repairs.counts, repairs.refused) == ({}, 0)


@each_row(
    ("fields", "named"),
    [
        ("AU Hellinger, FR\n   Nemo, A", {"authors": "Hellinger, FR; Nemo, A"}),
        ("AU [Anonymous]", {}),
        ("PD JUL-AUG\nPY 2016", {"date": "2016-07", "year": "2016"}),
        ("PD WIN\nPY 2016", {"date": "2016", "year": "2016"}),
        ("EA JAN 2020\nEY 2020", {"date": "2020", "year": "2020"}),
        ("EY 2019\nPY 2020\nPD JUL 3", {"date": "2020-07-03", "year": "2020"}),
        ("AR e12", {"pages": "e12"}),
        ("J9 J SALT\nJI J. Salt", {"journal": "J SALT"}),
    ],
)
def test_fields_of_web_of_science_are_facts(fields: str, named: dict[str, str]) -> None:
    assert facts("web-of-science", f"{WOS_HEAD}PT J\nTI x\n{fields}\nER\n\nEF") == named


def test_files_of_web_of_science_behind_each_other_are_read_and_a_cut_one_is_not_whole() -> None:
    text = WOS_HEAD + WOS_RECORD + WOS_END + "\n\ufeff" + WOS_HEAD + WOS_RECORD.replace("27000083", "9")
    entries, repairs = read("web-of-science", text + "PT J\nTI Cut", "t.txt")
    assert [each.document.id for each in entries[:2]] == ["27000083", "9"]
    assert (entries[2].document.title, repairs.counts) == ("Cut", {"ris_end_added": 1})
    assert repairs.refusals == [("t.txt:65", "the file ends without ER: it may be cut short")]
