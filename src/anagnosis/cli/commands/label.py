"""`anagnosis label`: what people judge or answer on sheets."""

from __future__ import annotations

import click

from anagnosis.cli import messages, output_options, people_pages
from anagnosis.cli.numbers import WholeNumber
from anagnosis.labelling import IDLE

PAGES = "pages"  # the folder of a study, where none is named


@click.command(
    epilog="\b\nExample:\n  anagnosis label built/tiny --kind answers --only tiny-a --view names --people ann,bea\n"
    "  anagnosis label built/tiny --kind answers --only tiny-a --people ann,bea --serve   # keeps the answers here\n"
    "  anagnosis label built/tiny --collect pages/ --out people.jsonl   # what people saved and gave back\n"
    "  anagnosis label built/clicr --kind answers --draw 30 --people experts=ann --people novices=bea,cleo\n"
    "  anagnosis label built/pqal --kind answers --draw 30 --view reasoning-free --people ann,bea\n"
    "  anagnosis label built/pqa --draw 100 --people ann,bea           # without --people: sheets\n"
    "  anagnosis label built/pqa --sheets pages/                       # lists what was answered differently\n"
    "  anagnosis label built/pqa --sheets pages/ --out built/labelled  # after the discussion\n"
    "  anagnosis label papers.jsonl.gz --kind entities --draw 250 --sheets judged/\n"
    "  anagnosis label built/clicr --kind skills --draw 100 --sheets skills/\n"
    "  anagnosis label built/gap --kind statements --draw 100 --sheets statements/\n"
    "  anagnosis label similar.json --kind similar-answers --draw 100 --sheets judged/"
)
@click.argument("dataset", metavar="DATASET_FOLDER|FILE")
@click.option(
    "--sheets",
    type=click.Path(),
    help=f"The folder of the sheets or pages.  [default: {PAGES}, with --people or --serve]",
)
@click.option(
    "--draw", type=WholeNumber(1), help="Draw this many questions, entities or answers and write the sheets."
)
@click.option("--seed", type=WholeNumber(), default=0, show_default=True, help="Seed of the draw.")
@click.option(
    "--split",
    help="Of answers, skills (default: dev, or that of --only), statements (default: all): the split to draw from.",
)
@click.option(
    "--view",
    help="Of answers and skills: the view to show, such as both, local, reasoning-free.  [default: names, or "
    "reasoning-required]",
)
@click.option(
    "--out",
    type=click.Path(),
    help="Write the agreed labels, or the corrected statements, as a dataset folder; with --collect, people's lines.",
)
@click.option(
    "--kind",
    default="decisions",
    show_default=True,
    help="decisions: yes, no or maybe for a dataset's unlabelled questions; entities: are those of a file of papers "
    "right? answers: to a dataset's questions; skills: which cloze questions require; statements: is what a rule made "
    "of a question well formed, and does it say the same? similar-answers: is an answer right that equals no gold "
    "answer?",
)
@click.option("--only", default="", metavar="LABEL", help="Draw questions with this label, such as tiny-a.")
@click.option(
    "--apart-from",
    multiple=True,
    type=click.Path(),
    metavar="FOLDER",
    help="Draw no question on a document of this other study; repeatable.",
)
@click.option(
    "--keep-siblings",
    "siblings",
    is_flag=True,
    help="Draw also questions that hide another entity of the same sentence, and so show the answers of each other.",
)
@click.option(
    "--people",
    multiple=True,
    metavar="[GROUP=]NAME,…",
    help="A page for each of these people, such as ann,bea or experts=ann,bea; repeatable. Of decisions two: the "
    "first sees the conclusion.",
)
@click.option(
    "--ask-knowledge/--no-knowledge",
    "knowledge",
    default=None,
    help="Of answers: ask whether each is from prior knowledge or from the context.  [default: to cloze questions]",
)
@click.option(
    "--free-answers/--entities-only",
    "texts",
    default=None,
    help="Of answers: let people write any words.  [default: where some right answer is no candidate]",
)
@click.option(
    "--idle",
    type=WholeNumber(1),
    default=IDLE,
    show_default=True,
    metavar="SECONDS",
    help="Of pages: count no time after so many seconds without input.",
)
@click.option(
    "--serve",
    is_flag=True,
    help="Serve each person's page on this machine, under a link of their own, and keep the answers in the folder.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=8000,
    show_default=True,
    help="Of --serve: the port; 0 chooses a free one.",
)
@click.option(
    "--collect",
    type=click.Path(),
    metavar="FOLDER",
    help="Collect the files that people saved on the pages of this folder.",
)
@output_options.REPLACE
@output_options.JSON
def label(
    dataset: str,
    sheets: str | None,
    people: tuple[str, ...],
    draw: int | None,
    only: str,
    apart_from: tuple[str, ...],
    siblings: bool,
    seed: int,
    split: str | None,
    view: str | None,
    knowledge: bool | None,
    texts: bool | None,
    idle: int,
    serve: bool,
    port: int,
    collect: str | None,
    out: str | None,
    kind: str,
    replace: bool,
    as_json: bool,
) -> None:
    """Have people answer or label questions, and judge entities, statements or answers.

    With --people each person gets a page for the browser, opened from disk or served by --serve; without, there are
    sheets for spreadsheets. Answers: to cloze questions, or yes, no or maybe; predictions for `agreement` and `score`.
    Skills: which a question requires; a file of labels for --labels. Decisions (PubMedQA, Algorithm 1): annotator 1
    sees the long answer, annotator 2 does not. The command lists their disagreements for discussion, and removes
    questions without agreement. Entities: right, or one of the kinds of error of CliCR. Statements: two judgements and
    a corrected text each. Similar answers: a class for each answer that `protocols --similar --out FILE.json` lists,
    beside the class of a rule.
    """
    import dataclasses

    from anagnosis import api, labelling

    if collect is not None:
        people_pages.refuse_all_but("--collect", "collect", "out", "replace", "as_json", "dataset")
        people_pages.collect(dataset, collect, out, replace=replace, as_json=as_json)
        return
    draws = draw is not None or bool(only) or bool(people)
    if sheets is None and not people and not serve:
        raise click.UsageError("Missing option '--sheets'.")
    sheets = sheets or PAGES
    if serve and not draws:
        people_pages.refuse_all_but("--serve without a draw", "serve", "port", "sheets", "as_json", "dataset")
        people_pages.serve(dataset, sheets, port, as_json=as_json)
        return
    if draws and out is not None:
        raise click.UsageError("--draw writes sheets; --out reads them when they are filled in")
    if not draws:
        people_pages.refuse_all_but(
            "sheets that are only read", "sheets", "kind", "out", "replace", "as_json", "dataset"
        )
        kind = people_pages.kind_of(sheets, kind)
    if not serve:
        people_pages.refuse("port", "without --serve")
    entry = labelling.find(kind)
    record = api.label(
        dataset,
        sheets,
        kind=kind,
        draw=draw,
        only=only,
        apart_from=apart_from,
        siblings=siblings,
        seed=seed,
        split=split,
        view=view,
        people=people,
        knowledge=knowledge,
        texts=texts,
        idle=idle,
        out=out,
        replace=replace,
    )
    if serve:
        people_pages.serve(dataset, sheets, port, as_json=as_json)
        return
    if as_json:
        shown = {each.name: getattr(record, each.name) for each in dataclasses.fields(record)}
        output_options.print_json({**shown, "dataset": out} if "dataset" in shown else shown)
        return
    if messages.quiet():
        return
    if draws:
        print((labelling.DRAWN_PAGES if people else entry.DRAWN).format(drawn=record.drawn))
        option = "" if kind == "decisions" else f" --kind {kind}"
        messages.wrote(sheets, f"anagnosis label {dataset}{option} --sheets {sheets}")
        return
    people_pages.show(entry.summary(record, dataset, sheets, out), out)
