"""Authors, pages and identifiers in BioC's infons, as PMC's collections and PubTator spell them."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.documents.formats.bioc.conversion import normalised
from anagnosis.documents.repairs import Repairs

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
