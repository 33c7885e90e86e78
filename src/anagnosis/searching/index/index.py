"""An index: a folder with an engine's files, and index.json, which names the engine and how passages were made.

Where an encoder was named, vectors of the passages lie beside the engine (vectors/).

An index knows a document by its id and a hash of its contents. It skips an unchanged document, and replaces a changed
one unless the stored version is better (pending_documents.py, paper_versions.py).
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from anagnosis.documents.document import Document
from anagnosis.errors import DamagedError, InputError, unknown_name
from anagnosis.files import is_partial
from anagnosis.folders import refuse_other_files
from anagnosis.paths import refuse_not_utf8
from anagnosis.progress import tell
from anagnosis.searching.engines import AGAIN, Engine, engine_module
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.pending_documents import PendingDocuments
from anagnosis.searching.index.settings import (
    CONTINUE,
    EMBEDDED,
    FILE,
    FORMAT,
    Settings,
    read_settings,
    was_only_begun,
    write_settings,
)
from anagnosis.searching.near_names import unknown_among
from anagnosis.searching.rank.dense import FOLDER as VECTORS
from anagnosis.searching.rank.dense import Dense, can_encode, no_vectors
from anagnosis.searching.rank.ranking import (
    DENSE,
    HYBRID,
    LEXICAL,
    RANKINGS,
    RERANKED,
    by_both,
    by_reading,
    by_vectors,
    hits,
)
from anagnosis.searching.rank.reranking import Weights, drop_weights_of_vectors, load_weights
from anagnosis.searching.records.answers import Counts, Hit, LeftOut, UnknownName
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.words import question_words

if TYPE_CHECKING:
    from anagnosis.searching.vectors.encoding import SentenceEncoder
    from anagnosis.searching.vectors.updating import Encoded

# Passages between commits, some twenty seconds of work, which a killed process loses; each makes files to be merged.
_COMMIT = 200_000
_WRITE = 5_000  # passages that wait in memory
_SECONDS = 30  # or so long
# Of an engine's passages so many more are asked for than documents are wanted.
_PASSAGES = 5


class Index:
    """An open index. dense: its vectors, None where no encoder was named."""

    def __init__(self, folder: Path, engine: Engine, settings: Settings) -> None:
        self.folder, self.engine, self.settings = folder, engine, settings
        self.dense = Dense(folder / VECTORS, engine, settings.encoder) if settings.encoder else None
        self._was_reported = False
        self._pending = PendingDocuments(engine, settings.runs + 1)
        self._committed = time.monotonic()

    def add(self, document: Document, counts: Counter[str]) -> None:
        """Take a document in, or what it tells beside what is there (paper_versions.py), or leave it as it is.

        counts: as PendingDocuments has them.
        """
        pending = self._pending
        pending.add(document, counts)
        late = time.monotonic() - self._committed > _SECONDS
        if late or pending.uncommitted + pending.passages >= _COMMIT:
            self.commit()
        elif pending.passages >= _WRITE:
            pending.write()

    def delete(self, ids: Iterable[str], counts: Counter[str]) -> None:
        """Take documents out. Counted: deleted, not_there."""
        self._pending.delete(ids, counts)

    def commit(self) -> None:
        """Make everything seen and safe."""
        self._pending.write()
        if self._pending.uncommitted:
            self._save(runs=self._pending.run)
            self.engine.commit()
        self._pending.committed()
        self._committed = time.monotonic()

    def begin(self, call: str = "") -> None:
        """Be the one who writes, before there is anything. Refused (InputError): where that cannot be.

        call: a digest of what is to be done. The call that was stopped goes on with its run, so that it decides
        between two records of one paper as if it had not been stopped (paper_versions.py).
        """
        self.engine.begin()
        for path in self.folder.iterdir():
            if is_partial(path.name, FILE):
                path.unlink()
        if call:
            if call == self.settings.unfinished:
                self._pending.run = self.settings.runs
            self._save(unfinished=call, runs=self._pending.run)

    def finish(self) -> None:
        """Record that everything was done that `begin` announced."""
        self._save(unfinished="")

    def discard(self) -> None:
        """Remove a new index, of which nothing is to stay."""
        self.close()
        engine_module(self.settings.engine).remove(self.folder / self.settings.engine)
        (self.folder / FILE).unlink()
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def close(self) -> None:
        """Let others write; what was not committed is lost."""
        self.engine.close()

    def takes(self, encoder: SentenceEncoder) -> None:
        """Refuse (InputError) another encoder than made the vectors that are there."""
        if self.dense is not None and self.dense.there:
            self.dense.same(encoder)

    def asks_with(self, name: str) -> None:
        """Make vectors of questions with the encoder of that name, which lies elsewhere than when it made the others.

        Refused (InputError): another encoder, an index without vectors.
        """
        if self.dense is None or not self.dense.there:
            raise no_vectors(self.folder)
        from anagnosis.searching.vectors.encoding import SentenceEncoder

        encoder = SentenceEncoder(name)
        self.dense.same(encoder)
        self.dense = Dense(self.folder / VECTORS, self.engine, encoder.name, encoder)

    def encode(self, encoder: SentenceEncoder) -> Encoded:
        """Make the vectors those of all passages that were committed, and remember their encoder.

        Refused (InputError): another encoder than made those that are there.
        """
        from anagnosis.searching.vectors.updating import update

        if not self.settings.encoder:
            # Of an encoder that was dropped while the process was killed.
            self._remove_vectors()
        self._save(encoder=encoder.name)
        done = update(self.folder / VECTORS, self.engine, encoder)
        self.dense = Dense(self.folder / VECTORS, self.engine, encoder.name, encoder)
        return done

    def drop_encoder(self) -> None:
        """Forget the encoder, its vectors, and weights of `reranked` that were fitted with them, which is said."""
        drop_weights_of_vectors(self.folder)
        self._save(encoder="")
        self.dense = None
        self._remove_vectors()

    def ranking(self, wanted: str | None = None) -> str:
        """The name of a ranking. None: hybrid where there are vectors and what they need, else lexical, which is said.

        Refused (InputError): an unknown one, vectors that are not there, weights of reranked that do not fit.
        """
        if wanted is not None and wanted not in RANKINGS:
            raise unknown_name("ranking", wanted, RANKINGS, "--ranking")
        there = self.dense is not None and self.dense.there
        if self.dense is not None and not there and not self.settings.unfinished:
            again = f"make them again with `anagnosis index --out … --encoder {self.settings.encoder}`"
            raise DamagedError("vectors are missing", str(self.folder / VECTORS), again)
        if wanted in (DENSE, HYBRID) and not there:
            raise no_vectors(self.folder)
        if wanted == RERANKED:
            self._read_first()
        if wanted is not None:
            return wanted
        if not there or self.dense is None:
            return LEXICAL
        if can_encode():
            return HYBRID
        if not self._was_reported:
            self._was_reported = True
            tell('ranked by words alone: the vectors need torch; pip install "anagnosis[train]"')
        return LEXICAL

    def search(
        self, question: str, filters: Filters | None = None, limit: int = 10, ranking: str | None = None
    ) -> list[Hit]:
        """The best passages, by falling score. ranking: of RANKINGS, or what suits the index."""
        filters, chosen = filters or Filters(), self.ranking(ranking)
        if chosen == RERANKED:
            return self._reranked(question, filters, limit)
        if chosen == LEXICAL or self.dense is None:
            return self.engine.search(question_words(question), filters, limit)
        rank = by_vectors if chosen == DENSE else by_both
        return hits(self.engine, rank(self.engine, self.dense, question, filters, limit))

    def documents(
        self, question: str, limit: int, filters: Filters | None = None, ranking: str | None = None
    ) -> list[tuple[str, float]]:
        """(id, score) of the best documents, each by its best passage."""
        best: dict[str, float] = {}
        asked = limit
        while len(best) < limit:
            found = self._places(question, filters or Filters(), asked, self.ranking(ranking))
            for ident, score in found:
                best.setdefault(ident, score)
            if len(found) < asked:
                break
            asked *= _PASSAGES
        return list(best.items())[:limit]

    def _places(self, question: str, filters: Filters, limit: int, chosen: str) -> list[tuple[str, float]]:
        """(document, score) of the best passages, which need not be read for that but where that ranks them."""
        if chosen == RERANKED:
            found = self._reranked(question, filters, limit)
            return [(hit.passage.document, hit.score) for hit in found]
        if chosen == LEXICAL or self.dense is None:
            found = self.engine.search(question_words(question), filters, limit)
            return [(hit.passage.document, hit.score) for hit in found]
        rank = by_vectors if chosen == DENSE else by_both
        places = rank(self.engine, self.dense, question, filters, limit).places
        return [(ident, score) for (ident, _), score in places]

    def _reranked(self, question: str, filters: Filters, limit: int) -> list[Hit]:
        """Read once more what suits the index brings."""
        dense, weights = self._read_first()
        return by_reading(self.engine, dense, question, filters, limit, weights)

    def _read_first(self) -> tuple[Dense | None, Weights]:
        """What ranks before passages are read once more, and the weights for it. Refused: weights that do not fit."""
        dense = self.dense if self.ranking() == HYBRID else None
        made_by = (dense.digest, dense.width) if dense is not None else ("", 0)
        return dense, load_weights(self.folder, *made_by)

    def document(self, ident: str) -> list[Passage]:
        """The passages of a document; refused where there is none."""
        if found := self.engine.document(ident):
            return found
        raise InputError(f"no document {ident!r}", str(self.folder), "check its id")

    def left_out(self, filters: Filters) -> LeftOut:
        """What filters leave out that nobody may have meant."""
        return LeftOut(
            self.engine.undated() if filters.since or filters.until else 0,
            [UnknownName(*one) for one in unknown_among(filters.journals, self.engine.journals).items()],
            [UnknownName(*one) for one in unknown_among(filters.types, self.engine.types).items()],
        )

    def notes(self) -> list[str]:
        """What must be known of it by now: names of settings.NOTES. Refused (InputError): a damaged index.json."""
        return read_settings(self.folder).notes

    def count(self) -> Counts:
        """Documents and passages."""
        return self.engine.count()

    def _save(self, **changes: Any) -> None:
        """Write settings that have changed."""
        changed = msgspec.structs.replace(self.settings, **changes)
        if changed != self.settings:
            self.settings = changed
            write_settings(self.folder, changed)

    def _remove_vectors(self) -> None:
        if (self.folder / VECTORS).exists():
            shutil.rmtree(self.folder / VECTORS)


def create_index(folder: Path, engine: str = EMBEDDED, engine_settings: Path | None = None) -> Index:
    """An index in a new or empty folder, or in one where `create_index` was killed before it had ended.

    engine: a name of ENGINES; engine_settings: the file that it reads, where it needs one.

    index.json comes first: it shows whose the folder is, so that the same call continues after a kill at any moment.
    """
    module = engine_module(engine)
    refuse_not_utf8(folder)
    is_new = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    if not was_only_begun(folder):
        refuse_other_files(folder)
    settings = Settings(FORMAT, engine)
    try:
        write_settings(folder, settings)
        made = module.create(folder / engine, engine_settings)
    except BaseException:
        if is_new:
            module.remove(folder / engine)
            (folder / FILE).unlink(missing_ok=True)
        raise
    return Index(folder, made, settings)


def open_index(folder: Path) -> Index:
    """One that is there."""
    settings = read_settings(folder)
    refuse_not_utf8(folder)
    try:
        opened = engine_module(settings.engine).open(folder / settings.engine)
    except DamagedError:
        if was_only_begun(folder):
            raise InputError("is unfinished: nothing was indexed yet", str(folder), CONTINUE) from None
        raise
    if opened.has_checksums != settings.has_checksums:
        raise DamagedError(f"contradicts {settings.engine}", str(folder / FILE), AGAIN)
    return Index(folder, opened, settings)
