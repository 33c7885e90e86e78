"""Commands over documents and vocabularies: convert, annotate, terms."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

import click

from anagnosis import api
from anagnosis.cli import output_options
from anagnosis.cli.messages import FULL, fields
from anagnosis.cli.output_options import JSON
from anagnosis.cli.verbs import call, command, printed, show

_STORED = "concepts names files without left_out"

convert = printed(
    api.convert,
    """
anagnosis convert biored.bioc.xml.gz --out biored.pubtator.gz
anagnosis convert corpus.pubtator --out - | head
anagnosis convert articles.tar.gz --full-text --to jsonl --out articles.jsonl.gz
""",
    FULL,
    shows="documents refused refusals left_out repairs losses",
)
annotate = printed(
    api.annotate,
    """
anagnosis annotate papers/ --full-text --terms mesh.tsv --terms hp.obo --out papers.jsonl.gz
anagnosis annotate corpus.pubtator --terms desc2025.xml --type disease --out diseases.jsonl
anagnosis annotate notes/ --from metamap metamap.mmi --out notes.jsonl
""",
    FULL,
    shows=(
        "documents refused mentions concepts refusals types:mentions_by_type counts:counted_while_matching "
        "names_left_out repairs"
    ),
)


@command(
    api.store_terms,
    """
anagnosis terms mesh.tsv doid.obo --out diseases.terms
anagnosis terms diseases.terms
anagnosis annotate papers/ --terms diseases.terms --out papers.jsonl.gz
""",
    JSON,
    optional=["out"],
)
def terms(as_json: bool, **given: Any) -> None:
    """Store files of terms as one vocabulary, or describe a stored one."""
    if given["out"] is not None:
        stored = call(api.store_terms, given)
        show(stored, given, _STORED, _after_storing, data=stored, as_json=as_json)
        return
    if given["without"] or given["replace"]:
        raise click.UsageError(
            f"{'--without' if given['without'] else '--replace'} is for storing: name --out"
        )
    vocabulary, *others = given["paths"]
    if others:
        raise click.UsageError("name one stored vocabulary, or --out to store the files")
    found = call(api.show_terms, {"vocabulary": vocabulary})
    if as_json:
        output_options.print_json(found)
    else:
        fields(found, _STORED.split())


def _after_storing(stored: Any, given: Mapping[str, Any]) -> list[str]:
    return [f"anagnosis annotate PAPERS --terms {quote(given['out'])} --out ANNOTATED"]
