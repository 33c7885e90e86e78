"""Commands over datasets: build, import, export, sample, show, check."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import click

from anagnosis import api
from anagnosis.cli import messages, output_options, verbs
from anagnosis.cli.messages import FULL
from anagnosis.cli.output_options import JSON, OUT, REPLACE
from anagnosis.cli.verbs import call, command, printed

_DOCUMENTS = (
    "receipt.documents.read receipt.documents.kept receipt.documents.refused receipt.refusals "
    "receipt.documents.dropped"
)
_INSTANCES = "receipt.instances.kept sizes receipt.instances.dropped receipt.repairs"


@command(
    api.build,
    """
anagnosis build biomrc corpus.pubtator.gz --out built/mine
anagnosis build biomrc corpus/ --out built/strict --recipe biomrc-strict
anagnosis build pubmedqa baseline/pubmed26n*.xml.gz --out built/pqa
anagnosis build pubmedqa oa_comm.tar.gz --out built/pmc
anagnosis build evidence golden/ --set dev=8B --set test=9B5,10B1 --out built/snippets
anagnosis build clicr reports.jsonl.gz --terms MRCONSO.RRF --out built/clicr
""",
    click.Option(
        ["--since"],
        metavar="DATE",
        help="Keep only documents of this date or later (where documents have no dates, give --dates).",
    ),
    FULL,
    JSON,
    without=["block_bytes"],
)
def build(since: str | None, as_json: bool, **given: Any) -> None:
    if since is not None:
        given["settings"] = {**given["settings"], "since": since}
    built = call(api.build, given)
    shows = _INSTANCES
    if built.receipt.documents.read or not built.receipt.instances.kept:
        shows = f"{_DOCUMENTS} {_INSTANCES}"
    verbs.show(built, given, shows, _after_building, data=built.receipt, as_json=as_json)
    messages.fail_on_refused_files(built.receipt.repairs, built.receipt.refusals)


def _after_building(built: Any, given: Mapping[str, Any]) -> list[str]:
    out = quote(given["out"])
    if not built.receipt.instances.kept:
        print("no instance is left: the counts above name the rules")
        return [f"anagnosis show {out}"]
    return [f"anagnosis show {out}", f"anagnosis export {out} --out out/"]


def _after_importing(made: Any, given: Mapping[str, Any]) -> list[str]:
    from anagnosis.datasets.export.layouts import is_written

    layout, out = given["layout"], quote(given["out"])
    chosen = f" --layout {layout}" if is_written(layout) else ""
    return [f"anagnosis show {out}", f"anagnosis export {out}{chosen} --out out/"]


import_ = printed(
    api.import_dataset,
    """
anagnosis import dataset_test_small.json --layout biomrc --out built/theirs
anagnosis import biomrc_lite/ --setting A --out built/lite
anagnosis import train.txt dev.txt test.txt --layout bioread --out built/theirs
anagnosis import train1.0.json dev1.0.json test1.0.json --layout clicr --out built/clicr
anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
anagnosis import golden/ --layout bioasq --part train=6B,7B --part test=8B --out built/8b
anagnosis import train-v1.1.json dev-v1.1.json --layout squad --out built/squad
anagnosis import scifact.tar.gz --layout scifact --setting train --dev-share 0.1 --out built/scifact
""",
    shows=f"{_INSTANCES} receipt.refusals receipt.notes",
    then=_after_importing,
    data=lambda made, given: made.receipt,
    name="import",
)


export = printed(
    api.export,
    """
anagnosis export built/mine --layout biomrc --setting A --out out/
anagnosis export built/full --layout bioread --out out/
anagnosis export built/mine --layout parquet --view names --out out/
""",
    shows="path instances notes",
)
sample = printed(
    api.sample,
    """
anagnosis sample built/mine --recipe biomrc-lite --out built/lite
anagnosis sample built/mine --recipe biomrc-tiny --set 'groups={tiny-a=5, tiny-b=5}' --out built/tiny
anagnosis sample built/mine --set train=25% --set dev=100% --set test=100% --out built/quarter
""",
    shows="receipt.instances.kept sizes",
    then=lambda _, given: [f"anagnosis show {quote(given['out'])}"],
    data=lambda made, given: made.receipt,
)


@command(
    api.show,
    """
anagnosis show built/mine
anagnosis show built/mine --beside bioread-lite
anagnosis show built/mine --instance ana0047:24 --view names base4.jsonl
anagnosis show built/mine --out mine.html
anagnosis show built/index
anagnosis show built/index --out papers.csv
""",
    click.Argument(["files"], nargs=-1, metavar="[PREDICTIONS...]"),
    click.Option(
        ["--instance", "ident"],
        metavar="ID",
        help="Show this instance with its answers.",
    ),
    click.Option(["--view"], help="How to show it: global, local, names or another view (docs/formats.md)."),
    OUT,
    REPLACE,
    FULL,
    JSON,
)
def show(out: str | None, replace: bool, as_json: bool, **given: Any) -> None:
    from anagnosis.io.folders import kind_of

    target = output_options.output_file(out, replace=replace)
    dataset, ident = given["dataset"], given["ident"]
    if kind_of(Path(dataset)) == "index":
        if any(given[name] for name in ("files", "ident", "view", "beside")):
            raise click.UsageError("an index is shown whole, and takes no option but --out and --json")
        record = call(api.show_index, {"folder": dataset})
    elif ident is not None:
        record = call(api.show_instance, given)
    elif given["files"]:
        raise click.UsageError(
            "predictions files are shown for one --instance; `anagnosis score` scores them"
        )
    elif given["view"] is not None:
        raise click.UsageError("--view is of one --instance; `anagnosis export` writes all in a view")
    else:
        record = call(api.show, given)
    output_options.give(record, target, as_json=as_json)


@command(
    api.check,
    """
anagnosis check built/mine
anagnosis check built/index
anagnosis check built/held submission.json
""",
    JSON,
)
def check(as_json: bool, **given: Any) -> None:
    findings = call(api.check, given)
    if as_json:
        output_options.print_json(findings)
    else:
        for problem in findings.problems:
            print(problem)
        messages.counts("problems", findings.counts)
        print(f"{'sound' if findings.sound else 'NOT sound'}: {findings.looked_at} looked at")
    if not findings.sound:
        sys.exit(2)
