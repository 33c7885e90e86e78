"""The table that PubMed saves of a search."""

from __future__ import annotations

import pytest
from tests.documents.libraries.library_files import HEAD, PLACE, ROW
from tests.documents.libraries.reading import read
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
