"""What an answer knows is asked once; that it lacks parts of an index is said where it is allowed, and else refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.rows import each_row
from tests.web.apps import web_app

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import UnavailableError
from anagnosis.reports import render
from anagnosis.reports.search.results import NOTHING_FITS, NOTHING_IN_PARTS, ask_report, search_report
from anagnosis.searching.answers.asking import ask, search
from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.engines.one_answer import (
    counts_of,
    leave_out,
    left_out,
    may_leave_out,
    once,
    one_answer,
)
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import CLOSEST, NOTHING
from anagnosis.web.limits import Limits

PARTS = "2 of 3 shards"
SAYS = f"Only {PARTS} answered, so papers of the others are left out."
NOWHERE = "Which planet has rings?"


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of the index does not answer searches."""
    whole = Embedded.search

    def searched(*given: object, **named: object) -> object:
        if not leave_out(PARTS):
            raise UnavailableError("not all shards answer", "papers", "start the missing nodes")
        return whole(*given, **named)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Embedded, "search", searched)


def test_nothing_may_be_left_out_unless_it_is_allowed() -> None:
    with one_answer(False):
        assert not may_leave_out()
        assert not leave_out(PARTS)
    with one_answer(True):
        assert left_out() == []
        with one_answer(True):
            assert leave_out(PARTS)
            assert leave_out(PARTS)
        assert left_out() == [PARTS]
    assert (left_out(), may_leave_out()) == ([], False)


def test_within_an_answer_a_thing_is_asked_once() -> None:
    asked = list[str]()

    def ask_about(name: str) -> int:
        asked.append(name)
        return len(asked)

    def both() -> tuple[int, int]:
        return once("tea", lambda: ask_about("tea")), once("salt", lambda: ask_about("salt"))

    assert (both(), both()) == ((1, 2), (3, 4)), "nothing is kept outside of an answer"
    with one_answer(False):
        with one_answer(False):
            assert both() == (5, 6)
        assert both() == (5, 6)
        with one_answer(True):  # what is missing may be counted otherwise
            assert both() == (7, 8)
    with one_answer(False):
        assert both() == (9, 10)


def test_counts_are_of_the_last_commit_before_an_answer(index: Index) -> None:
    before = counts_of(index.engine)
    with one_answer(False):
        assert counts_of(index.engine) == before
        index.delete(["1"], Counter())
        index.commit()
        assert counts_of(index.engine) == before
    assert counts_of(index.engine).documents == before.documents - 1


@each_row("answer", [search, ask])
def test_an_answer_asks_for_the_last_commit_once(
    index: Index, monkeypatch: pytest.MonkeyPatch, answer: Callable[[Index, str], object]
) -> None:
    asked, committed = list[str](), Embedded.committed

    def noted(self: Embedded) -> object:
        asked.append("committed")
        return committed(self)

    monkeypatch.setattr(Embedded, "committed", noted)
    answer(index, "Which tea changes sleep?")
    assert asked == ["committed"]


def test_answers_say_which_parts_have_answered(index: Index, missing: None) -> None:
    index.allow_partial = True
    found, answer = search(index, "cold tea"), ask(index, "Does cold tea change sleep?")
    assert list(found.index_notes) == list(answer.index_notes) == [PARTS]
    assert SAYS in render(search_report(found), ".txt")
    assert SAYS in render(ask_report(answer), ".txt")


def test_where_parts_are_missing_nothing_is_called_absent(index: Index, missing: None) -> None:
    with pytest.raises(UnavailableError):
        ask(index, NOWHERE)
    index.allow_partial = True
    answer = ask(index, NOWHERE)
    assert (answer.state, answer.evidence) == (CLOSEST, [])
    text = render(ask_report(answer), ".txt")
    assert NOTHING_IN_PARTS in text
    assert NOTHING_FITS not in text


def test_an_index_that_is_whole_answers_as_ever(index: Index) -> None:
    index.allow_partial = True
    answer = ask(index, NOWHERE)
    assert (answer.state, answer.index_notes) == (NOTHING, [])


def test_the_commands_take_it(index: Index, missing: None, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(index.folder)
    assert run(["search", folder, "cold tea"]) == 2
    assert "not all shards answer; start the missing nodes" in capsys.readouterr().err
    assert run(["search", folder, "cold tea", "--allow-partial", "--json"]) == 0
    assert PARTS in json.loads(capsys.readouterr().out)["index_notes"]
    assert run(["export-results", folder, "cold tea", "--to", "csv", "--allow-partial"]) == 0
    assert f"only {PARTS} answered" in capsys.readouterr().err
    assert api.ask(folder, NOWHERE, allow_partial=True).state == CLOSEST


def test_the_page_and_its_json_say_it(index: Index, missing: None, tmp_path: Path) -> None:
    for allowed in (False, True):
        index.allow_partial = allowed
        with TestClient(web_app(index, Limits()), base_url="http://127.0.0.1") as client:
            page, found = client.get("/", params={"q": NOWHERE}), client.get("/api/search?q=tea")
            if not allowed:
                assert (page.status_code, found.status_code) == (503, 503)
                continue
            assert SAYS in page.text
            assert NOTHING_IN_PARTS in page.text
            assert (
                "Nothing about this here"
                not in page.text.split('class="answer', 1)[1].split("What this means")[0]
            )
            assert PARTS in found.json()["index_notes"]
            assert client.get("/api/ask", params={"q": NOWHERE}).json()["state"] == CLOSEST
