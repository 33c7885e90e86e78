"""PubMed's fields mean what they mean there."""

from __future__ import annotations

from pathlib import Path

from anagnosis import api

QUERIES = (
    ("2018/06/01:2018/06/30[dp]", "a"),
    ("2018/05/31:2019/01/01[dp]", "a b"),
    ("2018/05[dp]", "b"),
    ("2018[dp]", "a b"),
    ("german[la]", "a"),
    ("fever AND la:eng", "b"),
    ("de Vries J[1au]", "b"),
    ("O'Brien[au]", "a"),
    ("Roe B[lastau]", "b c"),
    ("ti:fever", "b c"),
    ("(fever OR salt) AND hasabstract", "a b"),
    ("humans[Filter] AND salt", "a"),
    ("review[filter]", "b"),
    *(
        (f"{name} AND 2018[dp]", "a b")
        for name in ("IFN-\u03b3", "IFN-gamma", "IFN\u03b3", '"IFN gamma"', "ifngamma")
    ),
)


def test_each_query_finds_its_papers(at: Path) -> None:
    index = at / "index"
    api.index(["papers.jsonl"], index)
    found = {query: {hit.passage.document for hit in api.search(index, query).found} for query, _ in QUERIES}
    assert {query: " ".join(sorted(own)) for query, own in found.items()} == dict(QUERIES)
    since = api.search(index, "salt", filters=api.filters(since="2018-07"))
    assert [hit.passage.document for hit in since.found] == ["a"]
