"""What the first page says: a title of any length and script, and identifiers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed
from tests.documents.formats.pdf.test_reading import FIRST, LEFT, paper
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.formats.pdf.paper import are_names

TEXT = FIRST + "."


@each_row(
    "large, small, metadata, title",
    [
        (["Sepsis"], ["A. Doe and B. Roe"], "untitled.docx", "Sepsis"),
        (["Lung cancer"], ["J. van den Berg, MD, and Mary Roe, PhD"], "", "Lung cancer"),
        (["RESEARCH ARTICLE", "Malaria"], [], "", "Malaria"),
        (["them."], [], "Letters of a nurse", "Letters of a nurse"),
        (["Published trials of tea"], ["A. Doe and B. Roe"], "", "Published trials of tea"),
        (["Cohort Studies and Case Series"], ["A. Doe and B. Roe"], "", "Cohort Studies and Case Series"),
        # The journal's name is larger than the title.
        (["Heart"], ["Tea and the hearts of old people"], "", "Heart Tea and the hearts of old people"),
        (
            ["Heart"],
            [],
            "people who drink tea in the evening sleep less",
            "people who drink tea in the evening sleep less",
        ),
    ],
)
def test_a_title_may_be_one_word(large: list[str], small: list[str], metadata: str, title: str) -> None:
    page, y = Page(), 770.0
    for text, size in (*((one, 20) for one in large), *((one, 14) for one in small)):
        page.text(LEFT, y, text, size=size, font="sans" if text.isupper() else "roman")
        y -= 24
    y = page.paragraph(LEFT, 660, TEXT, 90)
    page.text(LEFT, y - 10, "Introduction", size=16)
    page.paragraph(LEFT, y - 30, TEXT, 90)
    document, _ = paper(page, title=metadata)
    assert document.title == title
    assert document.sections[-1].title == "Introduction"


@each_row(
    "line, names",
    [
        ("A. Doe and B. Roe", True),
        ("Zoë Ng1,2,*, Ana Díaz-Roe 3,, J.-P. O’Neil† & Li Mu", True),
        ("Jan P. van den Berg, MD, PhD; Smith JA", True),
        ("Mary Doe a,b, Max Roe b", True),
        ("Open Access", False),
        ("Department of Medicine, University of Nowhere", False),
        ("Salt, sugar and tea", False),
        ("Received 3 May 2024; accepted 5 June 2024", False),
    ],
)
def test_a_line_of_names_alone_is_known(line: str, names: bool) -> None:
    assert are_names(line) == names


def test_the_line_of_authors_is_no_heading_and_is_counted() -> None:
    page = Page().text(LEFT, 740, "Zinc after a supposed diet", size=18, font="bold")
    page.text(LEFT, 720, "A. Doe and B. Roe", size=12).paragraph(LEFT, 690, TEXT, 90)
    document, counts = paper(page)
    assert [(one.label, one.title) for one in document.sections] == [("title", ""), ("body", "")]
    assert "Doe" not in document.text
    assert counts["author_line"] == 1


@pytest.fixture
def index(tmp_path: Path) -> Path:
    page = Page().text(LEFT, 740, "Zinc after a supposed diet", size=18, font="bold")
    page.paragraph(LEFT, 690, TEXT, 90)
    page.text(LEFT, 100, "https://doi.org/10.1000/zinc.2 PMID: 27000083", size=8)
    (tmp_path / "zinc.pdf").write_bytes(printed(page))
    coffee = Page().text(LEFT, 740, "Coffee and the acid of the stomach", size=18, font="bold")
    coffee.paragraph(LEFT, 690, "Coffee that is brewed cold is sold as the milder drink.", 90)
    (tmp_path / "coffee.pdf").write_bytes(printed(coffee))
    api.index([tmp_path / "zinc.pdf", tmp_path / "coffee.pdf"], tmp_path / "index")
    return tmp_path / "index"


@each_row("typed", ["10.1000/zinc.2", "https://doi.org/10.1000/ZINC.2", "PMID: 27000083"])
def test_a_paper_is_found_by_an_identifier_of_its_first_page(index: Path, typed: str) -> None:
    found = api.search(index, typed)
    assert {hit.passage.title for hit in found.found} == {"Zinc after a supposed diet"}
    assert "DOI on page 1: 10.1000/zinc.2" in str(found._repr_html_())


def test_a_paper_that_has_the_identifier_itself_comes_alone(index: Path, tmp_path: Path) -> None:
    (tmp_path / "one.nbib").write_text(
        "PMID- 27000083\nTI  - Tea\nAB  - Tea is a drink.\nLID - 10.1000/zinc.2 [doi]\n"
    )
    api.index([tmp_path / "one.nbib"], index)
    assert {hit.passage.title for hit in api.search(index, "10.1000/zinc.2").found} == {"Tea"}


@each_row(
    "to, parts",
    [
        ("bibtex", ["doi = {10.1000/zinc.2}", "note = {read from page 1: doi, pmid}"]),
        ("ris", ["DO  - 10.1000/zinc.2", "N1  - read from page 1: doi, pmid"]),
        ("csv", ["10.1000/zinc.2", '"read from page 1: doi, pmid"']),
        ("jsonl", ['"from_page":["doi","pmid"]']),
    ],
)
def test_an_export_has_what_the_first_page_says_and_says_so(index: Path, to: str, parts: list[str]) -> None:
    out = index.parent / f"out.{to}"
    api.export_results(index, "10.1000/zinc.2", to=to, out=out)
    for part in parts:
        assert part in out.read_text("utf-8-sig"), part
