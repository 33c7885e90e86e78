"""Documents annotated by dictionary, in batches that may run in several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from anagnosis import shards
from anagnosis.annotation.annotator import mentions
from anagnosis.annotation.dictionary import RULES, Dictionary
from anagnosis.documents.document import Document
from anagnosis.errors import InputError, unknown_name
from anagnosis.terms import rules as name_rules
from anagnosis.terms.concepts import Concept, concepts, nothing_read
from anagnosis.terms.reading import terms

BATCH = 64  # documents; enough that sending them costs little beside matching


class DictionarySettings(NamedTuple):
    """What a dictionary is made of. paths: files of terms, in their order of precedence.

    types: semantic types whose concepts count, in any case; () for all. without: rules of names and of annotation that
    do not apply.
    """

    paths: tuple[str, ...]
    types: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class Vocabulary(NamedTuple):
    """A dictionary, and the names and terms that its rules left out, by rule."""

    dictionary: Dictionary
    left_out: dict[str, int]


@lru_cache(maxsize=1)
def vocabulary(settings: DictionarySettings) -> Vocabulary:
    """The dictionary of these files. InputError: a fault of a file, an unknown rule, no term with a name or type."""
    known = {*RULES, *name_rules.RULES}
    for name in settings.without:
        if name not in known:
            raise unknown_name("rule", name, known, "--without")
    counts = Counter[str]()
    applied = [name for name in name_rules.DEFAULT if name not in settings.without]
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
    return Vocabulary(dictionary, dict(sorted(counts.items())))


def annotated(
    documents: Iterable[Document],
    settings: DictionarySettings,
    counts: Counter[str],
    *,
    workers: int | None = 1,
) -> Iterator[Document]:
    """The documents with the dictionary's mentions in place of their own.

    counts: as of `annotator.mentions`, mentions_replaced, relations_left_out (they name replaced mentions) and
    documents_without_mentions. workers: processes (default: one a processor); they change nothing in the result. This
    process makes the dictionary once and writes it to a temporary file, which the workers open.
    """
    rest = iter(documents)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    make_pool = shards.local(workers)
    dictionary = vocabulary(settings).dictionary
    with TemporaryDirectory(prefix="anagnosis-") as scratch:
        if (workers or shards.available_workers()) == 1:
            opened = partial(_same, dictionary)
        else:
            path = Path(scratch) / "dictionary"
            path.write_bytes(dictionary.encoded())
            opened = partial(_opened, path)
        for done, counted in shards.map(partial(_annotated, opened), batches, make_pool):
            counts.update(counted)
            yield from done


def _same(dictionary: Dictionary) -> Dictionary:
    return dictionary


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
