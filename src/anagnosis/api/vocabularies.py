"""The verbs over stored vocabularies: store one, describe it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.entities.vocabulary import TermSource


@dataclass(frozen=True, slots=True)
class StoredTerms:
    """A stored vocabulary.

    concepts: their number; names: number of distinct names in lower case. files: of terms, in their order. without:
    rules of names that were not applied. left_out: names and terms that the formats and rules left out, by name.
    replaced: whether a file was there.
    """

    concepts: int
    names: int
    files: list[TermSource]
    without: list[str]
    left_out: dict[str, int]
    replaced: bool = False


def store_terms(
    paths: Annotated[Sequence[PathLike], Option(metavar="FILE|FOLDER|STORED...")],
    out: Annotated[PathLike, Option("Store the files of terms as this vocabulary.", flag="--out")],
    *,
    without: Annotated[
        Sequence[str], Option("A rule of names that does not apply. Repeatable.", metavar="RULE")
    ] = (),
    replace: shared.Replace = False,
) -> StoredTerms:
    """Store files of terms as one vocabulary, which `annotate` reads; equal input gives equal bytes.

    A term of a later file that refers to an earlier one adds its names to it. InputError: a file cannot be read or is a
    stored vocabulary, no term has a name, an unknown rule.
    """
    from collections import Counter

    from anagnosis.entities.concepts import NAME_RULES, concepts
    from anagnosis.entities.vocabulary import Origin, is_stored, store, term_files, terms
    from anagnosis.errors import unknown_name
    from anagnosis.io import outputs
    from anagnosis.io.files import STANDARD_INPUT, sha256

    for name in without:
        if name not in NAME_RULES:
            raise unknown_name("rule of names", name, NAME_RULES, "--without")
    files = term_files(paths)
    for name, path in files:
        if str(path) == STANDARD_INPUT:
            raise InputError("is no file to store", name, "save it and name the file")
        if is_stored(path):
            raise InputError("is a stored vocabulary already", name, "name the files that it was made from")
    is_there = outputs.output_file(out, inputs=paths, replace=replace).exists()
    counts = Counter[str]()
    read = list(concepts(terms([path for _, path in files], counts), counts, without))
    digests = tuple((name, sha256(path)) for name, path in files)
    store(read, out, Origin(digests, tuple(sorted({*without})), dict(sorted(counts.items()))))
    return _described(out, replaced=is_there)


def show_terms(vocabulary: PathLike) -> StoredTerms:
    """A stored vocabulary's counts, files and rules. InputError: it is none, or damaged."""
    return _described(vocabulary)


def _described(path: PathLike, *, replaced: bool = False) -> StoredTerms:
    from anagnosis.entities.vocabulary import TermSource, Vocabulary

    with Vocabulary(path) as opened:
        origin = opened.origin
        return StoredTerms(
            opened.concept_count,
            opened.name_count,
            [TermSource(*file) for file in origin.files],
            list(origin.without),
            origin.left_out,
            replaced,
        )
