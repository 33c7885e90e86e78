"""Make the pictures of docs/images/ that show people and a page of a paper: people's page on a desk and on a phone, a
report on a study, and a page of a PDF file of ours with a sentence marked.

    python docs/pictures.py

The papers of the page are those that the package carries, in sentences of ours. The report is on synthetic papers, and
its people do not exist: they answer by chance (`tests/people.py`). Needs Chromium and playwright. Another machine has
other fonts, so no test compares the files: look at them.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.reports import save

IMAGES = Path(__file__).parent / "images"
SHOWN = "section.question:visible "
SIZE = 1280, 800  # of a window
COLOURS = 64
BEGINS = "Which is better"  # the section of the report that its picture shows
ROOT = Path(__file__).parents[1]
_INTRODUCTION = (
    "People who are troubled by acid in the stomach often ask whether they may drink coffee. Coffee that is "
    "brewed cold is sold as the milder drink, since fewer acids are drawn from the beans by cold water than "
    "by hot water. Whether the stomach notices the difference has hardly been measured. We asked people to "
    "drink both kinds, and measured."
)
_METHODS = (
    "Twenty-four people drank 200 ml of cold brew coffee on one day and 200 ml of espresso with water on "
    "another, in an order drawn by lot. A thin probe measured gastric pH every ten seconds for two hours. "
    "Nobody took a drug against acid in the week before. The people did not know which drink they would get "
    "until they tasted it."
)
_RESULTS = (
    "Before the drinks, gastric pH was 1.8 on both days. Cold brew coffee raised gastric pH less than "
    "espresso: the largest rise was 0.9 after cold brew coffee and 1.6 after espresso (p = 0.01). The pH was "
    "back where it had been after 40 minutes on both days. Three people felt heartburn after espresso and two"
    " after cold brew coffee."
)
_DISCUSSION = (
    "The difference between the drinks was small and did not last. It speaks against the belief that cold "
    "brew coffee is the better drink for people with acid in the stomach. Our study was short, and all people"
    " in it were healthy; what the drinks do to people with reflux we cannot say. Larger studies should "
    "measure symptoms, and not the pH alone."
)


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        page = study(Path(scratch))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        width, height = SIZE
        window = browser.new_page(viewport={"width": width, "height": height})
        window.goto(page.as_uri())
        answered(window)
        window.evaluate("scrollTo(0, 0)")
        write(IMAGES / "people_page.png", window.screenshot())
        window = browser.new_page(viewport={"width": 1280, "height": 980})
        window.goto(report(Path(scratch)).as_uri())
        window.get_by_role("heading", name=BEGINS).evaluate("heading => heading.scrollIntoView()")
        write(IMAGES / "people_report.png", window.screenshot())
        with marked_page(Path(scratch)) as address:
            window = browser.new_page(viewport={"width": width, "height": height})
            window.goto(address)
            window.wait_for_load_state("networkidle")
            write(IMAGES / "marked.png", window.screenshot())
        browser.close()


def write(path: Path, picture: bytes) -> None:
    """Write a picture in a third of its bytes: a page has few colours."""
    from PIL import Image

    Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def study(folder: Path) -> Path:
    """The page of a person with questions over the carried papers."""
    api.build("biomrc", [carried()], folder / "built", recipe="biomrc-demo")
    api.label(
        folder / "built", folder / "pages", kind="answers", split="test", draw=12, people=["experts=ann"]
    )
    return folder / "pages/ann.html"


@contextmanager
def marked_page(folder: Path) -> Generator[str]:
    """The address of a page of a paper of our own, with a sentence marked."""
    sys.path.append(str(ROOT))
    from tests.web.apps import served

    (folder / "coffee.pdf").write_bytes(coffee_paper())
    api.index([folder / "coffee.pdf"], folder / "papers")
    question = "Does cold brew coffee raise gastric pH less than espresso?"
    (quoted, *_) = api.ask(folder / "papers", question).evidence
    place = {"id": quoted.passage.document, "passage": quoted.passage.number}
    with served(folder / "papers") as address:
        parameters = urlencode({**place, "begin": quoted.begin, "end": quoted.end, "q": question})
        yield f"{address}page?{parameters}#mark"


def coffee_paper() -> bytes:
    """A page in two columns, of a paper that does not exist."""
    from tests.documents.formats.pdf.printed import Page, printed

    page = Page()
    page.text(50, 740, "Cold brew coffee, espresso and the", size=18, font="bold")
    page.text(50, 718, "acid of the stomach: a small trial", size=18, font="bold")
    page.text(50, 696, "A. Nobody, B. Noone and C. Nemo", size=10)
    columns = (
        (50, (("Introduction", _INTRODUCTION), ("Methods", _METHODS))),
        (310, (("Results", _RESULTS), ("Discussion", _DISCUSSION))),
    )
    for x, parts in columns:
        y = 660.0
        for heading, text in parts:
            page.text(x, y, heading, size=12, font="bold")
            y = page.paragraph(x, y - 18, text, 50) - 10
    return printed(page)


def report(folder: Path) -> Path:
    """A report on two experts and three others who answer 60 questions by chance, and on two such systems."""
    sys.path.append(str(ROOT))
    from benchmarks.invented_papers import documents
    from tests.people import Reader, lines, write

    from anagnosis.datasets.gold import Gold
    from anagnosis.predictions.prediction import Prediction

    api.write(documents(3000, seed=1), folder / "synthetic.pubtator")
    weights = {"split_weights": {"train": 1, "dev": 1, "test": 2}}
    api.build("biomrc", [folder / "synthetic.pubtator"], folder / "all", settings=weights)
    tiny = api.sample(
        folder / "all", folder / "tiny", recipe="biomrc-tiny", settings={"groups": {"tiny-a": 60}}
    )
    gold = Gold.of(tiny, "test")
    experts = {"prior": 0.45, "both": 0.25, "wrong_takes": 1.5, "unanswered": 0.02}
    others = {"prior": 0.12, "both": 0.2, "wrong_takes": 1.5, "unanswered": 0.1}
    readers = [
        Reader("ann", "experts", accuracy=0.88, seconds=75, **experts),
        Reader("bea", "experts", accuracy=0.82, seconds=95, **experts),
        Reader("cem", "non-experts", accuracy=0.72, seconds=120, **others),
        Reader("dot", "non-experts", accuracy=0.66, seconds=140, **others),
        Reader("eli", "non-experts", accuracy=0.7, seconds=110, **others),
    ]
    people = write(folder / "people.jsonl", lines(gold, readers, seed=4))
    systems = [
        write(
            folder / f"{name}.jsonl",
            [
                Prediction(line.id, line.answer)
                for line in lines(gold, [Reader(name, accuracy=share)], seed=9)
            ],
        )
        for name, share in (("max", 0.8), ("as", 0.45))
    ]
    page = folder / "people.html"
    save(api.agreement(tiny, [people], systems), page)
    return page


def answered(window: Any) -> None:
    """The third question, half answered; two are done."""
    window.click("#begin")
    for entity in ("0", "1"):
        window.click(f"{SHOWN}.entities input[data-e='{entity}']")
        window.click(SHOWN + "input[value=both]")
        window.click(SHOWN + ".main")
    links = window.locator(SHOWN + ".passage a")
    often = max(range(links.count()), key=lambda place: _places(window, links.nth(place)))
    links.nth(often).click()
    window.mouse.move(0, 0)
    window.evaluate("document.activeElement.blur()")


def _places(window: Any, link: Any) -> int:
    """How often the entity of a link is mentioned."""
    return window.locator(f"{SHOWN}a[data-e='{link.get_attribute('data-e')}']").count()


if __name__ == "__main__":
    main()
