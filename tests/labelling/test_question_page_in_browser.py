"""The page of questions in a real browser: answering, progress, saving, loading, and text that must not run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from anagnosis.labelling.question_page import render
from anagnosis.labelling.study import Entity, Piece, Question
from tests.labelling.browser import SHOWN, begun, chosen, drawn, opened, saved, stopped
from tests.labelling.cloze_reports import REPORT, dataset, instance
from tests.labelling.studies import ANN, TEXT, asked_ids, study


def test_a_person_answers_stops_goes_on_and_saves_predictions(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, people=["experts=Ann Ö."])
    ids = asked_ids(sheets, "Ann-Ö-")
    begun(window, sheets, "Ann-Ö-")
    assert window.inner_text("#progress") == "0 of 4 answered"
    chosen(window, 2)
    assert window.inner_text("#progress") == "1 of 4 answered"
    window.click(SHOWN + ".main")
    window.check(SHOWN + "input[value=none]")
    window.click(SHOWN + ".main")
    chosen(window, 0, "both")
    window.reload()  # in the middle: what was chosen and not left yet is kept, too
    assert window.inner_text("#progress") == "3 of 4 answered"
    assert window.inner_text("#begin") == "Go on"
    window.click("#begin")
    assert "Question 4 of 4" in window.inner_text(SHOWN + "h2")  # the first that is open
    window.click("#map summary")
    window.click("#map >> text=1")
    assert window.is_checked(SHOWN + "input[data-e='2']")
    chosen(window, 1, "prior")
    name, lines = saved(window)
    assert window.inner_text("#state") == "Saved 3 as answers-Ann-Ö-.jsonl; 1 not answered yet."
    assert name == "answers-Ann-Ö-.jsonl"
    told = [(line["id"], line["answer"], line["knowledge"], line["place"]) for line in lines]
    assert told == [
        (ids[0], "tachycardia", "context", 1),
        (ids[1], None, "none", 2),
        (ids[2], "fever", "both", 3),
        (ids[0], "amitriptyline", "prior", 1),  # changed: the last line is valid
    ]
    fingerprint = api.show(api.load(tmp_path / "d")).splits["dev"].fingerprint
    for line in lines:
        assert (line["annotator"], line["group"], line["dataset"]) == ("Ann Ö.", "experts", fingerprint)
        assert 0 <= line["seconds"] < 60
        assert [*line] == ["id", "answer", "dataset", "annotator", "group", "knowledge", "seconds", "place"]


def test_a_choice_marks_every_place_of_the_entity_and_is_the_answer(window: Any, tmp_path: Path) -> None:
    begun(window, drawn(tmp_path, 1))
    window.click(SHOWN + ".query a >> nth=0")
    marked = window.locator(SHOWN + "a.chosen")
    assert [marked.nth(n).inner_text() for n in range(marked.count())] == ["amitriptyline"] * 3
    assert all(marked.nth(n).get_attribute("aria-current") == "true" for n in range(marked.count()))
    assert window.inner_text(SHOWN + "label.chosen") == "@entity1 :: [amitriptyline]"
    assert window.is_checked(SHOWN + "input[data-e='1']")
    assert window.inner_text(SHOWN + "[data-chosen]") == "@entity1 :: [amitriptyline]: 3 places marked"
    window.click(SHOWN + ".passage a >> nth=0")
    assert window.locator(SHOWN + "a.chosen").count() == 3
    assert window.inner_text(SHOWN + "a.chosen >> nth=0") == "fever"
    window.check(SHOWN + "input[value=context]")
    assert [line["answer"] for line in saved(window)[1]] == ["fever"]


def test_who_could_not_answer_has_no_entity_and_who_chooses_one_could(window: Any, tmp_path: Path) -> None:
    begun(window, drawn(tmp_path, 1))
    chosen(window, 0)
    window.check(SHOWN + "input[value=none]")
    assert window.locator(SHOWN + ".chosen").count() == 0
    assert window.inner_text("#progress") == "1 of 1 answered"
    window.click(SHOWN + ".passage a >> nth=0")
    assert not window.is_checked(SHOWN + "input[value=none]")
    assert window.inner_text("#progress") == "0 of 1 answered"
    window.check(SHOWN + "input[value=none]")
    window.check(SHOWN + "input[value=both]")
    window.click(SHOWN + ".main")
    assert window.inner_text(SHOWN + ".fault") == (
        "Still open: “Your answer”. Choose Next again to leave the question so."
    )
    window.click(SHOWN + ".main")
    assert window.inner_text("#left") == "You have answered 0 of 1 questions. Open:"
    window.click("#open button")
    window.check(SHOWN + "input[value=none]")
    assert [(line["answer"], line["knowledge"]) for line in saved(window)[1]] == [(None, "none")]


def test_any_words_may_be_an_answer_where_the_study_takes_them(window: Any, tmp_path: Path) -> None:
    begun(window, drawn(tmp_path, 4, texts=True, knowledge=False))
    window.click(SHOWN + ".passage a >> nth=0")
    window.fill(SHOWN + "input[type=text]", "  whole   bowel lavage ")
    assert window.locator(SHOWN + ".chosen").count() == 0
    window.keyboard.press("Enter")
    window.fill(SHOWN + "input[type=text]", "@Entity2")
    window.click(SHOWN + ".main")
    window.fill(SHOWN + "input[type=text]", "something")
    window.check(SHOWN + "input[data-none]")
    assert window.input_value(SHOWN + "input[type=text]") == ""
    window.click(SHOWN + ".main")
    window.click(SHOWN + "a:has-text('whole bowel')")  # which the passage lacks
    lines = saved(window)[1]
    assert [line["answer"] for line in lines] == [
        "whole bowel lavage",
        "tachycardia",
        None,
        "whole bowel irrigation",
    ]
    assert all("knowledge" not in line for line in lines)


WRITTEN = {
    "  QRS   complex ": ("MESH:D3", "Your words name @entity2 :: [qrs Complex]: 1 place marked"),
    "Fever": ("MESH:D1", "Your words name @entity0 :: [fever | pyrexia]: 2 places marked"),
    "PYREXIA": ("MESH:D1", "Your words name @entity0 :: [fever | pyrexia]: 2 places marked"),
    "e\u0301lan": ("MESH:D5", "Your words name @entity4 :: [\u00c9lan]: 0 places marked"),
    "@Entity1": ("MESH:D2", "Your words name @entity1 :: [rash]: 0 places marked"),
    "rash": ("rash", ""),  # of two entities
    "fevers": ("fevers", ""),
    "hidden": ("hidden", ""),  # an entity without names, as in a view that shows none
}


def test_the_name_of_one_entity_is_that_entity(window: Any, tmp_path: Path) -> None:
    entities = (
        Entity("@entity0", ("fever", "pyrexia"), "MESH:D1"),
        Entity("@entity1", ("rash",), "MESH:D2"),
        Entity("@entity2", ("qrs Complex",), "MESH:D3"),
        Entity("@entity3", ("Rash",), "MESH:D4"),
        Entity("@entity4", ("\u00c9lan",), "MESH:D5"),
        Entity("@entity5", (), "shown:@entity5", "hidden"),
    )
    passage = (Piece("fever", 0), Piece(" and "), Piece("fever", 0), Piece("qrs", 2))
    questions = [Question(f"r.{n}", (passage,), (Piece("?"),), entities) for n in range(len(WRITTEN))]
    (tmp_path / "ann.html").write_bytes(render(study(*questions, fields=(TEXT,)), ANN, 0))
    begun(window, tmp_path)
    for text, (_, said) in WRITTEN.items():
        window.fill(SHOWN + "input[type=text]", text)
        assert window.inner_text(SHOWN + "[data-chosen]") == said
        assert window.locator(SHOWN + ".entities input:checked").count() == bool(said)
        assert window.input_value(SHOWN + "input[type=text]") == text
        window.click(SHOWN + ".main")
    assert [line["answer"] for line in saved(window)[1]] == [answer for answer, _ in WRITTEN.values()]
    window.reload()
    window.click("#map summary")
    window.click("#map >> text=1")
    assert window.is_checked(SHOWN + "input[data-e='2']")
    window.fill(SHOWN + "input[type=text]", "something else")
    assert not window.locator(SHOWN + ".entities input:checked").count()


def test_two_people_of_one_browser_have_their_answers_alone(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 2, people=["ann,bea"])
    begun(window, sheets)
    chosen(window, 0)
    begun(window, sheets, "bea")
    assert window.inner_text("#progress") == "0 of 2 answered"
    chosen(window, 1)
    assert [(line["annotator"], line["answer"]) for line in saved(window)[1]] == [("bea", "amitriptyline")]
    opened(window, sheets)
    assert [(line["annotator"], line["answer"]) for line in saved(window)[1]] == [("ann", "fever")]


def test_only_seconds_in_which_the_question_is_seen_count(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 2)
    stopped(window)
    begun(window, sheets)
    window.clock.run_for(30_000)
    chosen(window, 0)
    window.evaluate(
        "Object.defineProperty(document, 'visibilityState', {get: () => window.seen, configurable: true})"
    )
    for seen, wait in (("hidden", 600_000), ("visible", 12_000)):
        window.evaluate(f"window.seen = '{seen}'; document.dispatchEvent(new Event('visibilitychange'))")
        window.clock.run_for(wait)
    chosen(window, 1)
    window.click(SHOWN + ".main")
    window.clock.run_for(7_000)
    chosen(window, 0)
    assert [line["seconds"] for line in saved(window)[1]] == [30, 42, 7]


def test_a_pause_counts_up_to_the_idle_seconds(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 1, idle=20)
    stopped(window)
    begun(window, sheets)
    window.clock.run_for(300_000)  # reads, or has gone: 20 seconds
    window.keyboard.press("Shift")
    window.clock.run_for(15_000)
    window.mouse.move(100, 100)
    window.clock.run_for(15_000)
    chosen(window, 0)
    assert [line["seconds"] for line in saved(window)[1]] == [50]


def test_a_machine_that_slept_adds_ten_seconds_at_most(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 1)
    stopped(window)
    begun(window, sheets)
    window.clock.run_for(20_000)
    window.clock.fast_forward(8 * 3_600_000)  # every timer fires once, as after a night
    chosen(window, 0)
    assert saved(window)[1][0]["seconds"] == 30


@pytest.mark.parametrize("stored", ["{", "null", "3", '{"commits": [{"id": 3}], "drafts": [1]}', '{"at": 1}'])
def test_progress_that_cannot_be_read_is_left(window: Any, tmp_path: Path, stored: str) -> None:
    sheets = drawn(tmp_path, 1)
    begun(window, sheets)
    # A page keeps its answers when it is left, so the storage is spoilt before the next one begins.
    window.add_init_script(
        f"Object.keys(localStorage).forEach(key => localStorage.setItem(key, {json.dumps(stored)}))"
    )
    window.reload()
    window.click("#begin")
    chosen(window, 0)
    assert window.inner_text("#fault") == ""
    assert [line["answer"] for line in saved(window)[1]] == ["fever"]


def test_a_browser_that_keeps_nothing_says_so_saves_and_loads(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 3)
    window.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get: () => { throw new DOMException('denied'); }})"
    )
    begun(window, sheets)
    assert "This browser keeps no answers" in window.inner_text("#fault")
    chosen(window, 0)
    window.click(SHOWN + ".main")
    chosen(window, 1)
    with window.expect_download() as download:
        window.click("#save")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    window.reload()
    assert window.inner_text("#progress") == "0 of 3 answered"
    window.set_input_files("#load", file)
    window.wait_for_function("() => document.getElementById('state').textContent !== ''")
    assert window.inner_text("#state") == "Loaded 2 answers from answers-ann.jsonl."
    assert window.inner_text("#progress") == "2 of 3 answered"
    window.click("#begin")
    chosen(window, 2)
    lines = saved(window)[1]
    assert lines[:2] == [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["answer"], line["place"]) for line in lines] == [
        ("fever", 1),
        ("amitriptyline", 2),
        ("tachycardia", 3),
    ]


def test_none_stands_alone_among_the_skills(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 2, kind="skills", people=["a/b"])
    begun(window, sheets, "a-b")
    assert window.inner_text(SHOWN + ".known >> nth=0") == "Answer: phosphate enema"
    window.check(SHOWN + "input[value=none]")
    window.check(SHOWN + "input[value=bridging]")
    assert not window.is_checked(SHOWN + "input[value=none]")
    window.check(SHOWN + "input[value='object tracking']")
    window.click(SHOWN + ".main")
    window.check(SHOWN + "input[value=ellipsis]")
    window.check(SHOWN + "input[value=none]")
    assert not window.is_checked(SHOWN + "input[value=ellipsis]")
    window.click(SHOWN + ".back")
    window.uncheck(SHOWN + "input[value=bridging]")
    name, lines = saved(window)
    assert name == "skills-a-b.jsonl"
    assert [line["skills"] for line in lines] == [
        ["object tracking", "bridging"],
        ["none"],
        ["object tracking"],
    ]
    assert [*lines[0]] == ["id", "skills", "dataset", "annotator", "group", "seconds", "place"]
    (sheets / name).write_text("\n".join(map(json.dumps, lines)))
    read = api.label(tmp_path / "d", sheets, kind="skills")
    assert [(file.file, file.labelled) for file in read.files] == [(name, 2)]
    assert read.files[0].shares["bridging"].value == 0, "the last line of a question is valid"


def test_text_of_a_paper_does_not_run(window: Any, tmp_path: Path) -> None:
    hostile = (
        "[</script><script>alert(1)</script>] <img src=x onerror=alert(2)> [<b>] "
        "\u202e [javascript:alert(3)]\n"
    )
    dataset(tmp_path / "d", [instance('"><svg onload=alert(4)>.1', hostile + REPORT)])
    sheets = drawn(tmp_path, 1, people=['"><script>alert(5)</script>'])
    begun(window, sheets, "-script-alert-5-script-")
    assert "<img src=x onerror=alert(2)>" in window.inner_text(SHOWN + ".passage")
    window.click(SHOWN + ".passage a >> nth=0")
    assert "</script><script>alert(1)</script>" in window.inner_text(SHOWN + "[data-chosen]")
    window.check(SHOWN + "input[value=context]")
    name, (line,) = saved(window)
    assert line["id"] == '"><svg onload=alert(4)>.1'
    assert line["answer"] == "</script><script>alert(1)</script>"
    assert line["annotator"] == '"><script>alert(5)</script>'
    assert name == "answers--script-alert-5-script-.jsonl"


@pytest.mark.parametrize("width", [390, 320])
def test_the_page_fits_a_phone(window: Any, tmp_path: Path, width: int) -> None:
    sheets = drawn(tmp_path, 1, kind="skills")
    window.set_viewport_size({"width": width, "height": 844})
    begun(window, sheets)
    assert window.evaluate("document.documentElement.scrollWidth") <= width
