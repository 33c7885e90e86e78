"""Serve the page and the API over an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from anagnosis.api import shared
from anagnosis.api.options import Option, verb
from anagnosis.io.paths import PathLike
from anagnosis.web.hosts import hosts
from anagnosis.web.running import HOST, PORT, listening, needing_web, run


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
    port: shared.Port = PORT,
    rate: Annotated[
        float | None,
        Option("Requests per second that one client may send; 0 for no limit (default: 10).", 0, 1_000_000),
    ] = None,
    workers: Annotated[int | None, Option("Searches at once (default: one per processor).", 1, 256)] = None,
    readers: Annotated[PathLike | None, shared.ASK_READERS] = None,
    encoder: shared.MovedEncoder = None,
    device: shared.Device = "auto",
    threads: shared.Threads = None,
    ready: Callable[[str, Any], None] = lambda address, counts: None,
) -> None:
    """The page and the API over an index, until SIGINT or SIGTERM; what runs then comes to its end.

    port: 0 for any that is free. allow_hosts: names it answers to beside that of its address (hosts.py). rate, workers:
    of limits.Limits. readers: a folder of trained ones (api.load_readers); device, threads: where they compute.
    encoder: of the index's vectors, where it lies elsewhere now. ready: called with the address and the counts of the
    collection, before the first request. Refused: no index, no such readers, a port that is taken, a host that is not
    this machine's, what is no name of a host.
    """
    with needing_web("the page"):
        from anagnosis.web.app import web_app
        from anagnosis.web.limits import RATE, Limits
    from anagnosis.api.searching import load_readers, open_collection
    from anagnosis.searching.rank.ranking import LEXICAL

    allowed = hosts(host, allow_hosts)
    limits = Limits(rate=RATE if rate is None else rate)
    if workers is not None:
        limits = Limits(rate=limits.rate, workers=workers)
    index = open_collection(folder, encoder)
    counts = index.count()
    with listening(host, port) as (socket, address):
        # What takes long to load is looked for before the first question, and after what is quickly refused.
        if index.dense is not None and index.ranking() != LEXICAL:
            index.dense.ready()
        trained = load_readers(readers, device, threads)
        app = web_app(index, limits, trained, allowed)
        ready(address, counts)
        run(app, socket)
