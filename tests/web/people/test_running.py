"""`anagnosis label serve` as a process: its links, its end, a second server, and kills in the middle."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.labelling.cloze_reports import reports
from tests.labelling.returned_files import line, read, save, study
from tests.web.people.servers import ended, kept, send, started

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.web.running import serve_people

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return study(tmp_path)


def test_a_drawn_study_is_served_answers_are_kept_and_the_same_command_goes_on(tmp_path: Path) -> None:
    built, pages = reports(tmp_path / "built"), tmp_path / "pages"
    draw = ("--kind", "answers", "--draw", "4", "--people", "experts=ann", "--people", "bea")
    assert run(["label", "draw", str(built), *draw, "--sheets", str(pages)]) == 0
    process, links = started(built, pages)
    assert [*links] == ["ann", "bea"]
    with urllib.request.urlopen(links["ann"]) as page:
        text = page.read().decode()
    assert "send&#34;:&#34;answers&#34;" in text
    assert send(links["ann"], line(pages, "ann", 1)) == line(pages, "ann", 1)
    log = ended(process)
    assert [each["event"] for each in log] == ["start", *["request"] * 4, "end"]
    assert [each["route"] for each in log[1:-1]] == ["answers", "answers", "page", "answers"]
    process, again = started(built, pages)
    assert {name: link.split("/")[3] for name, link in again.items()} == {
        name: link.split("/")[3] for name, link in links.items()
    }
    assert kept(again["ann"]) == [line(pages, "ann", 1)]
    assert kept(again["bea"]) == []
    ended(process)
    collected = api.collect(built, pages, tmp_path / "people.jsonl")
    assert [(each.name, each.answered) for each in collected.people] == [("ann", 1)]
    assert read(tmp_path / "people.jsonl") == [line(pages, "ann", 1)]


def test_json_gives_the_links(pages: Path) -> None:
    save(pages, "bea", [line(pages, "bea", 1)])
    command = [
        sys.executable,
        "-m",
        "anagnosis",
        "label",
        "serve",
        str(pages.parent / "built"),
        "--sheets",
        str(pages),
    ]
    with subprocess.Popen(
        [*command, "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout
        text = ""
        while not text.endswith("]\n"):
            text += process.stdout.readline()
        process.terminate()
    ann, bea = json.loads(text)
    assert (ann["name"], ann["group"], ann["answered"], ann["questions"]) == ("ann", "experts", 0, 4)
    assert (bea["answered"], bea["repaired"]) == (1, 0)
    assert bea["link"].startswith("http://127.0.0.1:")


def test_a_second_server_of_the_folder_and_other_mistakes_are_one_line(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = str(pages.parent / "built")
    process, links = started(pages.parent / "built", pages)
    port = links["ann"].split(":")[2].partition("/")[0]
    other = study(pages.parent / "other")
    empty = pages.parent / "empty"
    empty.mkdir()
    edited = study(pages.parent / "edited")
    save(edited, "ann", [line(edited, "ann", 1) | {"answer": 3}])
    for words, said in (
        (
            ["--sheets", str(pages)],
            "pages: another server serves the pages of this folder; end it, or name another",
        ),
        (
            ["--sheets", str(other), "--port", port],
            f"127.0.0.1: port {port} is taken; choose another with --port",
        ),
        (["--sheets", str(empty)], "empty: no study in this folder"),
        (["--sheets", str(pages.parent / "none")], "none: no such folder; draw a study with --people"),
        (["--sheets", str(edited)], "answers-ann.jsonl:1: answer cannot be 3"),
    ):
        capsys.readouterr()
        assert run(["label", "serve", built, *words]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1
    ended(process)


def test_without_the_extra_it_says_what_to_install(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith(("starlette", "anagnosis.web.people.app"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    with pytest.raises(
        InputError, match=r"serving pages needs starlette, .*; pip install \"anagnosis\[web\]\""
    ):
        serve_people(pages.parent / "built", pages, port=0)
    assert not (pages / "links.key").exists()


class Sender(threading.Thread):
    """Commits answers of a person one after the other until the server is gone. acknowledged: what it took."""

    def __init__(self, pages: Path, name: str, link: str) -> None:
        super().__init__(daemon=True)
        self._pages, self._name, self._link = pages, name, link
        self.acknowledged: list[dict[str, Any]] = []
        self.unanswered: dict[str, Any] | None = None

    def run(self) -> None:
        since = dict[str, float]()
        for number in range(10_000):
            sent = line(
                self._pages, self._name, number % 4 + 1, ("fever", "tachycardia")[number // 4 % 2], number
            )
            try:
                took = send(self._link, sent, since.get(sent["id"], 0), timeout=5)
            except (urllib.error.URLError, ConnectionError, TimeoutError, HTTPException, ValueError):
                self.unanswered = sent
                return
            since[sent["id"]] = took["seconds"]
            self.acknowledged.append(took)


def killed_in_the_middle(pages: Path, seconds: float) -> None:
    process, links = started(pages.parent / "built", pages)
    before = {name: read(pages / f"answers-{name}.jsonl") for name in links}
    senders = {name: Sender(pages, name, link) for name, link in links.items()}
    for sender in senders.values():
        sender.start()
    threading.Event().wait(seconds)
    process.kill()
    process.communicate()
    for sender in senders.values():
        sender.join(20)
        assert sender.unanswered is not None
    again, after = started(pages.parent / "built", pages)
    assert {name: link.split("/")[3] for name, link in after.items()} == {
        name: link.split("/")[3] for name, link in links.items()
    }
    for name, sender in senders.items():
        lines = read(pages / f"answers-{name}.jsonl")
        whole = before[name] + sender.acknowledged
        assert lines[: len(whole)] == whole  # nothing that was acknowledged is lost
        assert (
            len(lines) <= len(whole) + 1
        )  # and at most the answer that was not acknowledged is there beside it
        assert sender.unanswered
        # The page sends it again, with what the server acknowledged before.
        previous = [each["seconds"] for each in whole if each["id"] == sender.unanswered["id"]]
        took = send(after[name], sender.unanswered, previous[-1] if previous else 0)
        assert took == sender.unanswered
        assert read(pages / f"answers-{name}.jsonl") == [*whole, sender.unanswered]
    ended(again)


@pytest.mark.parametrize("kills", [1, pytest.param(25, marks=pytest.mark.slow)])
def test_a_kill_in_the_middle_loses_nothing_that_was_acknowledged(pages: Path, kills: int) -> None:
    draw = Random(kills)
    for _ in range(kills):
        for path in pages.glob("answers-*.jsonl"):
            path.unlink()
        killed_in_the_middle(pages, draw.uniform(0, 0.6))
    collected = api.collect(pages.parent / "built", pages)
    assert [each.name for each in collected.people] == ["ann", "bea"]
