"""Commands over documents and vocabularies: convert, annotate, terms."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

import click

from anagnosis import api
from anagnosis.cli import messages, output_options
from anagnosis.cli.messages import FULL
from anagnosis.cli.output_options import JSON
from anagnosis.cli.verbs import call, command, printed
from anagnosis.wording import counted


@printed(
    api.convert,
    """
anagnosis convert biored.bioc.xml.gz --out biored.pubtator.gz
anagnosis convert corpus.pubtator --out - | head
anagnosis convert articles.tar.gz --full-text --to jsonl --out articles.jsonl.gz
""",
    FULL,
)
def convert(done: Any, given: Mapping[str, Any]) -> None:
    print(f"{counted(done.documents, 'document')} written, {done.refused:,} refused")
    messages.places(done.refusals)
    messages.left_out(done.left_out)
    messages.repairs(done.repairs)
    messages.counts("lost, since the format cannot hold it", done.losses)
    if given["out"] != "-":
        messages.wrote(given["out"])


@printed(
    api.annotate,
    """
anagnosis annotate papers/ --full-text --terms mesh.tsv --terms hp.obo --out papers.jsonl.gz
anagnosis annotate corpus.pubtator --terms desc2025.xml --type disease --out diseases.jsonl
anagnosis annotate notes/ --from metamap metamap.mmi --out notes.jsonl
""",
    FULL,
)
def annotate(done: Any, given: Mapping[str, Any]) -> None:
    source = ", from a vocabulary of" if given["terms"] else " of"
    print(
        f"{counted(done.documents, 'document')} written, {done.refused:,} refused; "
        f"{counted(done.mentions, 'mention')}{source} {counted(done.concepts, 'concept')}"
    )
    messages.places(done.refusals)
    messages.counts("mentions by type", done.types)
    messages.counts("counted while matching", done.counts)
    messages.counts("names left out", done.names_left_out)
    messages.repairs(done.repairs)
    if given["out"] != "-":
        messages.wrote(given["out"])


@command(
    api.store_terms,
    """
anagnosis terms mesh.tsv doid.obo --out diseases.terms
anagnosis terms diseases.terms --look-up "heart attack" --look-up D009203
anagnosis annotate papers/ --terms diseases.terms --out papers.jsonl.gz
""",
    click.Option(
        ["--look-up", "texts"],
        multiple=True,
        metavar="TEXT",
        help="A name or identifier to look up in a stored vocabulary. Repeatable.",
    ),
    JSON,
    optional=["out"],
)
def terms(texts: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Store files of terms as one vocabulary; or describe a stored one, or look up names and identifiers in it."""
    out = given["out"]
    if out is not None:
        if texts:
            raise click.UsageError(
                "--look-up reads a stored vocabulary, and --out writes one: give them one by one"
            )
        stored = call(api.store_terms, given)
        if as_json:
            output_options.print_json(stored)
        elif not messages.quiet():
            _print_stored(stored)
            messages.wrote(
                out,
                f"anagnosis terms {quote(out)} --look-up NAME",
                f"anagnosis annotate PAPERS --terms {quote(out)} --out ANNOTATED",
            )
        return
    if given["without"] or given["replace"]:
        raise click.UsageError(
            f"{'--without' if given['without'] else '--replace'} is for storing: name --out"
        )
    vocabulary, *others = given["paths"]
    if others:
        raise click.UsageError("name one stored vocabulary, or --out to store the files")
    found = api.look_up(vocabulary, texts) if texts else api.show_terms(vocabulary)
    if as_json:
        output_options.print_json(found)
    else:
        (_print_answers if texts else _print_stored)(found)


def _print_stored(stored: Any) -> None:
    print(f"{counted(stored.concepts, 'concept')}, {counted(stored.names, 'distinct name')}")
    print(f"from {', '.join(file.name for file in stored.files)}")
    if stored.without:
        print(f"without the rules {', '.join(stored.without)}")
    messages.counts("left out, and joined", stored.left_out)


def _print_answers(answers: Any) -> None:
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
