"""What `show` tells of BioASQ's questions."""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden_files import gson, ident, question, questions, written
from tests.reports.stored import check_stored

from anagnosis import api
from anagnosis.reports.report import Listing, Table


def test_the_report_has_types_files_and_what_is_left_out(tmp_path: Path) -> None:
    sources = [
        written(tmp_path / "1B1.json", gson(questions(4))),
        written(tmp_path / "1B2.json", gson([question(5), question(1)])),
    ]
    dataset = api.import_dataset(sources, tmp_path / "built", layout="bioasq")
    report = api.report(api.show(dataset))
    check_stored("questions", report.whole)


def test_one_question_has_its_answers_and_each_snippet_once(tmp_path: Path) -> None:
    twice = question(1, kind="list")
    twice["snippets"] *= 2
    source = written(tmp_path / "1B1.json", gson([twice]))
    dataset = api.import_dataset(source, tmp_path / "built", layout="bioasq")
    check_stored("one-question", api.report(api.show_instance(dataset, ident(1))).whole)


def test_snippets_without_a_document_are_numbered_and_a_question_may_have_no_answer(tmp_path: Path) -> None:
    asked = {"id": "a", "question": "Why?", "answers": [], "is_impossible": True}
    other = {"id": "b", "question": "What?", "answers": [{"text": "Fish", "answer_start": 0}]}
    data = [{"paragraphs": [{"context": "Fish.", "qas": [asked, other]}]}]
    source = written(tmp_path / "dev.json", json.dumps({"data": data}))
    dataset = api.import_dataset(source, tmp_path / "built", layout="squad")
    listings = [b for b in api.report(api.show_instance(dataset, "a")).whole if isinstance(b, Listing)]
    lines = [(item.label, item.runs[0].text) for listing in listings for item in listing.items]
    assert lines[3:] == [("question", "Why?"), ("exact answer", "none"), ("1", "Fish.")]
    (sizes, *_) = (b for b in api.report(api.show(dataset)).whole if isinstance(b, Table))
    assert dict(sizes.rows)["factoid"] == 2
    assert dict(sizes.rows)["factoid with an exact answer"] == 1
