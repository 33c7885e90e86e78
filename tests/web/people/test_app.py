"""The application of people's pages: tokens, what may be sent, and what is kept of it."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient
from tests.disk import full_after

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoded
from anagnosis.labelling.participant import Participant
from anagnosis.labelling.people import Person
from anagnosis.labelling.saved_file import LONGEST_LINE, Line
from anagnosis.web.hosts import Hosts
from anagnosis.web.people.app import people_app

ANN, BEA = "a" * 32, "b" * 32
HOST = "http://localhost:8000"
OURS = {"Origin": HOST}


def check(data: bytes, where: str) -> Line:
    line = decoded(data, Line, where, "load the page again")
    if line.get("id") not in ("1", "2"):
        raise InputError("is no question of these sheets", where, "take it away")
    return line


def line(ident: str, answer: str | None, seconds: float) -> Line:
    return {"id": ident, "answer": answer, "seconds": seconds}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def opened(folder: Path, rate: float = 0, named: Hosts | None = None) -> TestClient:
    people = {
        token: Participant(
            Person(name), f"<p>{name}".encode, check, folder / Person(name).saved("answers"), 2
        )
        for token, name in ((ANN, "ann"), (BEA, "bea"))
    }
    return TestClient(people_app(people, rate, named), HOST, follow_redirects=False)


@pytest.fixture
def client(folder: Path) -> Generator[TestClient]:
    with opened(folder) as made:
        yield made


def post(client: TestClient, given: Line, since: float = 0, token: str = ANN, **headers: str) -> Any:
    return client.post(f"/{token}/answers", json={"line": given, "since": since}, headers=OURS | headers)


def kept(folder: Path, name: str = "ann") -> list[Line]:
    return [json.loads(each) for each in (folder / f"answers-{name}.jsonl").read_text().splitlines()]


def test_each_token_has_a_page_and_answers_of_its_own(client: TestClient, folder: Path) -> None:
    assert [client.get(f"/{token}/").text for token in (ANN, BEA)] == ["<p>ann", "<p>bea"]
    assert client.get(f"/{ANN}/").headers["content-type"] == "text/html; charset=utf-8"
    assert post(client, line("1", "x", 2)).json() == {"line": line("1", "x", 2)}
    post(client, line("1", "y", 3), token=BEA)
    assert client.get(f"/{ANN}/answers").json() == {"lines": [line("1", "x", 2)]}
    assert client.get(f"/{BEA}/answers").json() == {"lines": [line("1", "y", 3)]}
    assert (kept(folder), kept(folder, "bea")) == ([line("1", "x", 2)], [line("1", "y", 3)])
    redirect = client.get(f"/{ANN}")
    assert (redirect.status_code, redirect.headers["location"]) == (307, f"{ANN}/")


def test_who_leaves_during_a_post_is_no_crash_and_keeps_nothing(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    parts = iter(
        [
            {"type": "http.request", "body": b'{"line": {"id": "1"', "more_body": True},
            {"type": "http.disconnect"},
        ]
    )
    headers = {"host": "localhost:8000", "origin": HOST, "content-type": "application/json"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/{ANN}/answers",
        "raw_path": b"",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Any] = []

    async def receive() -> Any:
        return next(parts)

    async def send(message: Any) -> None:
        sent.append(message)

    # In a thread: a browser of other tests keeps a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, opened(folder).app(scope, receive, send)).result()
    assert sent == []
    assert [record.getMessage() for record in caplog.records if record.name == "anagnosis.web"] == ["request"]
    assert not [*folder.glob("answers-*")]


PATHS = ("/", "/answers", "/favicon.ico", f"/{'c' * 32}/", f"/{'c' * 32}", f"/{ANN}x/", f"/{ANN[:-1]}/",
         f"/{ANN}/drawn.json", f"/{ANN}/../bea/", f"/{ANN}//", "/%ff/", "/ü/", f"/{ANN.upper()}/")  # fmt: skip


def test_any_other_path_is_not_found(client: TestClient) -> None:
    said = "no such page; open the link that you were given, to its last letter\n"
    answers = {path: client.get(path) for path in PATHS}
    assert {path: (answer.status_code, answer.text) for path, answer in answers.items()} == dict.fromkeys(
        PATHS, (404, said)
    )


def test_other_methods_are_refused(client: TestClient) -> None:
    each = list(product(("PUT", "DELETE", "PATCH", "OPTIONS"), (f"/{ANN}/", f"/{ANN}/answers")))
    answers = [client.request(method, path) for method, path in each]
    assert [answer.status_code for answer in answers] == [405] * len(each)
    assert all("GET" in answer.headers["allow"] for answer in answers)


def test_a_page_is_not_cached_nor_framed_and_has_the_headers_of_every_page(client: TestClient) -> None:
    headers = client.get(f"/{ANN}/").headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])
    (policy,) = headers.get_list("content-security-policy")
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert client.get("/x").headers.get_list("content-security-policy")[0].count("script-src 'self'") == 1


# Headers of requests that send an answer.
OF_OUR_PAGE = (
    {"Origin": HOST},
    {"Origin": HOST, "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
)
OF_OTHERS = (
    {},
    {"Origin": "null"},
    {"Origin": "http://localhost:8001"},
    {"Origin": "http://evil.example"},
    {"Origin": "http://localhost:8000.evil.example"},
    {"Origin": "localhost:8000"},
    {"Origin": HOST, "Sec-Fetch-Site": "cross-site"},
    {"Origin": HOST, "Sec-Fetch-Site": "same-site"},
    {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
)


def test_only_the_page_of_this_server_may_send(client: TestClient, folder: Path) -> None:
    def statuses(senders: Sequence[dict[str, str]]) -> list[int]:
        given = {"line": line("1", "x", 2)}
        return [client.post(f"/{ANN}/answers", json=given, headers=one).status_code for one in senders]

    assert statuses(OF_OTHERS) == [403] * len(OF_OTHERS)
    assert list(folder.iterdir()) == []
    assert statuses(OF_OUR_PAGE) == [200] * len(OF_OUR_PAGE)
    assert kept(folder) == [line("1", "x", 2)]


def test_only_json_is_taken(client: TestClient, folder: Path) -> None:
    data = json.dumps({"line": line("1", "x", 2)})

    def status(kind: str) -> int:
        headers = OURS | {"Content-Type": kind}
        return client.post(f"/{ANN}/answers", content=data, headers=headers).status_code

    others = ("text/plain", "application/x-www-form-urlencoded", "", "application/jsonx")
    assert {kind: status(kind) for kind in others} == dict.fromkeys(others, 415)
    assert list(folder.iterdir()) == []
    assert status("Application/JSON; charset=utf-8") == 200


BODIES = (b"", b"{", b"[]", b"null", b'{"line": {"id": "1"}, "since": -1}', b'{"since": 1}', b'{"line": 1, "x": 1}',
          b'{"line": {"id": "1"}, "since": "2"}', b"[" * 50_000, b'{"line": "\xff"}',
          b'{"line": {}, "since": 1e999}')  # fmt: skip


def test_what_no_page_sends_is_refused(client: TestClient, folder: Path, subtests: pytest.Subtests) -> None:
    headers = OURS | {"Content-Type": "application/json"}
    for body in BODIES:
        with subtests.test(body=body[:40]):
            answer = client.post(f"/{ANN}/answers", content=body, headers=headers)
            assert answer.status_code == 400
            assert answer.json()["what"].startswith(("is no answer of a page (", "an object is wanted"))
    assert list(folder.iterdir()) == []


def test_a_body_is_bounded_also_where_it_comes_in_chunks(client: TestClient, folder: Path) -> None:
    headers = OURS | {"Content-Type": "application/json"}
    large = json.dumps({"line": line("1", "x" * (LONGEST_LINE + 2_000), 2)}).encode()
    answer = client.post(f"/{ANN}/answers", content=large, headers=headers)
    assert (answer.status_code, answer.json()["remedy"]) == (413, "send one answer")
    chunks = (large[at : at + 1_000] for at in range(0, len(large), 1_000))
    answer = client.post(f"/{ANN}/answers", content=chunks, headers=headers)
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
    assert list(folder.iterdir()) == []


def test_seconds_that_another_tab_added_are_kept(client: TestClient, folder: Path) -> None:
    assert post(client, line("1", "x", 10), 0).json()["line"]["seconds"] == 10
    # A second tab, open since before: it knows of 4 seconds of its own.
    assert post(client, line("1", "y", 4), 0).json()["line"] == line("1", "y", 14)
    # The first tab counted 3 more since it sent its 10.
    assert post(client, line("1", "z", 13), 10).json()["line"] == line("1", "z", 17)
    # It has adopted the 17, and counts on.
    assert post(client, line("1", "x", 17.3), 17).json()["line"] == line("1", "x", 17.3)
    assert [each["seconds"] for each in kept(folder)] == [10, 14, 17, 17.3]


def test_an_answer_that_is_sent_again_after_a_lost_reply_adds_nothing(
    client: TestClient, folder: Path
) -> None:
    for _ in range(3):
        assert post(client, line("1", "x", 10), 0).json()["line"] == line("1", "x", 10)
    for _ in range(3):
        assert post(client, line("1", "y", 4), 0).json()["line"] == line("1", "y", 14)
    assert kept(folder) == [line("1", "x", 10), line("1", "y", 14)]


def test_seconds_never_become_fewer(client: TestClient) -> None:
    post(client, line("1", "x", 10), 0)
    assert post(client, line("1", "y", 2), 10).json()["line"] == line("1", "y", 10)


def test_on_a_full_disk_an_answer_is_refused_with_a_message_and_taken_later(
    client: TestClient, folder: Path
) -> None:
    post(client, line("1", "x", 10))
    with full_after((folder / "answers-ann.jsonl").stat().st_size + 5):
        answer = post(client, line("2", "y", 3))
    assert answer.status_code == 507
    assert answer.json()["what"] == "the answer could not be written: file too large"
    assert kept(folder) == [line("1", "x", 10)]
    assert client.get(f"/{ANN}/answers").json() == {"lines": [line("1", "x", 10)]}
    assert post(client, line("2", "y", 3)).json() == {"line": line("2", "y", 3)}
    assert kept(folder) == [line("1", "x", 10), line("2", "y", 3)]


def test_each_person_has_a_limit_of_rate_and_strangers_share_one(folder: Path) -> None:
    with opened(folder, rate=0.25) as client:
        assert [client.get(f"/{token}/").status_code for token in (ANN, ANN, BEA)] == [200, 429, 200]
        assert [client.get(f"/{c * 32}/").status_code for c in "cd"] == [404, 429]
        limited = post(client, line("1", "x", 1))
        assert (limited.status_code, limited.json()["what"]) == (429, "too many requests")
        assert int(limited.headers["retry-after"]) > 0


def test_another_host_name_is_refused(folder: Path) -> None:
    with opened(folder, named=Hosts(frozenset({"ours.example"}))) as client:
        statuses = [
            client.get(f"/{ANN}/", headers={"Host": f"{name}.example"}).status_code
            for name in ("ours", "evil")
        ]
    assert statuses == [200, 421]


def test_no_log_line_holds_a_token_a_name_or_an_answer(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "anagnosis.web")
    for path in (f"/{ANN}/", f"/{ANN}/answers", f"/{ANN}", f"/{ANN}/x"):
        client.get(path)
    post(client, line("1", "secretive", 1))
    post(client, line("9", "secretive", 1))
    text = "\n".join(str(vars(record)) for record in caplog.records)
    assert [vars(record)["fields"]["route"] for record in caplog.records] == [
        "page", "answers", "page", "other", "answers", "answers",
    ]  # fmt: skip
    for word in (ANN, "ann", "secretive"):
        assert word not in text
