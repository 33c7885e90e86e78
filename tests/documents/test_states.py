"""States of papers: every sign of the table in every format that has it, titles, and the order and union of states."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.documents.document import Document
from anagnosis.documents.formats import jsonl, medline, nbib
from anagnosis.documents.formats.detect import format_module
from anagnosis.documents.formats.jats import format as jats
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import STATES, of_title, states, united, with_states

# The first sign of each state stands in the words; a notice is another paper than the one that it is about.
SIGNS = {
    "retracted": "RetractionIn RetractedandRepublishedIn RIN RRI retraction-forward retraction",
    "partly_retracted": "PartialRetractionIn PRIN partial-retraction-forward",
    "retraction_notice": "RetractionOf PartialRetractionOf ROF PROF retracted-article partial-retraction",
    "expression_of_concern": "ExpressionOfConcernIn ECI concern-forward expression-of-concern expressed-concern",
    "concern_notice": "ExpressionOfConcernFor ECF object-of-concern",
    "erratum": "ErratumIn EIN correction-forward correction addendum",
    "erratum_notice": "ErratumFor EFR corrected-article addended-article",
    "corrected_and_republished": "CorrectedandRepublishedIn CorrectedandRepublishedFrom CRI CRF RRF "
    "RetractedandRepublishedFrom",
    "updated_by": "UpdateIn UIN update",
    "": "UpdateOf UOF RepublishedIn RPI CommentIn CIN commentary preprint companion",
}
TYPES = {
    "Retracted Publication": "retracted",
    "Retraction of Publication": "retraction_notice",
    "Retraction Notice": "retraction_notice",
    "Expression of Concern": "concern_notice",
    "Published Erratum": "erratum_notice",
    "Corrected and Republished Article": "corrected_and_republished",
    "Preprint": "preprint",
    "Journal Article": "",
}
TITLES = {
    "RETRACTED: Salt": "retracted",
    "Retracted Article: Salt": "retracted",
    "[Retracted] Salt": "retracted",
    "[RETRACTED: Salz bei Kindern].": "retracted",
    "Salt in soup (Retracted).": "retracted",
    "Salt (Retracted article. See vol. 3, p. 4)": "retracted",
    "Retracted lungs: a study": "",
    "Partially retracted: Salt": "partly_retracted",
    'Retraction notice to "Salt" [J 12 (2016) 1-2]': "retraction_notice",
    "Partial retraction: Salt": "retraction_notice",
    "Retraction-based therapy: salt": "",
    "Retraction of the lung: salt": "",
    "Editorial Expression of Concern: Salt": "concern_notice",
    "Expression of concern in parents": "",
    "Author Correction: Salt": "erratum_notice",
    "Corrigendum to “Salt”": "erratum_notice",
    "Erratum.": "erratum_notice",
    "Correction to: Salt": "erratum_notice",
    "Correction of scoliosis": "",
    "Correction of scoliosis: a review": "",
    "[Correction of scoliosis].": "",
    "WITHDRAWN: Salt": "withdrawn",
    "Withdrawn patients: a review": "",
    "Preprint servers: a review": "",
    "RETRACTED\u2014Salt": "retracted",
    "Statement of Retraction: Salt": "retraction_notice",
    "Notice of Withdrawal: Salt": "retraction_notice",
    "Withdrawal: Salt": "retraction_notice",
    "Retraction for Smith-Lee et al., Salt": "retraction_notice",
    "Withdrawal of salt: a review": "",
    "Preprint \u201cservers\u201d: a review": "",
    "Hunger in volunteers (withdrawal)": "",
    '"Retraction" in science': "",
    "REMOVED: Salt": "withdrawn",
    "Temporary Removal: Salt": "withdrawn",
    "Removal of salt: a review": "",
    "Teeth (removed)": "",
    "Corrected and Republished from: Salt": "corrected_and_republished",
    "Preprint: Salt": "preprint",
    "Corrigenda for practice": "",
    "Errata of the heart": "",
    "Correction for Smith et al., Salt": "erratum_notice",
    "Correction for bias in trials": "",
}


def medline_record(kinds: str = "", link: str = "", other: str = "", title: str = "T") -> bytes:
    types = f"<PublicationTypeList><PublicationType>{kinds}</PublicationType></PublicationTypeList>"
    linked = f'<CommentsCorrections RefType="{link}">{other}</CommentsCorrections>' if link else ""
    return (
        f"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>{title}"
        f"</ArticleTitle>{types}</Article><CommentsCorrectionsList>{linked}</CommentsCorrectionsList>"
        "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
    ).encode()


def jats_record(link: str, kind: str = "research-article") -> bytes:
    return (
        f'<article article-type="{kind}"><front><article-meta><article-id pub-id-type="pmid">1</article-id>'
        f'<related-article related-article-type="{link}" ext-link-type="pubmed">7</related-article>'
        "</article-meta></front></article>"
    ).encode()


def states_of(document: Document) -> dict[str, str]:
    return {name: value for name, value in document.facts.items() if name in STATES}


def read_link(link: str) -> dict[str, str]:
    """The states of a record with one link, in the format that has links of this name."""
    if link.isupper():
        data, read = f"PMID- 1\nTI  - T\n{link} - J. 2019;1:1. PMID: 7\n", nbib.read
        return states_of(*read(io.BytesIO(data.encode()), Repairs()))
    if link[0].isupper():
        data = medline_record(link=link, other="<RefSource>J. 2019;1:1</RefSource><PMID>7</PMID>")
        return states_of(*medline.read(io.BytesIO(data), Repairs()))
    return states_of(*jats.read(io.BytesIO(jats_record(link)), Repairs()))


@pytest.mark.parametrize("state", SIGNS)
def test_a_link_alone_gives_the_state_in_every_format(state: str) -> None:
    read = {link: read_link(link) for link in SIGNS[state].split()}
    assert read == dict.fromkeys(read, {state: "7"} if state else {})


def test_a_link_without_a_pmid_names_the_place_and_one_without_either_nothing() -> None:
    for other, value in (("<RefSource>J. 2019;1:1</RefSource>", "J. 2019;1:1"), ("", "unnamed")):
        data = medline_record(link="PartialRetractionIn", other=other)
        assert states_of(*medline.read(io.BytesIO(data), Repairs())) == {"partly_retracted": value}


@pytest.mark.parametrize("kind", TYPES)
def test_a_publication_type_alone_gives_the_state_in_every_format(kind: str) -> None:
    expected = {TYPES[kind]: "unnamed"} if TYPES[kind] else {}
    assert states_of(*medline.read(io.BytesIO(medline_record(kind)), Repairs())) == expected
    lines = f"PMID- 1\nTI  - T\nPT  - Journal Article\nPT  - {kind}\n"
    assert states_of(*nbib.read(io.BytesIO(lines.encode()), Repairs())) == expected
    line = json.dumps({"id": "1", "title": "T", "types": ["Review", kind]})
    assert states_of(*jsonl.read(io.BytesIO(line.encode()), Repairs())) == expected


def test_a_title_counts_before_a_colon_or_in_brackets() -> None:
    assert {title: of_title(title) for title in TITLES} == TITLES


def test_a_title_gives_the_state_in_every_format() -> None:
    title = "WITHDRAWN: Salt"
    bioc = {
        "documents": [{"id": "1", "passages": [{"infons": {"type": "title"}, "offset": 0, "text": title}]}]
    }
    formats = {
        "medline": medline_record(title=title),
        "nbib": f"PMID- 1\nTI  - {title}\n".encode(),
        "pubtator": f"1|t|{title}\n1|a|It was.\n".encode(),
        "jsonl": json.dumps({"id": "1", "title": title}).encode(),
        "bioc-json": json.dumps(bioc).encode(),
    }
    for name, data in formats.items():
        path = Path(name)
        (document,) = format_module(name).read(io.BytesIO(data), Repairs(), str(path))
        assert states_of(document) == {"withdrawn": "unnamed"}, name


def test_states_stand_in_the_order_of_the_table_and_name_each_paper_once() -> None:
    links = [("updated_by", "9"), ("erratum", ""), ("retracted", "7"), ("erratum", "8"), ("retracted", "7")]
    found = states("WITHDRAWN: Salt", "Journal Article; Preprint; Retracted Publication", links)
    assert list(found.items()) == [
        ("retracted", "7"), ("erratum", "8"), ("updated_by", "9"), ("preprint", "unnamed"), ("withdrawn", "unnamed"),
    ]  # fmt: skip
    names = list(STATES)
    assert (names[0], names[-1]) == ("retracted", "withdrawn")


@pytest.mark.parametrize(
    ("title", "types", "expected"),
    [
        ("Retracted: Salt", "Retraction of Publication", ["retraction_notice"]),
        ("Retraction: Salt", "Retracted Publication", ["retracted"]),
        ("Erratum: Salt", "Corrected and Republished Article", ["corrected_and_republished"]),
        ("Erratum: Salt", "Journal Article", ["erratum_notice"]),
    ],
)
def test_a_title_does_not_contradict_another_sign(title: str, types: str, expected: list[str]) -> None:
    assert list(states(title, types)) == expected


def test_states_that_a_record_names_stay() -> None:
    assert (
        with_states({"retracted": "7", "types": "Retracted Publication"}, "RETRACTED: Salt")["retracted"]
        == "7"
    )


def test_a_union_forgets_unnamed_where_another_copy_names_the_notice() -> None:
    assert united(["unnamed", "7; 8", "8; 10.1/x"]) == "7; 8; 10.1/x"
    assert united(["unnamed", "unnamed"]) == "unnamed"


@pytest.mark.shared
def test_the_case_of_notices_gives_a_state_from_each_sign(shared: Path) -> None:
    documents = [
        d for name in ("a", "j1", "j2", "j3") for d in api.read(shared / f"cases/26-notices/{name}.xml")
    ]
    found = {document.id: list(states_of(document)) for document in documents}
    assert found == EXPECTED


EXPECTED = {
    "985001": ["retracted"], "985002": ["partly_retracted"], "985003": ["retraction_notice"],
    "985004": ["retraction_notice"], "985005": ["erratum"], "985006": ["erratum_notice"],
    "985007": ["expression_of_concern"], "985008": ["concern_notice"], "985009": ["corrected_and_republished"],
    "985010": ["corrected_and_republished"], "985011": ["retracted"], "985012": ["corrected_and_republished"],
    "985013": [], "985014": [], "985015": ["updated_by"], "985016": [], "985017": [], "985018": [], "985019": [],
    "985020": [], "985090": ["retracted"], "985091": ["retraction_notice"], "985092": ["erratum_notice"],
    "985093": ["concern_notice"], "985094": ["preprint"], "985095": ["retracted"], "985096": ["withdrawn"],
    "985097": ["retraction_notice"], "986001": ["retraction_notice"], "986002": ["retracted"],
    "986003": ["retraction_notice"],
}  # fmt: skip
