"""An index: a folder with an engine's files and index.json, which records the engine and how passages are cut.

If the user named an encoder, a file of vectors of the passages is beside the engine (vectors/stored.py).

An entry of an engine is a paper, made of one record or of several that share an identifier (pending_documents.py,
papers/partition.py). An index knows a record by its format, its id and a hash of its contents: it skips an unchanged
record, and replaces a changed one unless the stored version is later (papers/records.py).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import msgspec

from anagnosis.documents.document import Document
from anagnosis.errors import DamagedError, InputError, unknown_name
from anagnosis.io.folders import refuse_other_files
from anagnosis.progress import print_note
from anagnosis.searching.engines import BY_DATE, BY_SCORE, Engine, engine_module
from anagnosis.searching.engines.stored_papers import stored_paper
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.listing import by_date, groups
from anagnosis.searching.index.paper_names import only_document
from anagnosis.searching.index.pending_documents import PendingDocuments
from anagnosis.searching.index.questions import of_papers, read_question
from anagnosis.searching.index.settings import (
    CONTINUE,
    EMBEDDED,
    FILE,
    FORMAT,
    IndexSettings,
    read_settings,
    was_only_begun,
    write_settings,
)
from anagnosis.searching.papers.joined import ShownPaper
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.rank.dense import FILE as VECTORS
from anagnosis.searching.rank.dense import Dense, can_encode, no_vectors
from anagnosis.searching.rank.ranking import (
    DENSE,
    HYBRID,
    LEXICAL,
    RANKINGS,
    by_both,
    by_vectors,
    by_words,
)
from anagnosis.searching.records.hits import EXPANDED, Counts, ExpansionOptions, Hit
from anagnosis.searching.records.passage import NO_FACTS
from anagnosis.searching.synonyms.stored_terms import FILE as TERMS
from anagnosis.searching.synonyms.stored_terms import ReadTerms, TermNames, store_terms

if TYPE_CHECKING:
    from anagnosis.searching.vectors.encoding import SentenceEncoder
    from anagnosis.searching.vectors.updating import VectorUpdate

# Papers between commits, and letters of their texts, which wait in memory. A killed process loses some ten seconds of
# work; each commit makes files to merge.
_PAPERS, _LETTERS = 50_000, 100_000_000
_SECONDS = 120  # between commits, at most


class Index:
    """An open index. dense: its vectors, None without an encoder. expansion: what is added to its questions."""

    def __init__(self, folder: Path, engine: Engine, settings: IndexSettings) -> None:
        self.folder, self.engine, self.settings = folder, engine, settings
        self.dense = Dense(folder / VECTORS, engine, settings.encoder) if settings.encoder else None
        self._terms: TermNames | None = None
        self.expansion = EXPANDED
        self._was_reported = False
        self._pending = PendingDocuments(engine, settings.runs + 1)
        self._committed = time.monotonic()

    def add(self, document: Document, counts: Counter[str], source: str = "") -> None:
        """`add_all`, of one document."""
        self.add_all([(source, document)], counts)

    def add_all(self, documents: Sequence[tuple[str, Document]], counts: Counter[str]) -> None:
        """Add the records of documents to their papers. counts: outcomes, as in PendingDocuments.

        Each stands behind the format that it was read from, "" for none.
        """
        self._pending.add(documents, counts)
        late = time.monotonic() - self._committed > _SECONDS
        if late or self._pending.papers >= _PAPERS or self._pending.letters >= _LETTERS:
            self.commit()

    def delete(self, ids: Iterable[str], counts: Counter[str]) -> None:
        """Delete records by id or "source:id", and papers by their id. Counted: deleted, not_there."""
        self._pending.delete(ids, counts)

    def commit(self) -> None:
        """Write everything to disk and make it visible to readers."""
        if self._pending.papers:
            self._save(runs=self._pending.run)
            self.engine.commit()
        self._pending.committed()
        self._committed = time.monotonic()

    def begin(self, call: str = "") -> None:
        """Become the writer. InputError: another process writes, or the folder cannot be written.

        call: a digest of the command. A repeated command continues the run of the interrupted one, so that it decides
        between two versions of a record as if it had not been interrupted (papers/records.py).
        """
        self.engine.begin()
        if call:
            if call == self.settings.unfinished:
                self._pending.run = self.settings.runs
            self._save(unfinished=call, runs=self._pending.run)

    def finish(self) -> None:
        """Record that the command of `begin` has ended."""
        self._save(unfinished="")

    def discard(self) -> None:
        """Remove a new index."""
        self.close()
        engine_module(self.settings.engine).remove(self.folder / self.settings.engine)
        (self.folder / FILE).unlink()
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def close(self) -> None:
        """Release the index for other writers; what was not committed is lost."""
        self.engine.close()

    def takes(self, encoder: SentenceEncoder) -> None:
        """InputError: another encoder made the existing vectors."""
        if self.dense is not None and self.dense.there:
            self.dense.same(encoder)

    def encode(self, encoder: SentenceEncoder) -> VectorUpdate:
        """Bring the vectors up to date with the committed passages, and record their encoder.

        InputError: another encoder made the existing vectors.
        """
        from anagnosis.searching.vectors.updating import update

        if not self.settings.encoder:
            # Remains of vectors, if a process was killed while it dropped an encoder.
            (self.folder / VECTORS).unlink(missing_ok=True)
        self._save(encoder=encoder.name)
        done = update(self.folder / VECTORS, self.engine, encoder)
        self.dense = Dense(self.folder / VECTORS, self.engine, encoder.name, encoder)
        return done

    @property
    def terms(self) -> TermNames | None:
        """The vocabulary whose names expand questions, or None. DamagedError: its file is damaged."""
        if self._terms is None and (self.folder / TERMS).exists():
            self._terms = TermNames(self.folder)
        return self._terms

    def store_terms(self, read: ReadTerms | None) -> None:
        """Store the vocabulary that expands questions, in place of an earlier one; None: drop it."""
        store_terms(self.folder, read)
        self._terms = None

    def drop_encoder(self) -> None:
        """Remove the encoder and its vectors."""
        self._save(encoder="")
        self.dense = None
        (self.folder / VECTORS).unlink(missing_ok=True)

    def ranking(self, wanted: str | None = None) -> str:
        """The checked name of a ranking. None: hybrid if there are vectors and torch, else lexical.

        A message reports vectors that cannot be used. InputError: an unknown ranking, or no vectors for it.
        """
        if wanted is not None and wanted not in RANKINGS:
            raise unknown_name("ranking", wanted, RANKINGS, "--ranking")
        there = self.dense is not None and self.dense.there
        if self.dense is not None and not there and not self.settings.unfinished:
            out, encoder = quote(str(self.folder)), quote(self.settings.encoder)
            again = f"make them again with `anagnosis index --out {out} --encoder {encoder}`"
            raise DamagedError("vectors are missing", str(self.folder / VECTORS), again)
        if wanted in (DENSE, HYBRID) and not there:
            raise no_vectors(self.folder)
        if wanted is not None:
            return wanted
        if not there or self.dense is None:
            return LEXICAL
        if can_encode():
            return HYBRID
        if not self._was_reported:
            self._was_reported = True
            print_note('ranked by words alone: the vectors need torch; pip install "anagnosis[train]"')
        return LEXICAL

    def read(self, question: str | AskedQuery) -> AskedQuery:
        """The reading of a question in the query language (questions.py), expanded as `expanding` says.

        A question that is read already stays as it is.
        """
        if not isinstance(question, str):
            return question
        return read_question(self.engine, question, self.expansion, lambda: self.terms)

    def expanding(self, options: ExpansionOptions) -> Index:
        """This index, whose questions are expanded so; both have one vocabulary open."""
        if options.synonyms:
            _ = self.terms
        other = copy(self)
        other.expansion = options
        return other

    def search(
        self,
        question: str | AskedQuery,
        filters: Filters | None = None,
        limit: int = 10,
        ranking: str | None = None,
        *,
        sort: str = BY_SCORE,
    ) -> list[Hit]:
        """The best passages of the best papers, by falling score; see `best_papers`."""
        asked = self._read(question, filters, sort)
        every = [
            hit for paper in self.best_papers(asked, filters, limit, ranking, sort=sort) for hit in paper
        ]
        if sort == BY_SCORE and not asked.understood.papers:
            every.sort(key=lambda hit: (-hit.score, hit.passage.document, hit.passage.number))
        return every[:limit]

    def best_papers(
        self,
        question: str | AskedQuery,
        filters: Filters | None = None,
        limit: int = 10,
        ranking: str | None = None,
        *,
        sort: str = BY_SCORE,
    ) -> list[list[Hit]]:
        """The best papers, at most `limit` of them or ranking.SCORED, each with its passages that fit, the best first.

        ranking: one of RANKINGS, None for the default of `ranking`.
        sort: one of SORTS; by date the ranking is by words, of all words of a question (listing.by_date, which the
        caller applies to a query that is read). Of a query of identifiers alone: its papers, in their order, whatever
        the filters.
        """
        filters = filters or Filters()
        asked, chosen = self._read(question, filters, sort), self.ranking(ranking)
        if asked.understood.papers:
            return of_papers(self.engine, asked.understood.papers)
        dense = self.dense
        if chosen == LEXICAL or sort == BY_DATE or dense is None or not asked.topic.text:
            return by_words(self.engine, asked.query, filters, limit, sort=sort)
        rank = by_vectors if chosen == DENSE else by_both
        return groups(lambda depth: rank(self.engine, dense, asked, filters, depth), limit)

    def _read(self, question: str | AskedQuery, filters: Filters | None, sort: str) -> AskedQuery:
        """The reading of a question; a query that is read may be one of several searches of a list."""
        asked = self.read(question)
        if sort != BY_DATE or not isinstance(question, str):
            return asked
        return by_date(self.engine, asked, filters or Filters())

    def documents(self, question: str, limit: int, ranking: str | None = None) -> list[tuple[str, float]]:
        """(id, score) of the best documents, each by its best passage."""
        best = [paper[0] for paper in self.best_papers(question, None, limit, ranking)[:limit]]
        return [(hit.passage.document, hit.score) for hit in best]

    def stored(self, ident: str) -> ShownPaper:
        """A paper by any of its ids. InputError: no such document, or several."""
        return stored_paper(self.engine, self.name(ident)) or ShownPaper([], NO_FACTS, ())

    def name(self, ident: str) -> str:
        """The id of the document with any id of its paper. InputError: no such document, or several."""
        return only_document(self.engine, ident, self.folder)

    def is_unfinished(self) -> bool:
        """Whether indexing was interrupted, or still runs. InputError: no index.json."""
        return read_settings(self.folder).is_unfinished

    def count(self) -> Counts:
        """Documents and passages."""
        return self.engine.committed().counts

    def _save(self, **changes: Any) -> None:
        """Write settings that have changed."""
        changed = msgspec.structs.replace(self.settings, **changes)
        if changed != self.settings:
            self.settings = changed
            write_settings(self.folder, changed)


def create_index(folder: Path, engine: str = EMBEDDED, connection: Path | None = None) -> Index:
    """Create an index in a new or empty folder, or in one where `create_index` was killed.

    engine: a name of ENGINES. connection: a file that says where the engine's cluster is. index.json is written
    first: it marks the folder as ours, so that the same call continues after a kill at any moment.
    """
    module = engine_module(engine)
    is_new = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    if not was_only_begun(folder):
        refuse_other_files(folder)
    settings = IndexSettings(FORMAT, engine)
    try:
        write_settings(folder, settings)
        made = module.create(folder / engine, connection)
    except BaseException:
        if is_new:
            module.remove(folder / engine)
            (folder / FILE).unlink(missing_ok=True)
        raise
    return Index(folder, made, settings)


def open_index(folder: Path, connection: Path | None = None) -> Index:
    """Open an existing index. connection: replaces that of `create_index`. InputError: none that can be used."""
    settings = read_settings(folder)
    str(folder.absolute()).encode()  # the engine takes no other path; the API says so
    try:
        opened = engine_module(settings.engine).open(folder / settings.engine, connection)
    except DamagedError:
        if was_only_begun(folder):
            raise InputError("is unfinished: nothing was indexed yet", str(folder), CONTINUE) from None
        raise
    return Index(folder, opened, settings)
