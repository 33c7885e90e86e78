"""JATS: reference lists on request, a section a list, a line a reference."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document
from anagnosis.documents.formats.jats import format as jats
from anagnosis.documents.repairs import Repairs
from anagnosis.recipes.load import load

SAMPLES = Path(__file__).parents[3] / "samples" / "jats"
FRONT = (
    '<front><article-meta><article-id pub-id-type="pmid">1</article-id><title-group><article-title>Salt'
    "</article-title></title-group></article-meta></front><body><p>Text.</p></body>"
)
PEOPLE = "<name><surname>Ng</surname><given-names>A</given-names></name>"


def read(behind: str) -> list[Document]:
    data = f"<article>{FRONT}{behind}</article>".encode()
    repairs = Repairs()
    documents = list(jats.read_with_references(io.BytesIO(data), repairs, "ours.xml"))
    assert not repairs.refused
    return documents


def listed(inside: str) -> list[tuple[str, str]]:
    (document,) = read(f"<back>{inside}</back>")
    return [(part.title, part.text) for part in document.sections if part.label == "references"]


def line(citation: str) -> str:
    ((_, text),) = listed(f"<ref-list><ref><label>1</label>{citation}</ref></ref-list>")
    return text


CITATIONS = {
    "<mixed-citation>Ng A. <italic>Salt</italic>. J. 2001;3:1.</mixed-citation>": "Ng A. Salt. J. 2001;3:1.",
    "<mixed-citation>Ng A. Salt. <pub-id pub-id-type='pmid'>27</pub-id> J.</mixed-citation>": "Ng A. Salt. J.",
    # A citation whose names print no blanks.
    f"<mixed-citation>{PEOPLE}{PEOPLE.replace('Ng', 'Roe')}. Salt.</mixed-citation>": "Ng A, Roe A. Salt.",
    # Fields that print nothing between them.
    "<mixed-citation><string-name><surname>Ng</surname><given-names>A</given-names></string-name><year>2001.</year>"
    "<italic>H<sub>2</sub>O</italic><sup>+</sup> <source>J</source><bold>3</bold><issue>(4)</issue>, <fpage>1</fpage>"
    "<italic>–9</italic></mixed-citation>": "Ng A 2001. H2O+ J 3 (4), 1–9",
    "<mixed-citation>In: <person-group><collab>WHO</collab><etal>et al.</etal></person-group>(<comment>ed</comment>"
    "<comment>)</comment></mixed-citation>": "In: WHO et al.(ed)",
    f"<element-citation><person-group>{PEOPLE}<etal/></person-group><article-title>Salt</article-title><source>J</source>"
    "<year>2001</year><volume>3</volume><issue>4</issue><fpage>1</fpage><lpage>9</lpage><pub-id>7</pub-id>"
    "</element-citation>": "Ng A, et al. Salt. J. 2001;3(4):1–9.",
    "<element-citation><collab>WHO</collab><article-title>Why?</article-title><year>2001</year><comment>a</comment>"
    "<comment>b</comment></element-citation>": "WHO. Why? 2001. a. b.",
    "<nlm-citation><string-name>Ng A</string-name><source>J.</source><volume>3</volume>"
    "<elocation-id>e7</elocation-id></nlm-citation>": "Ng A. J. 3:e7.",
    "<citation-alternatives><element-citation><source>J</source></element-citation>"
    "<mixed-citation>Ng. J.</mixed-citation></citation-alternatives>": "Ng. J.",
}


@each_row("citation", CITATIONS)
def test_a_citation_is_one_line(citation: str) -> None:
    assert line(citation) == CITATIONS[citation]


def test_lists_inside_lists_are_sections_and_notes_are_lines() -> None:
    ref = "<ref><mixed-citation>{}</mixed-citation></ref>"
    inner = f"<ref-list><title>Books.</title>{ref.format('Ng. B.')}</ref-list>"
    found = listed(
        f"<ref-list><title>References</title><p>Starred: read first.</p>{ref.format('Ng. A.')}"
        f"<ref><note><p>In press.</p></note></ref>{inner}</ref-list>"
    )
    assert found == [
        ("References", "Starred: read first.\nNg. A.\nIn press."),
        ("References › Books", "Ng. B."),
    ]


def test_a_reference_of_identifiers_alone_has_no_text_and_stays_a_fact() -> None:
    (document,) = read(
        "<back><ref-list><ref><element-citation><pub-id pub-id-type='pmid'>27</pub-id></element-citation></ref>"
        "</ref-list></back>"
    )
    assert [part.label for part in document.sections] == ["title", "body"]
    assert document.facts["references"] == "27"


def test_references_stand_behind_the_full_text_which_stays_the_same() -> None:
    whole = list(api.read(SAMPLES / "articles.xml", references=True))
    without = list(api.read(SAMPLES / "articles.xml", full_text=True))
    found = Counter(part.label for each in whole for part in each.sections)
    assert found["references"] == 1
    for one, other in zip(whole, without, strict=True):
        assert one.facts == other.facts
        assert [part for part in one.sections if part.label != "references"] == list(other.sections)
        assert all(part.label == "references" for part in one.sections[len(other.sections) :])


@given(st.lists(st.text(st.characters(categories=("L", "N", "P")), min_size=1), min_size=1, max_size=5))
def test_every_word_of_printed_references_is_read_once(words: list[str]) -> None:
    refs = "".join(f"<ref><mixed-citation>{escape(word)}</mixed-citation></ref>" for word in words)
    assert listed(f"<ref-list>{refs}</ref-list>") == [("", "\n".join(words))]


def test_a_format_without_reference_lists_reads_as_before(tmp_path: Path) -> None:
    done = api.convert([SAMPLES / "articles.xml"], tmp_path / "out.jsonl", to="jsonl", references=True)
    assert done.losses == {}
    assert list(api.read(tmp_path / "out.jsonl", references=True)) == list(
        api.read(SAMPLES / "articles.xml", references=True)
    )


def left_out_by_strict() -> set[str]:
    return set(load("bioread-strict")["leave_out"])


LABELS = {"title", "abstract", "other abstract", "body", "box"}


def test_bioread_strict_leaves_out_every_label_of_an_article_that_is_no_prose() -> None:
    (document,) = read(
        "<floats-group><fig><caption><p>A.</p></caption></fig><table-wrap><caption><p>B.</p></caption><table><tr>"
        "<td>C</td></tr></table></table-wrap><boxed-text><p>D.</p></boxed-text><supplementary-material><caption><p>E."
        "</p></caption></supplementary-material></floats-group><back><ack><p>F.</p></ack><ref-list><ref>"
        "<mixed-citation>G.</mixed-citation></ref></ref-list></back>"
    )
    labels = {part.label for part in document.sections}
    assert labels - LABELS == left_out_by_strict()


@pytest.mark.shared
def test_bioread_strict_leaves_out_the_labels_of_real_articles(shared: Path) -> None:
    labels = Counter[str]()
    for name in ("case_reports", "odd"):
        for document in api.read(shared / f"data/jats/{name}.tar.xz", references=True):
            labels.update(part.label for part in document.sections)
    assert labels.keys() - LABELS == left_out_by_strict()


@pytest.mark.shared
def test_real_articles_have_a_line_for_each_reference(shared: Path) -> None:
    with gzip.open(shared / "data/jats/articles.csv.gz", "rt", encoding="utf-8", newline="") as stream:
        refs = {row["pmcid"]: int(row["refs"]) for row in csv.DictReader(stream)}
    agree, lines = 0, 0
    for document in api.read(shared / "data/jats/case_reports.tar.xz", references=True):
        told = sum(part.text.count("\n") + 1 for part in document.sections if part.label == "references")
        agree += told == refs[document.facts["pmcid"]]
        lines += told
    assert (agree, lines) == (106, 1997)
