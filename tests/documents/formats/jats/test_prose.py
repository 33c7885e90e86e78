"""What is no prose in JATS: each entry of the table has a sample, and none of its words becomes text."""

from __future__ import annotations

import io
from pathlib import Path

from tests.rows import each_row

from anagnosis.documents.document import Document
from anagnosis.documents.formats.jats import format as jats
from anagnosis.documents.formats.jats.prose import INSIDE, NOT_PROSE
from anagnosis.documents.repairs import Repairs

SAMPLES = Path(__file__).parents[3] / "samples" / "jats"
ENTRIES = NOT_PROSE.union(f"{outer}-{inner}" for outer, inner in INSIDE)


def read(name: str) -> tuple[Document, Repairs]:
    repairs = Repairs()
    (document,) = jats.read_full_text(io.BytesIO((SAMPLES / name).read_bytes()), repairs, name)
    assert not repairs.refused
    return document, repairs


def test_every_entry_of_the_table_has_its_sample_and_every_sample_its_entry() -> None:
    assert {path.stem for path in (SAMPLES / "not-prose").iterdir()} == ENTRIES


@each_row("element", sorted(ENTRIES))
def test_what_is_no_prose_stays_out_of_title_abstract_body_and_caption(element: str) -> None:
    name = f"not-prose/{element}.xml"
    assert "nwanted" in (SAMPLES / name).read_text()
    document, repairs = read(name)
    assert "nwanted" not in document.text
    assert document.title == "Salt against hiccups"
    texts = [section.text for section in document.sections]
    for sentence in ("Salt helped.", "We gave salt.", "Salt by day."):
        assert any(sentence in text for text in texts), sentence
    assert repairs.counts.keys() <= {"article_without_date"}


def test_what_a_reader_meets_in_the_sentence_stays() -> None:
    document, repairs = read("prose.xml")
    assert document.text == (
        "Salt from the sea helps\nSalt of the sea and green ORS helped (Table S1), as in our first trial; write to "
        "salt@example.org or see example.org/salt. ORS oral salt"
    )
    assert repairs.counts == {"article_without_date": 1}


def test_a_formula_in_three_notations_is_said_once() -> None:
    formula = (
        '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>p</m:mi></m:math>'
        "<tex-math>p_1</tex-math><textual-form>pee</textual-form>"
    )
    article = (
        '<article><front><article-meta><article-id pub-id-type="pmid">1</article-id><title-group><article-title>Salt'
        f"</article-title></title-group><abstract><p>A <alternatives>{formula}</alternatives> of 3.</p></abstract>"
        "</article-meta></front></article>"
    )
    (document,) = jats.read(io.BytesIO(article.encode()), Repairs())
    assert document.sections[1].text == "A p of 3."


def of_abstract(paragraph: str) -> list[str]:
    """The texts of an abstract that ends so, of an article with the DOI 10.1000/salt.1."""
    article = (
        '<article><front><article-meta><article-id pub-id-type="doi">10.1000/salt.1</article-id><title-group>'
        f"<article-title>Salt</article-title></title-group><abstract><p>Salt helped.</p><p>{paragraph}</p></abstract>"
        "</article-meta></front></article>"
    )
    (document,) = jats.read(io.BytesIO(article.encode()), Repairs())
    return [section.text for section in document.sections[1:]]


@each_row(
    "paragraph, stays",
    [
        ("<bold>DOI:</bold> <ext-link>http://dx.doi.org/10.1000/salt.1.001</ext-link>", False),
        ("doi: 10.1000/SALT.1", False),
        ("https://doi.org/10.1000/salt.1.", False),
        ("DOI: 10.1000/salt.2", True),
        ("See 10.1000/salt.1", True),
        ("10.1000/saltx1", True),
        ("10.1000/salt.1 x", True),
    ],
)
def test_a_paragraph_that_is_the_articles_own_doi_is_left_out(paragraph: str, stays: bool) -> None:
    assert of_abstract(paragraph) == ["Salt helped." + f" {paragraph}" * stays]
