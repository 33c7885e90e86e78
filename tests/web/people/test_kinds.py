"""Every kind of sheets with pages is served, and reads what its server kept."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
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
