"""`anagnosis import`: the authors' own files into a dataset folder."""

from __future__ import annotations

import sys

import click

from anagnosis.cli import messages, output_options
from anagnosis.cli.numbers import Number

DEVIATIONS = "deviations from the layout"


@click.command(
    "import",
    epilog="\b\nExample:\n  anagnosis import dataset_test_small.json --layout biomrc --out built/theirs\n"
    "  anagnosis import biomrc_lite/ --setting A --out built/lite\n"
    "  anagnosis import train.txt dev.txt test.txt --layout bioread --out built/theirs\n"
    "  anagnosis import train1.0.json dev1.0.json test1.0.json --layout clicr --out built/clicr\n"
    "  anagnosis import dataset_train.json.gz --check\n"
    "  anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal\n"
    "  anagnosis import golden/ --layout bioasq --setting 9B5,10B1 --out built/bioasq\n"
    "  anagnosis import golden/ --layout bioasq --part train=2B-6B --part dev=7B --part test=8B --out built/8b\n"
    "  anagnosis import train-v1.1.json dev-v1.1.json --layout squad --out built/squad\n"
    "  anagnosis import scifact.tar.gz --layout scifact --setting train --dev-share 0.1 --out built/scifact\n"
    "  anagnosis import covid_qa.json --layout covid-qa --out built/covid-qa\n"
    "  anagnosis import feedback.jsonl --layout feedback --out built/feedback",
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option(
    "--layout",
    default="biomrc",
    show_default=True,
    help="The authors' layout: biomrc, bioread, clicr, pubmedqa, bioasq, squad, scifact, …",
)
@click.option(
    "--setting",
    help="biomrc: A or B, where a folder holds both. bioread: local or global numbers. pubmedqa: the subset, L, U or "
    "A. bioasq: batches to hold out as test (9B5,10B1); repeats of their questions are left out. scifact: which claims "
    "(train,validation). covid-qa: the most sentences in a block of an article (40).",
)
@click.option(
    "--split",
    type=click.Choice(["train", "dev", "test"]),
    help="The split of a file whose name does not give one.",
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="SPLIT=BATCHES",
    help="bioasq: the editions and batches of a split (train=2B-6B, test=9B5,10B2-6); again for others. Repeats of the "
    "questions of test and dev are left out; without a part train, all others are train.",
)
@click.option(
    "--dev-share",
    type=Number(),
    help="scifact, covid-qa, feedback: how much of train becomes dev, such as 0.1.",
)
@click.option("--out", type=click.Path(), help="The dataset folder to write.")
@click.option(
    "--check",
    "only_check",
    is_flag=True,
    help="Write nothing; report what breaks the layout's invariants, and exit with 2 if anything does.",
)
@output_options.REPLACE
@output_options.JSON
def import_(
    paths: tuple[str, ...],
    layout: str,
    setting: str | None,
    split: str | None,
    parts: tuple[str, ...],
    dev_share: float | None,
    out: str | None,
    only_check: bool,
    replace: bool,
    as_json: bool,
) -> None:
    """Read the authors' file, or the folder with train, val and test, into a dataset folder.

    Of bioread, clicr, bioasq, squad, scifact and feedback several files may be given. Every invariant of the layout is
    checked; violations are counted by name, and published files are recognised.
    """
    from anagnosis import api
    from anagnosis.datasets.export.layouts import is_written
    from anagnosis.wording import counted

    chosen = _parts(parts)
    if only_check:
        found = api.check_layout(paths, layout=layout, setting=setting, split=split, parts=chosen)
        if as_json:
            output_options.print_json(found)
        else:
            print(f"{counted(found.instances, 'instance')} looked at")
            messages.counts("would be refused", found.refused)
            _print_faults(found.broken, found.places, found.files)
        if not found.sound:
            sys.exit(2)
        return
    if out is None:
        raise click.UsageError("Missing option '--out'")
    made = api.import_dataset(
        paths,
        out,
        layout=layout,
        setting=setting,
        split=split,
        dev_share=dev_share,
        parts=chosen,
        replace=replace,
    )
    if as_json:
        output_options.print_json(made.receipt)
        return
    if messages.quiet():
        return
    receipt = made.receipt
    messages.instances(receipt.instances.kept, made.rows)
    messages.counts("instances refused", receipt.instances.dropped)
    published = receipt.choices.get("published_files")
    places = [(refusal.where, refusal.why) for refusal in receipt.refusals]
    _print_faults(
        receipt.repairs,
        places,
        {} if published is None else {e.name: published.get(e.name, "") for e in receipt.inputs},
    )
    then = f"anagnosis export {out} --layout {layout} --out out/"
    if not is_written(layout):
        reader = made.kind.baselines[-1] if made.kind.baselines and receipt.instances.kept else ""
        then = f"anagnosis export {out} --out out/"
        if reader:
            then = f"anagnosis predict {reader} {out}{messages.split_option(made.rows)} --out answers.jsonl"
    messages.wrote(out, f"anagnosis show {out}", then)


def _parts(given: tuple[str, ...]) -> dict[str, str]:
    """Split → its batches; those of a split that is given twice are joined."""
    found: dict[str, str] = {}
    for each in given:
        split, sign, batches = each.partition("=")
        if not sign:
            raise click.BadParameter(f"{each!r} has no =, as in train=2B-6B", param_hint="--part")
        found[split] = f"{found[split]},{batches}" if split in found else batches
    return found


def _print_faults(broken: dict[str, int], places: list[tuple[str, str]], files: dict[str, str]) -> None:
    """Deviations with the first places, what was passed over with its own, and which files are published ones (name →
    published name)."""
    from anagnosis.datasets.export.layouts import PASSED_OVER

    for heading in (DEVIATIONS, *dict.fromkeys(PASSED_OVER.values())):

        def listed(name: str, heading: str = heading) -> bool:
            return PASSED_OVER.get(name, DEVIATIONS) == heading

        messages.counts(heading, {name: n for name, n in broken.items() if listed(name)})
        few = [(where, what) for where, what in places if listed(what.partition(":")[0])]
        for where, what in few[: messages.SHOWN_PLACES]:
            print(f"  {where}: {what.removesuffix(': ')}")
    for name, published in files.items():
        print(f"{name}: {f'the published {published}' if published else 'not a published file'}")
