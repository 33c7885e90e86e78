"""Word vectors by which answers are compared: of any word2vec file, read for the words that are needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

from anagnosis.array_types import Floats
from anagnosis.io.files import display_name, sha256
from anagnosis.io.paths import PathLike, naming_faults
from anagnosis.word_vectors import word2vec
from anagnosis.word_vectors.word2vec import Vector

_DIGITS = 12  # of the SHA-256 in a signature, as many as of a split's fingerprint


class AnswerVectors:
    """name: of the file. digest: its SHA-256. read: (words) → their vectors.

    as_published: (words) → those of CliCR's program, and what any other word gets (`word2vec.read_published`).
    """

    def __init__(
        self,
        name: str,
        digest: str,
        read: Callable[[Collection[str]], Mapping[str, Vector]],
        as_published: Callable[[Collection[str]], tuple[dict[str, Floats], Floats]],
    ) -> None:
        self.name, self.digest = name, digest
        self._read, self.as_published = read, as_published
        self._known: dict[str, Vector] = {}
        self._looked_up: set[str] = set()

    @classmethod
    def of_file(cls, path: PathLike) -> AnswerVectors:
        """The vectors of a word2vec file, of which only the digest is computed now."""
        with naming_faults(display_name(path), "check the path of the word vectors"):
            digest = sha256(path)
        return cls(
            display_name(path),
            digest,
            partial(word2vec.read, path),
            partial(word2vec.read_published, path),
        )

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
            self._known |= self._read(new)
            self._looked_up |= new
        return self._known
