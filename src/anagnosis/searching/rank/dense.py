"""Dense retrieval: the passages nearest to a question, and the cosines of given passages.

Vectors of papers that the engine has since changed or deleted are left out: if engine and vectors are of the same
commit there are none, else each paper's digest is compared. The first question loads torch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from threading import Lock
from typing import TYPE_CHECKING

from anagnosis.errors import InputError
from anagnosis.progress import print_note
from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.stored_papers import PassageKey
from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.tree import NOTHING, Query

if TYPE_CHECKING:
    from anagnosis.array_types import Floats32
    from anagnosis.searching.vectors.encoding import SentenceEncoder
    from anagnosis.searching.vectors.stored import Vectors

FILE = "vectors.npz"
_SLACK = 50  # rows beyond the limit, for ties and for outdated vectors
_LOOKED_AT = 50_000  # nearest rows of which some meet the conditions


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

                try:
                    encoder = SentenceEncoder(self._name)
                except InputError as fault:
                    command = f"`anagnosis index --out {quote(str(self._path.parent))} --encoder FOLDER`"
                    remedy = f"{fault.remedy}; one that was moved is named by {command}"
                    raise InputError(fault.what, fault.where, remedy) from fault
                same_encoder(vectors.header, encoder)
                self._encoder = encoder
            if not self._reported:
                self._reported = True
                if (without := self._engine.committed().counts.passages - len(vectors.numbers)) > 0:
                    command = f"`anagnosis index --out {quote(str(self._path.parent))}`"
                    print_note(f"{without:,} passages have no vector yet: {command} makes them")

    def question(self, text: str) -> Floats32:
        """The vector of a question, float32 [width]."""
        self.ready()
        assert self._encoder is not None
        return self._encoder.vectors([text])[0]

    def cosines_of_texts(self, question: str, texts: Sequence[str]) -> list[float]:
        """The cosine of a question and each of some texts."""
        self.ready()
        assert self._encoder is not None
        first, *others = self._encoder.vectors([question, *texts])
        return [float(first @ one) for one in others]

    def papers_with(self, passages: int) -> int:
        """The number of papers that have so many passages, on average."""
        vectors = self._opened()
        return 1 + passages * len(vectors.counts) // max(1, len(vectors.numbers))

    def nearest(
        self, question: Floats32, query: Query, filters: Filters, limit: int
    ) -> dict[PassageKey, float]:
        """passage → cosine, the nearest first, ties by id, of papers that meet the conditions and the filters.

        Of conditions that few papers meet, those among the nearest _LOOKED_AT are found.
        """
        import numpy as np

        vectors = self._opened()
        scores = vectors.scores(question)
        if filters.sections:
            scores[~vectors.within(filters.sections)] = -np.inf
        keep, found = self._keeping(vectors, query, filters), dict[PassageKey, float]()
        seen, depth = np.zeros(len(scores), np.bool_), limit + _SLACK
        while True:
            least = np.partition(scores, -depth)[-depth] if depth < len(scores) else -np.inf
            rows = np.flatnonzero((scores >= least) & ~seen & np.isfinite(scores))
            seen[rows] = True
            papers = vectors.paper_of[rows]
            kept = keep([*dict.fromkeys(papers.tolist())])
            for row, paper in zip(rows.tolist(), papers.tolist(), strict=True):
                if paper in kept:
                    place = vectors.header.papers[paper], row - int(vectors.first[paper])
                    found[place] = float(scores[row])
            if len(found) >= limit or depth >= min(len(scores), max(limit, _LOOKED_AT)):
                return dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:limit])
            depth = min(4 * depth, max(limit, _LOOKED_AT))

    def cosines(self, question: Floats32, places: Sequence[PassageKey]) -> dict[PassageKey, float]:
        """passage → cosine, for those of the passages that have a vector, which is not outdated."""
        import numpy as np

        vectors = self._opened()
        rows = {place: row for place in places if (row := vectors.row(*place)) is not None}
        kept = self._keeping(vectors, NOTHING, Filters())([*{vectors.number[name] for name, _ in rows}])
        there = {place: row for place, row in rows.items() if vectors.number[place[0]] in kept}
        scores = vectors.scores(question, np.array([*there.values()], np.int64))
        return dict(zip(there, scores.tolist(), strict=True))

    def _keeping(
        self, vectors: Vectors, query: Query, filters: Filters
    ) -> Callable[[Sequence[int]], set[int]]:
        """Which of some papers, by number, the engine has as their vectors do, and meet conditions and filters."""
        version = vectors.header.version
        is_same = bool(version) and version == self._engine.committed().version
        meets_all = not query.required and not query.excluded and filters == Filters(filters.sections)
        names = vectors.header.papers

        def kept(numbers: Sequence[int]) -> set[int]:
            there = [*numbers]
            if not meets_all:
                meeting = self._engine.meeting([names[one] for one in there], query, filters)
                there = [one for one in there if names[one] in meeting]
            if is_same:
                return {*there}
            papers = zip(there, self._engine.papers([names[one] for one in there]), strict=True)
            return {
                number
                for number, stored in papers
                if stored is not None and stored.digest == int(vectors.digests[number])
            }

        return kept

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
