"""Links of pages and notebooks lead somewhere, notebooks are stored without output, promises name their tests."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[2]
MADE_WITH_THE_SITE = "docs/reference.md"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NOTES = sorted((ROOT / "design").glob("*.md"))
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


@each_row("page", [*PAGES, *NOTES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for found in LINK.findall(page.read_text(encoding="utf-8")):
        target = (found[0] or found[1]).partition("#")[0]
        if target and "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def anchors(text: str) -> set[str]:
    """The names by which a page's headings are linked to."""
    headings = re.findall(
        r"^#{1,6} (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@each_row("page", [*PAGES, *NOTES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_a_heading_name_one_that_there_is(page: Path) -> None:
    for found in LINK.findall(page.read_text(encoding="utf-8")):
        target, _, anchor = (found[0] or found[1]).partition("#")
        if anchor and "://" not in target:
            other = page.parent / target if target else page
            assert anchor in anchors(other.read_text(encoding="utf-8")), (
                f"{page.name} links to #{anchor} of {other.name}"
            )


def test_every_page_and_notebook_is_in_the_site_s_navigation() -> None:
    named = re.findall(r'"([\w/]+\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    notebooks = (ROOT / "docs/notebooks").glob("*.ipynb")
    pages = [*PAGES, *(path.with_suffix(".md") for path in notebooks)]
    assert sorted(named) == sorted(
        [
            *(str(page.relative_to(ROOT)) for page in pages),
            "CHANGELOG.md",
            "design/README.md",
            MADE_WITH_THE_SITE,
        ]
    )


@each_row("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_output(path: Path) -> None:
    stored = json.loads(path.read_text("utf-8"))
    assert (stored["nbformat"], stored["nbformat_minor"]) == (4, 5)
    for cell in stored["cells"]:
        assert cell["id"]
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)


@each_row("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_a_notebook_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", path.read_text("utf-8"))
    assert links
    assert all((path.parent / link).exists() for link in links)


RELIABILITY = (ROOT / "docs" / "reliability.md").read_text("utf-8")
PROMISES = [
    line
    for line in RELIABILITY.splitlines()
    if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
]


@each_row("promise", PROMISES, ids=lambda line: line[:60])
def test_a_promise_names_its_tests(promise: str) -> None:
    tests = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", promise)
    assert tests, f"no test stands beside this promise: {promise}"
    for file, name in tests:
        path = ROOT / file
        assert path.is_file(), f"{file} is not there: {promise}"
        text = path.read_text("utf-8")
        assert f"def {name}(" in text if name else "def test_" in text, f"{file} has no {name}: {promise}"


def test_nothing_is_promised_outside_of_the_tables() -> None:
    paragraphs = [one for one in RELIABILITY.split("\n\n") if not one.startswith(("#", "|"))]
    assert len(PROMISES) > 20
    assert all(one.startswith("Not promised: ") for one in paragraphs[1:]), paragraphs[1:]
