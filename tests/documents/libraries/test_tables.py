"""The tables that PubMed and Scopus save of a search."""

from __future__ import annotations

import pytest
from tests.documents.libraries.library_files import HEAD, PLACE, ROW, SCOPUS_HEAD, SCOPUS_ROW
from tests.documents.libraries.reading import facts, read
from tests.rows import each_row

from anagnosis.errors import InputError


def test_a_row_becomes_an_entry_with_all_its_facts() -> None:
    (entry,), repairs = read("pubmed-csv", b"\xef\xbb\xbf" + (HEAD + ROW).replace("\n", "\r\n").encode())
    assert (entry.key, entry.document.id, entry.files) == ("27000083", "27000083", ())
    assert entry.document.text == 'Does aspirin, or "salt", prevent stroke?'
    assert entry.document.facts == {
        **PLACE,
        "journal": "J Salt",
        "authors": "Hellinger, FR Jr; Nemo, A",
        "pages": "817-20",
    }
    assert repairs.counts == {}


@each_row(
    ("citation", "place"),
    [
        ("J Salt. 2016 Mar;12(3 Suppl 1):e12. doi: 10.1/x.", ("2016-03", "12", "3 Suppl 1", "e12")),
        ("J Salt. 2016;12:817-20.", ("2016", "12", "", "817-20")),
        ("J Salt. 2016 Mar 23:bcr2016. doi: 10.1/x.", ("2016", "", "", "")),
        ("J Salt (2010). 2016 Mar 23. doi: 10.1/x. Online ahead of print.", ("2016-03-23", "", "", "")),
        ("In: Salts [Internet].", ("2016", "", "", "")),
        ("", ("2016", "", "", "")),
    ],
)
def test_the_place_in_the_journal_comes_from_the_citation(
    citation: str, place: tuple[str, str, str, str]
) -> None:
    row = ROW.replace("J Salt. 2016 Mar 23;12(3):817-20. doi: 10.1000/x.", citation)
    (entry,), _ = read("pubmed-csv", HEAD + row)
    facts = entry.document.facts
    assert tuple(facts.get(name, "") for name in ("date", "volume", "issue", "pages")) == place


def test_a_broken_row_costs_itself_and_one_line() -> None:
    rows = [
        ROW,
        '"1","Open\n',
        '"1","Few"\n',
        "\n",
        ROW.replace('83",', '83" x,'),
        ROW.replace("27000083", "9"),
    ]
    entries, repairs = read("pubmed-csv", HEAD + "".join(rows) + ROW.rstrip(), "t.csv")
    assert [each.key for each in entries] == ["27000083", "9", "27000083"]
    assert [where for where, _ in repairs.refusals] == [f"t.csv:{n}" for n in (3, 4, 6, 8)]


def test_a_row_without_pmid_is_left_out_only_where_nothing_else_names_it() -> None:
    bare = ",".join(['""'] * 11) + "\n"
    entries, repairs = read("pubmed-csv", HEAD + bare + ROW.replace("27000083", "none"))
    assert [each.document.id for each in entries] == ["PMC7"]
    assert (repairs.refused, repairs.counts["entry_empty"], repairs.counts["pmid_unreadable"]) == (0, 1, 1)


def test_another_table_is_one_line() -> None:
    with pytest.raises(InputError, match=r"lib\.x:1: no column Authors, Journal/Book; give the table"):
        read("pubmed-csv", "PMID,Title\n1,x\n")


def test_a_row_of_scopus_becomes_an_entry_with_all_its_facts() -> None:
    (entry,), repairs = read("scopus-csv", b"\xef\xbb\xbf" + (SCOPUS_HEAD + "\n" + SCOPUS_ROW).encode())
    assert (entry.key, entry.document.id) == ("2-s2.0-84900000001", "27000083")
    assert [(one.title, one.text) for one in entry.document.sections] == [
        ("", 'Does aspirin, or "salt", prevent stroke?'),
        ("METHODS", "We asked."),
        ("RESULTS", "Ten answered."),
    ]
    assert entry.document.facts == {
        "date": "2016",
        "year": "2016",
        "journal": "Journal of Salt",
        "language": "English",
        "doi": "10.1000/x",
        "types": "Journal Article",
        "authors": "Hellinger, Frank R.; van den Berg, Jan Peter",
        "keywords": "salt; sea",
        "volume": "12",
        "issue": "3",
        "pages": "817-820",
    }
    assert (repairs.counts, repairs.refused) == ({}, 0)


@each_row(
    ("old", "new", "fact", "value"),
    [
        ('"817","820"', '"",""', "pages", "e12"),
        ('"Article"', "Retracted", "retracted", "unnamed"),
        ('"Article"', "Review", "types", "Review"),
        ("METHODS: We asked.\nRESULTS: Ten answered.", "[No abstract available]", "abstract", None),
        ('"2016"', "soon", "year", None),
        (
            '"Hellinger, Frank R. (57190000001); van den Berg, Jan Peter (7)"',
            "",
            "authors",
            "Hellinger, FR; van den Berg, J-P",
        ),
        (
            '"Hellinger F.R.; van den Berg J.-P.","Hellinger, Frank R. (57190000001); van den Berg, Jan Peter (7)"',
            '"Hellinger F.R., Roe B.",""',
            "authors",
            "Hellinger, FR; Roe, B",
        ),
        (
            '"Hellinger F.R.; van den Berg J.-P.","Hellinger, Frank R. (57190000001); van den Berg, Jan Peter (7)"',
            '"Hellinger, F.R., Jr., Roe, B., III",""',
            "authors",
            "Hellinger, FR Jr.; Roe, B III",
        ),
        (
            "Hellinger, Frank R. (57190000001); van den Berg, Jan Peter (7)",
            "Hellinger, Frank R., Jr. (57190000001); Plato (7); Suharto, (8)",
            "authors",
            "Hellinger, Frank R. Jr.; Plato; Suharto",
        ),
        (
            '"Hellinger F.R.; van den Berg J.-P.","Hellinger, Frank R. (57190000001); van den Berg, Jan Peter (7)"',
            "[No author name available],[No author name available] ([No author id available])",
            "authors",
            None,
        ),
    ],
)
def test_cells_of_scopus_are_facts(old: str, new: str, fact: str, value: str | None) -> None:
    assert old in SCOPUS_ROW
    row = SCOPUS_ROW.replace(old, new)
    assert facts("scopus-csv", SCOPUS_HEAD + row).get(fact) == value
    assert "available" not in read("scopus-csv", SCOPUS_HEAD + row)[0][0].document.text


def test_a_row_of_several_lines_that_never_ends_costs_its_first_line_and_cells_may_be_long() -> None:
    rows = ['"Open\n', SCOPUS_ROW.replace("human", "x" * 200_000), SCOPUS_ROW.replace("27000083", "9")]
    entries, repairs = read("scopus-csv", SCOPUS_HEAD + "".join(rows), "t.csv")
    assert [each.document.id for each in entries] == ["27000083", "9"]
    assert [where for where, _ in repairs.refusals] == ["t.csv:2"]
