"""Every kind of sheets with pages is served, and reads what its server kept."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.labelling.decision_files import unlabelled, written
from tests.labelling.returned_files import page_line, read
from tests.labelling.test_contract import SOURCES
from tests.web.people.servers import kept, send, served

from anagnosis import api, labelling
from anagnosis.labelling.opened_study import open_study

GIVEN: dict[str, dict[str, Any]] = {
    "answers": {"answer": None, "knowledge": "none"},
    "decisions": {"label": "maybe"},
    "entities": {"judgement": "verb"},
    "similar-answers": {"class": "better"},
    "skills": {"skills": ["bridging"]},
    "statements": {"well_formed": "no", "same_meaning": "yes", "corrected": "XXXX."},
}


def test_every_kind_has_an_answer_to_be_tested_with() -> None:
    assert GIVEN.keys() == labelling.SHEET_KINDS.keys()


@pytest.mark.parametrize("kind", GIVEN)
def test_what_a_kind_s_page_sends_is_kept_read_and_collected(kind: str, tmp_path: Path) -> None:
    source, pages = SOURCES[kind](tmp_path), tmp_path / "pages"
    how: Any = {"draw": 2, "people": ["ann,bea"]}
    api.label(source, pages, kind=kind, **how)
    line = page_line(open_study(source, pages), "ann", 1, 9.5, **GIVEN[kind])
    with served(source, pages) as links:
        with urllib.request.urlopen(links["ann"]) as page:
            assert b"Question 1 of 2" in page.read()
        assert send(links["ann"], line) == line
        name = next(iter(GIVEN[kind])).replace("_", " ")
        with pytest.raises(urllib.error.HTTPError) as refused:
            send(links["ann"], line | {name: "perhaps"})
        assert (refused.value.code, kept(links["ann"])) == (400, [line])
    assert read(pages / f"{kind}-ann.jsonl") == [line]
    api.label(source, pages, kind=kind)
    record = api.collect(source, pages, tmp_path / "people.jsonl")
    assert [(each.name, each.answered) for each in record.people] == [("ann", 1)]
    assert read(tmp_path / "people.jsonl") == [line]


def test_a_discussion_has_a_link_of_its_own(tmp_path: Path) -> None:
    built, pages = written(tmp_path / "built", [unlabelled(n) for n in range(2)], "train"), tmp_path / "pages"
    api.label(built, pages, kind="decisions", draw=2, people=["ann,bea"])
    with served(built, pages) as links:
        assert [*links] == ["ann", "bea"]
        for name, label in (("ann", "yes"), ("bea", "no")):
            for place in (1, 2):
                send(links[name], page_line(open_study(built, pages), name, place, 1, label=label))
    assert api.label(built, pages, kind="decisions").discussion == "discussion.html"
    with served(built, pages) as links:
        assert [*links] == ["ann", "bea", "discussion"]
        for place in (1, 2):
            send(
                links["discussion"], page_line(open_study(built, pages), "discussion", place, 1, agreed="yes")
            )
    made = api.label(built, pages, kind="decisions", out=tmp_path / "out")
    assert made.labels == {"yes": 2}
