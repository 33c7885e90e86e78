"""Documents annotated by dictionary, in batches that may run in several processes or on a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from anagnosis import parallel
from anagnosis.documents.document import Document
from anagnosis.entities.annotator import mentions
from anagnosis.entities.concepts import NAME_RULES, Concept, concepts, nothing_read
from anagnosis.entities.dictionary import RULES, Dictionary
from anagnosis.entities.vocabulary_files import term_files, terms
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.files import STANDARD_INPUT, sha256

BATCH = 64  # documents; enough that sending them costs little beside matching


class DictionarySettings(NamedTuple):
    """What a dictionary is made of. paths: files of terms, in their order of precedence.

    types: semantic types whose concepts count, in any case; () for all. without: rules of names and of annotation that
    do not apply.
    """

    paths: tuple[str, ...]
    types: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class LoadedDictionary(NamedTuple):
    """A dictionary, and the names and terms that its rules left out, by rule."""

    dictionary: Dictionary
    left_out: dict[str, int]


def loaded_dictionary(settings: DictionarySettings) -> LoadedDictionary:
    """The dictionary of these files. InputError: a fault of a file, an unknown rule, no term with a name or type."""
    known = {*RULES, *NAME_RULES}
    for name in settings.without:
        if name not in known:
            raise unknown_name("rule", name, known, "--without")
    counts = Counter[str]()
    applied = [name for name in NAME_RULES if name not in settings.without]
    read = list(concepts(terms(settings.paths, counts, settings.without), applied, counts))
    if not read:
        raise nothing_read(counts)
    chosen = [concept for concept in read if _is_of(concept, settings.types)]
    if not chosen:
        seen = Counter(kind for concept in read for kind in concept.types)
        raise InputError(
            f"no term has the type {' or '.join(settings.types)}",
            "--type",
            f"types of these terms: {', '.join(kind for kind, _ in seen.most_common(10)) or 'none'}",
        )
    rules = [name for name in RULES if name not in settings.without]
    dictionary = Dictionary(chosen, rules)
    if dictionary.general:
        counts["general_names"] = dictionary.general
    return LoadedDictionary(dictionary, dict(sorted(counts.items())))


def annotated(
    documents: Iterable[Document], dictionary: Dictionary, counts: Counter[str], *, workers: int | None = 1
) -> Iterator[Document]:
    """The documents with the dictionary's mentions in place of their own.

    counts: as of `annotator.mentions`, mentions_replaced, relations_left_out (they name replaced mentions) and
    documents_without_mentions. workers: processes (default: one a processor, and this one alone for one batch); they
    change nothing in the result. This process writes the dictionary to a temporary file, which the workers open.
    """
    if workers is None:
        rest = iter(documents)
        begun = list(islice(rest, BATCH + 1))
        workers = 1 if len(begun) <= BATCH else None
        documents = chain(begun, rest)
    make_pool = parallel.local(workers)
    with TemporaryDirectory(prefix="anagnosis-") as scratch:
        if (workers or parallel.available_workers()) == 1:
            opened = partial(_same, dictionary)
        else:
            path = Path(scratch) / "dictionary"
            path.write_bytes(dictionary.encoded())
            opened = partial(_opened, path)
        yield from _in_batches(documents, opened, counts, make_pool)


def annotated_on_cluster(
    documents: Iterable[Document], settings: DictionarySettings, counts: Counter[str], address: str
) -> Iterator[Document]:
    """The documents with mentions, by the dask cluster whose scheduler listens at `address`.

    Each of its workers makes the dictionary, once, from the files of terms, which must lie on a disk that all share.
    """
    if STANDARD_INPUT in settings.paths:
        raise InputError("is not on a disk that a cluster shares", "--terms -", "save it and name the file")
    absolute = settings._replace(paths=tuple(str(Path(path).absolute()) for path in settings.paths))
    opened = partial(_read, absolute, _digests(absolute))
    return _in_batches(documents, opened, counts, parallel.dask(address))


def _in_batches(
    documents: Iterable[Document],
    opened: Callable[[], Dictionary],
    counts: Counter[str],
    make_pool: Callable[[], parallel.Pool],
) -> Iterator[Document]:
    rest = iter(documents)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    for done, counted in parallel.map(partial(_annotated, opened), batches, make_pool):
        counts.update(counted)
        yield from done


def _same(dictionary: Dictionary) -> Dictionary:
    return dictionary


def _digests(settings: DictionarySettings) -> tuple[str, ...]:
    """The SHA-256 of each file of terms."""
    return tuple(sha256(path) for _, path in term_files(settings.paths))


@lru_cache(maxsize=1)
def _read(settings: DictionarySettings, digests: tuple[str, ...]) -> Dictionary:
    """The dictionary of files that a worker of a cluster sees; InputError: they are not those of these digests."""
    if _digests(settings) != digests:
        raise InputError(
            "a worker of the cluster sees other files of terms",
            "--terms",
            "put them on a disk that all share",
        )
    return loaded_dictionary(settings).dictionary


@lru_cache(maxsize=1)
def _opened(path: Path) -> Dictionary:
    """The dictionary in a file; a worker reads it once."""
    return Dictionary.decoded(path.read_bytes())


def _annotated(
    opened: Callable[[], Dictionary], batch: list[Document]
) -> tuple[list[Document], Counter[str]]:
    counts = Counter[str]()
    dictionary = opened()
    done: list[Document] = []
    for document in batch:
        counts["mentions_replaced"] += len(document.mentions)
        counts["relations_left_out"] += len(document.relations)
        matched = tuple(mentions(document.text, dictionary, counts))
        counts["documents_without_mentions"] += not matched
        done.append(msgspec.structs.replace(document, mentions=matched, relations=()))
    return done, counts


def _is_of(concept: Concept, types: tuple[str, ...]) -> bool:
    """Whether the concept's first type is one of these."""
    wanted = {kind.lower() for kind in types}
    return not wanted or (bool(concept.types) and concept.types[0].lower() in wanted)
