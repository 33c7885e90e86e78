"""The page of a sentence: shown at this machine with the sentence marked, and not where its file has changed."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Generator
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
pytest.importorskip("starlette", reason="the extra web is not installed")

from PIL import Image
from starlette.testclient import TestClient
from tests.documents.formats.pdf.printed import Page, printed
from tests.web.apps import SIZES, served, visited
from tests.web.test_accessibility import FAINT, FINDINGS, WIDTH

from anagnosis import api
from anagnosis.documents.formats.pdf.messages import Answer, FileRequest, PageImage
from anagnosis.documents.formats.pdf.reading import Running, ask
from anagnosis.searching.index.index import open_index
from anagnosis.web.app import web_app
from anagnosis.web.limits import Limits, hosts

SENTENCE = "Cold brew coffee raises the pH of the stomach less than espresso."
QUESTION = "Does cold brew coffee raise the pH of the stomach?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    first = Page().text(50, 740, "Coffee and the stomach of people", size=20).text(50, 700, SENTENCE)
    first.text(50, 60, "doi:10.1234/coffee")
    second = Page().text(50, 700, "Espresso was bought at a <shop> & drunk at once.")
    (tmp_path / "coffee.pdf").write_bytes(printed(first, second))
    api.index([tmp_path / "coffee.pdf"], tmp_path / "index")
    return tmp_path


def links(page: str) -> list[str]:
    """Where a page leads to."""
    return [html.unescape(found) for found in re.findall(r'href="([^"]*)"', page)]


def site(folder: Path, host: str = "localhost", **options: Any) -> TestClient:
    index, limits = open_index(folder / "index"), Limits()
    app = web_app(index, limits, allowed=hosts("0.0.0.0", [host, "192.0.2.1"]), **options)
    return TestClient(app, base_url=f"http://{host}", client=("127.0.0.1", 50_000))


@pytest.fixture
def here(folder: Path) -> Generator[TestClient]:
    with site(folder) as client:
        yield client


def address_of(client: TestClient, question: str = QUESTION) -> str:
    """Where an answer leads to."""
    found = links(client.get("/", params={"q": question}).text)
    return next(link for link in found if link.startswith("/page?"))


def test_an_answer_leads_to_its_page_with_the_sentence_marked(here: TestClient) -> None:
    address = address_of(here)
    assert address.endswith("#mark")
    assert "DOI on page 1: 10.1234/coffee" in here.get("/", params={"q": QUESTION}).text
    shown = here.get(address)
    assert shown.status_code == 200
    assert SENTENCE in shown.text
    assert 'id="mark"' in shown.text
    image = next(link for link in links(shown.text) if link.startswith("/page.png"))
    found = here.get(image)
    assert found.headers["content-type"] == "image/png"
    picture = Image.open(io.BytesIO(found.content)).convert("RGB")
    colours = {picture.getpixel((x, y)) for x in range(0, 1400, 5) for y in range(0, picture.size[1], 2)}
    assert any(blue < 150 < red for red, _, blue in colours if isinstance(red, int))


def test_pages_lead_to_their_neighbours_and_to_the_file(here: TestClient) -> None:
    shown = here.get(address_of(here))
    (following,) = [link for link in links(shown.text) if "page=2" in link]
    second = here.get(following)
    assert "page 2 of 2" in second.text
    assert 'id="mark"' not in second.text
    (file,) = [link for link in links(shown.text) if link.startswith("/paper.pdf")]
    assert file.endswith("#page=1")
    assert here.get(file).content.startswith(b"%PDF-")
    assert here.get(following.replace("page=2", "page=3")).status_code == 409


def test_no_page_and_no_answer_shows_a_local_path(here: TestClient, folder: Path) -> None:
    asked = here.get("/api/ask", params={"q": QUESTION})
    assert asked.json()["evidence"][0]["pages"] == [1]
    found = here.get("/api/search", params={"q": "coffee"}).json()["found"][0]
    assert (found["passage"]["pages"], found["file"]) == ([1, 2], "")
    for address in ("/", address_of(here), f"/document?id={found['passage']['document']}", "/api/collection"):
        assert str(folder) not in here.get(address).text
    assert str(folder) not in asked.text


@pytest.mark.parametrize("route", ["/page", "/page.png", "/paper.pdf"])
def test_only_people_at_this_machine_see_pages(folder: Path, here: TestClient, route: str) -> None:
    parameters = address_of(here).removeprefix("/page").partition("#")[0]
    assert here.get(route + parameters).status_code == 200
    for headers in ({"X-Forwarded-For": "127.0.0.1"}, {"Host": "192.0.2.1"}, {"Via": "1.1 proxy"}):
        refused = here.get(route + parameters, headers=headers)
        assert refused.status_code == 403
        assert "at the machine that serves them alone" in refused.text
    other = TestClient(here.app, base_url="http://localhost", client=("192.0.2.7", 50_000))
    assert other.get(route + parameters).status_code == 403
    assert "/page?" not in other.get("/", params={"q": QUESTION}).text
    assert ">p. 1</span>" in other.get("/", params={"q": QUESTION}).text
    with site(folder, "papers.example", share_pages=True) as shared:
        assert shared.get(route + parameters).status_code == 200


@pytest.mark.parametrize("route", ["/page", "/page.png", "/paper.pdf"])
def test_a_file_that_is_not_as_it_was_is_not_shown(folder: Path, here: TestClient, route: str) -> None:
    address = address_of(here).replace("/page?", f"{route}?")
    assert here.get(address).status_code == 200
    path = folder / "coffee.pdf"
    path.write_bytes(path.read_bytes() + b"%")
    changed = here.get(address)
    assert changed.status_code == 409
    assert "has changed since it was indexed" in changed.text
    path.unlink()
    assert "not there any more" in here.get(address).text


def test_a_passage_without_pages_has_none_to_show(here: TestClient, folder: Path) -> None:
    (folder / "plain.jsonl").write_text('{"id": "7", "title": "Milk", "text": "Milk is white and cold."}\n')
    api.index([folder / "plain.jsonl"], folder / "index")
    for passage in (0, 5):
        assert here.get("/page", params={"id": "7", "passage": passage}).status_code == 404
    assert here.get("/page", params={"id": "none"}).status_code == 404


def test_images_are_kept_within_a_bound(here: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    address, asked, drawn = address_of(here), list[object](), ask

    def counted(request: FileRequest, *, running: Running) -> Answer:
        asked.append(request)
        return drawn(request, running=running)

    monkeypatch.setattr("anagnosis.web.paper_pages.ask", counted)
    for _ in range(3):
        here.get(address)
    assert len(asked) == 1
    monkeypatch.setattr("anagnosis.web.paper_pages.PAGES_KEPT", 10)
    second = address.replace("#", "&page=2#")
    for one in (second, second, address, second):
        here.get(one)
    assert len(asked) == 4


def test_a_browser_scrolls_to_where_a_sentence_begins_in_its_column() -> None:
    columns = [(0.1, 0.9, 0.45, 0.92), (0.55, 0.1, 0.9, 0.12)]
    assert PageImage(size=(100, 1000), marks=columns).marked == (10, 900, 45)


def test_on_a_phone_a_result_leads_to_its_marked_sentence(browser: Any, tmp_path: Path) -> None:
    lines = "Milk was bought at many shops of the town. " * 80
    text = {"id": "7", "title": "Stomachs", "text": lines + SENTENCE}
    (tmp_path / "a.jsonl").write_text(json.dumps(text), "utf-8")
    api.index([tmp_path / "a.jsonl"], tmp_path / "index")
    with (
        served(tmp_path / "index") as address,
        visited(browser, f"{address}?{urlencode({'q': QUESTION})}", "phone") as page,
    ):
        page.click("h3 a")
        mark = page.locator("section.passage mark").bounding_box()
        assert 0 < mark["y"] < SIZES["phone"][1]


def test_a_marked_page_can_be_used_by_everybody(browser: Any, folder: Path) -> None:
    script = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    axe = files(script).joinpath("axe.min.js").read_text(encoding="utf-8")
    (quoted, *_) = api.ask(folder / "index", QUESTION).evidence
    with served(folder / "index") as address:
        where = {"id": quoted.passage.document, "passage": quoted.passage.number}
        path = f"page?{urlencode({**where, 'begin': quoted.begin, 'end': quoted.end})}#mark"
        for size, scheme in (("desk", "light"), ("phone", "dark")):
            with visited(browser, address + path, size, color_scheme=scheme, bypass_csp=True) as page:
                mark = page.locator("#mark").bounding_box()
                width, height = SIZES[size]
                assert page.evaluate(WIDTH) <= width
                assert page.evaluate(FAINT) == []
                assert 0 <= mark["y"] < height, "the browser scrolls to the mark"
                assert 0 <= mark["x"] < width
                page.evaluate(axe)
                assert page.evaluate(FINDINGS) == []
