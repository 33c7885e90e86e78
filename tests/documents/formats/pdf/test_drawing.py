"""A sentence is marked where it stands on its page, and nothing else is."""

from __future__ import annotations

import ctypes
import io
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from PIL import Image
from tests.documents.formats.pdf.printed import Page, printed
from tests.rows import each_row

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.pdf.drawing import draw_page, on_shown_page
from anagnosis.documents.formats.pdf.format import read
from anagnosis.documents.formats.pdf.messages import FileRequest, Marks, PageImage, Place, marked_characters
from anagnosis.documents.formats.pdf.page_lines import characters, hidden_texts, text_address
from anagnosis.documents.formats.pdf.paper import UnreadableError
from anagnosis.documents.page_map import read_page_map
from anagnosis.documents.repairs import Repairs
from anagnosis.language.sentences import splitter
from anagnosis.searching.sentences.sentences import SPLITTER

WIDTH = 600


def section_of(data: bytes) -> Section:
    (document,) = read(io.BytesIO(data), Repairs(), "tea.pdf")
    return next(one for one in document.sections if one.label == "body")


def drawn(data: bytes, page: int, marks: Marks, width: int = WIDTH) -> PageImage:
    return draw_page(FileRequest(data, page=page, marks=marks, width=width))


def marks_of(section: Section, sentence: str) -> dict[int, Marks]:
    begin = section.text.index(sentence)
    page_map = read_page_map(section.page_map)
    assert page_map
    return marked_characters(page_map.part(begin, begin + len(sentence)))


def under(data: bytes, page: int, marks: list[Place]) -> str:
    """The letters that people see under marks, in the order of the page."""
    found = pypdfium2.PdfDocument(data)[page - 1]
    text_page = found.get_textpage()
    hidden = hidden_texts(found)
    seen = (
        character
        for at, character in enumerate(characters(text_page))
        if text_address(text_page, at) not in hidden
        and any(_inside(middle_of(found, text_page, at), mark) for mark in marks)
    )
    return only_letters("".join(seen))


def middle_of(page: Any, text_page: Any, at: int) -> tuple[float, float]:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium.FPDFText_GetCharBox(text_page, at, left, right, bottom, top)
    return on_shown_page(page, (left.value + right.value) / 2, (bottom.value + top.value) / 2)


def _inside(place: tuple[float, float], mark: Place) -> bool:
    return mark[0] <= place[0] <= mark[2] and mark[1] <= place[1] <= mark[3]


def only_letters(text: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", text) if part.isalnum())


def page_of(*lines: str, **entries: Any) -> Page:
    page = Page(**entries)
    for number, line in enumerate(lines):
        page.text(50, 700 - 12 * number, line)
    return page


BEFORE, BEHIND = "Some people drink tea before they go to sleep. ", " Others drink coffee in the morning."


@each_row(
    "data, sentence",
    [
        (printed(page_of(f"{BEFORE}They sleep less.", BEHIND)), "They sleep less."),
        (
            printed(page_of(f"{BEFORE}They", f"sleep less than others.{BEHIND}")),
            "They sleep less than others.",
        ),
        (printed(page_of(BEFORE, "They sleep less")), "They sleep less"),
        # On a page that is shown turned, and on one that is cut to what is shown.
        (printed(Page(extra="/Rotate 90").turned(300, 50, f"{BEFORE}They sleep less.")), "They sleep less."),
        (
            printed(page_of(f"{BEFORE}They sleep less.", extra="/CropBox [40 300 500 780]")),
            "They sleep less.",
        ),
    ],
)
def test_the_letters_of_a_sentence_are_under_its_marks(data: bytes, sentence: str) -> None:
    section = section_of(data)
    (page, marks), *_ = marks_of(section, sentence).items()
    assert under(data, page, drawn(data, page, marks).marks) == only_letters(sentence)


def test_a_sentence_over_two_pages_is_marked_on_both() -> None:
    data = printed(page_of(BEFORE, "They also"), page_of("sleep less than others.", BEHIND))
    lines = marks_of(section_of(data), "They also sleep less than others.")
    assert [under(data, page, drawn(data, page, own).marks) for page, own in lines.items()] == [
        "Theyalso",
        "sleeplessthanothers",
    ]


def test_the_image_is_coloured_under_the_marks_alone() -> None:
    data = printed(page_of(BEFORE, "They sleep less.", BEHIND))
    plain, marked = (
        drawn(data, 1, lines) for lines in ([], marks_of(section_of(data), "They sleep less.")[1])
    )
    one, other = (Image.open(io.BytesIO(image.png)).convert("RGB") for image in (plain, marked))
    assert one.size == other.size == marked.size == (WIDTH, 800)
    (mark,) = marked.marks
    for x in range(0, WIDTH, 3):
        for y in range(0, 800, 3):
            across = mark[0] * WIDTH - 1 < x < mark[2] * WIDTH + 1
            inside = across and mark[1] * 800 - 1 < y < mark[3] * 800 + 1
            assert (one.getpixel((x, y)) != other.getpixel((x, y))) <= inside
    middle = (50 + 2), round(800 * mark[1]) + 1
    assert other.getpixel(middle) != one.getpixel(middle)


def test_characters_that_the_page_lacks_are_not_marked() -> None:
    assert drawn(printed(page_of("They sleep less.")), 1, [(90_000, 90_007)]).marks == []


@each_row(
    "page, data, why",
    [
        (2, printed(page_of("Tea.")), "has no page 2"),
        (0, printed(page_of("Tea.")), "has no page 0"),
        (1, printed(page_of("Tea.", width=20_000)), "larger than 200 inches"),
        (1, b"%PDF-1.7", "damaged"),
    ],
)
def test_what_is_not_drawn_says_why(page: int, data: bytes, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        drawn(data, page, [])


def test_a_long_page_takes_no_more_pixels_than_allowed() -> None:
    found = drawn(printed(page_of("Tea.", width=100, height=14_000)), 1, [], 1400)
    assert found.size[0] * found.size[1] < 12_100_000


def sentences(document: Document, dice: Random, number: int) -> Iterator[tuple[Section, str]]:
    every = [
        (section, section.text[begin:end])
        for section in document.sections
        if section.page_map and section.label != "ref"
        for begin, end in splitter(SPLITTER)(section.text)
        if len(only_letters(section.text[begin:end])) > 20
    ]
    yield from dice.sample(every, number)


@pytest.mark.slow  # 10 to 15 s of a processor
@pytest.mark.shared
def test_of_two_hundred_sentences_of_papers_the_letters_are_marked(shared: Path) -> None:
    """Sentences are drawn by lot; letters that are theirs and marked, as a share of theirs and of those marked."""
    dice, long, own_letters, marked_letters, both = Random(5), 0, 0, 0, 0
    for path in sorted((shared / "data" / "pdf" / "papers").glob("*.pdf")):
        data = path.read_bytes()
        (document,) = api.read(path)
        maps, texts = (
            sum(len(getattr(one, name)) for one in document.sections) for name in ("page_map", "text")
        )
        assert maps / texts <= 0.1
        for section, sentence in sentences(document, dice, 34):
            pages = marks_of(section, sentence)
            long += sum(map(len, pages.values())) > 1
            found = "".join(
                under(data, page, drawn(data, page, own, 100).marks) for page, own in pages.items()
            )
            own = only_letters(sentence)
            blocks = SequenceMatcher(None, own, found, autojunk=False).get_matching_blocks()
            own_letters, marked_letters = own_letters + len(own), marked_letters + len(found)
            both += sum(block.size for block in blocks)
    assert long > 50  # on several lines
    assert both / own_letters > 0.999
    assert both / marked_letters > 0.97
