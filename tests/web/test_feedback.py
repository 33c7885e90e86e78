"""Feedback on an answer: judged in a real browser, saved as a file, read by `anagnosis import --layout feedback`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.web.browsing import opened, served

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.folder import store

BALDNESS, HELIOTROPE = "?q=Does+tea+cure+baldness%3F", "?q=Which+heliotrope+number+was+seen%3F"
# All that the browser keeps.
KEPT = "Object.values(localStorage)"
SALT = "?q=Does+salt+lower+nothing%3F"


def judging(browser: Any, address: str, **options: Any) -> tuple[Any, list[str]]:
    page, console = opened(browser, **options)
    page.goto(address)
    page.get_by_role("button", name="Judge this answer").click()
    return page, console


def saved(page: Any, path: Path) -> list[dict[str, Any]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save feedback").click()
    assert download.value.suggested_filename == "feedback.jsonl"
    download.value.save_as(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_nothing_is_kept_or_asked_until_a_user_judges(browser: Any, answering: str) -> None:
    page, console = opened(browser)
    page.goto(answering + BALDNESS)
    assert not page.locator(".judge button").first.is_visible()
    assert not page.get_by_role("button", name="Save feedback").is_visible()
    assert page.evaluate(KEPT) == []
    assert console == []
    page.close()


def test_judgements_become_a_dataset(browser: Any, answering: str, tmp_path: Path) -> None:
    page, console = judging(browser, answering + BALDNESS)
    first = page.locator('[data-judge="sentence"]').first
    shown = first.get_attribute("data-text")
    first.get_by_role("button", name="Answers", exact=True).click()
    page.locator('[data-judge="stance"]').first.get_by_role("button", name="Opposes").click()
    page.goto(answering + HELIOTROPE)
    page.get_by_role("button", name="Judge this answer").click()
    page.locator('[data-judge="name"]').first.get_by_role("button", name="Wrong name").click()
    page.get_by_role("button", name="No sentence answers").click()
    lines = saved(page, tmp_path / "feedback.jsonl")
    assert console == []
    page.close()

    tea, flower = lines
    assert (tea["feedback"], tea["question"], tea["state"]) == (1, "Does tea cure baldness?", "answered")
    assert tea["sentences"][0]["answers"] is True
    assert tea["stances"] == [
        {
            "document": "990001",
            "text": "Tea cures baldness in all mice.",
            "shown": "supports",
            "right": "opposes",
        }
    ]
    assert [one["answers"] for one in flower["sentences"]] == [False] * len(flower["sentences"])
    assert [one["right"] for one in flower["names"]] == [False]

    command = [
        "import",
        str(tmp_path / "feedback.jsonl"),
        "--layout",
        "feedback",
        "--out",
        str(tmp_path / "set"),
    ]
    assert run(command) == 0
    (instance,) = store.instances(api.load(tmp_path / "set"), "train")
    assert instance.question == "Does tea cure baldness?"
    assert [one.text for one in instance.sentences if one.held] == [shown]


def test_a_hostile_papers_sentences_come_back_whole(browser: Any, answering: str, tmp_path: Path) -> None:
    page, console = judging(browser, answering + SALT)
    page.locator('[data-judge="sentence"]').first.get_by_role("button", name="Answers", exact=True).click()
    (line,) = saved(page, tmp_path / "feedback.jsonl")
    assert any("<script>alert(1)</script>" in one["text"] for one in line["sentences"])
    assert page.locator(".judge script").count() == 0
    assert console == []
    page.close()
    assert run(["import", str(tmp_path / "feedback.jsonl"), "--layout", "feedback", "--check"]) == 0


def test_a_judgement_stays_is_taken_back_and_is_deleted(browser: Any, answering: str) -> None:
    page, _ = judging(browser, answering + BALDNESS)
    right = page.locator('[data-judge="sentence"]').first.get_by_role("button", name="Answers", exact=True)
    right.click()
    page.reload()
    page.get_by_role("button", name="Judge this answer").click()
    assert right.get_attribute("aria-pressed") == "true"
    right.click()
    assert right.get_attribute("aria-pressed") == "false"
    assert page.evaluate(KEPT) == []
    right.click()
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete feedback").click()
    assert right.get_attribute("aria-pressed") == "true"
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete feedback").click()
    assert right.get_attribute("aria-pressed") == "false"
    assert not page.get_by_role("button", name="Save feedback").is_visible()
    page.close()


@pytest.mark.parametrize(
    "kept",
    [
        "no json",
        '{"a": 1}',
        '[1, null, {"feedback": 2, "question": "x"}]',
        '[{"feedback": 1, "question": "Does tea cure baldness?", "stances": [null], "names": 1, "sentences": [[]]}]',
    ],
)
def test_what_another_program_left_is_passed_over(
    browser: Any, answering: str, kept: str, tmp_path: Path
) -> None:
    page, console = opened(browser)
    page.goto(answering + BALDNESS)
    page.evaluate(
        """kept => {
            const { collection } = document.querySelector(".answer").dataset;
            localStorage.setItem(`anagnosis.feedback.${collection}`, kept);
        }""",
        kept,
    )
    page.goto(answering + BALDNESS)
    page.get_by_role("button", name="Judge this answer").click()
    page.locator(".judge button").first.click()
    assert [line["question"] for line in saved(page, tmp_path / "f")] == ["Does tea cure baldness?"]
    if "2" in kept:  # another version's lines are its own
        assert json.loads(page.evaluate(KEPT)[0])[:-1] == json.loads(kept)
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Delete feedback").click()
        assert json.loads(page.evaluate(KEPT)[0]) == json.loads(kept)
    assert console == []
    page.close()


def test_each_collection_at_an_address_has_feedback_of_its_own(
    browser: Any, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "other")
    (tmp_path / "same").symlink_to(folder)
    page, _ = opened(browser)
    port, seen = 0, dict[Path, bool]()
    for served_now in (folder, tmp_path / "other", tmp_path / "same"):
        with served(served_now, port=port) as address:
            port = int(address.rpartition(":")[2].strip("/"))
            page.goto(address + BALDNESS)
            seen[served_now] = page.get_by_role("button", name="Save feedback").is_visible()
            if served_now == folder:
                page.get_by_role("button", name="Judge this answer").click()
                page.get_by_role("button", name="No sentence answers").click()
    page.close()
    assert list(seen.values()) == [False, False, True]


def test_a_browser_that_keeps_nothing_says_so(browser: Any, answering: str) -> None:
    page, _ = opened(browser)
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    page.goto(answering + BALDNESS)
    page.get_by_role("button", name="Judge this answer").click()
    page.locator(".judge button").first.click()
    assert "does not keep feedback" in page.locator("#live").inner_text()
    page.close()


def test_without_scripts_nothing_is_offered(browser: Any, answering: str) -> None:
    page, _ = opened(browser, java_script_enabled=False)
    page.goto(answering + BALDNESS)
    assert not page.locator("#feedback").is_visible()
    page.close()
