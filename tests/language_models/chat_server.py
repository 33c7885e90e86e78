"""A small server that speaks as much of OpenAI's interface as tests need, and misbehaves on demand."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Asked = dict[str, Any]
# (what is asked, the request) → the reply's text, or None where the function itself has answered.
Answer = Callable[[Asked, BaseHTTPRequestHandler], str | None]


class ChatServer:
    """url: for --endpoint. asked: the bodies of all requests. headers: of all requests."""

    def __init__(self, answer: Answer, finish: str = "stop", model: str = "") -> None:
        self.asked: list[Asked] = []
        self.headers: list[Mapping[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(asked)
                outer.headers.append(dict(self.headers))
                text = answer(asked, self)
                if text is not None:
                    send(self, completion(text, finish, model or asked["model"]))

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                if not isinstance(sys.exception(), OSError | json.JSONDecodeError):  # who asked has gone
                    super().handle_error(request, client_address)

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @contextmanager
    def running(self) -> Generator[ChatServer]:
        thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()


def completion(text: str, finish: str = "stop", model: str = "tiny") -> dict[str, Any]:
    """What a server answers. Tokens are words."""
    message = {"role": "assistant", "content": text}
    return {
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 10, "completion_tokens": len(text.split())},
    }


def send(
    request: BaseHTTPRequestHandler,
    body: Any,
    status: int = 200,
    kind: str = "application/json",
    **headers: str,
) -> None:
    """Answer a request. body: bytes as they are, or what becomes JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request.send_response(status)
    request.send_header("Content-Type", kind)
    request.send_header("Content-Length", str(len(data)))
    for name, value in headers.items():
        request.send_header(name.replace("_", "-"), value)
    request.end_headers()
    request.wfile.write(data)
