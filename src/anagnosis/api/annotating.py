"""The verb that annotates documents with entities: those of vocabularies, or those of other programs' files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.documents.document import Document
    from anagnosis.documents.repairs import InputPlace


@dataclass(frozen=True, slots=True)
class AnnotatedDocuments:
    """What `annotate` did.

    documents: written; refused: documents that could not be read, refusals the first hundred of them. concepts: of the
    vocabulary, or of the mentions that other programs made; names_left_out: names and terms that a rule left out, by
    rule. mentions: written; types: mentions by type; counts: what the annotator counted. repairs: of the documents.
    replaced: whether a file was there.
    """

    documents: int
    refused: int
    refusals: list[InputPlace]
    concepts: int
    names_left_out: dict[str, int]
    mentions: int
    types: dict[str, int]
    counts: dict[str, int]
    repairs: dict[str, int]
    replaced: bool = False


def annotate(
    paths: shared.Documents,
    out: Annotated[PathLike, Option("The JSON lines to write; .gz and .zst compress.", flag="--out")],
    *,
    terms: Annotated[
        Sequence[PathLike],
        Option("MeSH, MRCONSO, MRSTY, OBO, a table or a stored vocabulary. Repeatable.", metavar="FILE"),
    ] = (),
    annotations: Annotated[
        Sequence[tuple[str, PathLike]],
        Option(
            "Annotations of another program, with their format: metamap, clamp, knowtator, brat, or "
            "another format of papers. Repeatable.",
            flag="--from",
            metavar="NAME FILE|FOLDER",
        ),
    ] = (),
    accept_drift: Annotated[
        bool, Option("Leave out and count annotations that do not fit the text.")
    ] = False,
    types: Annotated[
        Sequence[str],
        Option("A semantic type that counts (default: all). Repeatable.", flag="--type", metavar="NAME"),
    ] = (),
    without: Annotated[
        Sequence[str], Option("A rule of matching to leave out. Repeatable.", metavar="RULE")
    ] = (),
    format: shared.Format = None,
    full_text: shared.FullText = False,
    references: shared.References = False,
    accept_truncated: shared.AcceptTruncated = False,
    workers: shared.Workers = None,
    replace: shared.Replace = False,
) -> AnnotatedDocuments:
    """Write documents with mentions: names of vocabularies, or what another program annotated.
    \f
    A term of a later file that refers to an earlier one adds its names to it. Annotations are joined by offsets that
    are checked against the text. Equal input gives equal bytes, whatever does the work.
    """
    from collections import Counter

    from anagnosis.api.documents import read_each, written_documents
    from anagnosis.documents.repairs import Repairs
    from anagnosis.entities.annotated import annotated, loaded_dictionary
    from anagnosis.entities.joining import joined
    from anagnosis.io import outputs
    from anagnosis.io.files import STANDARD_INPUT

    if bool(terms) == bool(annotations):
        what = "both vocabularies and annotations" if terms else "neither a vocabulary nor annotations"
        raise InputError(what, "--terms", "name either: --terms mesh.tsv, or --from brat annotations/")
    options = {"--accept-drift": accept_drift} if terms else {"--type": types, "--without": without}
    for option in (name for name, value in options.items() if value):
        what, other = ("vocabularies", "--from") if terms else ("annotations", "--terms")
        raise InputError(f"not for {what}", option, f"name it with {other}")
    inputs = [*paths, *terms, *(path for _, path in annotations)]
    if str(out) != STANDARD_INPUT:
        outputs.output_file(out, inputs=inputs, replace=replace)
    dictionary, left_out = loaded_dictionary(terms, types, without) if terms else (None, {})
    repairs, counts, by_type = Repairs(), Counter[str](), Counter[str]()
    identifiers = set[str]()
    documents = read_each(
        paths,
        repairs,
        format=format,
        full_text=full_text,
        references=references,
        accept_truncated=accept_truncated,
    )
    mentioned = (
        annotated(documents, dictionary, counts, workers=workers)
        if dictionary is not None
        else joined(documents, annotations, counts, accept_drift=accept_drift)
    )

    def counted() -> Iterator[Document]:
        for document in mentioned:
            by_type.update(mention.type for mention in document.mentions)
            if dictionary is None:
                identifiers.update(mention.identifier for mention in document.mentions)
            yield document

    done = written_documents(
        counted(), out, "jsonl", inputs, replace=replace, label="annotate", repairs=repairs
    )
    return AnnotatedDocuments(
        done.documents,
        repairs.refused,
        repairs.places()[0],
        len(identifiers - {""}) if dictionary is None else len(dictionary.concepts),
        left_out,
        counts.pop("mentions", 0) + counts.pop("mention", 0),
        dict(sorted(by_type.items())),
        {name: number for name, number in sorted(counts.items()) if number},
        dict(sorted(repairs.counts.items())),
        done.replaced,
    )
