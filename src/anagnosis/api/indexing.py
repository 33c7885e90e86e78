"""The verb that makes a collection: index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence, Set
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.documents.document import Document
    from anagnosis.documents.repairs import InputPlace, Repairs
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.records.passage import Unjoined
    from anagnosis.searching.synonyms.stored_terms import IndexTerms
    from anagnosis.searching.vectors.encoding import SentenceEncoder
    from anagnosis.searching.vectors.updating import VectorUpdate


# What becomes of a document that is not in the index afterwards, and was not before.
_NOT_IN = ("without_text", "id_too_long", "not_there")
_TOGETHER = 2_000  # documents whose papers are looked up at once
_LETTERS = 20_000_000  # of their texts


@dataclass(frozen=True, slots=True)
class Indexed:
    """What `index` did, and what is there now.

    counts: documents by what became of them (searching/index/index.py). refused: documents that could not be read;
    refusals: the first hundred of them. left_out: the first hundred places of anything else that was left out, such as
    a book. repairs: repairs and warnings by name. vectors: where an encoder is remembered. terms: the vocabulary that
    expands questions, None without one. joins_none: papers whose identifiers belong to several other papers.
    """

    documents: int
    passages: int
    counts: dict[str, int]
    refused: int
    refusals: list[InputPlace]
    left_out: list[InputPlace]
    repairs: dict[str, int]
    vectors: VectorUpdate | None = None
    terms: IndexTerms | None = None
    joins_none: list[Unjoined] = field(default_factory=list["Unjoined"])


def index(
    paths: Annotated[Sequence[PathLike], Option(metavar="FILE|FOLDER|-...")],
    out: Annotated[PathLike, Option("The folder of the index.", flag="--out")],
    *,
    remove: Annotated[
        Sequence[str],
        Option(
            "Remove the records of this id, or FORMAT:ID the record of one format. Repeatable.", metavar="ID"
        ),
    ] = (),
    format: shared.Format = None,
    accept_truncated: shared.AcceptTruncated = False,
    encoder: Annotated[
        str | None,
        Option(
            "Also encode all passages with this sentence encoder; the index keeps it for later documents.",
            metavar="NAME|FOLDER",
        ),
    ] = None,
    no_encoder: Annotated[bool, Option("Forget the encoder, and drop its vectors.")] = False,
    terms: Annotated[
        Sequence[PathLike],
        Option(
            "A vocabulary, as of `annotate`: a search for one of its names finds the others. Repeatable.",
            metavar="FILE",
        ),
    ] = (),
    no_terms: Annotated[bool, Option("Drop the vocabulary.")] = False,
    device: shared.Device = "auto",
    connection: Annotated[
        PathLike | None,
        Option(
            "The file that says where a cluster of OpenSearch is, whose nodes store and search the papers (default: "
            "this machine does); to compute on several machines is `build --cluster`.",
            metavar="FILE",
        ),
    ] = None,
    workers: shared.PdfWorkers = None,
    files_from: Annotated[
        PathLike | None,
        Option(
            "A folder outside of a library in which files of its entries are.",
            flag="--files-from",
            metavar="FOLDER",
        ),
    ] = None,
) -> Indexed:
    """Index documents for `search` and `ask`, or add new and changed ones to an existing index.

    After an interrupt or kill the index keeps what was committed, and the same command continues. A truncated or
    unreadable input is an error, reported after everything else is indexed.
    \f
    Removed ids are skipped in `paths`, too. Inputs that break off or cannot be read are counted in `repairs` as
    file_refused. Refused (InputError): inputs without a document that can be searched.
    """
    from anagnosis.api.index_inputs import IndexInputs, ReadingHow
    from anagnosis.documents.repairs import Repairs as NewRepairs
    from anagnosis.io import outputs
    from anagnosis.searching.index.paper_names import unjoined
    from anagnosis.searching.index.settings import holds_index
    from anagnosis.searching.synonyms.stored_terms import read_terms

    folder = outputs.output_folder(out, inputs=(*paths, encoder, connection, *terms))
    if encoder is not None and no_encoder:
        raise InputError("an encoder and none at once", "--no-encoder", "leave one of them out")
    if terms and no_terms:
        raise InputError("terms and none at once", "--no-terms", "leave one of them out")
    is_new = not holds_index(folder)
    changes = encoder is not None or no_encoder or bool(terms) or no_terms
    if not paths and not remove and (is_new or not changes):
        raise InputError("nothing to index", "", "name files or folders, or documents with --remove")
    if is_new and remove and not paths:
        raise InputError("no index here", str(folder), "name the folder of one")
    repairs, counts, removed = NewRepairs(), Counter[str](), Counter[str]()
    linked = Path(files_from) if files_from is not None else None
    if linked is not None and not linked.is_dir():
        raise InputError(
            "no such folder", str(files_from), "name the folder of --files-from that has the files"
        )
    how = ReadingHow(format, accept_truncated, workers, linked)
    given = IndexInputs(paths, folder, how, repairs)
    documents = given.documents()
    # Unreadable inputs and a missing encoder are refused before a folder is made and hours are spent.
    first = list(islice(documents, 1))
    loaded = _encoder(encoder, device) if encoder is not None else None
    vocabulary = read_terms(terms) if terms else None
    with _opened(folder, connection) as (opened, is_new):
        if vocabulary is None and not no_terms:
            _ = opened.terms  # damaged ones are refused before hours are spent
        opened.begin(_call(paths, remove, format, str(files_from)))
        if loaded is None and not no_encoder and opened.settings.encoder:
            loaded = _encoder_if_installed(opened.settings.encoder, device)
        if loaded is not None:
            opened.takes(loaded)
        opened.delete(remove, counts)
        _add(opened, chain(first, documents), frozenset(remove), counts)
        opened.delete(given.gone, removed)
        opened.delete(given.replaced, Counter())
        opened.commit()
        if removed["deleted"]:
            counts["removed_from_library"] = removed["deleted"]
        _refuse_nothing(paths, counts, opened, repairs, is_new=is_new)
        given.save(remove)
        if no_encoder:
            opened.drop_encoder()
        if vocabulary is not None or no_terms:
            opened.store_terms(vocabulary)
        stored_terms = opened.terms.about if opened.terms is not None else None
        encoded = opened.encode(loaded) if loaded is not None else None
        opened.finish()
        size, joins_none = opened.count(), unjoined(opened.engine)
    repaired = dict(sorted(repairs.counts.items()))
    counted = dict(sorted(counts.items()))
    return Indexed(
        size.documents,
        size.passages,
        counted,
        repairs.refused,
        *repairs.places(),
        repaired,
        encoded,
        stored_terms,
        joins_none,
    )


@contextmanager
def _opened(folder: Path, connection: PathLike | None) -> Generator[tuple[Index, bool]]:
    """The index of a folder, and whether it is new, while no other process indexes into it."""
    from anagnosis.io.folders import only_writer
    from anagnosis.searching.index.index import create_index, open_index
    from anagnosis.searching.index.settings import EMBEDDED, holds_index

    with only_writer(folder):
        is_new = not holds_index(folder)
        where = Path(connection) if connection is not None else None
        made = create_index(folder, "opensearch" if where else EMBEDDED, where) if is_new else None
        with closing(made or open_index(folder, where)) as opened:
            yield opened, is_new


def _add(
    opened: Index, documents: Iterable[tuple[str, Document]], removed: Set[str], counts: Counter[str]
) -> None:
    """Index all documents but those that are `removed` by their id or "format:id", and commit, even if interrupted."""
    from anagnosis.progress import Progress

    with Progress("index") as progress:
        try:
            for some in _together(documents):
                kept = [one for one in some if not {one[1].id, f"{one[0]}:{one[1].id}"} & removed]
                if len(kept) < len(some):
                    counts["removed"] += len(some) - len(kept)
                opened.add_all(kept, counts)
                progress.advance(len(some))
        finally:
            opened.commit()


def _together(documents: Iterable[tuple[str, Document]]) -> Iterator[list[tuple[str, Document]]]:
    """The documents in lists, also those before a fault."""
    some: list[tuple[str, Document]] = []
    letters = 0
    try:
        for one in documents:
            some.append(one)
            letters += sum(len(section.text) for section in one[1].sections)
            if len(some) == _TOGETHER or letters > _LETTERS:
                yield some
                some, letters = [], 0
    except Exception:
        yield some
        raise
    yield some


def _refuse_nothing(
    paths: Sequence[PathLike], counts: Counter[str], opened: Index, repairs: Repairs, *, is_new: bool
) -> None:
    """Refuse (InputError) inputs of which nothing is in the index; a new one is removed then."""
    if not paths or any(count for what, count in counts.items() if what not in _NOT_IN):
        return
    if is_new:
        opened.discard()
    else:
        opened.finish()
    why = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
    refused = f", {repairs.refused:,} refused" if repairs.refused else ""
    raise InputError(
        f"nothing was indexed: no document has a text that can be searched ({why}{refused})",
        "",
        "check the files, or name their format with --format",
    )


def _call(paths: Sequence[PathLike], remove: Sequence[str], *options: str | None) -> str:
    """A digest of what decides which documents an index gets, to recognise a call that is given again."""
    import hashlib

    named = repr([[str(Path(path).absolute()) for path in paths], list(remove), options])
    return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _encoder(name: str, device: str) -> SentenceEncoder:
    from anagnosis.searching.vectors.encoding import SentenceEncoder

    return SentenceEncoder(name, device)


def _encoder_if_installed(name: str, device: str) -> SentenceEncoder | None:
    """Without torch what is new is found by its words, which is said."""
    from anagnosis.progress import print_note
    from anagnosis.searching.rank.dense import can_encode

    if can_encode():
        return _encoder(name, device)
    print_note('what is new gets no vectors, since they need torch; pip install "anagnosis[train]"')
    return None
