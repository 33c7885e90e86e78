"""`anagnosis terms`: store a vocabulary, describe it, and look up its names and identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from anagnosis.cli import messages, output_options

if TYPE_CHECKING:
    from anagnosis.api.vocabularies import LookedUp, StoredTerms


@click.command(
    epilog="\b\nExample:\n  anagnosis terms mesh.tsv doid.obo --out diseases.terms\n"
    '  anagnosis terms diseases.terms --look-up "heart attack" --look-up D009203\n'
    "  anagnosis annotate papers/ --terms diseases.terms --out papers.jsonl.gz"
)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|STORED...")
@click.option("--out", type=click.Path(), help="Store the files of terms as this vocabulary.")
@click.option(
    "--look-up",
    "texts",
    multiple=True,
    metavar="TEXT",
    help="A name or identifier to look up in a stored vocabulary. Repeatable.",
)
@click.option(
    "--without", multiple=True, metavar="RULE", help="A rule of names that does not apply. Repeatable."
)
@output_options.REPLACE
@output_options.JSON
def terms(
    files: tuple[str, ...],
    out: str | None,
    texts: tuple[str, ...],
    without: tuple[str, ...],
    replace: bool,
    as_json: bool,
) -> None:
    """Store files of terms as one vocabulary; or describe a stored one, or look up names and identifiers in it."""
    from anagnosis import api

    if out is not None:
        if texts:
            raise click.UsageError(
                "--look-up reads a stored vocabulary, and --out writes one: give them one by one"
            )
        stored = api.store_terms(files, out, without=without, replace=replace)
        if as_json:
            output_options.print_json(stored)
        elif not messages.quiet():
            _print_stored(stored)
            messages.wrote(
                out,
                f"anagnosis terms {out} --look-up NAME",
                f"anagnosis annotate PAPERS --terms {out} --out ANNOTATED",
            )
        return
    if without or replace:
        raise click.UsageError(f"{'--without' if without else '--replace'} is for storing: name --out")
    vocabulary, *others = files
    if others:
        raise click.UsageError("name one stored vocabulary, or --out to store the files")
    if texts:
        answers = api.look_up(vocabulary, texts)
        if as_json:
            output_options.print_json(answers)
        else:
            _print_answers(answers)
        return
    stored = api.show_terms(vocabulary)
    if as_json:
        output_options.print_json(stored)
    else:
        _print_stored(stored)


def _print_stored(stored: StoredTerms) -> None:
    from anagnosis.wording import counted

    print(f"{counted(stored.concepts, 'concept')}, {counted(stored.names, 'distinct name')}")
    print(f"from {', '.join(file.name for file in stored.files)}")
    if stored.without:
        print(f"without the rules {', '.join(stored.without)}")
    messages.counts("left out, and joined", stored.left_out)


def _print_answers(answers: list[LookedUp]) -> None:
    for answer in answers:
        if answer.concepts:
            for concept in answer.concepts:
                kinds = f"  [{', '.join(concept.types)}]" if concept.types else ""
                print(f"{answer.text}: {concept.identifier}  {concept.name}{kinds}")
                if len(concept.names) > 1:
                    print(f"  also {'; '.join(concept.names[1:])}")
            continue
        print(f"{answer.text}: no name and no identifier of this vocabulary")
        for part in answer.marked:
            print(f"  annotate marks {part.text!r}: {', '.join(part.identifiers)}")
