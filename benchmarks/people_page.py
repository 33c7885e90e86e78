"""A person's page with 60 questions: its size, and how soon it answers a click.

python benchmarks/people_page.py

The questions are the 60 with the longest passages of 400 made-up papers; BIOMRC's passages have 254 tokens (Table 2). A
click chooses an entity by a link of the passage; the page then marks all its places, and keeps the answer. Measured in
Chromium: the work of the click with the layout that it causes, and the time from the input to the next picture
("Interaction to Next Paint"; the browser lists those of 16 ms and more). The bars: 1 MB, 50 ms.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from anagnosis import api
from anagnosis.datasets.folder import store, writing

QUESTIONS, DOCUMENTS = 60, 400
CLICKS = 5  # of each question
WORK = """link => {
  const began = performance.now();
  link.click();
  document.body.getBoundingClientRect();
  return performance.now() - began;
}"""
PAINTS = """() => {
  window.paints = [];
  new PerformanceObserver(list => list.getEntries().forEach(each => {
    if (each.name === 'click') window.paints.push([each.target?.closest('a, label, button')?.tagName, each.duration]);
  })).observe({type: 'event', durationThreshold: 16});
}"""


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        dataset = questions(folder)
        passages = [each.passage.split() for each in store.instances(dataset, "test")]
        print(f"{QUESTIONS} passages of {statistics.mean(map(len, passages)):.0f} tokens on average")
        for view in ("names", "both", "local"):
            sheets = folder / view
            api.label(dataset, sheets, kind="answers", draw=QUESTIONS, view=view, people=["ann"])
            page = sheets / "ann.html"
            print(f"view {view}: {page.stat().st_size / 1e6:.3f} MB (bar 1 MB)")
        clicks(folder / "names/ann.html")


def questions(folder: Path) -> store.Dataset:
    """A dataset with the longest passages, one question of each paper."""
    api.generate(DOCUMENTS, folder / "papers.pubtator")
    built = api.build("biomrc", [folder / "papers.pubtator"], folder / "built")
    each = {one.document: one for split in built.rows for one in store.instances(built, split)}
    longest = sorted(each.values(), key=lambda one: (-len(one.passage), one.id))[:QUESTIONS]
    return writing.write(folder / "longest", {"test": longest}, built.recipe)


def clicks(path: Path) -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(path.as_uri())
        page.click("#begin")
        page.evaluate(PAINTS)
        work: list[float] = []
        for _ in range(QUESTIONS):
            work += one_question(page)
        shown("work and layout of a click", work)
        paints = page.evaluate("window.paints")
        for tag, name in (("A", "an entity"), ("LABEL", "a choice"), ("BUTTON", "Next")):
            # Those that are not listed took less than 16 ms.
            took = sorted([duration for of, duration in paints if of == tag] + [15.0] * QUESTIONS)[
                -QUESTIONS:
            ]
            shown(f"from a click on {name} to the next picture", took)
        browser.close()


def one_question(page: Any) -> list[float]:
    """Milliseconds of each click on a question, which is then answered and left."""
    links = page.locator("section.question:visible .passage a")
    count = links.count()
    chosen = [links.nth(number * count // CLICKS) for number in range(CLICKS)]
    work = [float(link.evaluate(WORK)) for link in chosen[1:]]
    chosen[0].click()  # a real one, by the mouse
    page.check("section.question:visible input[value=context]")
    page.click("section.question:visible .main")
    return work


def shown(name: str, milliseconds: list[float]) -> None:
    ordered = sorted(milliseconds)
    at = ordered[int(0.95 * len(ordered))]
    print(
        f"{name}: median {statistics.median(ordered):.1f} ms, 95th percentile {at:.1f} ms, at most {ordered[-1]:.1f} ms"
        f" over {len(ordered)} clicks (bar 50 ms)"
    )


if __name__ == "__main__":
    main()
