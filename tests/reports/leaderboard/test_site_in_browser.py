"""The pages of a board in a real browser: from disk, light and dark, phone and desk, by keyboard, on paper, by axe."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.leaderboard import boards
from tests.leaderboard.boards import TODAY, lines, people, submit

from anagnosis import api

pytest.importorskip("axe_playwright_python", reason="axe is not installed")

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
FINDINGS = """async () => (await axe.run(document, {
    resultTypes: ['violations'], rules: {'target-size': {enabled: true}}
  })).violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)"""
OPENED = "document.querySelectorAll('details').forEach(each => each.open = true)"
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
LONG = "A system with quite a long name that nobody would want in a table of eighty signs"[:80]
PAGES = ("index", "board", "hidden", "system", "people")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each sort, over systems of long names, people, faults and entries over the limit."""
    folder = tmp_path_factory.mktemp("site")
    built = boards.dataset(folder)
    for number in range(5):
        submit(
            folder,
            f"s{number}",
            {
                "test.jsonl": lines(built, 0.1 + 0.2 * number, number),
                "dev.jsonl": lines(built, 0.5, split="dev"),
            },
            name=LONG if number == 2 else f"System {number}",
            team="A_team_of_one_long_word_without_a_blank_" * 2 if number == 2 else "Example Lab",
            date=date(2024, 1 + 2 * number, 1),
            training_data="train, and much text of the web that nobody has described",
            training_cutoff=date(2020, 1, 1),
            link="https://example.org/a/very/long/address/of/a/page/that/somebody/has/written",
            description="What it does, in a sentence or two.",
        )
    for name in "xyz":
        submit(
            folder,
            name,
            {"test.jsonl": lines(built, 0.4)},
            team="Eager",
            date=date(2024, 5, 5),
            name=f"Late {name}",
        )
    rows = lines(built, 0.8)[:30]
    submit(
        folder, "people", {f"{who}.jsonl": people(rows, who) for who in ("ann", "bea")}, name="Two experts"
    )
    submit(folder, "bad", {"b.jsonl": [{"id": "x", "answer": "y"}]}, date=date(2030, 1, 1), name=LONG)
    api.build_leaderboard(folder / "submissions", [built], folder / "site", hidden=["test"], today=TODAY)
    by_start = {path.name.rpartition("-")[0]: path for path in (folder / "site").rglob("*.html")}
    return {
        "index": by_start[""] if "" in by_start else folder / "site" / "index.html",
        "board": by_start["biomrc-dev-global"],
        "hidden": by_start["biomrc-test-global"],
        "system": by_start["s2"],
        "people": by_start["people"],
    }


def shown(browser: Any, path: Path, size: str = "desk", **options: Any) -> tuple[Any, list[str]]:
    """(the page, the lines of its console)."""
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, **options)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda fault: console.append(str(fault)))
    page.goto(path.as_uri())
    return page, console


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_axe_reports_no_findings(site: dict[str, Path], browser: Any, name: str, size: str) -> None:
    for scheme in ("light", "dark"):
        page, _ = shown(browser, site[name], size, color_scheme=scheme, bypass_csp=True)
        page.evaluate(OPENED)
        page.evaluate(AXE)
        assert page.evaluate(FINDINGS) == [], scheme
        page.close()


def test_axe_finds_what_is_wrong(site: dict[str, Path], browser: Any) -> None:
    page, _ = shown(browser, site["index"], bypass_csp=True)
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x><a href=#main></a>')"
    )
    page.evaluate(AXE)
    assert len(page.evaluate(FINDINGS)) >= 2
    page.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_its_style_and_is_no_wider_than_its_window(
    site: dict[str, Path], browser: Any, name: str, size: str
) -> None:
    page, console = shown(browser, site[name], size)
    assert console == []
    assert page.evaluate("getComputedStyle(document.querySelector('.top')).display") == "flex"
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    page.evaluate("document.documentElement.style.fontSize = '200%'")  # as a reader's zoom of text
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_no_table_is_cut_off_at_1100_pixels(site: dict[str, Path], browser: Any, name: str) -> None:
    page = browser.new_page(viewport={"width": 1100, "height": 800})
    page.goto(site[name].as_uri())
    widths = page.evaluate(
        "[...document.querySelectorAll('.scroll')].map(each => [each.scrollWidth, each.clientWidth])"
    )
    assert bool(widths) == (name != "people")  # people of a hidden split have no figures
    assert [pair for pair in widths if pair[0] > pair[1]] == []
    page.close()


def test_a_long_name_of_a_team_leaves_the_table_of_systems_readable_on_a_phone(
    site: dict[str, Path], browser: Any
) -> None:
    page, _ = shown(browser, site["index"], "phone")
    boxes = page.evaluate(
        "[...document.querySelectorAll('td.team')].map(each => [each.offsetWidth, each.offsetHeight])"
    )
    assert all(128 <= width <= 256 and height < 250 for width, height in boxes), boxes
    page.close()


def test_every_link_and_table_is_reached_by_keyboard_and_shows_it(
    site: dict[str, Path], browser: Any
) -> None:
    page, _ = shown(browser, site["hidden"], "phone")
    expected = page.evaluate("document.querySelectorAll('a, summary, [tabindex=\"0\"]').length")
    seen: list[str] = []
    for _ in range(expected):
        page.keyboard.press("Tab")
        outline, where = page.evaluate(
            "[getComputedStyle(document.activeElement).outlineStyle, document.activeElement.outerHTML.slice(0, 200)]"
        )
        assert outline == "solid", where
        seen.append(where)
    assert len(set(seen)) == expected
    assert "To the content" in seen[0]
    page.close()


def test_a_reader_goes_from_the_index_to_a_board_to_a_system_and_back(
    site: dict[str, Path], browser: Any
) -> None:
    page, _ = shown(browser, site["index"])
    page.click("text=test, global view")
    assert page.inner_text("h1") == "BioMRC, test, global view"
    page.click(f"text={LONG} >> nth=0")
    assert page.inner_text("h1") == LONG
    page.click("text=Leaderboard >> nth=0")
    assert page.inner_text("h1") == "Leaderboard"
    page.close()


def test_what_the_colours_say_stands_in_words(site: dict[str, Path], browser: Any) -> None:
    page, _ = shown(browser, site["board"])
    verdicts = page.locator("td.verdict").all_inner_texts()
    assert {text.split("\n")[0] for text in verdicts} <= {
        "better",
        "not different",
        "equal on every question",
        "",
    }
    assert page.locator(".plot svg title").first.text_content().startswith("Accuracy of 5 systems by date.")
    page.close()


def test_paper_has_the_tables_and_no_navigation(site: dict[str, Path], browser: Any) -> None:
    page, _ = shown(browser, site["hidden"])
    page.emulate_media(media="print")
    assert not page.is_visible(".top ul")
    assert page.is_visible("table")
    assert page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX") == "visible"
    page.close()
