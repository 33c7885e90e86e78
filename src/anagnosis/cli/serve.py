"""`anagnosis serve`: the page and the JSON API."""

from __future__ import annotations

from typing import Any

import click


@click.command(
    epilog="\b\nExample:\n  anagnosis serve built/index\n"
    "  anagnosis serve built/index --port 8080 --rate 0   # no limit, as behind a proxy that has its own"
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for one that is free."
)
@click.option(
    "--rate",
    type=click.FloatRange(0),
    default=10,
    show_default=True,
    help="Requests a second of one client; 0 for no limit.",
)
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Searches at once (default: as many as processors)."
)
def serve(folder: str, host: str, port: int, rate: float, workers: int | None) -> None:
    """A page to ask a collection of papers, and the same as a JSON API.

    Only this machine can reach it unless --host names another address. What `anagnosis index` commits meanwhile is
    found at once. Each request is a line of JSON on standard error, without the question. Ctrl-C ends it.
    """
    from anagnosis.web.serving import is_loopback
    from anagnosis.web.serving import serve as run

    def ready(address: str, counts: Any) -> None:
        print(
            f"{counts.documents:,} documents, {counts.passages:,} passages at {address} (Ctrl-C ends)",
            flush=True,
        )
        if not is_loopback(host):
            print("Everyone who can reach this address can search; nothing can be changed.", flush=True)

    run(folder, host=host, port=port, rate=rate, workers=workers, ready=ready)
