"""The page of questions in a real browser: answering, progress, saving, loading, and text that must not run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from anagnosis import api
from tests.labelling.browser import SHOWN, begun, chosen, drawn, saved, stopped
from tests.labelling.cloze_reports import REPORT, dataset, instance
from tests.labelling.studies import asked_ids


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
    (sheets / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    record = api.collect(tmp_path / "d", sheets, tmp_path / "people.jsonl")
    assert [(each.name, each.answered, each.open) for each in record.people] == [("Ann Ö.", 3, 1)]
    assert [
        line["answer"] for line in map(json.loads, (tmp_path / "people.jsonl").read_text().splitlines())
    ] == [
        "amitriptyline",
        None,
        "fever",
    ]
    for line in lines:
        assert (line["annotator"], line["group"], line["dataset"]) == ("Ann Ö.", "experts", fingerprint)
        assert 0 <= line["seconds"] < 60
        assert [*line] == ["id", "answer", "dataset", "annotator", "group", "knowledge", "seconds", "place"]


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


def test_a_browser_that_keeps_nothing_says_so_and_saves(window: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 3)
    window.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get: () => { throw new DOMException('denied'); }})"
    )
    begun(window, sheets)
    assert "This browser keeps no answers" in window.inner_text("#fault")
    chosen(window, 0)
    assert [line["answer"] for line in saved(window)[1]] == ["fever"]
    window.reload()
    assert window.inner_text("#progress") == "0 of 3 answered"


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
