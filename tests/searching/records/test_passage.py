"""Identifiers and links of a passage's paper, from its facts and its id."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.records.passage import Passage

PMC = "https://www.ncbi.nlm.nih.gov/pmc/articles/"


@each_row(
    ("document", "facts", "links"),
    [
        ("12", {}, {"PubMed": "https://pubmed.ncbi.nlm.nih.gov/12/"}),
        ("12", {"id_of": "other"}, {}),
        ("PMC12", {}, {"PMC": f"{PMC}PMC12/"}),
        ("PMC12", {"pmcid": "PMC13"}, {"PMC": f"{PMC}PMC13/"}),
        ("PMC12a", {}, {}),
        ("PMC", {}, {}),
        ("pmc-like", {"doi": '10.1/a"b'}, {"DOI": "https://doi.org/10.1/a%22b"}),
        ("12", {"pmcid": "PMC5", "doi": "10.1/x"}, {"PubMed": "https://pubmed.ncbi.nlm.nih.gov/12/",
                                                    "PMC": f"{PMC}PMC5/", "DOI": "https://doi.org/10.1/x"}),
    ],
)  # fmt: skip
def test_a_paper_is_linked_by_its_facts_and_by_an_id_that_is_an_identifier(
    document: str, facts: dict[str, str], links: dict[str, str]
) -> None:
    passage = Passage(document, 0, "abstract", "", "", "Text.", facts)
    assert {link.name: link.address for link in passage.links} == links
