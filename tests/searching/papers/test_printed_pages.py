"""A sentence of another record's text has the page on which its letters stand once in the paper's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.documents.formats.pdf.printed import Page, printed

from anagnosis import api
from anagnosis.documents.page_map import read_page_map
from anagnosis.searching.records.passage import Passage

ONCE = "Cold brew coffee raises the pH of the stomach less than espresso."
OVER_PAGES = "All people who took part in this study were older than sixty years."
TWICE = "Nobody was asked about the colour of the cups."
NEVER = "This sentence was written for the journal alone."


@pytest.fixture
def index(tmp_path: Path) -> Path:
    first = Page().text(50, 740, "Coffee and the stomach of people", size=20).text(50, 712, ONCE)
    first.text(50, 700, f"{TWICE} All people who took part")
    second = Page().text(50, 712, "in this study were older than sixty years.").text(50, 700, TWICE)
    (tmp_path / "coffee.pdf").write_bytes(printed(first, second, subject="doi:10.1234/coffee"))
    text = f"{NEVER} {ONCE.replace('less than', 'less  than')} {TWICE} {OVER_PAGES}"
    paper = {
        "id": "7",
        "doi": "10.1234/coffee",
        "title": "Coffee and the stomach of people",
        "sections": [{"kind": "body", "title": "Results", "text": text}],
    }
    (tmp_path / "coffee.jsonl").write_text(json.dumps(paper) + "\n")
    api.index([tmp_path / "coffee.pdf", tmp_path / "coffee.jsonl"], tmp_path / "index")
    return tmp_path / "index"


def passage_of(index: Path) -> Passage:
    (hit,) = api.search(index, "espresso").found
    return hit.passage


def pages_of(passage: Passage, sentence: str) -> dict[int, list[str]]:
    """The pages of a sentence, with the words that are marked on each."""
    page_map = read_page_map(passage.page_map)
    assert page_map
    begin = passage.text.index(sentence)
    found: dict[int, list[str]] = {}
    for run in page_map.part(begin, begin + len(sentence)).runs:
        if run.page:
            found.setdefault(run.page, []).append(sentence[run.begin : run.end].strip())
    return found


def test_a_full_text_of_another_format_is_shown_before_the_printed_one(index: Path) -> None:
    passage = passage_of(index)
    assert (passage.source, passage.heading) == ("", "Results")
    assert NEVER in passage.text


def test_a_sentence_has_the_page_where_its_letters_stand_once(index: Path) -> None:
    passage = passage_of(index)
    assert pages_of(passage, ONCE.replace("less than", "less  than")) == {
        1: [ONCE.replace("less than", "less  than")]
    }
    assert pages_of(passage, OVER_PAGES) == {
        1: ["All people who took part"],
        2: ["in this study were older than sixty years."],
    }
    assert pages_of(passage, TWICE) == pages_of(passage, NEVER) == {}
    assert passage.pages == (1, 2)


def test_an_answer_leads_to_the_page_in_the_file(index: Path, tmp_path: Path) -> None:
    answer = api.ask(index, "How old were the people of the study in years?")
    assert answer.evidence[0].text == OVER_PAGES
    assert answer.evidence[0].pages == (1, 2)
    assert answer.evidence[0].file == f"{tmp_path / 'coffee.pdf'}#page=1"


def test_without_the_file_no_page_is_left(index: Path) -> None:
    (document,) = {hit.passage.document for hit in api.search(index, "espresso").found}
    records = api.search(index, "espresso").found[0].paper
    assert records
    (of_file,) = [record for record in records.sources if record.startswith("pdf:")]
    api.index([], index, remove=[of_file])
    assert passage_of(index).document == document
    assert (passage_of(index).pages, passage_of(index).page_map) == ((), "")
    assert api.check(index).sound
