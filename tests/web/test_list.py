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
from anagnosis.searching.records.hits import Facet, Facets, Matches
from anagnosis.web.histogram import HEIGHT, MOST_BARS, Bar, bars, within
from anagnosis.web.limits import Limits
from anagnosis.web.listing import facets_to_choose
from anagnosis.web.questions import PageQuery


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
    assert f"{found['matches']['papers']} papers with any of these words" in text(page)
    assert "of these words" not in text(client.get("/", params={"q": "tea"}).text)
    by_date = text(client.get("/", params={"q": "tea cures", "sort": "date"}).text)
    assert "with all of these words" in by_date
    assert f"of {found['matches']['papers']}" in text(page[page.index('<h2 id="found">') :])
    shown = text(aside(page))
    for name in ("types", "journals", "sections"):
        for one in found["facets"][name]:
            assert f"{one['name']} {one['papers']} paper" in shown, one
    assert sum(int(one) for one in re.findall(r"<title>[\d to]+: (\d+)</title>", page)) == sum(
        one["papers"] for one in found["facets"]["years"]
    )


@pytest.mark.parametrize("name", ["type", "journal", "section"])
def test_a_facet_leads_to_as_many_papers_as_it_counts_and_back(client: TestClient, name: str) -> None:
    page = client.get("/", params={"q": "tea coffee"}).text
    (first, second, *_) = search(client)["facets"][f"{name}s"]
    link = _facet(page, name, first["name"])
    narrowed = client.get(link).text
    assert search(client, **{name: first["name"]})["matches"]["papers"] == first["papers"]
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
    zotero.collection("To <read>", None, tea)
    api.index([zotero.folder], tmp_path / "index")
    with TestClient(web_app(open_index(tmp_path / "index"), Limits(rate=0, seconds=60))) as client:
        page = client.get("/", params={"q": "printed"}).text
        assert sorted(titles(page)) == ["Printed coffee", "Printed tea"]
        narrowed = client.get(_facet(page, name, "To <read>")).text
        assert titles(narrowed) == ["Printed tea"]
        assert f"Only: {name} To <read> ×" in text(narrowed)
        assert f'name="{name}" value="To &lt;read&gt;"' in narrowed
        assert titles(client.get("/", params={"q": "printed", "added_since": "2024-06"}).text) == []
        unknown = client.get("/", params={"q": "printed", name: "To reed"}).text
        assert f"No such {name} here: To reed; for example To <read>." in text(unknown)


def test_the_longest_names_of_a_library_are_filters_too(tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    tea = zotero.item(title="Printed tea")
    zotero.tag(tea, "é" * LONGEST_VALUE)
    zotero.collection("Leaves", zotero.collection("Drinks", None), tea)
    api.index([zotero.folder], tmp_path / "index")
    with TestClient(web_app(open_index(tmp_path / "index"), Limits(rate=0, seconds=60))) as client:
        page = client.get("/", params={"q": "printed"}).text
        assert titles(client.get(_facet(page, "tag", "é" * LONGEST_VALUE)).text) == ["Printed tea"]
        typed = client.get("/", params={"q": "printed", "collection": "drinks > leaves"}).text
        assert "Drinks › Leaves ×" in text(aside(typed))


def _facet(page: str, name: str, value: str) -> str:
    (link,) = [each for each in links(aside(page)) if each.endswith(f"{name}=" + quote_plus(value))]
    return link


def test_a_filter_of_years_keeps_the_bars_of_other_years(client: TestClient) -> None:
    def bars_of(page: str) -> list[str]:
        return re.findall(r"<title>([^<]*)</title></rect>", page)

    every = client.get("/", params={"q": "patients"}).text
    some = client.get("/", params={"q": "patients", "since": "2015", "until": "2019-06"}).text
    assert bars_of(every) == bars_of(some)
    assert 'class="bar chosen"' not in every
    assert 'class="bar chosen"' in some
    other = client.get("/", params={"q": "patients", "type": "Review"}).text
    assert bars_of(every) != bars_of(other)


def test_a_list_by_date_has_the_latest_first_on_every_page_and_no_answer(client: TestClient) -> None:
    page = client.get("/", params={"q": "patients", "sort": "date"}).text
    found = client.get("/api/search", params={"q": "patients", "sort": "date", "limit": "20"}).json()
    assert titles(page) == [text(hit["passage"]["title"]) for hit in found["found"]]
    assert 'id="answer"' not in page
    assert "Sorted by newest best" in text(page)
    assert f"{found['matches']['papers']} papers" in text(page)
    assert all("sort=date" in each for each in links(aside(page)))
    assert '<input type="hidden" name="sort" value="date">' in page
    assert client.get("/", params={"q": "patients", "sort": "new"}).status_code == 400


def years(*counts: tuple[int, int]) -> list[Facet]:
    return [Facet(str(year), papers) for year, papers in counts]


def test_bars_cover_every_year_once_and_keep_the_number_of_papers() -> None:
    made = bars(years((1871, 1), (1999, 5), (2021, 40)))
    assert len(made) <= MOST_BARS
    assert (made[0].first, made[-1].last) == (1871, 2021)
    assert [one.first for one in made[1:]] == [one.last + 1 for one in made[:-1]]
    assert sum(one.papers for one in made) == 46
    assert max(one.height for one in made) == HEIGHT
    assert all((one.height > 0) == (one.papers > 0) for one in made)
    assert [(one.first, one.last, one.papers) for one in bars(years((2019, 1), (2021, 3)))] == [
        (2019, 2019, 1),
        (2020, 2020, 0),
        (2021, 2021, 3),
    ]
    assert bars([]) == []
    spread = bars(years(*((year, 1) for year in range(1801, 2010))))
    assert (spread[0].first, spread[-1].last) == (1801, 2009)
    assert {one.last - one.first for one in spread[1:-1]} == {9}
    assert [(one.first, one.last) for one in bars(years((1, 1), (2020, 1)))][:: MOST_BARS // 2] == [
        (1, 99),
        (2000, 2020),
    ]
    wrong = bars(years((1, 1), (2018, 30), (2020, 60), (9999, 1)))
    assert [(one.first, one.last, one.papers) for one in wrong] == [
        (1, 2018, 31),
        (2019, 2019, 0),
        (2020, 9999, 61),
    ]
    assert len(bars(years((1, 1), (9999, 1)))) <= MOST_BARS


def test_a_bar_is_within_dates_that_have_all_of_its_years() -> None:
    bar = Bar(2015, 2019, 3, 1.0)
    assert [
        within(bar, *dates) for dates in (("", ""), ("2015-03", ""), ("", "2019"), ("2010", "2020-01-01"))
    ] == [
        False,
        True,
        True,
        True,
    ]
    assert not within(bar, "2016", "")
    assert not within(bar, "", "2018-12-31")


def test_a_chosen_value_is_recognised_in_any_spelling_that_the_engine_takes() -> None:
    query = PageQuery(q="tea", journal=["Zeitschrift fur  Arzte"])
    chosen, without = query.toggled("journal", "Zeitschrift für Ärzte")
    assert (chosen, without["journal"]) == (True, [])
    counted = Facets(Matches(1), journals=(Facet("Zeitschrift für Ärzte", 1),))
    shown = facets_to_choose(lambda _: counted, Filters(journals=("Zeitschrift fur  Arzte",)))
    assert shown is not None
    assert shown.journals == counted.journals  # once
