"""A DOI is one identifier, however it was copied."""

from __future__ import annotations

from urllib.parse import quote

from tests.rows import each_row

from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.searching.aliases import alias, alias_of
from anagnosis.searching.queries.identifiers import identifiers_in

DOIS = (
    "10.1016/j.jaci.2021.03.035",
    "10.1016/S0140-6736(21)00123-4",
    "10.1000/a/b",
    "10.1000/x(10.1)",
    "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
)
COPIED = (
    *(
        "{}",
        "{}/",
        "{}?utm_source=a&b=c",
        "{}/?x=y.",
        "{}[doi]",
        "doi:{}",
        "doi: {}",
        "DOI {}",
        "info:doi/{}",
    ),
    *(
        "https://dx.doi.org/{}",
        "https://doi.org/{}/",
        "https://doi.org/{}#sec-3",
        "http://www.doi.org/{}.",
        "doi.org/{}",
        "doi:https://doi.org/{}",
    ),
    *("({})", "{}.", "{})", "{}].", "[{}]", "<https://doi.org/{}>", "{},", "\u201c{}\u201d"),
)


@each_row("copied", COPIED)
def test_a_doi_is_one_however_it_was_copied(copied: str) -> None:
    for doi in DOIS:
        for written in (copied.format(doi), copied.format(doi.upper()), copied.format(quote(doi, safe=""))):
            assert bare_doi(written).lower() == doi.lower()
            assert alias("doi", written) == alias_of(written) == f"doi:{doi.lower()}"
            assert [*identifiers_in(written)] == [f"doi:{doi.lower()}"]


@each_row("text", ["n/a", "", "tea", "PMC7", "31", "10.1000/a_b%20c"])
def test_other_texts_stay(text: str) -> None:
    assert bare_doi(text) == text


@each_row("sign", list(".)"))
def test_a_long_text_takes_no_time(sign: str) -> None:
    text = "10.1000/" + sign * 2_000_000
    assert (bare_doi(text), plain_pmid(text), plain_pmcid(text)) == (text, "", "")


def test_medline_s_mark_of_a_doi_goes() -> None:
    assert bare_doi("10.1000/x [doi]") == "10.1000/x"


def test_a_pmid_and_a_pmcid_lose_what_stands_around_them() -> None:
    assert [plain_pmid(text) for text in ("31.", "0031", "31.0", ".", "PMC7")] == ["31", "31", "31", "", ""]
    assert [plain_pmcid(text) for text in ("PMC7;", "7.2", "x")] == ["PMC7", "PMC7", ""]
