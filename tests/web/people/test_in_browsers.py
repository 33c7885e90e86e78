"""People answer on served pages, in real browsers, at once, and when the server restarts."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.labelling.browser import SHOWN, chosen
from tests.labelling.returned_files import asked, read, study
from tests.labelling.test_question_page_accessibility import ALL, AXE, FINDINGS, SIZES
from tests.web.people.servers import ended, served, started

from anagnosis import api

KEPT = "All answers are kept on the server."
ENTITIES = ("fever", "amitriptyline", "tachycardia", "qrs complex")


@contextmanager
def window(browser: Any, context: Any = None) -> Generator[Any]:
    """A tab of a browser of its own, or of a context. It fails where the page reports an error of its own."""
    own = context or browser.new_context()
    page = own.new_page()
    page.set_default_timeout(20_000)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield page
    (page if context else own).close()
    assert faults == []


def opened(page: Any, link: str) -> None:
    """Open a link and begin, or go on."""
    page.goto(link)
    page.wait_for_function("text => document.getElementById('state').textContent === text", arg=KEPT)
    page.click("#begin")


def answer(page: Any, number: int) -> None:
    """Choose an entity of the question that is shown, and go to the next one."""
    page.bring_to_front()
    chosen(page, number)
    page.click(SHOWN + ".main")


def answer_kept(page: Any, number: int) -> None:
    """The same, until the server has replied."""
    with page.expect_response(lambda response: response.request.method == "POST"):
        answer(page, number)


def settled(page: Any, path: Path, lines: int) -> None:
    """Wait until the server has so many lines, and the page says that it has all of them."""
    for _ in range(200):
        if len(read(path)) == lines:
            break
        page.wait_for_timeout(100)
    assert len(read(path)) == lines
    page.wait_for_function("text => document.getElementById('state').textContent === text", arg=KEPT)
    assert page.inner_text("#fault") == ""


def test_several_people_answer_at_once(browser: Any, tmp_path: Path) -> None:
    """Everybody opens their page before anybody answers, and answers before anybody else's answer is awaited."""
    people = ["ann", "bea"]
    pages = study(tmp_path, ["experts=ann", "novices=bea"], texts=False)
    process, links = started(tmp_path / "built", pages)
    with ExitStack() as stack:
        windows = {name: stack.enter_context(window(browser)) for name in people}
        for name, page in windows.items():
            opened(page, links[name])
        for question in range(4):
            for number, page in enumerate(windows.values()):
                answer(page, (number + question) % 4)
        for name, page in windows.items():
            settled(page, pages / f"answers-{name}.jsonl", 4)
            assert page.inner_text("#left") == "You have answered all 4 questions."
    ended(process)
    record = api.collect(tmp_path / "built", pages, tmp_path / "people.jsonl")
    assert [(each.answered, each.open, each.changed) for each in record.people] == [(4, 0, 0)] * len(people)
    lines = read(tmp_path / "people.jsonl")
    for number, name in enumerate(people):
        own = [each for each in lines if each["annotator"] == name]
        assert [each["id"] for each in own] == asked(pages, name)
        assert [each["answer"] for each in own] == [
            ENTITIES[(number + question) % 4] for question in range(4)
        ]
        assert {each["group"] for each in own} == {("experts", "novices")[number % 2]}


def no_server(route: Any) -> None:
    route.abort()


def test_a_restarted_server_gets_what_it_did_not_take(browser: Any, tmp_path: Path) -> None:
    pages = study(tmp_path, ["ann"], texts=False)
    with window(browser) as page:
        with served(tmp_path / "built", pages) as links:
            link = links["ann"]
            opened(page, link)
            answer_kept(page, 0)
        answer(page, 1)
        page.wait_for_selector("#fault:not(:empty)")
        port = int(link.split(":")[2].partition("/")[0])
        with served(tmp_path / "built", pages, port) as links:
            assert links["ann"] == link
            answer(page, 2)
            settled(page, pages / "answers-ann.jsonl", 3)
            assert [each["place"] for each in read(pages / "answers-ann.jsonl")] == [1, 2, 3]


def test_axe_reports_no_findings_on_a_served_page_that_has_no_server(browser: Any, tmp_path: Path) -> None:
    pages = study(tmp_path, ["ann"], texts=False)
    width, height = SIZES["phone"]
    context = browser.new_context(bypass_csp=True, viewport={"width": width, "height": height})
    with served(tmp_path / "built", pages) as links, window(browser, context) as page:
        page.goto(links["ann"])
        page.evaluate(AXE)
        page.click("#begin")
        page.route("**/answers", no_server)
        answer(page, 0)
        page.wait_for_selector("#fault:not(:empty)")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate("y => scrollTo(0, y)", 300 * (scheme == "dark"))
            assert page.evaluate(FINDINGS, ALL) == []
    context.close()
