"""Pages of questions by axe-core, by keyboard alone, and on a phone."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.labelling.browser import SHOWN, drawn, opened, window
from tests.labelling.cloze_reports import REPORT, dataset, instance

pytest.importorskip("axe_playwright_python", reason="axe is not installed")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
FINDINGS = """async rules => (await axe.run(document, {resultTypes: ['violations'], ...rules})).violations
  .map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)"""
ALL = {"rules": {"target-size": {"enabled": True}}}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
OPENED = "document.querySelectorAll('details').forEach(each => each.open = true)"
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
MANY = "\n".join(f"He took [drug {n}] ." for n in range(25))


def start(page: Any) -> None:
    assert page.is_visible("#begin")


def question(page: Any) -> None:
    page.click("#begin")
    page.click(SHOWN + ".passage a >> nth=0")


def incomplete(page: Any) -> None:
    question(page)
    page.click(SHOWN + ".main")
    if not page.inner_text("main").count("Still open"):
        page.set_input_files("#load", {"name": "x.jsonl", "mimeType": "text/plain", "buffer": b"{"})


def end(page: Any) -> None:
    page.click("#begin")
    page.click("#map summary")
    page.click("#map >> text=End")


SHOWING = {each.__name__: each for each in (start, question, incomplete, end)}
STUDIES: dict[str, dict[str, Any]] = {
    "answers": {},
    "words": {"texts": True, "knowledge": False},
    "skills": {"kind": "skills"},
    "local": {"view": "local"},
}


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pages for each study, over reports of few and of many entities."""
    at = tmp_path_factory.mktemp("accessible")
    dataset(at / "d", [instance("r.1"), instance("r.2", f"{REPORT}\n{MANY}")])
    for name, how in STUDIES.items():
        (at / name).mkdir()
        (at / name / "d").symlink_to(at / "d", target_is_directory=True)
        drawn(at / name, 2, **how)
    return at


# The pages of the other studies differ where a question is answered.
LOOKED_AT = {
    "answers": tuple(SHOWING),
    "words": ("incomplete",),
    "skills": ("incomplete",),
    "local": ("question",),
}


@pytest.mark.parametrize("study", STUDIES)
def test_axe_reports_no_findings(study: str, browser: Any, studies: Path) -> None:
    width, height = SIZES["desk" if study == "answers" else "phone"]
    with window(browser, viewport={"width": width, "height": height}, bypass_csp=True) as page:
        for name in LOOKED_AT[study]:
            page.emulate_media(color_scheme="light")
            opened(page, studies / study / "s")
            page.evaluate("localStorage.clear()")
            SHOWING[name](page)
            page.evaluate(OPENED)
            page.evaluate(AXE)
            assert page.evaluate(FINDINGS, ALL) == [], name
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            page.emulate_media(color_scheme="dark")
            assert page.evaluate(FINDINGS, COLOURS) == [], name


def focus(page: Any) -> str:
    """What has the focus, and that it is seen: in the window, and with an outline."""
    return page.evaluate("""() => {
      const each = document.activeElement;
      const {top, bottom} = each.getBoundingClientRect();
      const seen = bottom > 0 && top < innerHeight && each.checkVisibility();
      const outline = getComputedStyle(each).outlineStyle !== 'none';
      const hit = document.elementFromPoint(
        each.getBoundingClientRect().left + 3, Math.max(top, 0) + Math.min(bottom - top, innerHeight) / 2);
      const covered = !(each.contains(hit) || hit?.contains(each));
      return `${each.tagName} ${each.id || each.name || each.textContent.trim().slice(0, 20)}`
        + (seen ? '' : ' unseen') + (outline ? '' : ' without outline') + (covered ? ' covered' : '');
    }""")


def pressed(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def until(page: Any, selector: str, key: str = "Tab") -> list[str]:
    """Press a key until an element has the focus; gives all that had it on the way."""
    seen: list[str] = []
    for _ in range(80):
        pressed(page, key)
        seen.append(focus(page))
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return seen
    pytest.fail(f"{selector} is not reached: {seen}")


def test_a_study_is_answered_by_keyboard_alone(browser: Any, studies: Path) -> None:
    with window(browser) as page:
        opened(page, studies / "answers/s")
        way = until(page, "#begin")
        assert way[0] == "A To the question"
        pressed(page, "Enter")
        assert focus(page).startswith("H2 q0h")  # the reader begins at the heading
        way += until(page, ".to-answer a")
        # The first thing after the heading in a wide window, and after the question in a narrow one.
        assert way[-1] == "A Go to the answer"
        pressed(page, "Enter")
        way += until(page, "input[name=answer], fieldset summary")
        if "SUMMARY" in focus(page):
            pressed(page, "Enter")
            way += until(page, "input[name=answer]")
        pressed(page, "ArrowDown", "ArrowDown")
        entity = page.evaluate("document.activeElement.dataset.e")
        assert (
            page.locator(SHOWN + f"a.chosen[data-e='{entity}']").count()
            == page.locator(SHOWN + "a.chosen").count()
        )
        way += until(page, "input[name=knowledge]")
        pressed(page, "ArrowUp")  # the last of the four
        assert page.is_checked(SHOWN + "input[value=context]")
        way += until(page, "button.main")
        pressed(page, "Enter")
        assert focus(page).startswith("H2 q1h")
        # Links of the passage do the same as the list.
        way += until(page, ".passage a")
        pressed(page, "Enter")
        assert page.locator(SHOWN + "a.chosen").count() >= 1
        assert focus(page).startswith("A ")  # the focus stays where the person reads
        way += until(page, "input[name=knowledge]", "Tab")
        pressed(page, "Space")
        way += until(page, "button.main")
        pressed(page, "Enter")
        assert focus(page).startswith("H2 end-heading")
        way += until(page, "#save")
        with page.expect_download() as download:
            pressed(page, "Enter")
        assert len(Path(download.value.path()).read_text().splitlines()) == 2
        faults = [each for each in way if each.endswith(("unseen", "outline", "covered"))]
        assert faults == []
