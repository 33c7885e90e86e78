"""Requests that may mean two things or are too large, sent as bytes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.web.apps import started, talk

from anagnosis.web import strict_requests

# What is sent, and how the answer begins.
HARDLY_HTTP = {
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n": b"HTTP/1.1 400 ",
    b"GET / HTTP/1.1\r\nHost: [::1]\r\n" + b"X: " + b"a" * 60_000: b"HTTP/1.1 4",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n": b"HTTP/1.1 404 ",
    b"GET http://evil/ HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n": b"HTTP/1.1 ",
    b"GET /?q=tea HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 99999999\r\n\r\n": b"HTTP/1.1 413 ",
    b"GET /?q=\xff\x80 HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n": b"HTTP/1.1 ",
    # Chunks have no place in HTTP/1.0, and are right alone in 1.1.
    b"POST /health HTTP/1.0\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": b"HTTP/1.1 400 ",
    b"GET /health HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": (
        b"HTTP/1.1 200 "
    ),
}


def test_what_is_hardly_http_is_refused(address: str) -> None:
    answers = {sent: talk(address, sent) for sent in HARDLY_HTTP}
    assert {sent[:60]: found[: len(HARDLY_HTTP[sent])] for sent, found in answers.items()} == {
        sent[:60]: expected for sent, expected in HARDLY_HTTP.items()
    }
    assert [sent[:60] for sent, found in answers.items() if b" 500 " in found[:20] or b"root:" in found] == []


def sized(total: int, *, each: int = 8_000) -> bytes:
    """A whole request whose line and headers have so many bytes, the blank line left out."""
    found = b"GET /health HTTP/1.1\r\nHost: [::1]\r\n"
    while (left := total - len(found)) > 0:
        filled = left if left <= each + 20 else each
        found += b"X-Filled: " + b"a" * (filled - len(b"X-Filled: \r\n")) + b"\r\n"
    assert len(found) == total
    return found + b"\r\n"


def test_headers_are_counted_though_they_arrive_at_once(address: str) -> None:
    """h11 counts only what waits for its end. What stands behind them in the same bytes is not answered."""
    second = b"GET /health HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"
    most = strict_requests.LONGEST_HEADERS
    for each in (50, 8_000, 70_000):
        answered = talk(address, sized(most, each=each) + second)
        assert answered.count(b"HTTP/1.1 200 OK") == 2, each
        for total in (most + 1, 60_000):
            refused = talk(address, sized(total, each=each) + second)
            assert refused.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n"), (each, total)
            assert refused.count(b"HTTP/1.1 ") == 1
            assert b"connection: close" in refused.lower()
            assert b"content-security-policy: default-src 'none'" in refused.lower()


FRAMED_TWICE = (
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    b"content-length: 0\r\nX: y\r\nTRANSFER-ENCODING: chunked\r\n",
    b"Transfer-Encoding: identity\r\nContent-Length: 5\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    b"Transfer-Encoding: chunked, chunked\r\n",
    b"Content-Length: 5\r\nContent-Length: 6\r\n",
    b"Content-Length: +5\r\n",
)


def test_a_request_whose_end_is_told_twice_is_refused_and_hung_up_on(address: str) -> None:
    hidden = b"0\r\n\r\nGET /api/search?q=tea HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"
    wrong = list[tuple[bytes, bytes]]()
    for method in (b"GET", b"POST"):
        for headers in FRAMED_TWICE:
            sent = method + b" /health HTTP/1.1\r\nHost: [::1]\r\n" + headers + b"\r\n" + hidden
            found = talk(address, sent)
            refused = found.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 501 "))
            if not refused or found.count(b"HTTP/1.1 ") != 1 or b"connection: close" not in found.lower():
                wrong.append((headers, found))
    assert wrong == []


def test_refused_requests_write_nothing_of_theirs_into_the_log(folder: Path) -> None:
    process, address = started(folder)
    for sent in (
        b"GET /\x1b[2J HTTP/1.1\r\nHost: [::1]\r\nX-Request-ID: a\x1b]0;owned\r\nConnection: close\r\n\r\n",
        b'GET /%0a{"event":"owned"} HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n',
        b"GET /?q=%1b%5b2Jowned HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n",
        b"OWNED\x1b / HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: owned\x1b\r\nConnection: close\r\n\r\n",
        sized(40_000),
    ):
        talk(address, sent)
    process.terminate()
    _, log = process.communicate(timeout=10)
    events = {json.loads(line)["event"] for line in log.splitlines()}
    assert events == {"start", "request", "Invalid HTTP request received.", "end"}
    assert "owned" not in log.lower()
    assert log.isascii()
    assert "\x1b" not in log
