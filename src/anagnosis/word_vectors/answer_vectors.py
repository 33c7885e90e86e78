"""Word vectors by which answers are compared: of any word2vec file, read for the words that are needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from anagnosis.array_types import Floats
from anagnosis.io.files import display_name, sha256
from anagnosis.io.paths import PathLike, naming_faults
from anagnosis.word_vectors import word2vec
from anagnosis.word_vectors.word2vec import Vector

_DIGITS = 12  # of the SHA-256 in a signature, as many as of a split's fingerprint


class AnswerVectors:
    """The vectors of a word2vec file, of which only the digest is computed now."""

    def __init__(self, path: PathLike) -> None:
        self.name, self._path = display_name(path), path
        with naming_faults(self.name, "check the path of the word vectors"):
            self.digest = sha256(path)
        self._known: dict[str, Vector] = {}
        self._looked_up: set[str] = set()

    def as_published(self, words: Collection[str]) -> tuple[dict[str, Floats], Floats]:
        """The words' vectors in CliCR's program, and what any other word gets."""
        return word2vec.read_published(self._path, words)

    @property
    def described(self) -> str:
        """The file for a signature: its name and the first digits of its digest."""
        return f"{self.name}#{self.digest[:_DIGITS]}"

    def of(
        self, words: Collection[str], further: Callable[[], Iterable[str]] = tuple
    ) -> Mapping[str, Vector]:
        """word → float32 [width], of at least the words that the file has. Only new words read the file again.

        further: gives words that may be needed later, which a reading of the file looks up too.
        """
        if new := set(words) - self._looked_up:
            new |= set(further()) - self._looked_up
            self._known |= word2vec.read(self._path, new)
            self._looked_up |= new
        return self._known
