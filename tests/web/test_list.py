"""The list of results of the page: its counts, order, filters, other passages, and what leads to other lists."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from starlette.testclient import TestClient
from tests.documents.libraries.zotero_folders import ZoteroFolder
from tests.web.apps import web_app

from anagnosis import api
from anagnosis.documents.bibliography import LONGEST_VALUE
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import open_index
from anagnosis.searching.records.hits import Facet, Facets
from anagnosis.web.limits import Limits
from anagnosis.web.page_query import PageQuery
from anagnosis.web.parameters import accepted
from anagnosis.web.question_page import facets_to_choose


def text(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def links(page: str) -> list[str]:
    return [unescape(each) for each in re.findall(r'href="([^"]*)"', page)]


def aside(page: str) -> str:
    found = re.search(r'<aside class="facets".*?</aside>', page, re.DOTALL)
    assert found
    return found[0]


def search(client: TestClient, **given: str) -> dict[str, Any]:
    return client.get(
        "/api/search", params={"q": "tea coffee", "facets": "true", "limit": "100", **given}
    ).json()


def titles(page: str) -> list[str]:
    headings = re.findall(r'<h3 id="hit\d+".*?</h3>', page, re.DOTALL)
    return [re.sub("^(weak|fair|strong) fit: ", "", text(each)) for each in headings]


def test_the_page_has_the_counts_of_the_api(client: TestClient) -> None:
    page, found = client.get("/", params={"q": "tea coffee"}).text, search(client)
    assert f"{found['matches']} papers with any of these words" in text(page)
    assert "of these words" not in text(client.get("/", params={"q": "tea"}).text)
    by_date = text(client.get("/", params={"q": "tea cures", "sort": "date"}).text)
    assert "with all of these words" in by_date
    assert f"of {found['matches']}" in text(page[page.index('<h2 id="found">') :])
    shown = text(aside(page))
    for name in ("years", "types", "journals", "sections"):
        for one in found["facets"][name]:
            assert f"{one['name']} {one['papers']} paper" in shown, one


@pytest.mark.parametrize("name", ["type", "journal", "section"])
def test_a_facet_leads_to_as_many_papers_as_it_counts_and_back(client: TestClient, name: str) -> None:
    page = client.get("/", params={"q": "tea coffee"}).text
    (first, second, *_) = search(client)["facets"][f"{name}s"]
    link = _facet(page, name, first["name"])
    narrowed = client.get(link).text
    assert search(client, **{name: first["name"]})["matches"] == first["papers"]
    assert f"{first['papers']} paper" in text(narrowed)
    assert f"Only: {first['name']} ×" in text(narrowed)
    assert links(narrowed).count("/?q=tea+coffee") >= 2, "the chip and the facet remove it"
    both = client.get(_facet(narrowed, name, second["name"])).text
    assert f"Only: {first['name']} × {second['name']} ×" in text(both)
    assert f"{second['name']} × {second['papers']} paper" in text(aside(both)), (
        "the other value is counted alone"
    )


@pytest.mark.parametrize("name", ["collection", "tag"])
def test_a_library_has_facets_of_its_own(name: str, tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    zotero.item(title="Printed coffee")
    tea = zotero.item(title="Printed tea")
    zotero.tag(tea, "To <read>")
    zotero.tag(tea, "é" * LONGEST_VALUE)
    zotero.collection("To <read>", None, tea)
    zotero.collection("Leaves", zotero.collection("Drinks", None), tea)
    api.index([zotero.folder], tmp_path / "index")
    with TestClient(web_app(open_index(tmp_path / "index"), Limits(seconds=60))) as client:
        page = client.get("/", params={"q": "printed"}).text
        assert sorted(titles(page)) == ["Printed coffee", "Printed tea"]
        narrowed = client.get(_facet(page, name, "To <read>")).text
        assert titles(narrowed) == ["Printed tea"]
        assert f"Only: {name} To <read> ×" in text(narrowed)
        assert f'name="{name}" value="To &lt;read&gt;"' in narrowed
        assert titles(client.get("/", params={"q": "printed", "added_since": "2024-06"}).text) == []
        unknown = client.get("/", params={"q": "printed", name: "To reed"}).text
        assert f"No such {name} here: To reed; for example To <read>." in text(unknown)
        assert titles(client.get(_facet(page, "tag", "é" * LONGEST_VALUE)).text) == ["Printed tea"]
        typed = client.get("/", params={"q": "printed", "collection": "drinks > leaves"}).text
        assert "Drinks › Leaves ×" in text(aside(typed))


def _facet(page: str, name: str, value: str) -> str:
    (link,) = [each for each in links(aside(page)) if each.endswith(f"{name}=" + quote_plus(value))]
    return link


def test_a_filter_of_years_keeps_the_other_years(client: TestClient) -> None:
    def years_of(page: str) -> list[str]:
        return re.findall(r">(\d{4})</bdi>", page)

    every = client.get("/", params={"q": "patients"}).text
    some = client.get("/", params={"q": "patients", "since": "2015", "until": "2019-06"}).text
    assert years_of(every) == years_of(some) == sorted(years_of(every), reverse=True)
    assert years_of(every) != years_of(client.get("/", params={"q": "patients", "type": "Review"}).text)
    year, papers = search(client, q="patients")["facets"]["years"][0].values()
    link = next(each for each in links(aside(every)) if each.endswith(f"since={year}&until={year}"))
    chosen = client.get(link).text
    assert f"Only: from {year} × until {year} ×" in text(chosen)
    assert f"{year} × {papers} paper" in text(aside(chosen))
    assert f"{papers} paper" in text(chosen)


def test_a_list_by_date_has_the_latest_first_on_every_page_and_no_answer(client: TestClient) -> None:
    page = client.get("/", params={"q": "patients", "sort": "date"}).text
    found = client.get("/api/search", params={"q": "patients", "sort": "date", "limit": "20"}).json()
    assert titles(page) == [text(hit["passage"]["title"]) for hit in found["found"]]
    assert 'id="answer"' not in page
    assert "Sorted by newest best" in text(page)
    assert f"{found['matches']} papers" in text(page)
    assert all("sort=date" in each for each in links(aside(page)))
    assert '<input type="hidden" name="sort" value="date">' in page
    assert client.get("/", params={"q": "patients", "sort": "new"}).status_code == 400


def test_an_empty_search_lists_all_papers_by_date_and_the_start_page_the_newest(client: TestClient) -> None:
    found = client.get("/api/search", params={"limit": "100"}).json()
    every = [
        " ".join((hit["passage"]["title"] or hit["passage"]["document"]).split()) for hit in found["found"]
    ]
    assert found["matches"] == found["collection"]["documents"] > len(every) == 100
    dates = [hit["passage"]["facts"].get("date", "") for hit in found["found"]]
    assert dates == sorted(dates, reverse=True)
    start = client.get("/").text
    newest = re.findall(r"<li>.*?<a [^>]*>(.*?)</a>", start[start.index('id="newest"') :])
    assert [*map(text, newest)] == every[:10]
    (link,) = (each for each in links(start) if each == "/?sort=date")
    page = client.get(link).text
    assert titles(page) == titles(client.get("/?q=").text) == every[:20]
    assert f"{found['matches']} papers by date, the newest first" in text(page)
    assert titles(client.get(next(each for each in links(page) if "page=2" in each)).text) == every[20:40]
    assert 'name="sort"' not in page, "a question that is typed here gets its answer"
    assert client.get(next(each for each in links(page) if "/export" in each)).status_code == 200
    narrowed = client.get("/api/search", params={"since": "2019", "until": "2019"}).json()
    assert f"{narrowed['matches']} papers" in text(client.get("/?since=2019&until=2019").text)


def test_a_chosen_value_is_recognised_in_any_spelling_that_the_engine_takes() -> None:
    filters = Filters(journals=("Zeitschrift fur  Arzte",))
    query = PageQuery(accepted(api.search), {"question": "tea", "filters": filters})
    chosen, without = query.toggled("journal", "Zeitschrift für Ärzte")
    assert (chosen, without["journal"]) == (True, [])
    counted = Facets(1, journals=(Facet("Zeitschrift für Ärzte", 1),))
    shown = facets_to_choose(lambda _: counted, filters)
    assert shown is not None
    assert shown.journals == counted.journals  # once


def test_a_journal_is_found_by_its_name_with_a_mark_that_no_question_keeps(client: TestClient) -> None:
    page = client.get("/", params={"q": "charlatanry"}).text
    assert titles(client.get(_facet(page, "journal", "J Odd\u200fity")).text) == titles(page) != []
