"""`anagnosis serve`: the page and the JSON API."""

from __future__ import annotations

import os
from typing import Any

import click

from anagnosis.cli import search_options
from anagnosis.cli.numbers import Number, WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis serve built/index\n"
    "  anagnosis serve built/index --readers readers\n"
    "  anagnosis serve built/index --port 8080 --rate 0   # no limit: the proxy in front has one"
)
@click.argument("folder", metavar="INDEX_FOLDER")
@search_options.answering
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--allow-host",
    "allow_hosts",
    metavar="NAME",
    multiple=True,
    help="Another host name that requests may use, without a port. Repeatable.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=8000,
    show_default=True,
    help="The port; 0 chooses a free one.",
)
@click.option(
    "--rate",
    type=Number(0),
    default=10,
    show_default=True,
    help="Requests per second that one client may send; 0 for no limit.",
)
@click.option("--workers", type=WholeNumber(1, 256), help="Searches at once (default: one per processor).")
def serve(
    folder: str,
    host: str,
    **how: Any,
) -> None:
    """Serve a page and a JSON API to search and ask a collection of papers.

    Trained readers are loaded once, and read one question at a time; searches do not wait for them. Only this machine
    can reach the server unless --host names another address. The server refuses requests for any host name but that
    of its address and those of --allow-host. It searches new commits of `anagnosis index` at once, and logs each
    request, without the question, as a line of JSON on standard error. Ctrl-C ends it.
    """
    from anagnosis.web.hosts import is_loopback
    from anagnosis.web.serving import serve as run

    def ready(address: str, counts: Any) -> None:
        print(
            f"{counts.documents:,} documents, {counts.passages:,} passages at {address} (Ctrl-C ends)",
            flush=True,
        )
        if not is_loopback(host):
            print("Everyone who can reach this address can search; nothing can be changed.", flush=True)
        # From here on standard error is lines of JSON, and a reader's bars have no place there.
        os.environ["ANAGNOSIS_QUIET"] = "1"

    run(folder, host=host, ready=ready, **how)
