"""Questions to try: titles of a collection that its other words answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers import examples as looking
from anagnosis.searching.answers.examples import SHOWN, examples
from anagnosis.searching.index.index import Index, create_index

Made = Callable[..., Index]
ASKS, STATES = "Does green tea lower blood pressure?", "Morning walks lengthen the sleep of adults."
ANSWERED = "Green tea does lower blood pressure in adults."


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    opened: list[Index] = []

    def collection(*papers: Document) -> Index:
        index = create_index(tmp_path / f"index-{len(opened)}")
        opened.append(index)
        for paper in papers:
            index.add(paper, Counter())
        index.commit()
        return index

    yield collection
    for index in opened:
        index.close()


def paper(ident: str, title: str, text: str, label: str = "", **facts: str) -> Document:
    abstract = Section("abstract", text, label, label)
    return Document(ident, (Section("title", title), abstract), facts=facts)


def test_titles_that_ask_come_before_titles_that_state_without_their_full_stop(made: Made) -> None:
    text = "Morning walks lengthen the sleep of adults in this study."
    index = made(paper("1", STATES, text), paper("2", ASKS, ANSWERED))
    assert examples(index) == [ASKS, STATES.rstrip(".")]


def test_looking_for_them_ends(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a search takes long, the page does not wait for 80 of them."""
    index = made(paper("1", ASKS, ANSWERED))
    monkeypatch.setattr(looking, "_SECONDS", -1.0)
    assert examples(index) == []


@pytest.mark.parametrize(
    ("title", "text", "label", "facts"),
    [
        (ASKS, "Forty patients drank it for a month.", "", {}),  # nothing answers
        (STATES, "Forty patients took part in this study.", "", {}),  # but its own title
        (ASKS, "Green tea and blood tests were given to these patients.", "", {}),  # not surely
        (ASKS, "We asked whether green tea can lower blood pressure.", "", {}),
        (ASKS, "Does green tea lower blood pressure?", "", {}),
        (ASKS, "To see if green tea may lower blood pressure.", "", {}),
        (ASKS, ANSWERED, "OBJECTIVE", {}),
        (ASKS, ANSWERED, "", {"retracted": "9"}),
        ("Tea: does green tea lower blood pressure?", ANSWERED, "", {}),  # of two parts
        ("[Does green tea lower blood pressure?]", ANSWERED, "", {}),  # translated
        (f"Does green tea {'really ' * 20}lower blood pressure?", ANSWERED, "", {}),  # too long
        ("Is tea it?", "Tea is it.", "", {}),  # too short
    ],
)
def test_a_title_that_nothing_answers_is_not_offered(
    made: Made, title: str, text: str, label: str, facts: dict[str, str]
) -> None:
    assert examples(made(paper("1", title, text, label, **facts))) == []


def test_a_title_that_a_retracted_paper_alone_answers_is_not_offered(made: Made) -> None:
    asks = paper("1", ASKS, "Forty patients drank it for a month.")
    assert examples(made(asks, paper("2", "Green tea", ANSWERED))) == [ASKS]
    assert examples(made(asks, paper("2", "Green tea", ANSWERED, retracted="9"))) == []


def test_there_are_never_more_than_fit_and_they_are_the_same_again(made: Made) -> None:
    drinks = ("tea", "milk", "water", "juice", "cocoa", "coffee")
    papers = [
        paper(str(n), f"Does green {drink} lower blood pressure?", ANSWERED.replace("tea", drink))
        for n, drink in enumerate(drinks)
    ]
    found = examples(made(*papers))
    assert len(set(found)) == SHOWN
    assert examples(made(*reversed(papers))) == found


def test_a_title_of_several_papers_is_offered_once(made: Made) -> None:
    assert examples(made(paper("1", ASKS, ANSWERED), paper("2", ASKS.upper().capitalize(), ANSWERED))) == [
        ASKS
    ]


def test_an_empty_collection_offers_nothing(made: Made) -> None:
    assert examples(made()) == []
