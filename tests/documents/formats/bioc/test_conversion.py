"""What BioC XML and BioC JSON have in common: the same documents come out of both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row

from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.formats.bioc import json as bioc_json
from anagnosis.documents.formats.bioc import xml as bioc_xml
from anagnosis.documents.formats.bioc.conversion import label, normalised
from anagnosis.documents.formats.bioc.mentions import identifier, plain
from anagnosis.documents.repairs import Repairs
from anagnosis.io.files import open_input

SAMPLES = Path(__file__).parents[3] / "samples" / "bioc"
READERS = {"xml": bioc_xml.read, "json": bioc_json.read}

TWO_DOCUMENTS = [
    Document(
        "900001",
        (
            Section("title", "Metformin in polycystic ovary syndrome."),
            Section("abstract", "Renal and hepatic failure were rare; naïve women did well."),
        ),
        (
            Mention(((0, 9),), "Metformin", "Chemical", "MESH:D008687"),
            Mention(((13, 38),), "polycystic ovary syndrome", "Disease", "MESH:D011085"),
            Mention(((40, 45), (58, 65)), "Renal failure", "Disease", "MESH:D051437"),
            Mention(((83, 88),), "women", "Species", ""),
        ),
        facts={"year": "2021", "journal": "J Small Examples"},
    ),
    Document("900002", (Section("title", "An editorial."),)),
]


def read_sample(name: str) -> tuple[list[Document], Repairs]:
    """The documents of a sample and what was mended in it."""
    read = READERS["xml" if name.endswith(".xml") else "json"]
    repairs = Repairs()
    with open_input(SAMPLES / name) as stream:
        return list(read(stream, repairs, name)), repairs


@pytest.mark.parametrize("name", ["two-documents.xml", "two-documents.json"])
def test_both_formats_give_the_same_documents(name: str) -> None:
    documents, repairs = read_sample(name)
    assert documents == TWO_DOCUMENTS
    assert repairs.counts == {
        "mention_without_identifier": 1,
        "relations_left_out": 1,
    }
    assert repairs.refused == 0


# infons of an annotation → the identifier
LINKED: list[tuple[dict[str, Any], str]] = [
    ({"identifier": "MESH:D003693"}, "MESH:D003693"),
    ({"identifier": "D003693"}, "D003693"),
    ({"Identifier": "tmVar:p|SUB|M|327|V;RS#:1"}, "tmVar:p|SUB|M|327|V;RS#:1"),
    ({"MESH": "D003693"}, "MESH:D003693"),
    ({"MESH": "MESH:D003693"}, "MESH:D003693"),
    ({"MESH": "D002318|D012131"}, "MESH:D002318|MESH:D012131"),
    ({"MESH": "D002318|-1"}, "MESH:D002318|-1"),
    ({"OMIM": "604588"}, "OMIM:604588"),
    ({"CVCL": "0007"}, "CVCL:0007"),
    ({"CVCL": "CVCL_0007"}, "CVCL_0007"),
    ({"NCBI Gene": "3685;3690"}, "3685;3690"),
    ({"NCBI Species": "9031"}, "9031"),
    ({"NCBI Taxonomy": "*9606"}, "*9606"),
    ({"tmVar": "p.T588N"}, "p.T588N"),
    ({"NCBI Gene": "672", "NCBI Homologene": "5276"}, "672"),
    ({"NCBI Homologene": "5276"}, "HomoloGene:5276"),
    ({"identifier": 672, "accession": "@GENE_BRCA1"}, "672"),
    ({"identifier": None, "accession": "@GENE_BRCA1"}, "@GENE_BRCA1"),
    ({"identifier": "-", "MESH": "D003693"}, "MESH:D003693"),
    ({"identifier": ""}, ""),
    ({"MESH": "-1"}, ""),
    ({"MESH": "Unknown"}, ""),
    ({"type": "Disease"}, ""),
]


@each_row(("infons", "expected"), LINKED, ids=str)
def test_an_identifier_is_the_first_infon_that_links_to_something(
    infons: dict[str, Any], expected: str
) -> None:
    assert identifier(infons) == expected


def test_a_passage_is_called_by_its_section_type_first() -> None:
    assert label({"type": "front", "section_type": "TITLE"}) == "title"
    assert label({"type": "Abstract"}) == "abstract"
    assert label({"section": "Title", "type": ""}) == "title"
    assert label({}) == ""


def test_values_of_infons_become_plain_strings() -> None:
    given = ["a", 3, 0.5, True, None, [], {}, ["Ada A", "Bo B"], [672], [{"name": "ä"}]]
    plainly = ["a", "3", "0.5", "true", "", "", "", "Ada A; Bo B", "672", '[{"name":"ä"}]']
    assert [plain(value) for value in given] == plainly


# Authors, pages and identifiers, as PMC's collections and PubTator spell them.
INFONS = [
    ({"authors": "Liu WH, Guo SN, "}, {"authors": "Liu, WH; Guo, SN"}),
    ({"pages": "1-2", "volume": "3"}, {"volume": "3", "pages": "1-2"}),
    (
        {"article-id_doi": "10.1155/x", "article-id_pmc": "9586773", "article-id_pmid": "27000083"},
        {
            "article-id_doi": "10.1155/x", "article-id_pmc": "9586773", "article-id_pmid": "27000083",
            "pmid": "27000083", "pmcid": "PMC9586773", "doi": "10.1155/x",
        },
    ),
    ({"article-id_doi": "10.1155/x", "doi": "10.1/y"}, {"article-id_doi": "10.1155/x", "doi": "10.1/y"}),
]  # fmt: skip


@each_row(("infons", "facts"), INFONS)
def test_infons_are_the_facts_of_other_formats(infons: dict[str, str], facts: dict[str, str]) -> None:
    assert normalised(infons, Repairs()) == facts
    assert normalised(facts, Repairs()) == facts


def test_a_volume_that_is_too_long_is_left_out_and_counted() -> None:
    repairs = Repairs()
    assert normalised({"volume": "3" * 200}, repairs) == {}
    assert repairs.counts == {"value_left_out": 1}
