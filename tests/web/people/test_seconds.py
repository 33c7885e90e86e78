"""Seconds that a page sends: the server of a study takes what the page's file may hold, and never keeps more."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient
from tests.labelling.returned_files import line, read, study

from anagnosis import api
from anagnosis.labelling import links
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.participant import participants
from anagnosis.labelling.saved_lines import LONGEST_SECONDS
from anagnosis.web.people.app import ANSWERS, people_app

HOST = "http://localhost:8000"
HEADERS = {"Origin": HOST, "Content-Type": "application/json"}
IN_PLACE = '"seconds":"here"'


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return study(tmp_path)


@pytest.fixture
def ann(pages: Path) -> Generator[tuple[TestClient, str]]:
    """A client of the study's server, and where ann's page sends its answers."""
    with links.opened(pages) as made:
        people = participants(open_study(pages.parent / "built", pages), made, ANSWERS)
        (token,) = (token for token, each in people.items() if each.person.name == "ann")
        with TestClient(people_app(people, rate=0), HOST) as client:
            yield client, f"/{token}/{ANSWERS}"


def sent(ann: tuple[TestClient, str], pages: Path, seconds: str, since: str = "0") -> Any:
    """As the text of a body, so that it can hold what no encoder writes."""
    client, path = ann
    body = json.dumps({"line": line(pages, "ann", 1) | {"seconds": "here"}}, separators=(",", ":"))
    assert IN_PLACE in body
    body = body.replace(IN_PLACE, f'"seconds":{seconds}')
    return client.post(path, content=f'{body[:-1]},"since":{since}}}', headers=HEADERS)


def kept(pages: Path) -> list[float]:
    return [each["seconds"] for each in read(pages / "answers-ann.jsonl")]


# Seconds that no page counts, as text, and what is said of them.
REFUSED = {
    "-1": "its seconds are -1, and a question has 86,400 at most",
    "-0.1": "its seconds are -0.1, and a question has 86,400 at most",
    "86400.1": "its seconds are 86400.1, and a question has 86,400 at most",
    "1e300": "its seconds are 1e+300, and a question has 86,400 at most",
    "9" * 40: f"its seconds are {'9' * 40}, and a question has 86,400 at most",
    "9" * 400: "its seconds are 9999",
    "9" * 5000: "",
    "true": "its seconds are no number",
    "null": "its seconds are no number",
    '"9"': "its seconds are no number",
    "[9]": "its seconds are no number",
    "NaN": "is no answer of a page (",
    "Infinity": "is no answer of a page (",
    "-Infinity": "is no answer of a page (",
    "1e999": "Number out of range",
}


def test_seconds_that_no_page_counts_are_refused_in_one_line(
    ann: tuple[TestClient, str], pages: Path, subtests: pytest.Subtests
) -> None:
    assert sent(ann, pages, "9.5").status_code == 200
    for seconds, what in REFUSED.items():
        with subtests.test(seconds=seconds[:20]):
            answer = sent(ann, pages, seconds)
            assert answer.status_code == 400
            said = answer.json()
            assert what in said["what"]
            assert said["remedy"]
            assert not any("\n" in said[name] for name in ("what", "where", "remedy"))
    assert kept(pages) == [9.5]


def test_what_several_tabs_add_is_a_day_at_most_and_the_file_can_be_collected(
    ann: tuple[TestClient, str], pages: Path
) -> None:
    assert sent(ann, pages, "86000").json()["line"]["seconds"] == 86_000
    other = sent(ann, pages, "500.5")  # a second tab, which knows of nothing that the first one sent
    assert other.json()["line"]["seconds"] == LONGEST_SECONDS
    third = sent(ann, pages, "86399.9")
    assert third.json()["line"]["seconds"] == LONGEST_SECONDS
    assert kept(pages) == [86_000, LONGEST_SECONDS]
    (person,) = api.collect(pages.parent / "built", pages).people
    assert (person.name, person.answered) == ("ann", 1)


def test_a_page_that_says_too_much_was_acknowledged_takes_no_seconds_away(
    ann: tuple[TestClient, str], pages: Path
) -> None:
    sent(ann, pages, "60")
    assert sent(ann, pages, "61", since="1e300").json()["line"]["seconds"] == 60
    assert sent(ann, pages, "61", since="60").json()["line"]["seconds"] == 61
