"""The vectors beside an engine, asked: which passages are near a question, and how near given passages are.

Vectors that the engine's last commit does not bear out (their document has changed or gone) are left out: nothing is to
be looked for where both are of the same commit, else each document's mark is compared. Filters are answered by what is
kept of each passage beside its vector (vectors/layout.py). torch is loaded with the first question.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.errors import InputError
from anagnosis.progress import tell
from anagnosis.searching.engines import Engine
from anagnosis.searching.filters import Filters

if TYPE_CHECKING:
    from anagnosis.array_types import Floats32
    from anagnosis.searching.vectors.encoding import SentenceEncoder
    from anagnosis.searching.vectors.reading import Vectors
    from anagnosis.searching.vectors.scanning import Scan

FOLDER = "vectors"
_STATE = "vectors.json"
_SLACK = 50  # more rows than wanted, for ties and for what is not borne out
Place = tuple[str, int]


def can_encode() -> bool:
    """Whether what an encoder needs is installed."""
    return all(find_spec(name) for name in ("torch", "transformers", "safetensors"))


def no_vectors(folder: Path) -> InputError:
    """What an index says that has none. folder: of the index."""
    return InputError("no vectors here", str(folder), "make them with `anagnosis index --encoder NAME`")


class _Open(NamedTuple):
    """Of one commit. seen: what its file looked like."""

    vectors: Vectors
    scan: Scan
    seen: tuple[int, int]


class Dense:
    """folder: of the vectors. name: of the encoder, as index.json has it. encoder: one that is loaded already."""

    def __init__(
        self, folder: Path, engine: Engine, name: str, encoder: SentenceEncoder | None = None
    ) -> None:
        self._folder, self._engine, self._name = folder, engine, name
        self._encoder = encoder
        self._now: _Open | None = None
        self._lock = Lock()
        self._told = False

    @property
    def there(self) -> bool:
        """Whether any were ever committed."""
        return (self._folder / _STATE).exists()

    def same(self, encoder: SentenceEncoder) -> None:
        """Refuse (InputError) another encoder than made the vectors."""
        from anagnosis.searching.vectors.reading import state_of
        from anagnosis.searching.vectors.updating import same_encoder

        same_encoder(state_of(self._folder), encoder)

    def ready(self) -> None:
        """Load what a first question would wait for. Refused (InputError): another encoder, damaged files."""
        vectors = self._opened().vectors
        with self._lock:
            if self._encoder is None:
                from anagnosis.searching.vectors.encoding import SentenceEncoder

                encoder = SentenceEncoder(self._name)
                self.same(encoder)
                self._encoder = encoder
        if not self._told and (without := self._engine.count().passages - vectors.state.live) > 0:
            self._told = True
            tell(
                f"{without:,} passages have no vector yet: `anagnosis index --out {self._folder.parent}` goes on"
            )

    def question(self, text: str) -> Floats32:
        """The vector of a question, float32 [width]."""
        self.ready()
        assert self._encoder is not None
        return self._encoder.vectors([text])[0]

    def nearest(self, question: Floats32, filters: Filters, limit: int) -> dict[Place, float]:
        """Passages and their cosines, the nearest first, equal ones by id."""
        vectors, scan, _ = self._opened()
        allowed = vectors.allowed(filters)
        borne_out = _BorneOut(self._engine, vectors)
        asked = limit + _SLACK
        while True:
            near = scan.nearest(question, asked, allowed)
            rows, scores = near.rows.tolist(), near.scores.tolist()
            documents = vectors.rows["document"][near.rows].tolist()
            numbers = vectors.rows["number"][near.rows].tolist()
            found = [
                (-score, vectors.ident(document), number)
                for score, document, number in zip(scores, documents, numbers, strict=True)
                if borne_out(document)
            ]
            if len(found) >= limit or len(rows) < asked:
                break
            asked *= 4
        found.sort()
        return {(ident, number): -score for score, ident, number in found[:limit]}

    def cosines(self, question: Floats32, places: Sequence[Place]) -> dict[Place, float]:
        """Of those among these passages that have a vector."""
        import numpy as np

        vectors, scan, _ = self._opened()
        rows = self._rows(vectors, places)
        there = [place for place in places if place in rows]
        scores = scan.scores(question, np.array([rows[place] for place in there], np.int64))
        return dict(zip(there, scores.tolist(), strict=True))

    def products(self, question: Floats32, places: Sequence[Place]) -> Floats32:
        """The question's vector times each passage's, number by number: [places, width]; 0 where there is no vector."""
        import numpy as np

        vectors = self._opened().vectors
        found = np.zeros((len(places), vectors.state.width), np.float32)
        rows = self._rows(vectors, places)
        vectors.verify(np.array(list(rows.values()), np.int64))
        for number, place in enumerate(places):
            if place in rows:
                row = rows[place]
                found[number] = vectors.numbers[row] * vectors.rows["scale"][row] * question
        return found

    @property
    def digest(self) -> str:
        """Of the encoder that made the vectors."""
        return self._opened().vectors.state.digest

    @property
    def width(self) -> int:
        """Numbers of a vector."""
        return self._opened().vectors.state.width

    def _rows(self, vectors: Vectors, places: Sequence[Place]) -> dict[Place, int]:
        """Where the vectors lie of passages whose documents are as they were."""
        borne_out = _BorneOut(self._engine, vectors)
        rows: dict[Place, int] = {}
        for ident, document in vectors.numbers_of([ident for ident, _ in places]).items():
            if borne_out(document):
                rows |= {(ident, number): row for number, row in vectors.rows_of(document).items()}
        return rows

    def _opened(self) -> _Open:
        """Of the last commit, whoever made it."""
        from anagnosis.searching.vectors.reading import Vectors
        from anagnosis.searching.vectors.scanning import Scan

        try:
            stat = (self._folder / _STATE).stat()
        except FileNotFoundError as fault:
            raise no_vectors(self._folder.parent) from fault
        seen = stat.st_mtime_ns, stat.st_ino
        with self._lock:
            if self._now is None or self._now.seen != seen:
                vectors = Vectors(self._folder)
                self._now = _Open(vectors, Scan(vectors), seen)
            return self._now


class _BorneOut:
    """Whether the engine still has a document as its vectors were made of it."""

    def __init__(self, engine: Engine, vectors: Vectors) -> None:
        self._engine, self._vectors = engine, vectors
        self._same = bool(vectors.state.version) and vectors.state.version == engine.version()
        self._known: dict[int, bool] = {}

    def __call__(self, document: int) -> bool:
        if self._same:
            return True
        if document not in self._known:
            from anagnosis.searching.vectors.layout import key_of

            mark = self._engine.mark(self._vectors.ident(document))
            self._known[document] = mark is not None and key_of(mark) == int(
                self._vectors.documents["mark"][document]
            )
        return self._known[document]
