"""Commands over a collection of papers: index, search, ask, export-results, serve."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from typing import Any

import click
from click.core import ParameterSource

from anagnosis import api
from anagnosis.assistants.serving import mcp as offer_tools
from anagnosis.cli import messages, output_options
from anagnosis.cli.messages import FULL
from anagnosis.cli.output_options import JSON, OUT, REPLACE
from anagnosis.cli.verbs import call, command, printed
from anagnosis.web.running import serve as serve_collection
from anagnosis.wording import counted

index = printed(
    api.index,
    """
anagnosis index papers/ --out built/index
anagnosis index pubmed26n1400.xml.gz oa_comm.tar.gz --out built/index   # again, with what is new
anagnosis index papers/ --out built/index --encoder sentence-transformers/all-MiniLM-L6-v2
anagnosis index papers/ --out built/index --terms mesh.tsv
anagnosis index papers/ --out built/all --connection cluster.toml
""",
    FULL,
    shows="documents passages refused counts refusals left_out repairs terms joins_none:stand_alone vectors",
    optional=["paths"],
)


@command(
    api.search,
    """
anagnosis search built/index "pregnant women and COVID-19" --section results --since 2020-03
anagnosis search built/index BRCA1 --limit 3 --out found.html
anagnosis search built/index '"cold brew" coffee[ti] -tea 2015:2025[dp]'
anagnosis search built/index --like 99000027
anagnosis search built/index --limit 50   # all papers, the latest first
""",
    click.Option(["--like"], metavar="ID", help="The papers related to this one, instead of a question's."),
    OUT,
    REPLACE,
    JSON,
    without=["offset", "highlight"],
)
def search(like: str | None, out: str | None, replace: bool, as_json: bool, **given: Any) -> None:
    target = output_options.output_file(out, replace=replace)
    output_options.refuse_both(as_json, out)
    if like is not None:
        _refuse_unused("--like", ("folder", "like", "limit", "out", "replace", "as_json"))
    found = call(api.search, given) if like is None else call(api.related, {**given, "ident": like})
    output_options.give(found, target, as_json=as_json)


@command(
    api.ask,
    """
anagnosis ask built/index "Does cold brew coffee raise gastric pH less than espresso?"
anagnosis ask built/index "Do statins prevent stroke?" --readers runs/evidence
""",
    OUT,
    REPLACE,
    JSON,
)
def ask(out: str | None, replace: bool, as_json: bool, **given: Any) -> None:
    target = output_options.output_file(out, replace=replace)
    output_options.refuse_both(as_json, out)
    output_options.give(call(api.ask, given), target, as_json=as_json)


@command(
    api.export_results,
    """
anagnosis export-results built/index "pregnant women and COVID-19" --to ris --out papers.ris
anagnosis export-results built/index --id 99000027 --to bibtex
""",
)
def export_results(**given: Any) -> None:
    if given["ids"]:
        _refuse_unused("--id", ("folder", "question", "to", "ids", "out", "replace"))
    number = call(api.export_results, given)
    if given["out"] != "-":
        messages.wrote(f"{given['out']}: {counted(number, 'paper')}")


@command(
    api.check_quotes,
    """
anagnosis check-quotes draft.md --index built/mine
anagnosis check-quotes draft.md --index built/mine --bib library.bib --out report.html
""",
    OUT,
    REPLACE,
    JSON,
)
def check_quotes(out: str | None, replace: bool, as_json: bool, **given: Any) -> None:
    target = output_options.output_file(out, replace=replace)
    output_options.refuse_both(as_json, out)
    checked = call(api.check_quotes, given)
    output_options.give(checked, target, as_json=as_json)
    if checked.wrong:
        sys.exit(1)


def _refuse_unused(instead: str, obeyed: Collection[str]) -> None:
    """UsageError: an option was given, perhaps with its default, that has no effect.

    instead: the option that names papers. obeyed: the parameters that have an effect beside it.
    """
    context = click.get_current_context()
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name not in obeyed
        and context.get_parameter_source(str(option.name)) is not ParameterSource.DEFAULT
    ]
    if given:
        raise click.UsageError(f"{instead} does not go with {', '.join(given)}")


_SHARED = (
    "Everyone who can reach this address, or a name of --allow-host, can search, read the papers' texts and your notes "
    "in Zotero, and see the names of collections and tags; nothing can be changed."
)
_PAGES_KEPT = (
    "Pages and files of PDF papers are shown at this machine alone; --share-pages shows them to all."
)
_PAGES_SHARED = "Pages and files of PDF papers are shown to all (--share-pages)."


@command(
    serve_collection,
    """
anagnosis serve built/index
anagnosis serve built/index --readers runs/evidence
anagnosis serve built/index --host 0.0.0.0 --allow-host papers.example   # to others, under this name
""",
)
def serve(host: str, **how: Any) -> None:
    """Serve a page and a JSON API to search and ask a collection of papers.

    A trained reader is loaded once, and reads one question at a time; searches do not wait for it. Only this machine
    can reach the server unless --host names another address. The server refuses requests for any host name but that
    of its address and those of --allow-host; at 0.0.0.0 it answers to each address of the machine. It searches new
    commits of `anagnosis index` at once, and logs each request, without the question, as a line of JSON on standard
    error. Ctrl-C ends it.
    """
    from anagnosis.io.addresses import is_loopback

    def ready(address: str, counts: Any) -> None:
        passages = counted(counts.passages, "passage")
        print(f"{counted(counts.documents, 'document')}, {passages} at {address} (Ctrl-C ends)", flush=True)
        if not is_loopback(host):
            print(f"{_SHARED} {_PAGES_SHARED if how['share_pages'] else _PAGES_KEPT}", flush=True)
        # From here on standard error is lines of JSON, and a reader's bars have no place there.
        os.environ["ANAGNOSIS_QUIET"] = "1"

    call(serve_collection, {**how, "host": host, "ready": ready})


@command(
    offer_tools,
    """
anagnosis mcp built/mine
ANAGNOSIS_TOKEN=$(openssl rand -hex 24) anagnosis mcp built/mine --http
""",
    without=["ready"],
)
def mcp(**how: Any) -> None:
    def ready(address: str) -> None:
        print(f"tools at {address} (Ctrl-C ends)", flush=True)

    os.environ["ANAGNOSIS_QUIET"] = "1"
    call(offer_tools, {**how, "ready": ready})
