"""Serve an index on a port of this machine until a signal ends it."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from anagnosis.api import shared
from anagnosis.api.options import Option, verb
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.paths import PathLike
from anagnosis.web.limits import ANY_ADDRESS, SECONDS_OF_JUDGE, Limits, hosts

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HOST, PORT = "127.0.0.1", 8000
# An address of this machine, and one of another, which nobody has (RFC 5737 and 3849).
_ADDRESSES = {socket.AF_INET: (HOST, "192.0.2.1"), socket.AF_INET6: ("::1", "2001:db8::1")}
_CONNECTIONS = 512
_TO_END = 15  # seconds that running requests have after the signal
_PACKAGES = ("h11", "starlette", "uvicorn")


@contextlib.contextmanager
def listening(host: str, port: int) -> Generator[tuple[socket.socket, str]]:
    """A socket of this machine and the address to open (http://127.0.0.1:8000/). port: 0 for any that is free.

    InputError: the port is taken or may not be used, or the host is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=2048)
    except PermissionError as fault:
        raise InputError(f"port {port} may not be used", host, "choose one above 1023 with --port") from fault
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise InputError(f"port {port} is taken", host, "choose another with --port") from fault
        raise InputError("is no address of this machine", host, "check --host") from fault
    with made:
        made.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
        )  # asyncio misses it on sockets of protocol 0
        port = made.getsockname()[1]
        host = _in_network(family) if ANY_ADDRESS in hosts(host) else host
        yield made, f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _in_network(family: socket.AddressFamily) -> str:
    """The address of this machine in its network, or to itself without one. No packet is sent."""
    alone, elsewhere = _ADDRESSES[family]
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
        asked.connect((elsewhere, PORT))
        return asked.getsockname()[0]
    return alone


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


@verb
def serve(
    folder: Annotated[PathLike, Option(metavar="INDEX_FOLDER")],
    *,
    host: Annotated[str, Option("The address to listen on.")] = HOST,
    allow_hosts: Annotated[
        Sequence[str],
        Option(
            "Another host name that requests may use, without a port. Repeatable.",
            flag="--allow-host",
            metavar="NAME",
        ),
    ] = (),
    port: Annotated[int, Option("The port; 0 chooses a free one.", 0, 65_535)] = PORT,
    workers: Annotated[int | None, Option("Searches at once (default: one per processor).", 1, 256)] = None,
    readers: Annotated[PathLike | None, shared.ASK_READERS] = None,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    judge: Annotated[str | None, shared.JUDGE] = None,
    endpoint: shared.Endpoint = None,
    key_env: shared.KeyEnv = None,
    share_pages: Annotated[
        bool,
        Option(
            "Show pages of papers, and their files, to people at other machines too; mind their licences."
        ),
    ] = False,
    ready: Callable[[str, Any], None] = lambda address, counts: None,
) -> None:
    """The page and the API over an index, until SIGINT or SIGTERM; what runs then comes to its end.

    port: 0 for any that is free. allow_hosts: names it answers to beside that of its address. readers: a trained
    reader's run; device, threads: where it computes. ready: called with the address and the counts of the collection,
    before the first request. Refused: no index, no such readers, a port that is taken, a host that is not this
    machine's, what is no name of a host.
    """
    try:
        from anagnosis.web.app import web_app
    except ImportError as fault:
        package = (fault.name or "").partition(".")[0]
        if package not in _PACKAGES:
            raise
        raise missing_extra(package, "web", "the page") from fault
    from anagnosis.api.searching import load_judge, load_scorer, open_collection
    from anagnosis.searching.rank.ranking import LEXICAL

    allowed = hosts(host, allow_hosts)
    judging = load_judge(judge, endpoint, key_env, SECONDS_OF_JUDGE)
    limits = Limits() if workers is None else Limits(workers=workers)
    index = open_collection(folder)
    counts = index.count()
    with listening(host, port) as (socket, address):
        # What takes long to load is looked for before the first question, and after what is quickly refused.
        if index.dense is not None and index.ranking() != LEXICAL:
            index.dense.ready()
        scorer = load_scorer(readers, device, threads)
        app = web_app(index, limits, scorer, allowed, judge=judging, share_pages=share_pages)
        ready(address, counts)
        run(app, socket)
