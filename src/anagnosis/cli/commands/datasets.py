"""Commands over datasets: build, import, export, sample, show, check."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from anagnosis import api
from anagnosis.cli import messages, output_options
from anagnosis.cli.messages import FULL
from anagnosis.cli.output_options import JSON, OUT, REPLACE
from anagnosis.cli.verbs import call, command, printed
from anagnosis.wording import counted

DEVIATIONS = "deviations from the layout"


@command(
    api.build,
    """
anagnosis build biomrc corpus.pubtator.gz --out built/mine
anagnosis build biomrc corpus/ --out built/strict --recipe biomrc-strict
anagnosis build biomrc corpus.pubtator.gz --drops drops.jsonl --out built/mine
anagnosis build pubmedqa baseline/pubmed26n*.xml.gz --out built/pqa
anagnosis build pubmedqa oa_comm.tar.gz --out built/pmc
anagnosis build evidence golden/ --set dev=8B --out built/snippets
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
    if as_json:
        output_options.print_json(built.receipt)
    elif not messages.quiet():
        _show_built(given["dataset"], built, given["out"])
    messages.fail_on_refused_files(built.receipt.repairs)


def _show_built(dataset: str, built: Any, out: str) -> None:
    from anagnosis.datasets import definition

    receipt, defined = built.receipt, definition.named(dataset)
    documents, instances = receipt.documents, receipt.instances
    if documents.read or not instances.kept:
        read = counted(documents.read, "document")
        print(f"{read} read, {documents.kept:,} kept, {documents.refused:,} refused")
    if documents.refused:
        messages.places(receipt.refusals)
    messages.counts("documents dropped", documents.dropped)
    messages.counts("instances dropped", instances.dropped)
    messages.repairs(receipt.repairs)
    messages.instances(instances.kept, built.sizes)
    if batches := receipt.choices.get("held_out"):
        print(f"held out as test: {', '.join(batches)} (another choice: --set held_out=BATCHES, or none)")
    then = [f"anagnosis show {quote(out)}"]
    if instances.kept:
        split = messages.split_option(built.sizes)
        then.append(defined.next_command.format(out=quote(out), split=split, vectors="FILE"))
    else:
        print(
            "no instance is left: the counts above name the rules, and --drops FILE lists all that they drop"
        )
    messages.wrote(out, *then)


@command(
    api.import_dataset,
    """
anagnosis import dataset_test_small.json --layout biomrc --out built/theirs
anagnosis import biomrc_lite/ --setting A --out built/lite
anagnosis import train.txt dev.txt test.txt --layout bioread --out built/theirs
anagnosis import train1.0.json dev1.0.json test1.0.json --layout clicr --out built/clicr
anagnosis import dataset_train.json.gz --check
anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
anagnosis import golden/ --layout bioasq --setting 9B5,10B1 --out built/bioasq
anagnosis import golden/ --layout bioasq --part train=6B,7B --part test=8B --out built/8b
anagnosis import train-v1.1.json dev-v1.1.json --layout squad --out built/squad
anagnosis import scifact.tar.gz --layout scifact --setting train --dev-share 0.1 --out built/scifact
anagnosis import covid_qa.json --layout covid-qa --out built/covid-qa
""",
    click.Option(
        ["--check", "only_check"],
        is_flag=True,
        help="Write nothing; report what cannot be kept, and exit with 2 if there is anything.",
    ),
    JSON,
    optional=["out"],
    name="import",
)
def import_(only_check: bool, as_json: bool, **given: Any) -> None:
    if only_check:
        found = call(api.check_layout, given)
        if as_json:
            output_options.print_json(found)
        else:
            print(f"{counted(found.instances, 'instance')} looked at")
            messages.counts("would be refused", found.refused)
            _print_faults(found.broken, found.places)
        if not found.sound:
            sys.exit(2)
        return
    out, layout = given["out"], given["layout"]
    if out is None:
        raise click.UsageError("Missing option '--out'")
    made = call(api.import_dataset, given)
    if as_json:
        output_options.print_json(made.receipt)
    elif not messages.quiet():
        _show_imported(made, layout, out)


def _show_imported(made: Any, layout: str, out: str) -> None:
    from anagnosis.datasets.export.layouts import is_written
    from anagnosis.datasets.shortcuts import SHORTCUT_READERS

    receipt = made.receipt
    messages.instances(receipt.instances.kept, made.sizes)
    messages.counts("instances refused", receipt.instances.dropped)
    _print_faults(
        receipt.repairs, [(place.where, place.why) for place in (*receipt.refusals, *receipt.notes)]
    )
    then = f"anagnosis export {quote(out)} --layout {layout} --out out/"
    if not is_written(layout):
        then = f"anagnosis export {quote(out)} --out out/"
        if receipt.instances.kept:
            reader = next(iter(SHORTCUT_READERS[made.kind.name]))
            then = f"anagnosis predict {reader} {quote(out)}{messages.split_option(made.sizes)} --out answers.jsonl"
    messages.wrote(out, f"anagnosis show {quote(out)}", then)


def _print_faults(broken: dict[str, int], places: list[tuple[str, str]]) -> None:
    """Deviations with the first places, and what was passed over under its heading."""
    from anagnosis.datasets.export.layouts import PASSED_OVER

    for heading in (DEVIATIONS, *dict.fromkeys(PASSED_OVER.values())):

        def listed(name: str, heading: str = heading) -> bool:
            return PASSED_OVER.get(name, DEVIATIONS) == heading

        messages.counts(heading, {name: n for name, n in broken.items() if listed(name)})
        few = [(where, what) for where, what in places if listed(what.partition(":")[0])]
        for where, what in few[: messages.SHOWN_PLACES]:
            print(f"  {where}: {what.removesuffix(': ')}")


@printed(
    api.export,
    """
anagnosis export built/mine --layout biomrc --setting A --out out/
anagnosis export built/full --layout bioread --out out/
anagnosis export built/mine --layout parquet --view names --out out/
anagnosis export built/mine --layout lm-eval --out tasks/
""",
)
def export(written: Sequence[Any], given: Mapping[str, Any]) -> None:
    if not written:
        print("nothing to write: the dataset has no instances")
    for made in written:
        last = given["layout"] == "lm-eval" and made is written[-1]
        then = [_lm_eval(given["out"], made.path.stem)] if last else []
        messages.wrote(f"{made.path} ({counted(made.instances, 'instance')})", *then)
        messages.counts("  possible problems in other programs", made.notes)


def _lm_eval(folder: str, task: str) -> str:
    given = f"--include_path {quote(folder)} --tasks {task}"
    return f"lm_eval --model hf --model_args pretrained=MODEL {given} --log_samples --output_path samples"


@printed(
    api.sample,
    """
anagnosis sample built/mine --recipe biomrc-lite --out built/lite
anagnosis sample built/mine --recipe biomrc-tiny --set 'groups={tiny-a=5, tiny-b=5}' --out built/tiny
anagnosis sample built/mine --set train=25% --set dev=100% --set test=100% --out built/quarter
""",
    data=lambda made, given: made.receipt,
)
def sample(made: Any, given: Mapping[str, Any]) -> None:
    messages.instances(made.receipt.instances.kept, made.sizes)
    messages.wrote(given["out"], f"anagnosis show {quote(given['out'])}")


@command(
    api.show,
    """
anagnosis show built/mine
anagnosis show built/mine --beside bioread-lite
anagnosis show built/mine --instance ana0047:24 --view names base4.jsonl
anagnosis show built/mine --out mine.html
anagnosis show built/index
anagnosis show paper.pdf
anagnosis show built/pqal --samples 2
""",
    click.Argument(["files"], nargs=-1, metavar="[PREDICTIONS...]"),
    click.Option(
        ["--instance", "ident"],
        metavar="ID",
        help="Show this instance with its answers, or list those of a document.",
    ),
    click.Option(["--view"], help="How to show it: global, local, names or another view (docs/formats.md)."),
    click.Option(["--password-file"], metavar="FILE", help="Of a PDF file: a file with its password."),
    OUT,
    REPLACE,
    FULL,
    JSON,
    optional=["samples"],
)
def show(out: str | None, replace: bool, as_json: bool, password_file: str | None, **given: Any) -> None:
    from anagnosis.io.folders import kind_of

    target = output_options.output_file(out, replace=replace)
    dataset, ident, samples = given["dataset"], given["ident"], given["samples"]
    if (is_index := kind_of(Path(dataset)) == "index") or Path(dataset).suffix.lower() == ".pdf":
        if any((samples, *(given[name] for name in ("files", "ident", "view", "beside")))):
            what = "an index is" if is_index else "a PDF file is"
            raise click.UsageError(f"{what} shown whole, and takes no option but --out and --json")
        record = api.show_index(dataset) if is_index else api.show_file(dataset, password_file=password_file)
    elif password_file is not None:
        raise click.UsageError("--password-file is of a PDF file")
    elif ident is not None:
        if samples is not None:
            raise click.UsageError("--samples is of the whole dataset, not of one --instance")
        record = call(api.show_instance, given)
    elif given["files"]:
        raise click.UsageError(
            "predictions files are shown for one --instance; `anagnosis score` scores them"
        )
    elif given["view"] is not None:
        raise click.UsageError("--view is of one --instance; `anagnosis export` writes all in a view")
    else:
        if samples is not None:
            messages.lengthen()
        is_page = out is not None and out.lower().endswith((".html", ".htm")) and not as_json
        record = call(api.show, {**given, "samples": samples if is_page else samples or 0})
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
    from anagnosis.searching.index.index_check import IndexCheck

    findings = call(api.check, given)
    if as_json:
        output_options.print_json(findings)
    else:
        for problem in findings.problems:
            print(problem)
        messages.counts("problems", findings.counts)
        print(f"{'sound' if findings.sound else 'NOT sound'}: {findings.looked_at} looked at")
        if isinstance(findings, IndexCheck):
            messages.unjoined(findings.joins_none)
            for name, value in findings.engine.items():
                print(f"{name}: {value}")
            for note in findings.notes:
                print(f"note: {note}")
    if not findings.sound:
        sys.exit(2)
