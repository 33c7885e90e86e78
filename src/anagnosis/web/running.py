"""Run an application on a port of this machine until a signal ends it."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
from collections.abc import Generator
from typing import TYPE_CHECKING

from anagnosis.errors import InputError, missing_extra

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HOST, PORT = "127.0.0.1", 8000
_CONNECTIONS = 512
_TO_END = 15  # seconds that running requests have after the signal
_PACKAGES = ("fastapi", "h11", "pydantic", "starlette", "uvicorn")


@contextlib.contextmanager
def needing_web(purpose: str) -> Generator[None]:
    """Turn a failed import of the extra `web` in the block into the InputError that names the extra."""
    try:
        yield
    except ImportError as fault:
        package = (fault.name or "").partition(".")[0]
        if package not in _PACKAGES:
            raise
        raise missing_extra(package, "web", purpose) from fault


@contextlib.contextmanager
def listening(host: str, port: int) -> Generator[tuple[socket.socket, str]]:
    """A socket of this machine and its address (http://127.0.0.1:8000/). port: 0 for any that is free.

    InputError: the port is taken or may not be used, or the host is not this machine's.
    """
    with _socket(host, port) as made:
        port = made.getsockname()[1]
        yield made, f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run(app: ASGIApp, on: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM; what runs then comes to its end."""
    import uvicorn

    from anagnosis.web.logs import config
    from anagnosis.web.strict_requests import StrictRequests

    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=config(),
            access_log=False,
            http=StrictRequests,
            ws="none",
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_TO_END,
        )
    )
    # uvicorn raises the signal again that ended it; an end by a signal is no error.
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[on])
    finally:
        signal.signal(signal.SIGTERM, before)


def _socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except PermissionError as fault:
        raise InputError(f"port {port} may not be used", host, "choose one above 1023 with --port") from fault
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise InputError(f"port {port} is taken", host, "choose another with --port") from fault
        raise InputError("is no address of this machine", host, "check --host") from fault
