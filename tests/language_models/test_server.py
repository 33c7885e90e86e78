"""A server that misbehaves: each fault is one clear line or a reply, in bounded time, and nothing holds the key."""

from __future__ import annotations

import gzip
import json
import logging
import re
import socket
import time
import traceback
import tracemalloc
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any

import msgspec
import pytest
from tests.language_models.chat_server import Answer, ChatServer, completion, send
from tests.web.apps import in_a_loop

from anagnosis.errors import InputError, UnavailableError
from anagnosis.language_models.calls import Call, Message, Reply
from anagnosis.language_models.server import KEY, LARGEST, Server, server

SECRET = "sk-test/0123+4567"
CALL = Call("tiny", (Message("user", "Which gene?"),), most=8, seed=3)
ONCE = {"x_should_retry": "false"}
SOON = {"retry_after_ms": "1"}
LONG = LARGEST * 5 // 2


def asked(chat: ChatServer, seconds: float = 20, key: str = SECRET) -> Reply:
    """What one call brings."""

    async def ask() -> Reply:
        async with Server(chat.url, key, seconds=seconds).connected() as ask:
            return await ask(CALL)

    return in_a_loop(ask)


def replying(body: Any, status: int = 200, kind: str = "application/json", **headers: str) -> Answer:
    def answer(_asked: Mapping[str, Any], request: BaseHTTPRequestHandler) -> None:
        try:
            send(request, body, status, kind, **headers)
        except OSError:  # nobody reads it to its end
            request.close_connection = True

    return answer


def with_choice(**fields: Any) -> dict[str, Any]:
    """A completion with other fields in its only choice."""
    made = completion("MECP2")
    made["choices"][0].update(fields)
    return made


def dripping(_asked: Mapping[str, Any], request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    try:
        for _ in range(50):
            request.wfile.write(b" ")
            time.sleep(0.05)
    except OSError:
        request.close_connection = True


def broken_off(_asked: Mapping[str, Any], request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(b'{"choices": [')
    request.close_connection = True


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """openai waits for milliseconds before it tries again."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)


def test_call_and_reply() -> None:
    with ChatServer(lambda *_: "MECP2 it is", finish="length").running() as chat:
        reply = asked(chat)
    assert msgspec.structs.replace(reply, seconds=0.0) == Reply("MECP2 it is", "length", "tiny", 10, 3)
    assert chat.asked == [
        {
            "model": "tiny",
            "messages": [{"role": "user", "content": "Which gene?"}],
            "max_tokens": 8,
            "temperature": 0.0,
            "seed": 3,
        }
    ]


NO_SERVER = "answers what no chat server would"
FAULTS: dict[str, tuple[Answer, str]] = {
    "HTML": (replying(b"<html>Welcome", kind="text/html"), rf"{NO_SERVER} \(<html>Welcome\)"),
    "cut JSON": (replying(json.dumps(completion("MECP2")).encode()[:60]), NO_SERVER),
    "no JSON for a second": (replying(b""), rf"{NO_SERVER} \(\)"),
    "10 MB": (replying(b" " * LONG), "a reply has more than 4 MiB"),
    "10 MB of an error": (replying(b"x" * LONG, 400), "a reply has more than 4 MiB"),
    "10 MB of an error that may pass": (replying(b"x" * LONG, 500, **SOON), "a reply has more than 4 MiB"),
    "a bomb": (
        replying(gzip.compress(b" " * (64 << 20)), content_encoding="gzip"),
        f"{NO_SERVER}|more than 4 MiB",
    ),
    "a slow drip": (dripping, "no reply within 0.3 seconds"),
    "broken off": (broken_off, "does not answer .*; start the server"),
    "401": (
        replying({"error": {"message": f"no {SECRET}"}}, 401),
        r"refuses the key \(401\); set ANAGNOSIS_API_KEY",
    ),
    "403": (replying({}, 403), r"refuses the key \(403\)"),
    "endless 429": (
        replying({"error": {"message": "slow down"}}, 429, **SOON),
        r"answers 429 \(slow down\); the replies",
    ),
    "429 for an hour": (replying({}, 429, retry_after="3600"), "answers 429 .*; the replies so far"),
    "429 for a minute": (
        replying({}, 429, retry_after="60"),
        "no reply within 0.3 seconds; the replies so far",
    ),
    "endless 500": (replying(b"oh", 500, **SOON), r"answers 500 \(oh\)"),
    "wrong model": (
        replying({"error": {"message": "no model tiny"}}, 404),
        r"answers 404 \(no model tiny\); see whether it has this model",
    ),
    "wrong path": (replying({"detail": "Not Found"}, 404), r"answers 404 \({'detail': 'Not Found'}\)"),
    "redirect to nowhere": (replying(b"", 302), r"sends us to another address \(nowhere\)"),
    "an error in a reply": (replying({"error": {"message": "busy"}}), f"{NO_SERVER} .*busy"),
    "no choices": (replying({**completion(""), "choices": []}), NO_SERVER),
    "two choices": (replying({**completion(""), "choices": completion("A")["choices"] * 2}), NO_SERVER),
    "no message": (replying({"choices": [{}]}), NO_SERVER),
    "negative counts": (replying({**completion("A"), "usage": {"prompt_tokens": -1}}), NO_SERVER),
    "huge counts": (replying({**completion("A"), "usage": {"prompt_tokens": 10**30}}), NO_SERVER),
    "no number": (replying({**completion("A"), "usage": {"prompt_tokens": float("nan")}}), NO_SERVER),
    "nested": (replying(b'{"choices": ' + b"[" * 100_000), NO_SERVER),
    "no UTF-8": (replying(b'{"choices": [{"message": {"content": "\xff"}}]}'), NO_SERVER),
    "half a character": (replying(b'{"choices": [{"message": {"content": "\\ud800"}}]}'), NO_SERVER),
}


@pytest.mark.parametrize(("answer", "line"), FAULTS.values(), ids=FAULTS)
def test_fault_is_one_line_within_its_time(answer: Answer, line: str) -> None:
    started = time.monotonic()
    with ChatServer(answer).running() as chat, pytest.raises(InputError) as raised:
        asked(chat, seconds=0.3 if "no reply" in line else 20)
    assert time.monotonic() - started < 10
    shown = str(raised.value)
    assert re.match(rf"{chat.url}: (?:{line})", shown), shown
    assert "\n" not in shown
    assert len(shown) < 400
    assert isinstance(raised.value, UnavailableError) == bool(
        re.search("no reply|does not answer|429|500", line)
    )
    assert "The above exception" not in "".join(traceback.format_exception(raised.value))


REPLIES: dict[str, tuple[Answer, Reply]] = {
    "null": (replying(with_choice(message={"content": None})), Reply("", "stop", "tiny", 10, 1)),
    "empty": (lambda *_: "", Reply("", "stop", "tiny", 10, 0)),
    "refused": (
        replying(with_choice(message={"refusal": "I cannot"})),
        Reply("I cannot", "refused", "tiny", 10, 1),
    ),
    "filtered": (
        replying(with_choice(finish_reason="content_filter")),
        Reply("MECP2", "refused", "tiny", 10, 1),
    ),
    "unknown finish": (replying(with_choice(finish_reason="eos")), Reply("MECP2", "stop", "tiny", 10, 1)),
    "no usage": (replying({**completion("A"), "usage": None, "model": "big"}), Reply("A", "stop", "big")),
    "another language": (
        lambda *_: "Είναι το γονίδιο MECP2",
        Reply("Είναι το γονίδιο MECP2", "stop", "tiny", 10, 4),
    ),
    "an echo": (
        lambda asked, _: asked["messages"][0]["content"],
        Reply("Which gene?", "stop", "tiny", 10, 2),
    ),
}


@pytest.mark.parametrize(("answer", "reply"), REPLIES.values(), ids=REPLIES)
def test_odd_replies_are_left_to_who_reads_them(answer: Answer, reply: Reply) -> None:
    with ChatServer(answer).running() as chat:
        assert msgspec.structs.replace(asked(chat), seconds=0.0) == reply


TOO_LONG: dict[str, tuple[int, Any]] = {
    "vLLM": (400, {"error": {"message": f"'max_tokens' is too large for the context length 4096. {SECRET}"}}),
    "vLLM, newer": (
        400,
        {"message": "The prompt (length 5000) is longer than the maximum model length of 4096."},
    ),
    "llama.cpp": (400, {"error": {"message": "request (4390 tokens) exceeds the available context size"}}),
    "llama.cpp, while it writes": (500, {"error": {"message": "Context size has been exceeded."}}),
    "llama-cpp-python": (500, {"detail": "Requested tokens (2285) exceed context window of 2048"}),
    "OpenAI": (400, {"error": {"message": "Too many.", "code": "context_length_exceeded"}}),
    "Anthropic": (400, {"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
    "Gemini": (400, [{"error": {"message": "The input token count exceeds the maximum number of tokens"}}]),
    "a proxy": (413, b"maximum context length"),
}


@pytest.mark.parametrize(("status", "body"), TOO_LONG.values(), ids=TOO_LONG)
def test_a_prompt_that_is_too_long_is_a_reply_without_words(status: int, body: Any) -> None:
    with ChatServer(replying(body, status, **ONCE)).running() as chat:
        assert asked(chat) == Reply("", "too-long")
    assert len(chat.asked) == 1, "no parameter is to blame"


@pytest.mark.parametrize("status", [401, 404, 429, 503])
def test_other_errors_that_speak_of_context_end_the_run(status: int) -> None:
    body = {"error": {"message": "this model's context length is for subscribers"}}
    with ChatServer(replying(body, status, **SOON)).running() as chat, pytest.raises(InputError):
        asked(chat)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_request_follows_a_redirect(status: int) -> None:
    with ChatServer(lambda *_: "stolen").running() as other:
        place = f"{other.url}/chat/completions"
        line = r"sends us to another address .*; name that one"
        chat = ChatServer(replying(b"", status, location=place))
        with chat.running(), pytest.raises(InputError, match=line):
            asked(chat)
    assert (len(chat.asked), other.asked) == (1, [])


def test_a_later_try_may_succeed() -> None:
    statuses = iter([429, 500])

    def answer(_asked: Mapping[str, Any], request: BaseHTTPRequestHandler) -> str | None:
        status = next(statuses, None)
        return "MECP2" if status is None else send(request, {}, status, **SOON)

    with ChatServer(answer).running() as chat:
        assert asked(chat).text == "MECP2"
    assert len(chat.asked) == 3


def test_what_a_model_refuses_is_named_otherwise_or_left_out() -> None:
    """Models that think before they reply take neither max_tokens nor another temperature than 1."""

    def answer(given: Mapping[str, Any], request: BaseHTTPRequestHandler) -> str | None:
        for name in ("max_tokens", "temperature"):
            if name in given:
                message = f"Unsupported parameter: '{name}' is not supported with this model."
                send(request, {"error": {"message": message}}, 400)
                return None
        return "MECP2"

    with ChatServer(answer).running() as chat:
        reply = asked(chat)
        *_, last = chat.asked
    assert (reply.text, reply.left_out) == ("MECP2", ("temperature",))
    assert (last["max_completion_tokens"], last["seed"], len(chat.asked)) == (CALL.most, CALL.seed, 3)


def test_a_bomb_is_never_unpacked() -> None:
    with ChatServer(FAULTS["a bomb"][0]).running() as chat:
        tracemalloc.start()
        with pytest.raises(InputError):
            asked(chat)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 8 * LARGEST


SPELLED: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "on two lines": lambda key: f"{key[:9]}\n  {key[9:]}",
    "in JSON": lambda key: "".join(f"\\u{ord(sign):04x}" for sign in key),
    "in JSON, twice": lambda key: "".join(f"\\\\u{ord(sign):04x}" for sign in key),
    "in JSON, a part": lambda key: key.replace("/", "\\u002F"),
    "in HTML": lambda key: key.replace("/", "&#x2f;").replace("+", "&#43;"),
    "in an address": lambda key: key.replace("/", "%2F").replace("+", "%2b"),
}


def echoing(text: str) -> list[Answer]:
    """Each way in which a server may repeat what it got."""
    return [
        lambda *_: f"It is {text}.",
        replying({**completion("A"), "model": text}),
        replying(with_choice(message={"refusal": text})),
        replying(text.encode()),
        replying(f"{' ' * 9_990}{text}".encode()),
        replying(f'{{"error": "{text}"}}'.encode()),
        replying({"error": {"message": f"bad key {text}"}}, 400),
        replying({"error": f"bad key {text}"}, 400),
        replying(f"bad key {text}".encode(), 500, **ONCE),
        replying({}, 200, text if text.isprintable() else "text/plain", x_request_id=text.replace("\n", "")),
        replying(b"", 302, location=f"http://127.0.0.1:1/{text}".replace("\n", "")),
    ]


def with_status_line(text: str) -> Answer:
    def answer(_asked: Mapping[str, Any], request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(f"HTTP/1.1 {text}\r\n\r\n".encode())
        request.close_connection = True

    return answer


@pytest.mark.parametrize("spelled", SPELLED.values(), ids=SPELLED)
def test_no_text_holds_the_key(
    spelled: Callable[[str], str], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG, "openai")
    text, told = spelled(SECRET), ""
    for answer in [*echoing(text), with_status_line(f"200 {text}"), with_status_line(text)]:
        with ChatServer(answer).running() as chat:
            try:
                told += msgspec.json.encode(asked(chat)).decode()
            except InputError as fault:
                told += "".join(traceback.format_exception(fault)) + f"{fault!r}{fault.what}"
    told += caplog.text + "".join(capfd.readouterr())
    closed_up = re.sub(r"\s|\\n", "", told)
    assert "[key]" in told
    assert SECRET not in closed_up
    assert text not in told
    assert SECRET not in repr(Server("https://example.org", SECRET))


def test_a_short_key_may_be_a_word_of_a_reply() -> None:
    with ChatServer(lambda *_: "EMPTY none").running() as chat:
        assert asked(chat, key="EMPTY").text == "EMPTY none"


def test_only_our_key_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        "OPENAI_API_KEY",
        "OPENAI_ADMIN_KEY",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "OPENAI_WEBHOOK_SECRET",
    )
    for name in names:
        monkeypatch.setenv(name, "other-secret")
    headers = (
        "Authorization: Bearer other-secret\nX-Key: other-secret\nHost: other-secret\nCookie: other-secret"
    )
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", headers)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/other-secret")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://other-secret@127.0.0.1:1")
    with ChatServer(lambda *_: "MECP2").running() as chat:
        assert asked(chat).text == "MECP2"
    assert chat.headers[0]["Authorization"] == f"Bearer {SECRET}"
    assert "other-secret" not in str(chat.headers)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "ftp://127.0.0.1:1"),
        ("ALL_PROXY", "socks5://127.0.0.1:1"),
        ("SSL_CERT_FILE", "/nonexistent"),
    ],
)
def test_settings_of_the_environment_that_cannot_be_used(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    async def connect() -> None:
        async with Server("https://example.org/v1", SECRET).connected():
            pass

    with pytest.raises(InputError, match=r"cannot be connected to .*; correct it, or the proxy"):
        in_a_loop(connect)


def test_nobody_answers() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        chat = ChatServer(lambda *_: "")
        chat.url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(UnavailableError, match=r"does not answer .*; start the server, or name another"):
            asked(chat)


def test_addresses_and_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY, raising=False)
    assert server("http://127.0.0.1:8000/v1/") == Server("http://127.0.0.1:8000/v1", "none")
    for endpoint, key_env, line in [
        ("https://example.org/v1", None, f"{KEY}: holds no key; export {KEY}=… before the command"),
        ("http://127.0.0.1:8000", "OTHER", "OTHER: holds no key"),
        ("http://example.org/v1", None, "--endpoint: is no address that can be used"),
        ("https://me:word@example.org", None, "--endpoint: is no address that can be used: example.org"),
        ("https://example.org/v1?key=word", None, "--endpoint: is no address that can be used"),
        ("example.org", None, "--endpoint: is no address"),
    ]:
        with pytest.raises(InputError, match=re.escape(line)) as raised:
            server(endpoint, key_env)
        assert "word@" not in str(raised.value)
        assert "key=word" not in str(raised.value)
    for key in ("two words", "schlüssel", "a\x1bb"):
        monkeypatch.setenv(KEY, key)
        with pytest.raises(InputError, match="holds no key"):
            server("https://example.org/v1")
    monkeypatch.setenv(KEY, f" {SECRET}\n")
    assert server("https://example.org/v1").key == SECRET


def test_openai_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(InputError, match=r'pip install "anagnosis\[llm\]"'):
        server("http://127.0.0.1:1/v1")
