"""The page of questions in a real browser: answering, progress, saving, and text that must not run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from tests.labelling.cloze_reports import REPORT, dataset, instance, reports

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no chromium to test the page in", allow_module_level=True)

SHOWN = "section.question:visible "


@pytest.fixture(scope="module")
def browser() -> Generator[Any]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def window(browser: Any) -> Generator[Any]:
    """A window without memory of others; it fails the test where the page reports an error or asks for a network."""
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda message: faults.append(message.text))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda asked: faults.append(asked.url) if not asked.url.startswith("file:") else None)
    yield page
    context.close()
    assert [fault for fault in faults if not fault.startswith("blob:")] == []


def begun(page: Any, sheets: Path, name: str = "Ann") -> None:
    page.goto((sheets / "questions.html").as_uri())
    page.fill("#annotator", name)
    page.click("text=Begin")


def stopped(page: Any) -> None:
    """Let the page's time pass in `run_for` and `fast_forward` alone."""
    page.clock.install(time=0)
    page.clock.pause_at(1)


def saved(page: Any) -> tuple[str, list[dict[str, Any]]]:
    """The name and the lines of the saved file."""
    with page.expect_download() as download:
        page.click("#save")
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    return download.value.suggested_filename, [json.loads(line) for line in lines]


def test_a_person_answers_stops_goes_on_and_saves_predictions(window: Any, tmp_path: Path) -> None:
    built = reports(tmp_path / "d")
    api.label(built, tmp_path / "s", kind="answers", draw=4)
    ids = json.loads((tmp_path / "s/drawn.json").read_text())["ids"]
    begun(window, tmp_path / "s", " Ann  Ö. ")
    assert window.inner_text("#progress") == "0 of 4 answered"
    window.fill(SHOWN + "input[name=text]", "  whole   bowel irrigation ")
    window.keyboard.press("Enter")
    assert ids[1] in window.inner_text(SHOWN + "h2")
    window.check(SHOWN + "input[name=unsure]")
    assert window.is_disabled(SHOWN + "input[name=text]")
    window.click(SHOWN + ".main")
    window.fill(SHOWN + "input[name=text]", "@Entity2")
    window.reload()  # the progress is kept
    assert window.inner_text("#progress") == "0 of 4 answered"
    window.fill("#annotator", "Ann Ö.")
    assert window.inner_text("#progress") == "3 of 4 answered"
    window.fill("#group", "novices")
    window.click("text=Begin")
    assert ids[3] in window.inner_text(SHOWN + "h2")  # the first without an answer
    window.click("#map >> text=1")
    assert window.input_value(SHOWN + "input[name=text]") == "  whole   bowel irrigation "
    window.click("#map >> text=4")
    name, lines = saved(window)
    assert window.inner_text("#state") == "Saved 3 as answers-Ann-Ö-.jsonl; 1 not answered yet."
    assert name == "answers-Ann-Ö-.jsonl"
    assert [(line["id"], line["answer"]) for line in lines] == [
        (ids[0], "whole bowel irrigation"),
        (ids[1], None),
        (ids[2], "tachycardia"),
    ]
    record = api.load(built)
    for line in lines:
        assert (line["annotator"], line["group"]) == ("Ann Ö.", "novices")
        assert 0 <= line["seconds"] < 60
        assert line["dataset"] == api.show(record).splits["dev"].fingerprint


def test_each_person_of_a_browser_has_their_answers_alone(window: Any, tmp_path: Path) -> None:
    api.label(reports(tmp_path / "d"), tmp_path / "s", kind="answers", draw=2)
    stopped(window)
    begun(window, tmp_path / "s")
    window.clock.run_for(20_000)
    window.fill(SHOWN + "input[name=text]", "fever")
    window.click(SHOWN + ".back")  # to the start, without a reload
    for name in ("Bob", "Cleo"):
        window.fill("#annotator", name)
        assert window.inner_text("#progress") == "0 of 2 answered"
        assert not window.is_visible("#anew")
        window.click("#person >> text=Begin")
        assert window.input_value(SHOWN + "input[name=text]") == ""
        window.clock.run_for(3_000)
        window.check(SHOWN + "input[name=unsure]")
        (line,) = saved(window)[1]
        assert (line["annotator"], line["answer"], line["seconds"]) == (name, None, 3)
        window.reload()
    window.fill("#annotator", "Ann")
    assert window.inner_text("#anew") == "Begin anew, without the 1 kept"
    window.click("#person .main")
    window.click(SHOWN + ".back")
    assert window.input_value(SHOWN + "input[name=text]") == "fever"
    (line,) = saved(window)[1]
    assert (line["annotator"], line["answer"], line["seconds"]) == ("Ann", "fever", 20)
    window.click(SHOWN + ".back")
    window.click("#anew")
    assert window.input_value(SHOWN + "input[name=text]") == ""
    assert saved(window)[1] == []
    window.reload()
    window.fill("#annotator", "Bob")
    assert window.inner_text("#progress") == "1 of 2 answered"


def test_a_chosen_entity_is_marked_everywhere_and_may_be_the_answer(window: Any, tmp_path: Path) -> None:
    api.label(reports(tmp_path / "d"), tmp_path / "s", kind="answers", draw=1)
    begun(window, tmp_path / "s")
    window.click(SHOWN + ".query a >> nth=0")
    assert window.inner_text(SHOWN + ".about") == "@entity1 amitriptyline"
    chosen = window.locator(SHOWN + "a.chosen:visible")
    assert [chosen.nth(n).inner_text() for n in range(chosen.count())] == ["amitriptyline1"] * 3
    window.click(SHOWN + ".use")
    assert window.input_value(SHOWN + "input[name=text]") == "amitriptyline"
    window.click(SHOWN + "a:has-text('whole bowel')")  # which the passage lacks
    assert window.locator(SHOWN + "a.chosen:visible").count() == 1
    window.click(SHOWN + ".use")
    assert saved(window)[1][0]["answer"] == "whole bowel irrigation"


def test_only_seconds_in_which_the_question_is_seen_count(window: Any, tmp_path: Path) -> None:
    api.label(reports(tmp_path / "d"), tmp_path / "s", kind="answers", draw=2)
    stopped(window)
    begun(window, tmp_path / "s")
    window.clock.run_for(30_000)
    window.fill(SHOWN + "input[name=text]", "fever")
    window.evaluate(
        "Object.defineProperty(document, 'visibilityState', {get: () => window.seen, configurable: true})"
    )
    for seen, wait in (("hidden", 600_000), ("visible", 12_000)):
        window.evaluate(f"window.seen = '{seen}'; document.dispatchEvent(new Event('visibilitychange'))")
        window.clock.run_for(wait)
    window.click(SHOWN + ".main")
    window.clock.run_for(7_000)
    window.fill(SHOWN + "input[name=text]", "cough")
    seconds = [line["seconds"] for line in saved(window)[1]]
    assert seconds == [42, 7]


def test_a_machine_that_slept_adds_ten_seconds_at_most(window: Any, tmp_path: Path) -> None:
    api.label(reports(tmp_path / "d"), tmp_path / "s", kind="answers", draw=1)
    stopped(window)
    begun(window, tmp_path / "s")
    window.clock.run_for(20_000)
    window.clock.fast_forward(8 * 3_600_000)  # every timer fires once, as after a night
    window.fill(SHOWN + "input[name=text]", "fever")
    assert saved(window)[1][0]["seconds"] == 30


@pytest.mark.parametrize("stored", ["{", "null", "3", '{"answers": []}', '{"at": 1}'])
def test_progress_that_cannot_be_read_is_left(window: Any, tmp_path: Path, stored: str) -> None:
    api.label(reports(tmp_path / "d"), tmp_path / "s", kind="answers", draw=1)
    begun(window, tmp_path / "s")
    window.evaluate(
        "stored => Object.keys(localStorage).forEach(key => localStorage.setItem(key, stored))", stored
    )
    window.reload()
    window.fill("#annotator", "Ann")
    window.click("text=Begin")
    window.fill(SHOWN + "input[name=text]", "fever")
    assert window.inner_text("#state") == ""
    assert saved(window)[1][0]["answer"] == "fever"


def test_a_browser_that_keeps_nothing_says_so(window: Any, tmp_path: Path) -> None:
    api.label(reports(tmp_path / "d"), tmp_path / "s", kind="answers", draw=1)
    window.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    begun(window, tmp_path / "s")
    window.fill(SHOWN + "input[name=text]", "fever")
    assert "This browser keeps no progress" in window.inner_text("#state")
    assert saved(window)[1][0]["answer"] == "fever"


def test_none_stands_alone_among_the_skills(window: Any, tmp_path: Path) -> None:
    built = reports(tmp_path / "d")
    api.label(built, tmp_path / "s", kind="skills", draw=2)
    begun(window, tmp_path / "s", "a/b")
    assert window.inner_text(SHOWN + ".known >> nth=0") == "Answer: phosphate enema"
    window.check(SHOWN + "input[value=none]")
    window.check(SHOWN + "input[value=bridging]")
    assert not window.is_checked(SHOWN + "input[value=none]")
    window.check(SHOWN + "input[value='object tracking']")
    window.click(SHOWN + ".main")
    window.check(SHOWN + "input[value=ellipsis]")
    window.check(SHOWN + "input[value=none]")
    assert not window.is_checked(SHOWN + "input[value=ellipsis]")
    name, lines = saved(window)
    assert name == "skills-a-b.jsonl"
    assert [line["skills"] for line in lines] == [["object tracking", "bridging"], ["none"]]
    assert {*lines[0]} == {"id", "skills"}
    (tmp_path / "s" / name).write_text("\n".join(map(json.dumps, lines)))
    read = api.label(built, tmp_path / "s", kind="skills")
    assert [(file.file, file.labelled) for file in read.files] == [(name, 2)]


def test_text_of_a_paper_does_not_run(window: Any, tmp_path: Path) -> None:
    hostile = (
        "[</script><script>alert(1)</script>] <img src=x onerror=alert(2)> [<b>] "
        "\u202e [javascript:alert(3)]\n"
    )
    built = dataset(tmp_path / "d", [instance('"><svg onload=alert(4)>.1', hostile + REPORT)])
    api.label(built, tmp_path / "s", kind="answers", draw=1)
    begun(window, tmp_path / "s", '<img src=x onerror="alert(5)">')
    assert "<img src=x onerror=alert(2)>" in window.inner_text(SHOWN + ".passage")
    window.click(SHOWN + ".passage a >> nth=0")
    assert window.inner_text(SHOWN + ".about") == "@entity0 </script><script>alert(1)</script>"
    window.click(SHOWN + ".use")
    name, (line,) = saved(window)
    assert line["id"] == '"><svg onload=alert(4)>.1'
    assert line["answer"] == "</script><script>alert(1)</script>"
    assert line["annotator"] == '<img src=x onerror="alert(5)">'
    assert name == "answers--img-src-x-onerror-alert-5-.jsonl"


def test_the_page_fits_a_phone(window: Any, tmp_path: Path) -> None:
    api.label(reports(tmp_path / "d"), tmp_path / "s", kind="skills", draw=1)
    window.set_viewport_size({"width": 390, "height": 844})
    begun(window, tmp_path / "s")
    assert window.evaluate("document.documentElement.scrollWidth") <= 390
