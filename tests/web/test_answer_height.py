"""The answer's height: under three screens of 1280 × 800 whatever papers hold, with details folded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest
from tests.web.browsing import SIZES, opened, served

from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import create_index

if TYPE_CHECKING:
    from anagnosis.searching.answers.readers import Readers

HEIGHT = SIZES["desk"][1]
ASIDE = (
    ", although neither age nor the season of the harvest mattered to people who had never seen a windmill"
)
TITLE = "Marzipan, migraine and the mill: a trial of marzipan against migraine in millers who eat little else"
QUESTIONS = {
    "yesno": "Does marzipan prevent migraine in millers?",
    "factoid": "Which sweet prevents migraine in millers?",
    "list": "List sweets that prevent migraine in millers",
    "summary": "How does marzipan prevent migraine in millers?",
}


def paper(number: int) -> Document:
    claim = f"In conclusion, marzipan number {number} prevents migraine in millers"
    sections = (
        Section("title", f"{TITLE} ({number}). {TITLE}"),
        Section("abstract", f"{claim}{ASIDE * 12}.", title="CONCLUSIONS OF THE AUTHORS " * 8),
    )
    facts = {
        "date": "2018",
        "journal": "Journal of Supposed Confectionery " * 4,
        "types": "Randomized Controlled Trial",
    }
    return Document(str(number), sections, facts=facts)


@pytest.fixture(scope="module")
def wordy(tmp_path_factory: pytest.TempPathFactory, readers: Readers) -> Generator[str]:
    """A page over twelve papers that conclude at length, beside others on anything else."""
    folder = tmp_path_factory.mktemp("wordy")
    index = create_index(folder / "index")
    for number in range(12):
        index.add(paper(number), Counter())
    for number in range(100, 160):
        filler = Section("abstract", f"Windmill {number} was seen in a harvest.")
        index.add(Document(str(number), (Section("title", f"Windmill {number}"), filler)), Counter())
    index.commit()
    index.close()
    with served(folder / "index", readers) as address:
        yield address


@pytest.mark.parametrize("kind", QUESTIONS)
def test_an_answer_takes_less_than_three_screens(browser: Any, wordy: str, kind: str) -> None:
    page, _ = opened(browser)
    page.goto(f"{wordy}?q={QUESTIONS[kind].replace(' ', '+')}")
    box = page.locator("section.answer")
    assert box.locator("blockquote").count() >= 3
    if kind == "yesno":
        assert box.locator(".conclusions .rest > summary").inner_text().endswith("more papers")
    begin = box.bounding_box()
    assert begin["y"] + begin["height"] < 3 * HEIGHT
    page.close()


def test_the_end_of_a_long_sentence_opens(browser: Any, wordy: str) -> None:
    page, _ = opened(browser, java_script_enabled=False)
    page.goto(f"{wordy}?q={QUESTIONS['summary'].replace(' ', '+')}")
    quote = page.locator(".answer blockquote").first
    assert "the rest of this sentence" in quote.inner_text()
    quote.locator("summary").click()
    opened_text = quote.inner_text()
    assert opened_text.count("windmill") == 12
    assert opened_text.strip().endswith("windmill.")
    page.close()
