"""The vocabulary of an index: its terms, stored in the index folder, and the names that they give to a question.

The file `terms` is a stored vocabulary (entities/vocabulary.py) whose names are looked up by `names.key`. It is
replaced whole, so a killed process leaves the old terms or the new.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from anagnosis.entities.concepts import Concept, concepts
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import sha256
from anagnosis.io.paths import PathLike
from anagnosis.searching.queries.names import folded
from anagnosis.searching.synonyms.names import is_spelled_so, key, means_nothing, same_name, too_short_to_add

if TYPE_CHECKING:
    from anagnosis.entities.vocabulary import Origin

FILE = "terms"
AGAIN = "give the terms again with `anagnosis index --out INDEX --terms FILE`, or drop them with --no-terms instead"


class ReadTerms(NamedTuple):
    """The concepts of a user's files, and where they are from."""

    concepts: list[Concept]
    origin: Origin


class IndexTerms(msgspec.Struct, frozen=True):
    """The vocabulary of an index.

    digest: the stored file's SHA-256. files: name and SHA-256 of each file that it was made from. left_out: names and
    terms that the formats and rules left out, by name.
    """

    digest: str
    concepts: int
    names: int
    files: Sequence[tuple[str, str]]
    left_out: dict[str, int]


def read_terms(paths: Sequence[PathLike]) -> ReadTerms:
    """The concepts of files of terms, or of stored vocabularies. InputError: none can be read, or none has a name."""
    from anagnosis.entities.vocabulary import Origin, term_files, terms

    counts = Counter[str]()
    files = term_files(paths)
    read = list(concepts(terms([path for _, path in files], counts), counts))
    return ReadTerms(
        read, Origin(tuple((name, sha256(path)) for name, path in files), (), dict(sorted(counts.items())))
    )


def store_terms(folder: Path, read: ReadTerms | None) -> None:
    """Write the terms into an index folder in place of earlier ones; None: remove those."""
    from anagnosis.entities.vocabulary import store

    if read is None:
        (folder / FILE).unlink(missing_ok=True)
    else:
        store(read.concepts, folder / FILE, read.origin, key)


class MeshTerm(NamedTuple):
    """A MeSH heading, and the headings below it in the tree."""

    heading: str
    narrower: tuple[str, ...]


class TermNames:
    """The vocabulary of an index. DamagedError: the file has changed since it was written."""

    def __init__(self, folder: Path) -> None:
        from anagnosis.entities.vocabulary import Vocabulary

        try:
            self._vocabulary = Vocabulary(folder / FILE)
        except (DamagedError, InputError) as fault:
            raise DamagedError(fault.what, str(folder / FILE), AGAIN) from fault

    @property
    def about(self) -> IndexTerms:
        """What it is made from."""
        of = self._vocabulary
        return IndexTerms(of.digest, of.concept_count, of.name_count, of.origin.files, of.origin.left_out)

    def names(self, words: str) -> Sequence[str] | None:
        """The other names of the concept that these words name; () if several concepts have the name.

        Concepts of two vocabularies with the same preferred name count as one concept.
        """
        form = key(words)
        named = self._named(words)
        if not named:
            return None
        names = [name for concept in named for name in concept.names]
        if not is_spelled_so(words, [name for name in names if key(name) == form]):
            return None
        if not _is_one(named):
            return ()
        return [name for name in names if self._may_be_added(name)]

    def mesh(self, name: str) -> MeshTerm | None:
        """The MeSH term of this name, heading or synonym; None: no concept of this name has tree numbers."""
        named = [concept for concept in self._named(name) if concept.tree_numbers]
        if not named:
            return None
        headings = [concept.name for concept in named]
        below = {heading for each in named for root in each.tree_numbers for heading in self._below(root)}
        same = next((heading for heading in headings if folded(heading) == folded(name)), headings[0])
        return MeshTerm(same, tuple(sorted({*below, *headings} - {same})))

    @cached_property
    def _headings(self) -> list[tuple[str, str]]:
        """(tree number, heading) of all concepts, sorted. A point is behind each number: C14.907 lies below C14.

        A point sorts before digits and letters, so that what lies below a number follows it directly.
        """
        every = self._vocabulary.concepts()
        return sorted((f"{number}.", each.name) for each in every for number in each.tree_numbers)

    def _below(self, number: str) -> list[str]:
        """The headings below a tree number."""
        begin = bisect_right(self._headings, (f"{number}.", "\U0010ffff"))
        end = bisect_left(self._headings, (f"{number}/",))  # the sign after the point
        return [heading for _, heading in self._headings[begin:end]]

    def close(self) -> None:
        """Free the file."""
        self._vocabulary.close()

    def _named(self, words: str) -> list[Concept]:
        """The concepts that have this name; if none has it as written, those that have its plural or the like."""
        form = key(words)
        every = self._vocabulary.named(form)
        exact = [one for one in every if words.casefold() in map(str.casefold, one.names)]
        return exact or [
            one for one in every if any(key(name) == form and same_name(words, name) for name in one.names)
        ]

    def _may_be_added(self, name: str) -> bool:
        """Whether a name is no short form that may be another word, no general name, and of one concept alone."""
        if too_short_to_add(name) or means_nothing(name):
            return False
        return _is_one(self._vocabulary.named(key(name)))


def _is_one(named: Sequence[Concept]) -> bool:
    """Whether concepts are one: there is one, or all have the same preferred name."""
    first, *others = named
    return all(key(one.name) == key(first.name) and same_name(one.name, first.name) for one in others)
