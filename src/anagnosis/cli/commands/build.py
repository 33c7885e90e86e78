"""`anagnosis build`: documents in, a dataset folder out."""

from __future__ import annotations

import click

from anagnosis.cli import input_options, messages, output_options, training_options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis build biomrc corpus.pubtator.gz --out built/mine\n"
    "  anagnosis build biomrc corpus/ --out built/strict --recipe biomrc-strict\n"
    "  anagnosis build biomrc corpus.pubtator.gz --explain ana0001\n"
    "  anagnosis build pubmedqa baseline/pubmed26n*.xml.gz --out built/pqa\n"
    "  anagnosis build pubmedqa oa_comm.tar.gz --out built/pmc\n"
    "  anagnosis build evidence golden/ --set dev=8B --out built/snippets\n"
    "  anagnosis build bioasq-cloze golden/ --set test=8B --out built/gap\n"
    "  anagnosis build clicr reports.jsonl.gz --terms MRCONSO.RRF --out built/clicr"
)
@click.argument("dataset", metavar="DATASET")
@click.argument("inputs", nargs=-1, required=True, metavar="FILE|FOLDER|-...")
@click.option("--out", type=click.Path(), help="The dataset folder to write.")
@training_options.settings("dataset")
@click.option(
    "--dates", metavar="FILE", help="Publication dates: a MEDLINE XML file or a table of id and date."
)
@click.option(
    "--since",
    metavar="DATE",
    help="Keep only documents of this date or later (where documents have no dates, give --dates).",
)
@click.option("--limit", type=WholeNumber(1), help="Read at most this many documents.")
@click.option(
    "--explain", "ident", metavar="ID", help="Build nothing; report which rules drop this document."
)
@input_options.format_and_encoding
@input_options.ACCEPT_TRUNCATED
@click.option("--workers", type=WholeNumber(1), help="Number of processes (default: one per processor).")
@click.option(
    "--cluster", metavar="ADDRESS", help="A dask scheduler, such as tcp://host:8786, that shares this disk."
)
@output_options.REPLACE
@output_options.JSON
@click.option(
    "--terms",
    metavar="FILE",
    multiple=True,
    help="A vocabulary whose names are further right answers (clicr), as `annotate` takes it. Repeatable.",
)
def build(
    dataset: str,
    inputs: tuple[str, ...],
    out: str | None,
    recipe: str | None,
    assigned: tuple[str, ...],
    dates: str | None,
    since: str | None,
    limit: int | None,
    ident: str | None,
    format: str | None,
    encoding: str | None,
    accept_truncated: bool,
    workers: int | None,
    cluster: str | None,
    replace: bool,
    as_json: bool,
    terms: tuple[str, ...],
) -> None:
    """Build DATASET (such as biomrc) from files of documents; evidence and bioasq-… from BioASQ's golden files
    alone (other evidence, such as SciFact, by `import`).

    Formats (PubTator, MEDLINE, JATS, BioC and others) and compressions are detected from the first bytes. The files
    of a folder are read in the order of their paths, the members of an archive (tar, zip) in its own order. After an
    interrupt, the same command continues, and gives the same bytes.
    """
    from anagnosis import api
    from anagnosis.datasets import definition
    from anagnosis.wording import counted

    settings = training_options.assigned(assigned)
    if since is not None:
        settings["since"] = since
    if ident is not None:
        if since is not None or dates is not None or limit is not None or terms:
            raise click.UsageError(
                "--explain looks at one document alone: --since, --dates, --terms and --limit do not apply"
            )
        explained = api.explain(
            dataset, inputs, ident, recipe=recipe, settings=settings, format=format, encoding=encoding
        )
        if as_json:
            output_options.print_json(explained)
            return
        for found in explained:
            print(f"{found.id} ({found.where})")
            messages.counts("  values that the rules test", found.facts)
            for rule, dropped in found.verdicts:
                print(f"  {'DROPPED' if dropped else 'passed '}  {rule}")
            messages.counts("  instances dropped", found.instances_dropped)
            messages.counts("  repairs", found.repairs)
            for question in found.instances:
                print(f"  question: {question}")
            for rule, question in found.questions_dropped:
                print(f"  dropped by {rule}: {question}")
        return
    if out is None:
        raise click.UsageError("Missing option '--out'")
    built = api.build(
        dataset,
        inputs,
        out,
        recipe=recipe,
        settings=settings,
        dates=dates,
        terms=terms,
        limit=limit,
        format=format,
        encoding=encoding,
        accept_truncated=accept_truncated,
        workers=workers,
        cluster=cluster,
        replace=replace,
    )
    if as_json:
        output_options.print_json(built.receipt)
        return
    if messages.quiet():
        return
    documents, instances = built.receipt.documents, built.receipt.instances
    if documents.read or not instances.kept:
        print(
            f"{counted(documents.read, 'document')} read, {documents.kept:,} kept, {documents.refused:,} refused"
        )
    if documents.refused or definition.named(dataset).names_refusals:
        for refusal in built.receipt.refusals[: messages.SHOWN_PLACES]:
            print(f"  {refusal.where}: {refusal.why}")
    messages.counts("documents dropped", documents.dropped)
    messages.counts("instances dropped", instances.dropped)
    messages.counts("repairs and warnings", built.receipt.repairs)
    messages.instances(instances.kept, built.rows)
    if batches := built.receipt.choices.get("held_out"):
        print(f"held out as test: {', '.join(batches)} (another choice: --set held_out=BATCHES, or none)")
    then = [f"anagnosis show {out}"]
    if instances.kept:
        then.append(
            definition.named(dataset).next_command.format(
                out=out, split=messages.split_option(built.rows), vectors="FILE"
            )
        )
    else:
        print(
            "no instance is left: the counts above name the rules; --explain ID shows them for one document"
        )
    messages.wrote(out, *then)
