from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lxml import html as lxml_html
from tests.reports.samples import NASTY, every_block, everywhere

from anagnosis.reports import save
from anagnosis.reports.renderers.html import render
from anagnosis.reports.report import Column, Report, Table


def test_a_script_in_a_name_is_text() -> None:
    page = lxml_html.fromstring(render(everywhere(NASTY)))
    assert page.xpath("//script") == []
    assert page.xpath("//title/text()")[0] == NASTY
    assert NASTY in "".join(page.xpath("//mark//text()"))
    assert NASTY in "".join(page.xpath("//*[name()='text']/text()"))


def test_an_attribute_cannot_be_left() -> None:
    page = lxml_html.fromstring(render(everywhere('" onload="alert(1)')))
    assert page.xpath("//*[@onload]") == []


def test_the_page_stands_alone() -> None:
    page = render(every_block())
    assert not re.search(r"<(script|link|img|iframe|object)\b|@import|url\(\s*['\"]?(https?:|//)", page)
    assert "default-src 'none'" in page


def test_identifiers_are_unique_and_references_meet_them() -> None:
    page = render(every_block())
    identifiers = re.findall(r'\bid="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers))
    referenced = re.findall(r'(?:xlink:href|href)="#([^"]+)"|url\(#([^)]+)\)', page)
    named = " ".join(re.findall(r'aria-labelledby="([^"]+)"', page)).split()
    assert {first or second for first, second in referenced} | set(named) <= set(identifiers)


def test_tables_tell_their_heads_and_caption() -> None:
    page = lxml_html.fromstring(render(every_block()))
    for table in page.xpath("//table"):
        assert table.xpath("./caption//text()")
        assert all(head.get("scope") == "col" for head in table.xpath("./thead//th"))
        assert all(len(row.xpath("./th[@scope='row']")) == 1 for row in table.xpath("./tbody/tr"))


def test_plots_have_a_title_and_a_description() -> None:
    page = lxml_html.fromstring(render(every_block()))
    for svg in page.xpath("//*[local-name()='svg']"):
        assert svg.get("role") == "img"
        assert svg.xpath("./*[local-name()='title']/text()")
        assert svg.xpath("./*[local-name()='desc']/text()")


def test_the_best_value_is_strong() -> None:
    page = lxml_html.fromstring(render(every_block()))
    assert "56.50 [55.26, 57.72]" in page.xpath("//td/strong/text()")


def test_a_zone_is_a_table_body_of_its_own() -> None:
    table = Table("T", (Column("who"), Column("n", "count")), (("people", 1), ("systems", 2)), zones=(1,))
    page = lxml_html.fromstring(render(Report("R", (table,))))
    assert len(page.xpath("//tbody")) == 2


def test_the_page_is_as_wide_as_the_screen(browser: Any, tmp_path: Path) -> None:
    page = save(every_block(), tmp_path / "report.html")
    tops = "[...document.querySelectorAll('svg')].map(each => each.getBoundingClientRect().top)"
    for width, is_a_desk in ((1440, True), (390, False)):
        opened = browser.new_page(viewport={"width": width, "height": 900})
        opened.goto(page.as_uri())
        assert opened.evaluate("document.documentElement.scrollWidth") == width
        places = opened.evaluate(tops)
        assert (len(set(places)) < len(places)) == is_a_desk, "pictures stand beside each other"
        opened.close()
