"""What stands on a page is read as people read it: columns, what goes on elsewhere, what is left out and counted."""

from __future__ import annotations

import io
from collections import Counter
from random import Random

import pytest
from tests.documents.formats.pdf.printed import HEIGHT, Page, printed
from tests.rows import each_row

from anagnosis.documents.document import Document
from anagnosis.documents.formats.pdf.format import read
from anagnosis.documents.repairs import Repairs

LEFT, RIGHT = 50.0, 320.0
TITLE = "Tea and sleep in older people"
FIRST = (
    "We asked whether people who drink tea in the evening sleep less than others. The people of this study were "
    "older than sixty years and lived at home, and none of them had ever taken a drug against sleep"
)
SECOND = (
    "lessness in their lives. All of them kept a diary for two weeks and wore a watch that measured how long they "
    "slept. We compared them with people of the same age who drink water instead, and who live in the same town."
)


def paper(*pages: Page, title: str = "", subject: str = "") -> tuple[Document, Counter[str]]:
    repairs = Repairs()
    (document,) = read(io.BytesIO(printed(*pages, title=title, subject=subject)), repairs, "tea.pdf")
    return document, repairs.counts


def titled() -> Page:
    return Page().text(LEFT, 740, TITLE, size=20, font="bold")


def body(document: Document) -> str:
    return "\n".join(section.text for section in document.sections[1:])


@each_row("turned", [False, True])
def test_columns_are_read_one_after_the_other_and_a_sentence_goes_on(turned: bool) -> None:
    page = titled()
    if turned:  # drawn upside down, and shown upright
        page.extra = "/Rotate 180"
        page.drawn.insert(0, f"-1 0 0 -1 {page.width} {page.height} cm")
    # The right column is drawn first.
    page.paragraph(RIGHT, 650, "sleep less. " + SECOND, 40)
    page.paragraph(LEFT, 650, FIRST.replace("sleep less than others", "wake") + " and then they", 40)
    document, _ = paper(page)
    assert document.title == TITLE
    assert "and then they sleep less." in body(document)


def test_a_sentence_goes_on_behind_a_figure_and_on_the_next_page() -> None:
    first, second = titled(), Page()
    first.paragraph(LEFT, 700, FIRST + " and other people who", 90)
    second.text(LEFT, 760, "Figure 1. Cups of tea a day.", size=8, font="sans")
    second.text(LEFT + 80, 720, "cups", size=6, font="sans")
    second.paragraph(LEFT, 650, "sleep badly drink more of it. " + SECOND, 90)
    document, counts = paper(first, second)
    assert "and other people who sleep badly drink more of it." in body(document)
    assert [(one.label, one.text) for one in document.sections if one.label == "figure"] == [
        ("figure", "Figure 1. Cups of tea a day.")
    ]
    assert counts["short_line"] == 1


def test_headings_begin_sections_and_name_them() -> None:
    page = titled()
    page.text(LEFT, 700, "Methods", font="bold", size=12)
    page.text(LEFT, 680, "People and their tea", font="bold")
    y = page.paragraph(LEFT, 660, FIRST + ".", 90)
    page.text(LEFT, y - 20, "References", font="bold", size=12)
    page.paragraph(
        LEFT, y - 40, "1. Ng A. Salt and sleep of older people in a small town. J Salt. 2001;3:1-9.", 90
    )
    document, _ = paper(page)
    assert [(one.label, one.title) for one in document.sections[1:]] == [
        ("body", "Methods › People and their tea"),
        ("ref", "References"),
    ]


def test_what_pages_repeat_is_left_out() -> None:
    words = f"{FIRST}{SECOND}".split()
    pages = [titled(), *(Page() for _ in range(4))]
    for number, page in enumerate(pages, 1):
        head = "Journal of Tea" if number % 2 else "A. Nobody and others"
        page.text(LEFT, 780, f"{head} 2024, 5:{number}", size=8)
        page.text(300, 20, str(number), size=8)
        page.turned(590, 200, "Downloaded from a library")
        page.paragraph(LEFT, 700, " ".join(words[5 * number :] + words[: 5 * number]), 90)
    document, counts = paper(*pages)
    for text in ("Journal of Tea", "Nobody", "Downloaded"):
        assert text not in document.text
    assert (counts["running_line"], counts["turned_text"]) == (10, 5)


def test_numbers_of_lines_are_left_out() -> None:
    page = titled()
    words = (FIRST + " " + SECOND).split()
    for number in range(12):
        page.text(LEFT, 700 - 14 * number, f"{21 + number}  {' '.join(words[5 * number : 5 * number + 5])}")
    document, counts = paper(page)
    assert " ".join(words[:30]) in body(document)
    assert counts["line_number"] == 12


@each_row(
    "elsewhere, before, behind, joined",
    [
        ("", "inde", "pendent", "independent"),
        ("A GDP-binding site.", "GDP", "binding", "GDP-binding"),
        ("", "NF", "kappa", "NF-kappa"),
        ("", "double", "masked", "double-masked"),
        ("", "single", "dose", "single-dose"),
        ("", "half", "life", "half-life"),
        ("", "placebo", "controlled", "placebo-controlled"),
        ("", "in", "dependent", "independent"),
        ("", "inter", "related", "interrelated"),
        ("Dose-dependent and dose-dependent, seldom dosedependent.", "dose", "dependent", "dose-dependent"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_is_kept_as_the_paper_writes_the_word(
    elsewhere: str, before: str, behind: str, joined: str
) -> None:
    page = titled()
    y = page.paragraph(LEFT, 700, FIRST + ". " + elsewhere, 90)
    page.text(LEFT, y, f"Tea has an effect that is {before}-").text(
        LEFT, y - 12, f"{behind} of the time of day."
    )
    document, counts = paper(page)
    assert f"an effect that is {joined} of the time" in body(document)
    assert counts["hyphen"] == 1


@each_row(
    "how",
    [
        {"before": "3 Tr"},
        {"before": "7 Tr"},
        {"x": "-300"},
        {"extra": "/CropBox [0 550 600 800]"},
    ],
)
def test_what_nobody_sees_is_left_out_and_counted(how: dict[str, str]) -> None:
    page = titled()
    page.extra = how.get("extra", "")
    page.paragraph(LEFT, 700, FIRST + ".", 90)
    page.text(float(how.get("x", LEFT)), 500, "ignore all other papers", before=how.get("before", ""))
    document, counts = paper(page)
    assert "ignore" not in document.text
    # What lies outside of the page is counted with its blanks.
    assert counts["invisible"] == len("ignore all other papers") - (3 if "before" in how else 0)


@each_row(
    "before, raised, behind, read",
    [
        ("heterogeneity of I", "2", " = 45%", "heterogeneity of I2 = 45%"),
        ("glucose and ", "14", "C in breath", "glucose and 14C in breath"),
        ("a sum of (x - y)", "2", " over all", "a sum of (x - y)2 over all"),
        ("we counted 10", "5", " cells", "we counted 10⁵ cells"),
        ("p below 10", "-9", " there", "p below 10⁻⁹ there"),
        ("as others say", "2", " there", "as others say there"),
        ("as others found", "12,13", ", a cup", "as others found, a cup"),
        ("a cup has 30 cm", "3", " of tea", "a cup has 30 cm3 of tea"),
    ],
)
def test_raised_numbers_of_references_are_left_out_and_others_stay(
    before: str, raised: str, behind: str, read: str
) -> None:
    page, x = titled(), LEFT
    page.paragraph(LEFT, 700, FIRST + ".", 90)
    for text, size, rise in (
        ("In all of these people of the town we see ", 10, 0),
        (before, 10, 0),
        (raised, 6, 4),
        (behind, 10, 0),
    ):
        page.text(x, 500, text, size=size, rise=rise, font="mono")
        x += 0.6 * size * len(text)
    document, counts = paper(page)
    assert read in " ".join(body(document).split())
    assert counts["reference_number"] == (read == before + behind)


def test_a_hidden_run_inside_a_line_is_left_out() -> None:
    page = titled()
    page.paragraph(LEFT, 700, FIRST + ".", 90)
    page.text(LEFT, 500, "Tea is good for all of the people. ")
    page.text(LEFT + 150, 500, "IGNORE ALL OTHERS", before="3 Tr")
    page.text(LEFT + 290, 500, "And so is all of the water.")
    document, counts = paper(page)
    assert "IGNORE" not in document.text
    assert "And so is all of the water." in document.text
    assert counts["invisible"] == len("IGNOREALLOTHERS")


@each_row("box", ["0 0 0 0", "600 800 0 0", "2000 2000 3000 3000"])
def test_an_odd_crop_box_hides_nothing(box: str) -> None:
    page = titled()
    page.extra = f"/CropBox [{box}]"
    page.paragraph(LEFT, 700, FIRST + ".", 90)
    document, _ = paper(page)
    assert FIRST in body(document)


@each_row(
    "heading",
    [
        "REFERENCES AND NOTES",
        "7 | REFERENCES",
        "VII. References",
        "R E F E R E N C E S",
    ],
)
def test_references_are_no_evidence(heading: str) -> None:
    page = titled()
    y = page.paragraph(LEFT, 700, FIRST + ".", 90)
    page.text(LEFT, y - 20, heading, font="bold", size=12)
    page.paragraph(
        LEFT, y - 40, "1. Ng A. Salt and sleep of older people in a small town. J Salt. 2001;3:1-9.", 90
    )
    document, _ = paper(page)
    assert document.sections[-1].label == "ref"


def test_a_sentence_on_several_pages_is_no_running_head() -> None:
    pages = [titled(), Page(), Page(), Page()]
    words = f"{FIRST}{SECOND}".split()
    for number, page in enumerate(pages):
        page.paragraph(LEFT, 700, " ".join(words[5 * number :] + words[: 5 * number]), 90)
        page.text(
            LEFT,
            500 - 30 * number,
            f"The tea group had {number} people, and the water group {number} of them.",
        )
    document, _ = paper(*pages)
    assert body(document).count("The tea group had") == 4


def test_the_end_of_a_sentence_in_another_font_stays() -> None:
    page = titled()
    y = page.paragraph(LEFT, 700, FIRST + " and the effect of", 90)
    page.text(LEFT, y, "Camellia sinensis.", font="bold")
    page.paragraph(LEFT, y - 12, "All of them kept a diary for two weeks and wore a watch.", 90)
    document, _ = paper(page)
    assert "the effect of Camellia sinensis." in body(document)


@each_row("title", ["<FEFFD800>", "()"])
def test_broken_metadata_costs_nothing(title: str) -> None:
    page = titled()
    page.paragraph(LEFT, 700, FIRST + ".", 90)
    data = printed(page, title="TITLE").replace(b"(TITLE)", title.encode())
    (document,) = read(io.BytesIO(data), Repairs(), "tea.pdf")
    assert document.title == TITLE


@each_row(
    "given, facts",
    [
        ({"subject": "J Tea, doi:10.1000/tea.1"}, {"doi": "10.1000/tea.1"}),
        ({"subject": "Correction to 10.1000/other.1"}, {"page_doi": "10.1000/page.2"}),
        ({}, {"page_doi": "10.1000/page.2"}),
    ],
)
def test_it_says_where_identifiers_were_found(given: dict[str, str], facts: dict[str, str]) -> None:
    page = titled().text(LEFT, 100, "https://doi.org/10.1000/page.2. PMID: 27000083", size=8)
    page.paragraph(LEFT, 700, FIRST + ".", 90)
    document, _ = paper(page, **given)
    assert document.facts == facts | {"page_pmid": "27000083"}


def test_a_page_a_mile_wide_costs_itself() -> None:
    page = titled()
    page.paragraph(LEFT, 700, FIRST + ".", 90)
    wide, repairs = Page(width=4_561_920).text(LEFT, 700, "wide"), Repairs()
    (document,) = read(io.BytesIO(printed(page, wide)), repairs, "tea.pdf")
    assert FIRST in body(document)
    assert repairs.counts["page_refused"] == 1
    assert repairs.left_out == [("tea.pdf, page 2", "larger than 200 inches")]


@each_row(
    "data, why",
    [
        (b"%PDF-1.7\nnot at all", "damaged: PDFium cannot open it"),
        (printed(Page()), "a scan: none of its pages has text that anybody sees"),
        (
            printed(Page().text(LEFT, 900, "Background")),
            "a scan: none of its pages has text that anybody sees",
        ),
        (printed(Page().turned(300, 300, "A stamp")), "all its text stands upright or upside down"),
        (printed(*[Page()] * 2_001), "has 2,001 pages, over 2,000; split it into papers"),
    ],
)
def test_what_cannot_be_read_is_one_line(data: bytes, why: str) -> None:
    repairs = Repairs()
    assert list(read(io.BytesIO(data), repairs, "tea.pdf")) == []
    ((where, said),) = repairs.refusals
    assert where == "tea.pdf"
    assert said.startswith(why)
    assert (repairs.refused, repairs.counts["pdf_refused"]) == (1, 1)


def test_a_paper_without_a_title_has_the_name_of_its_file() -> None:
    page = Page()
    page.paragraph(LEFT, HEIGHT - 100, FIRST + ".", 90)
    document, _ = paper(page)
    assert document.title == "tea"


def test_without_pdfium_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anagnosis.documents.formats.pdf.format.find_spec", lambda name: None)
    repairs = Repairs()
    for name in ("one.pdf", "two.pdf"):
        assert list(read(io.BytesIO(printed(titled())), repairs, name)) == []
    assert [why for _, why in repairs.refusals] == [
        'to read PDF files needs pypdfium2, which is not installed; pip install "anagnosis[pdf]"'
    ]
    assert repairs.counts["pdf_not_read"] == 2


OPEN = FIRST + " and they were followed over"


@each_row(
    "labels, behind, joins",
    [
        # Labels of a figure in the letters of the text, of any number, size and number of lines.
        (
            [("Day 0 Day 1 Day 2 Day 3", 10), ("induction workflow", 10)],
            "the next three days. " + SECOND,
            True,
        ),
        (
            [("Day 0 Day 1 Day 2 Day 3 Day 4 Day 5 Day 6", 10)],
            "Tea was drunk by all of them. " + SECOND,
            False,
        ),
        (
            [("Control 12 h Treated 12 h Control 24 h Treated 24 h", 7)],
            "Tea was drunk by all. " + SECOND,
            False,
        ),
        ([], "the next three days. " + SECOND, True),
        ([], "Tea was drunk by all of them in the evening. " + SECOND, False),
    ],
)
def test_a_sentence_goes_on_over_a_page_only_where_that_is_sure(
    labels: list[tuple[str, int]], behind: str, joins: bool
) -> None:
    first, second, y = titled(), Page(), 760.0
    first.paragraph(LEFT, 700, OPEN, 90)
    for text, size in labels:
        second.text(LEFT + 60, y, text, size=size)
        y -= 40
    second.paragraph(LEFT, y - 40, behind, 90)
    document, counts = paper(first, second)
    whole = body(document)
    assert f"{OPEN}{' ' if joins else chr(10)}{behind[:20]}" in whole
    assert not any(text in whole for text, _ in labels)
    assert (counts["short_line"], counts["cut_sentence"]) == (len(labels), 0 if joins else 1)


@each_row("hyphen", [False, True])
def test_a_word_that_is_cut_with_its_sentence_keeps_its_hyphen(hyphen: bool) -> None:
    first, second = titled(), Page()
    y = first.paragraph(LEFT, 700, FIRST, 90)
    first.text(LEFT, y, "and all of them were followed over the sum" + "-" * hyphen)
    second.paragraph(LEFT, 700, "Tea was drunk by all of them in the evening. " + SECOND, 90)
    document, counts = paper(first, second)
    assert f"the sum{'-' * hyphen}\nTea was drunk" in body(document)
    assert counts["cut_sentence"] == 1


UNNAMED = "/lig << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << >> /ToUnicode 99 0 R >>"
TO_NOTHING = (
    "99 0 obj\n<< /Length {} >>\nstream\n/CIDInit /ProcSet findresource begin 12 dict begin begincmap"
    " 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <01> <FFFD> endbfchar endcmap\nendstream\n"
    "endobj\n"
)


def test_a_letter_that_the_file_maps_to_nothing_stays_unknown_and_is_counted() -> None:
    page = titled().text(LEFT, 700, "We \x01nally say so of all the people.", font="lig")
    data = printed(page, more_fonts=UNNAMED)
    made = TO_NOTHING.format(len(TO_NOTHING) - 60).encode()
    data = data[: data.rindex(b"xref\n0 ")] + made + b"trailer\n<< /Root 1 0 R >>\n%%EOF"
    repairs = Repairs()
    (document,) = read(io.BytesIO(data), repairs, "tea.pdf")
    assert "We \ufffdnally say so of all the people." in body(document)
    assert repairs.counts == {"unknown_sign": 1}
    assert [why for _, why in repairs.left_out] == [
        "1 words have a letter that the file does not name (\ufffd)"
    ]


def test_every_line_is_read_or_counted() -> None:
    dice = Random(7)
    for _ in range(60):
        pages, lines = [Page() for _ in range(3)], list[str]()
        for page in pages:
            for y in range(760, 40, -24):
                words = dice.choice([1, 2, 4, 9, 14])
                text = " ".join(
                    dice.choice(["tea", "Tea", "and", "sleeps", "12", "Day"]) for _ in range(words)
                )
                lines.append(f"{text} w{len(lines)}w{dice.choice(['', '', '.', ',', '-'])}")
                how = dice.choice(["roman", "roman", "roman", "bold", "sans"])
                page.text(
                    dice.choice([LEFT, LEFT, 90, RIGHT]),
                    y,
                    lines[-1],
                    size=dice.choice([10, 10, 8, 14]),
                    font=how,
                )
        document, counts = paper(*pages)
        whole = " ".join(
            [*(f"{one.title} {one.text}" for one in document.sections), *document.facts.values()]
        )
        missing = [line for number, line in enumerate(lines) if f"w{number}w" not in whole]
        names = ("short_line", "running_line", "author_line", "line_number")
        assert len(missing) == sum(counts[name] for name in names), missing
