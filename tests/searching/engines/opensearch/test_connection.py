"""A file that says where a cluster is, and servers that answer otherwise than OpenSearch: each ends in one line."""

from __future__ import annotations

import io
import json
import logging
import shutil
import ssl
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row

pytest.importorskip("opensearchpy", reason="the extra opensearch is not installed")

from anagnosis import api
from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch.connection import Cluster, Connection, read_connection
from anagnosis.searching.engines.opensearch.replies import Cause
from anagnosis.searching.engines.opensearch.searches import counted, many, with_any

SECRET = "correct-horse-battery"
HOSTS = 'hosts = ["http://127.0.0.1:9200"]\n'
Answer = Callable[[BaseHTTPRequestHandler], tuple[int, str]]


@contextmanager
def server(answer: Answer, secure: ssl.SSLContext | None = None) -> Generator[str]:
    """The address of a server that answers so. secure: with its certificate."""

    class Handler(BaseHTTPRequestHandler):
        def reply(self) -> None:
            status, text = answer(self)
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if text.startswith("<!") else "application/json")
            self.end_headers()
            self.wfile.write(text.encode(errors="surrogateescape"))

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    for method in ("GET", "PUT", "POST"):
        setattr(Handler, f"do_{method}", Handler.reply)
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if secure is not None:
        made.socket = secure.wrap_socket(made.socket, server_side=True)
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http{'s' if secure else ''}://127.0.0.1:{made.server_port}"
    finally:
        made.shutdown()
        made.server_close()


@each_row(
    "text, said",
    [
        ("hosts = [", "cannot be read"),
        (HOSTS, "index"),
        ('index = "papers"\n', "hosts"),
        ('hosts = []\nindex = "papers"\n', "hosts"),
        (f'{HOSTS}index = "Papers"\n', "index"),
        (f'{HOSTS}index = "papers,others"\n', "index"),
        (f'{HOSTS}index = "papers"\nshards = 0\n', "shards"),
        (f'{HOSTS}index = "papers"\nreplicas = "one"\n', "replicas"),
        (f'{HOSTS}index = "papers"\npassword = "{SECRET}"\n', "password"),
        ('hosts = ["127.0.0.1:9200"]\nindex = "papers"\n', "is no address that can be used: 127.0.0.1:9200"),
        ('hosts = ["ftp://127.0.0.1"]\nindex = "papers"\n', "is no address that can be used"),
        ('hosts = ["https://node:92000"]\nindex = "papers"\n', "is no address that can be used"),
        ('hosts = ["http://node.example:9200"]\nindex = "papers"\n', "plain http goes to this machine only"),
        ('hosts = ["http://10.0.0.1:9200"]\nindex = "papers"\n', "plain http goes to this machine only"),
        (f'hosts = ["https://me:{SECRET}@node:9200"]\nindex = "papers"\n', "without user or password"),
        (
            f'hosts = ["me:{SECRET}@node:9200"]\nindex = "papers"\n',
            "is no address that can be used: node:9200",
        ),
        (
            f'hosts = ["https://me:{SECRET}@node:92000"]\nindex = "papers"\n',
            "is no address that can be used: node:92000",
        ),
    ],
)
def test_a_file_that_names_no_cluster_is_refused(text: str, said: str, tmp_path: Path) -> None:
    place = tmp_path / "cluster.toml"
    place.write_text(text)
    with pytest.raises(InputError) as refused:
        read_connection(place)
    line = str(refused.value)
    assert said in line
    assert "cluster.toml" in line
    assert SECRET not in line


def test_over_https_any_host_may_be_named(tmp_path: Path) -> None:
    place = tmp_path / "cluster.toml"
    place.write_text('hosts = ["https://node.example:9200"]\nindex = "papers"\n')
    assert read_connection(place).hosts == ("https://node.example:9200",)


def test_files_beside_it_are_named_from_it(tmp_path: Path) -> None:
    place = tmp_path / "cluster.toml"
    place.write_text(f'{HOSTS}index = "papers"\nca = "ca.pem"\npassword_file = "word"\n')
    read = read_connection(place)
    assert (read.ca, read.password_file) == (str(tmp_path / "ca.pem"), str(tmp_path / "word"))


def _says(status: int, text: str) -> Answer:
    return lambda request: (status, text)


_CAUSE = json.dumps({"error": {"type": "security_exception", "reason": "no permissions for [x]"}})
_ELASTICSEARCH = json.dumps({"cluster_name": "c", "version": {"number": "8.1.0"}})
_OLD = json.dumps({"cluster_name": "c", "version": {"number": "1.3.0", "distribution": "opensearch"}})


@each_row(
    "answer, said",
    [
        (_says(200, _ELASTICSEARCH), "is not OpenSearch 2.19 or later, but another server 8.1.0"),
        (_says(200, _OLD), "is not OpenSearch 2.19 or later, but opensearch 1.3.0"),
        (_says(200, "<html>Welcome</html>"), "answers what OpenSearch would not"),
        (_says(200, "<!doctype html>"), "answers what OpenSearch would not (Unknown mimetype"),
        (_says(404, "[]"), "answers what OpenSearch would not"),
        (_says(200, "[]"), "answers what OpenSearch would not"),
        (_says(200, '{"cluster_name": "\udcff"}'), "no node answers"),
        (_says(301, "<!doctype html>"), "the cluster answers 301"),
        (_says(401, "<!doctype html>"), "the cluster answers 401"),
        (_says(200, ""), "answers what OpenSearch would not"),
        (_says(200, "{}"), "answers what OpenSearch would not"),
        (_says(200, "[" * 100_000), "answers what OpenSearch would not"),
        (_says(200, '{"cluster_name": "c", "version": ' + '{"a":' * 50_000), "answers what OpenSearch would not"),
        (_says(401, "Unauthorized"), "the cluster answers 401; check user and password"),
        (_says(403, _CAUSE), "the cluster answers 403 (no permissions for [x]); let the user do it"),
        (_says(403, "<html>"), "the cluster answers 403"),
        (_says(502, "<html>Bad gateway"), "the cluster answers 502"),
        (_says(503, "[" * 100_000), "answers what OpenSearch would not"),
    ],
)  # fmt: skip
def test_another_server_is_told_in_one_line(answer: Answer, said: str) -> None:
    with server(answer) as host, pytest.raises(InputError) as refused:
        _ = Cluster(Connection((host,), "papers")).line
    line = str(refused.value)
    assert line.startswith(f"papers at {host}: ")
    assert said in line
    assert len(line) < 250


_WHOLE = {"_shards": {"total": 1, "successful": 1}}
_NONE = {"hits": {"hits": []}}
_STRANGE = "answers what OpenSearch would not "


def _found(cluster: Cluster) -> object:
    return many(cluster, [{}])


@each_row(
    "ask, reply, said",
    [
        (
            lambda cluster: many(cluster, [counted({}, names={})]),
            {**_WHOLE, **_NONE},
            f"{_STRANGE}(no names in",
        ),
        (lambda cluster: many(cluster, [{}, {}]), {**_WHOLE, **_NONE}, f"{_STRANGE}(1 replies to 2 searches"),
        (
            lambda cluster: [*with_any(cluster, "name", ["1"])],
            {**_WHOLE, "hits": {"hits": [{"_source": {"stored": 7}}]}},
            f"{_STRANGE}(Expected `str`, got `int` - at",
        ),
        (_found, _WHOLE, f"{_STRANGE}(no hits in"),
        (_found, _NONE, "0 of 1 shards answered"),
        (_found, {"error": {"reason": "odd"}}, "the cluster answers 503 (odd)"),
    ],
    ids=("an aggregation", "one of two", "another paper", "hits", "shards", "a status"),
)
def test_an_answer_without_what_was_asked_is_told_in_one_line(
    ask: Callable[[Cluster], object], reply: dict[str, Any], said: str
) -> None:
    answer = _says(200, json.dumps({"responses": [reply]}))
    with server(answer) as address, pytest.raises(InputError) as fault:
        ask(Cluster(Connection((address,), "papers")))
    assert f"papers at {address}: {said}" in str(fault.value)


def test_a_server_that_hangs_is_waited_for_up_to_the_limit() -> None:
    ended = threading.Event()

    def hang(request: BaseHTTPRequestHandler) -> tuple[int, str]:
        ended.wait(30)
        return 200, "{}"

    with server(hang) as host:
        cluster = Cluster(Connection((host,), "papers"))
        with pytest.raises(InputError, match="no node answers; check that its nodes run"):
            cluster.send("GET", "/", seconds=0.1)
        ended.set()


def test_another_node_is_asked_where_one_does_not_answer() -> None:
    with server(_says(200, "{}")) as gone:
        pass
    about = json.dumps({"cluster_name": "c", "version": {"number": "3.8.0", "distribution": "opensearch"}})
    with server(_says(200, about)) as host:
        assert Cluster(Connection((gone, host), "papers")).line == 3


def test_the_password_stands_in_no_message_file_or_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("CLUSTER_PASSWORD", SECRET)
    paper, place, out = tmp_path / "a.pubtator", tmp_path / "cluster.toml", tmp_path / "all"
    paper.write_text("1|t|Tea\n1|a|Tea helps.\n\n")
    seen: list[str] = []

    def repeat(request: BaseHTTPRequestHandler) -> tuple[int, str]:
        seen.append(request.headers.get("Authorization", ""))
        return 500, json.dumps({"error": {"type": "oops", "reason": "went wrong"}})

    printed = io.StringIO()
    with server(repeat) as host, redirect_stderr(printed), redirect_stdout(printed):
        place.write_text(
            f'hosts = ["{host}"]\nindex = "papers"\nuser = "me"\npassword_env = "CLUSTER_PASSWORD"\n'
        )
        assert run(["index", str(paper), "--out", str(out), "--connection", str(place)]) == 2
        with pytest.raises(InputError) as refused:
            api.index([paper], out, connection=place)
    assert seen[0].startswith("Basic ")
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    for text in (printed.getvalue(), str(refused.value), repr(refused.value), written, caplog.text):
        assert SECRET not in text
        assert seen[0].removeprefix("Basic ") not in text


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no program openssl, which makes certificates")
@each_row(
    "host, days, trusted, fault",
    [
        ("IP:127.0.0.1", 2, True, ""),
        ("IP:127.0.0.1", 2, False, "self-signed certificate"),
        ("DNS:elsewhere.example", 2, True, "IP address mismatch"),
        ("IP:127.0.0.1", 0, True, "certificate has expired"),
    ],
)
def test_a_certificate_that_is_not_trusted_is_named_and_gets_no_password(
    host: str, days: int, trusted: bool, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=node -keyout key -out request -addext"
    sign = f"x509 -req -in request -signkey key -copy_extensions copy -out node.pem -days {days}"
    for words in ([*new.split(), f"subjectAltName={host}"], sign.split()):
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "node.pem", tmp_path / "key")
    monkeypatch.setenv("CLUSTER_PASSWORD", SECRET)
    seen: list[str] = []

    def answer(request: BaseHTTPRequestHandler) -> tuple[int, str]:
        seen.append(request.headers["Authorization"])
        return 200, "{}"

    with server(answer, context) as address:
        ca = str(tmp_path / "node.pem") if trusted else ""
        cluster = Cluster(Connection((address,), "papers", ca=ca, user="me", password_env="CLUSTER_PASSWORD"))
        if fault:
            with pytest.raises(
                InputError, match=f"the certificate is not trusted .*{fault}.*; name the right `ca`"
            ):
                cluster.send("GET", "/")
        else:
            cluster.send("GET", "/")
    assert len(seen) == (not fault)
    with server(answer, context) as address, pytest.raises(InputError) as refused:
        Cluster(Connection((f"http{address[5:]}",), "papers")).send("GET", "/")
    assert f"speaks TLS, and is asked in plain http; write it as {address} in `hosts`" in str(refused.value)


@each_row(
    "keys, said",
    [
        ('password_env = "NOT_SET"', "no password for me; set NOT_SET to it"),
        ("", "no password for me; set password_env to it"),
        ('password_file = "gone"', "gone"),
    ],
)
def test_a_user_without_a_password_is_told(
    keys: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    place = tmp_path / "cluster.toml"
    place.write_text(f'{HOSTS}index = "papers"\nuser = "me"\n{keys}\n')
    with pytest.raises(InputError) as refused:
        _ = Cluster(read_connection(place)).line
    assert said in str(refused.value)


@each_row(
    "status, kind, reason, said",
    [
        (
            503,
            "search_phase_execution_exception",
            None,
            "503 (search_phase_execution_exception); start the nodes",
        ),
        (429, "cluster_block_exception", "disk", "429 (disk); free disk space"),
        (
            404,
            "index_not_found_exception",
            "no such index [x]",
            "404 (no such index [x]); make the index again",
        ),
    ],
)
def test_a_refusal_says_the_clusters_reason_and_what_to_do(
    status: int, kind: str, reason: str | None, said: str
) -> None:
    cluster = Cluster(Connection(("http://127.0.0.1:9200",), "papers"))
    assert f"the cluster answers {said}" in str(cluster.refused(status, Cause(kind, reason)))
