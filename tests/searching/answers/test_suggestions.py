"""Suggestions: typos, and completions of a beginning."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.rows import each_row
from tests.searching.engines.contract_trial import index_of

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers.suggestions import LEAST, complete, did_you_mean
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import read_query

# Words, and the number of papers with each.
PAPERS = {
    "metformin": LEAST,
    "metronidazole": LEAST - 1,
    "aspirin": 60,
    "asprin": 1,
    "route": 30,
    "router": 1,
    "IL-2": LEAST,
    "that": 40,
    **dict.fromkeys(("long", "breaks", "code"), LEAST),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    facts = {"authors": "Metz, Ann; Li, Bo; Plato", "journal": "Metabolism of Tea"}
    papers = (
        Document(f"{word}-{n}", (Section("title", f"Tea and {word}"), Section("abstract", word)), facts=facts)
        for word, count in PAPERS.items()
        for n in range(count)
    )
    with closing(index_of(tmp_path_factory.mktemp("typos") / "index", *papers)) as made:
        yield made


@each_row(
    ("typed", "meant"),
    [
        ("metfromin against fever", "metformin against fever"),
        ("Does Metfromin help?", "Does Metformin help?"),
        ('tea "metfromin" -metfromin', 'tea "metformin" -metformin'),
        ("metfromin aspiirn", "metformin aspirin"),
        ("rotue", "route"),
        ("routte", "route"),
        ("metformim", "metformin"),
    ],
)
def test_a_typo_of_a_common_word_is_replaced(index: Index, typed: str, meant: str) -> None:
    assert did_you_mean(index.engine, read_query(typed)) == meant


@each_row(
    "typed",
    [
        "metformin",
        "asprin",  # a rare word here, however it is spelled
        "router",
        "metronidazol",  # that paper is rare, too
        "IL-3",  # another name
        "METFROMIN",  # perhaps an abbreviation
        "metfromin[au]",
        "-metfromin tea",
        *("lung", "breast", "coffee", "roote"),  # other words of everyday English
        "thta",  # near a stop word
        "tae",  # short
        "zzzzzz",
        "",
    ],
)
def test_other_words_stay(index: Index, typed: str) -> None:
    assert did_you_mean(index.engine, read_query(typed)) == ""


def test_words_authors_and_journals_begin_as_typed(index: Index) -> None:
    completions = complete(index.engine, "tea and Met", 5)
    assert completions.words == ["metformin", "metronidazole"]
    assert (completions.authors, completions.journals) == ([], [])
    completions = complete(index.engine, "met", 1)
    assert completions.words == ["metformin"]
    assert completions.authors == ["Metz, Ann"]
    assert completions.journals == ["Metabolism of Tea"]
    assert complete(index.engine, "m", 5).authors == []
    assert complete(index.engine, "me", 5).authors == ["Metz, Ann"]
    assert complete(index.engine, "pla", 5).authors == ["Plato"]


@pytest.mark.parametrize("typed", ["Metz, A", "metz a", "Metz Ann"])
def test_an_author_begins_with_or_without_a_comma(index: Index, typed: str) -> None:
    assert complete(index.engine, typed, 5).authors == ["Metz, Ann"]


@each_row("typed", ["", " ", "-", "zzz", "met ", "]} AND (", "\x00", "m" * 5000])
def test_nothing_begins_with_these(index: Index, typed: str) -> None:
    assert complete(index.engine, typed, 5).words == []
