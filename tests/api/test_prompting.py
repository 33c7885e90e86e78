"""`predict prompted` over a small server: its files, its log, what it refuses."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.language_models.chat_server import Asked, ChatServer
from tests.readers.prompted import sets
from tests.refusals import refused
from tests.rows import each_row

from anagnosis import api
from anagnosis.errors import InputError
from anagnosis.language_models.prompts import named
from anagnosis.predictions import notes, read

KEY = "sk-secret-0123456789"
PRICES = '["tiny"]\nread = 1000\nwritten = 4000\n'


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where commands are given, with a dataset of each kind, prices and a log of nothing."""
    sets.decisions(tmp_path / "decisions")
    sets.questions(tmp_path / "questions")
    (tmp_path / "prices.toml").write_text(PRICES)
    (tmp_path / "empty.jsonl").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANAGNOSIS_API_KEY", KEY)
    return tmp_path


@pytest.fixture
def server() -> Generator[ChatServer]:
    with ChatServer(lambda asked, request: "yes" if "1" in question_of(asked) else "no").running() as running:
        yield running


def question_of(asked: Asked) -> str:
    return asked["messages"][-1]["content"].partition("Question: ")[2].partition("\n")[0]


def predict(out: str = "llm.jsonl", **given: Any) -> int:
    asked = {"model": "tiny", "prompts": ["yesno@1"], **given}
    return api.predict("prompted", "decisions", out, **asked)


def files(stem: str) -> list[bytes]:
    return [Path(f"{stem}{ending}").read_bytes() for ending in (".jsonl", ".run.json")]


def lines(path: str = "llm.calls.jsonl") -> int:
    return Path(path).read_bytes().count(b"\n")


def test_a_run_leaves_predictions_a_note_and_a_log_and_a_replay_the_same_without_a_socket(
    built: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert predict(endpoint=server.url, cut_off="2023-10", prices="prices.toml", seed=3) == 12
    assert [each.answer for each in read("llm.jsonl")] == [
        "yes" if "1" in str(number) else "no" for number in range(12)
    ]
    note = notes.read("llm.jsonl")
    assert note.view == "reasoning-required"
    model = note.language_model
    assert model is not None
    assert (model.model, model.prompts, model.context) == ("tiny", (named("yesno@1").signed,), "full")
    assert (model.seed, model.cut_off, model.answers) == (3, "2023-10", 12)
    assert (model.spent.calls, model.spent.read, model.spent.written) == (12, 120, 12)
    assert model.spent.cost == pytest.approx(0.168)
    assert model.spent.models == ("tiny",)
    assert lines() == 12
    assert {each["seed"] for each in server.asked} == {3}
    before = Path("llm.calls.jsonl").read_bytes()

    def no_socket(*given: Any, **named: Any) -> None:
        raise AssertionError("a socket is opened")

    # asyncio has a pair of its own; a replay does not even start that.
    monkeypatch.setattr(socket, "socket", no_socket)
    again: dict[str, Any] = {"cut_off": "2023-10", "prices": "prices.toml", "seed": 3, "model": None}
    predict("again.jsonl", replay="llm.calls.jsonl", **again)
    assert files("again") == files("llm")
    assert Path("llm.calls.jsonl").read_bytes() == before
    assert not Path("again.calls.jsonl").exists()
    with pytest.raises(
        InputError, match=r"llm.calls.jsonl: has no reply to a call \([0-9a-f]{32}\); replay with"
    ):
        predict("other.jsonl", replay="llm.calls.jsonl", seed=4)
    assert not Path("other.jsonl").exists()
    assert not any(KEY in each.read_text("utf-8", "replace") for each in built.rglob("*") if each.is_file())
    assert all(KEY in str(each) for each in server.headers)


def test_the_same_command_asks_only_what_the_log_lacks(built: Path, server: ChatServer) -> None:
    predict(endpoint=server.url, limit=5)
    with pytest.raises(InputError, match=r"llm\.jsonl: is there already"):
        predict(endpoint=server.url)
    assert len(server.asked) == 5
    assert predict(endpoint=server.url, replace=True) == 12
    assert (len(server.asked), lines()) == (12, 12)
    predict(endpoint=server.url, replace=True, seed=1)
    assert (len(server.asked), lines()) == (24, 24)


def killed_after(replies: int, url: str, asked: list[Asked]) -> None:
    words = ["predict", "prompted", "decisions", "--endpoint", url, "--model", "tiny", "--prompt", "yesno@1"]
    program = [sys.executable, "-m", "anagnosis", *words, "--set", "at_once=1", "--out", "llm.jsonl"]
    process = subprocess.Popen(program)
    while len(asked) <= replies:
        assert process.poll() is None
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")
def test_a_command_that_is_killed_loses_no_reply_that_had_arrived(built: Path) -> None:
    def slow(asked: Asked, request: BaseHTTPRequestHandler) -> str:
        time.sleep(0.05)
        return "yes"

    with ChatServer(slow).running() as server:
        killed_after(4, server.url, server.asked)
        assert not Path("llm.jsonl").exists()
        kept = lines()
        assert kept in (4, 5)
        first = len(server.asked)
        assert predict(endpoint=server.url) == 12
    assert len(server.asked) - first == 12 - kept


@each_row(
    ("limit", "line"),
    [
        (
            {"most_tokens": 180},
            "most_tokens: is reached after [1-9][0-9]* calls; the calls so far are in the log",
        ),
        ({"most_cost": 0.2, "prices": "prices.toml"}, "most_cost: is reached after [1-9][0-9]* calls"),
    ],
)
def test_a_limit_ends_the_command_and_a_higher_one_goes_on(
    limit: dict[str, Any], line: str, built: Path, server: ChatServer
) -> None:
    out = f"{next(iter(limit))}.jsonl"
    first = len(server.asked)
    with pytest.raises(InputError, match=line):
        predict(out, endpoint=server.url, settings={"at_once": 1}, **limit)
    assert not Path(out).exists()
    kept = lines(out.replace(".jsonl", ".calls.jsonl"))
    assert 0 < kept < 12
    assert len(server.asked) - first == kept
    assert predict(out, endpoint=server.url) == 12
    assert len(server.asked) - first == 12


def test_a_run_says_how_many_replies_give_no_answer(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    answer = ChatServer(lambda asked, request: "perhaps" if "1" in question_of(asked) else "no")
    with answer.running() as server:
        predict(endpoint=server.url)
    assert capfd.readouterr().err == "of 12 replies 3 unparsed: these give no answer\n"
    model = notes.read("llm.jsonl").language_model
    assert model is not None
    assert (model.unparsed, model.answers) == (3, 9)


def test_examples_are_those_of_another_dataset(built: Path, server: ChatServer) -> None:
    sets.written(
        built / "other", {"dataset": "pubmedqa", "kind": "decision"}, lambda n: sets.decision(n + 500, "no")
    )
    predict(endpoint=server.url, settings={"examples": 2}, train_on="other")
    for asked in server.asked:
        turns = [each["content"] for each in asked["messages"]]
        assert [role["role"] for role in asked["messages"]] == ["system", *["user", "assistant"] * 2, "user"]
        assert turns[2] == turns[4] == "no"
        assert "Does tea 6" in turns[1]


def test_one_object_from_id_to_answer_can_be_written(
    built: Path, server: ChatServer, capfd: pytest.CaptureFixture[str]
) -> None:
    predict("new/llm.json", endpoint=server.url, by_id=True, limit=2)
    assert Path("new/llm.json").read_text() == '{"0":"no","1":"yes"}'
    assert notes.read("new/llm.json").language_model is not None
    assert capfd.readouterr().err == ""


def test_a_call_ends_after_the_seconds_that_are_set(built: Path) -> None:
    def slow(asked: Asked, request: BaseHTTPRequestHandler) -> str:
        time.sleep(1)
        return "no"

    with ChatServer(slow).running() as late, pytest.raises(InputError, match=r"no reply within"):
        predict(endpoint=late.url, settings={"seconds": 0.2})


HERE = "--endpoint http://127.0.0.1:9/v1"


@each_row(
    ("words", "line"),
    [
        ("", "--prompt: asks nothing; name a file, or one of cloze@1, factoid@1"),
        ("--prompt yesno@9 --model m " + HERE, "unknown prompt 'yesno@9'; did you mean yesno@1?"),
        ("--prompt factoid@1 --model m " + HERE, "factoid@1: is a prompt of kind 'question'"),
        ("--prompt yesno@1 " + HERE, "--model: names no model"),
        ("--prompt yesno@1 --replay empty.jsonl", "--model: names no model"),
        ("--prompt yesno@1 --replay prices.toml", "prices.toml:1: "),
        (
            "--prompt yesno@1 --model m",
            "--endpoint: no server and no log; give either --endpoint or --replay",
        ),
        (
            "--prompt yesno@1 --model m --replay empty.jsonl " + HERE,
            "--endpoint: a server and a log are named",
        ),
        ("--prompt yesno@1 --model m --replay empty.jsonl", "empty.jsonl: has no reply to a call ("),
        ("--prompt yesno@1 --model m --replay none.jsonl", "none.jsonl: no such file or directory"),
        ("--prompt yesno@1 --model m --replay prices.toml", "prices.toml:1: "),
        (
            "--prompt yesno@1 --model m --replay empty.jsonl --most-tokens 9 --key-env K",
            "--key-env and --most-tokens do not apply to --replay",
        ),
        (
            "--prompt yesno@1 --model m --most-cost 1 " + HERE,
            "--most-cost: a limit of the cost needs the model's",
        ),
        (
            "--prompt yesno@1 --model m --prices prices.toml " + HERE,
            'prices.toml: has no price of m; write a table ["m"] with read and written',
        ),
        ("--prompt yesno@1 --model m --key-env NONE " + HERE, "NONE: holds no key; export NONE="),
        (
            "--prompt yesno@1 --model m --endpoint http://example.org/v1",
            "--endpoint: is no address that can be",
        ),
        (
            "--prompt yesno@1 --model m --cut-off 2023-13 " + HERE,
            "--cut-off: '2023-13' is not a date; write YYYY",
        ),
        ("--prompt yesno@1 --model m --set context=half " + HERE, "write full, snippets or none"),
        (
            "--prompt yesno@1 --model m --set context=snippets " + HERE,
            "context=snippets is for questions with",
        ),
        (
            "--prompt yesno@1 --model m --set exmples=1 " + HERE,
            "unknown key 'exmples' (did you mean examples?)",
        ),
        (
            "--prompt yesno@1 --model m --train-on decisions " + HERE,
            "--train-on: is for examples; leave it out",
        ),
        (
            "--prompt yesno@1 --model m --train-on questions --set examples=1 " + HERE,
            "questions: holds questions with snippets and exact answers, and questions for yes, no or maybe are",
        ),
        (
            "--prompt yesno@1 --model m --split dev " + HERE,
            "decisions: no split 'dev'; its splits: train, test",
        ),
        ("--device cpu", "--device does not apply to a reader that is not trained"),
        ("--recipe biomrc-demo", "--recipe does not apply to a language model"),
    ],
)
def test_a_wrong_request_is_refused_in_one_line_before_a_call(
    words: str, line: str, built: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said = refused(["predict", "prompted", "decisions", *words.split(), "--out", "new/llm.jsonl"], capfd)
    assert line in said, said
    assert not [*built.glob("new/*")]


def test_the_options_of_a_language_model_are_its_own(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for reader in ("majority", "runs/none"):
        said = refused(
            ["predict", reader, "decisions", "--prompt", "yesno@1", "--model", "m", "--out", "x.jsonl"], capfd
        )
        assert f"--prompt and --model do not apply to {reader}, which is no language model" in said
    words = ["predict", "prompted", "decisions", "--prompt", "yesno@1", "--model", "m", *HERE.split()]
    said = refused([*words, "--out", "-"], capfd)
    assert "--out: log and note of a language model lie beside its predictions; name a file" in said


@each_row("name", ["prices.toml", "empty.jsonl", "own.toml", "decisions/receipt.json"])
def test_what_is_read_is_not_written(name: str, built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (built / "own.toml").write_text(named("yesno@1").text)
    words = (
        "predict prompted decisions --model tiny --prompt own.toml --prices prices.toml --replay empty.jsonl"
    )
    assert "is an input of this command" in refused([*words.split(), "--replace", "--out", name], capfd)


def test_another_file_in_the_place_of_the_log_stays(built: Path, server: ChatServer) -> None:
    Path("llm.calls.jsonl").write_text("my notes")
    with pytest.raises(InputError, match=r"llm\.calls\.jsonl: is no log of calls"):
        predict(endpoint=server.url)
    assert Path("llm.calls.jsonl").read_text() == "my notes"
    assert server.asked == []
