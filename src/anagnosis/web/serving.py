"""Run the application on a port until a signal ends it."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Sequence
from typing import Any

from anagnosis.api.arguments import checked
from anagnosis.errors import InputError, missing_extra
from anagnosis.paths import PathLike
from anagnosis.searching.rank.ranking import LEXICAL
from anagnosis.web.hosts import hosts

HOST, PORT = "127.0.0.1", 8000
_CONNECTIONS = 512
_TO_END = 15  # seconds that running requests have after the signal


@checked
def serve(
    folder: PathLike,
    *,
    host: str = HOST,
    allow_hosts: Sequence[str] = (),
    port: int = PORT,
    rate: float | None = None,
    workers: int | None = None,
    readers: PathLike | None = None,
    encoder: str | None = None,
    device: str = "auto",
    threads: int | None = None,
    ready: Callable[[str, Any], None] = lambda address, counts: None,
) -> None:
    """The page and the API over an index, until SIGINT or SIGTERM; what runs then comes to its end.

    port: 0 for any that is free. allow_hosts: names it answers to beside that of its address (hosts.py). rate, workers:
    of limits.Limits. readers: a folder of trained ones (api.load_readers); device, threads: where they compute.
    encoder: of the index's vectors, where it lies elsewhere now. ready: called with the address and the counts of the
    collection, before the first request. Refused: no index, no such readers, a port that is taken, a host that is not
    this machine's, what is no name of a host.
    """
    try:
        import uvicorn

        from anagnosis.web.app import web_app
        from anagnosis.web.limits import RATE, Limits
        from anagnosis.web.logs import config
        from anagnosis.web.strict_requests import StrictRequests
    except ImportError as fault:
        if (fault.name or "").partition(".")[0] not in ("fastapi", "h11", "pydantic", "starlette", "uvicorn"):
            raise
        raise missing_extra(str(fault.name), "web", "the page") from fault
    from anagnosis.api.searching import load_readers, open_collection

    allowed = hosts(host, allow_hosts)
    limits = Limits(rate=RATE if rate is None else rate)
    if workers is not None:
        limits = Limits(rate=limits.rate, workers=workers)
    index = open_collection(folder, encoder)
    counts = index.count()
    listening = _listening(host, port)
    with listening:
        # What takes long to load is looked for before the first question, and after what is quickly refused.
        if index.dense is not None and index.ranking() != LEXICAL:
            index.dense.ready()
        trained = load_readers(readers, device, threads)
        server = uvicorn.Server(
            uvicorn.Config(
                web_app(index, limits, trained, allowed),
                log_config=config(),
                access_log=False,
                http=StrictRequests,
                ws="none",
                server_header=False,
                limit_concurrency=_CONNECTIONS,
                timeout_graceful_shutdown=_TO_END,
            )
        )
        ready(_address(host, listening), counts)
        # uvicorn raises the signal again that ended it; an end by a signal is no error.
        before = signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[listening])
        finally:
            signal.signal(signal.SIGTERM, before)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except PermissionError as fault:
        raise InputError(f"port {port} may not be used", host, "choose one above 1023 with --port") from fault
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise InputError(f"port {port} is taken", host, "choose another with --port") from fault
        raise InputError("is no address of this machine", host, "check --host") from fault


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
