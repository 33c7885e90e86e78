"""Dense retrieval: the passages nearest to a question, and the cosines of given passages.

Vectors of documents that the engine has since changed or deleted are left out. If engine and vectors are of the same
commit there are none; else each document's mark is compared. The file of vectors also holds each passage's values for
filters (vectors/stored.py). The first question loads torch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from threading import Lock
from typing import TYPE_CHECKING

from anagnosis.errors import InputError
from anagnosis.progress import print_note
from anagnosis.searching.engines import Engine, PassageKey, stored_mark
from anagnosis.searching.engines.one_answer import counts_of
from anagnosis.searching.filters import Filters

if TYPE_CHECKING:
    from anagnosis.array_types import Floats32
    from anagnosis.searching.vectors.encoding import SentenceEncoder
    from anagnosis.searching.vectors.stored import Vectors

FILE = "vectors"
_SLACK = 50  # rows beyond the limit, for ties and for outdated vectors


def can_encode() -> bool:
    """Whether the packages that an encoder needs are installed."""
    return all(find_spec(name) for name in ("torch", "transformers", "safetensors"))


def no_vectors(folder: Path) -> InputError:
    """The error for an index without vectors. folder: of the index."""
    remedy = f"make them with `anagnosis index --out {quote(str(folder))} --encoder NAME`"
    return InputError("no vectors here", str(folder), remedy)


class Dense:
    """The vectors of an index. path: theirs. name: of the encoder, from index.json. encoder: loaded already."""

    def __init__(self, path: Path, engine: Engine, name: str, encoder: SentenceEncoder | None = None) -> None:
        self._path, self._engine, self._name = path, engine, name
        self._encoder = encoder
        self._vectors: Vectors | None = None
        self._seen: tuple[int, int] | None = None  # time and inode of the file of these vectors
        self._lock = Lock()
        self._reported = False

    @property
    def there(self) -> bool:
        """Whether vectors were ever committed."""
        return self._path.exists()

    def same(self, encoder: SentenceEncoder) -> None:
        """InputError: another encoder made the vectors."""
        from anagnosis.searching.vectors.updating import same_encoder

        same_encoder(self._opened().header, encoder)

    def ready(self) -> None:
        """Load vectors and encoder before the first question. InputError: another encoder, damaged files."""
        vectors = self._opened()
        with self._lock:
            if self._encoder is None:
                from anagnosis.searching.vectors.encoding import SentenceEncoder
                from anagnosis.searching.vectors.updating import same_encoder

                encoder = SentenceEncoder(self._name)
                same_encoder(vectors.header, encoder)
                self._encoder = encoder
        if not self._reported and (without := counts_of(self._engine).passages - len(vectors.rows)) > 0:
            self._reported = True
            command = f"`anagnosis index --out {quote(str(self._path.parent))}`"
            print_note(f"{without:,} passages have no vector yet: {command} makes them")

    def question(self, text: str) -> Floats32:
        """The vector of a question, float32 [width]."""
        self.ready()
        assert self._encoder is not None
        return self._encoder.vectors([text])[0]

    def nearest(self, question: Floats32, filters: Filters, limit: int) -> dict[PassageKey, float]:
        """passage → cosine, the nearest first, ties by id."""
        vectors = self._opened()
        allowed = vectors.allowed(filters)
        borne_out = _borne_out(self._engine, vectors)
        depth = limit + _SLACK
        while True:
            best = vectors.nearest(question, depth, allowed)
            passages = [
                (-score, vectors.header.ids[document], row - int(vectors.first[document]))
                for row, score in best
                if borne_out(document := int(vectors.document_of[row]))
            ]
            if len(passages) >= limit or len(best) < depth:
                break
            depth *= 4
        passages.sort()
        return {(ident, number): -score for score, ident, number in passages[:limit]}

    def cosines(self, question: Floats32, places: Sequence[PassageKey]) -> dict[PassageKey, float]:
        """passage → cosine, for those of the passages that have a vector."""
        import numpy as np

        vectors = self._opened()
        rows = self._rows(vectors, places)
        found = vectors.scores(question, np.array([*rows.values()], np.int64))
        return dict(zip(rows, found.tolist(), strict=True))

    def vector_of(self, places: Sequence[PassageKey]) -> Floats32 | None:
        """The mean of the passages' vectors, of length 1, float32 [width]; None if none of them has a vector."""
        import numpy as np

        vectors = self._opened()
        rows = np.array(sorted(self._rows(vectors, places).values()), np.int64)
        if not len(rows):
            return None
        mean = vectors.vectors(rows).mean(axis=0, dtype=np.float64)
        length = float(np.linalg.norm(mean))
        return (mean / length).astype(np.float32) if length else None

    def _rows(self, vectors: Vectors, places: Sequence[PassageKey]) -> dict[PassageKey, int]:
        """passage → row of its vector, without outdated vectors."""
        borne_out = _borne_out(self._engine, vectors)
        rows = ((place, vectors.row(*place)) for place in places)
        there = {place: row for place, row in rows if row is not None}
        return {place: row for place, row in there.items() if borne_out(int(vectors.document_of[row]))}

    def _opened(self) -> Vectors:
        """The vectors of the last commit, whichever process made it."""
        from anagnosis.searching.vectors.stored import Vectors

        try:
            stat = self._path.stat()
        except FileNotFoundError as fault:
            raise no_vectors(self._path.parent) from fault
        seen = stat.st_mtime_ns, stat.st_ino
        with self._lock:
            if self._vectors is None or self._seen != seen:
                self._vectors, self._seen = Vectors(self._path), seen
            return self._vectors


def _borne_out(engine: Engine, vectors: Vectors) -> Callable[[int], bool]:
    """Whether the engine still has the version of a document that its vectors are of, by the document's number."""
    if vectors.header.version and vectors.header.version == engine.committed().version:
        return lambda document: True
    from anagnosis.searching.vectors.stored import key_of

    @cache
    def is_same(document: int) -> bool:
        mark = stored_mark(engine, vectors.header.ids[document])
        return mark is not None and key_of(mark) == int(vectors.documents["mark"][document])

    return is_same
