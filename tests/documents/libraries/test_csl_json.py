"""CSL JSON: items of Zotero, Crossref and pandoc, and items that are none."""

from __future__ import annotations

import json
from typing import Any

from tests.documents.libraries.library_files import ITEM, PLACE
from tests.documents.libraries.reading import read
from tests.rows import each_row


def test_an_item_becomes_an_entry_with_all_its_facts() -> None:
    (entry,), repairs = read("csl-json", json.dumps([ITEM]))
    assert entry.key == ITEM["id"]
    assert entry.files == ()
    assert entry.document.id == "27000083"
    assert [each.text for each in entry.document.sections] == [ITEM["title"], "We asked."]
    assert entry.document.facts == {
        **PLACE,
        "journal": "Journal of Salt",
        "language": "en",
        "types": "Journal Article",
        "authors": "Hellinger, Frank R Jr; van der Berg, Jan; van Gogh, V",
        "corporate_authors": "STRATIS Investigators",
        "keywords": "salt; sea",
        "tags": "diet; water",
        "pages": "817-820",
    }
    assert repairs.counts == {}


@each_row(
    ("fields", "named"),
    [
        ({"issued": {"date-parts": [[2016]]}}, {"date": "2016"}),
        ({"issued": {"date-parts": [[2016], [2017, 4]]}}, {"date": "2016"}),
        ({"issued": {"date-parts": [[None]]}}, {}),
        ({"issued": {"raw": "2016-03-23"}}, {"date": "2016-03-23"}),
        ({"issued": {"literal": "March 2016"}}, {"date": "2016"}),
        ({"type": "article"}, {"types": "Preprint", "preprint": "unnamed"}),
        ({"type": "posted-content"}, {"types": "Preprint", "preprint": "unnamed"}),
        ({"type": "journal-article"}, {"types": "Journal Article"}),
        (
            {"posted": {"date-parts": [[2019, 7, 16]]}, "issued": {"date-parts": [[2019]]}},
            {"date": "2019-07-16"},
        ),
        (
            {"posted": None, "author": [{"name": "Salt Group"}, {"family": "Plato", "name": None}]},
            {"authors": "Plato", "corporate_authors": "Salt Group"},
        ),
        ({"type": "dataset"}, {"types": "Dataset"}),
        ({"type": "thesis"}, {"types": "thesis"}),
        ({"PMID": 27}, {}),
        ({"keyword": ["a", "b"]}, {"keywords": "a; b"}),
        ({"keyword": "a, b; c"}, {"keywords": "a, b; c"}),
        ({"DOI": None}, {}),
    ],
)
def test_fields_are_facts(fields: dict[str, Any], named: dict[str, str]) -> None:
    (entry,), _ = read("csl-json", json.dumps([{"id": 7, "title": "x", **fields}]))
    told = dict(entry.document.facts)
    told.pop("year", None)
    assert (entry.key, told) == ("7", named)
    assert entry.document.id == ("27" if "PMID" in fields else "csl-json-7")


def test_a_broken_item_costs_itself_and_one_line() -> None:
    items = [
        '{"id": "a", "title": "A"}',
        '"words"',
        "[1]",
        '{"id": "b", "title": "B", "author": "Nemo"}',
        '{"id": "c", "issued": "2016"}',
        '{"id": ["d"]}',
        '{"id": "e"}',
        '{"title": {"x": 1}, "DOI": "10.1000/x"}',
        '{"id": "g", "title": "G", "title": "H"}',
        '{"id": "h", "title": "H", "issued": {"raw": "2016", "r\\u0061w": "2017"}}',
    ]
    entries, repairs = read("csl-json", "[" + ",\n".join(items) + "]\n", "lib.json")
    assert entries[0].key == "a"
    assert [each.document.id for each in entries] == ["csl-json-a", "10.1000/x"]
    assert [where for where, _ in repairs.refusals] == [f"lib.json, item {n}" for n in (*range(2, 8), 9, 10)]
    assert [why for _, why in repairs.refusals[-2:]] == [
        f"no item of CSL: the key {key!r} stands twice" for key in ("title", "raw")
    ]
    assert repairs.refusals[2][1] == "no item of CSL: Expected `array`, got `str` - at `$.author`"
