"""Documents annotated by dictionary, with the short forms that each paper defines, in several processes."""

from __future__ import annotations

import pickle
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from anagnosis import parallel
from anagnosis.documents.document import Document, Mention
from anagnosis.entities.concepts import concepts
from anagnosis.entities.dictionary import RULES, Dictionary, Match
from anagnosis.entities.short_forms import definitions
from anagnosis.entities.vocabulary import terms
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike

UNTYPED = "Entity"  # type of a concept whose vocabulary gives none
BATCH = 64  # documents; enough that sending them costs little beside matching


def mentions(text: str, dictionary: Dictionary, counts: Counter[str]) -> Iterator[Mention]:
    """The mentions in a text, in order and without overlap.

    Counted: mentions; several_identifiers: mentions whose name has several concepts, of which we take the one with this
    preferred name, otherwise the first of the vocabulary; defined_short_forms: mentions by a short form that the text
    defines; short_forms_of_others: matches left out because the text defines them as something else.
    """
    matches = list(dictionary.matches(text))
    if "defined_short_forms" in dictionary.rules:
        matches = with_defined_short_forms(text, matches, counts)
    for match in matches:
        words = text[match.start : match.end]
        named = [dictionary.concepts[row] for row in match.rows]
        preferred = (each for each in named if each.name.lower() == words.lower())
        concept = next(preferred, named[0])
        counts["mentions"] += 1
        counts["several_identifiers"] += len(named) > 1
        kind = concept.types[0] if concept.types else UNTYPED
        yield Mention(((match.start, match.end),), words, kind, concept.identifier, concept.name)


def with_defined_short_forms(text: str, matches: list[Match], counts: Counter[str]) -> list[Match]:
    """The matches, and the places of short forms whose long form ends in a match: "chronic heart failure (CHF)".

    A short form that the text defines as something else is no match there: "colour printing (CP)". Counts as of
    `mentions`.
    """
    ends = {match.end: match for match in matches}
    defined: dict[str, tuple[int, ...]] = {}
    for short, _, end in definitions(text):
        rows = ends[end].rows if end in ends else ()
        if rows or short not in defined:
            defined[short] = defined.get(short) or rows
    if not defined:
        return matches
    longest_first = sorted(defined, key=lambda short: (-len(short), short))
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?=s?(?!\w))")
    places = [Match(at.start(), at.end(), defined[at[1]]) for at in pattern.finditer(text)]
    ends_of_places = {place.start: place.end for place in places}
    kept: list[Match] = []
    for match in matches:  # of which those at a place, or at its plural, go
        if match.end > ends_of_places.get(match.start, -1) + 1:
            kept.append(match)
        elif not defined[text[match.start : ends_of_places[match.start]]]:
            counts["short_forms_of_others"] += 1
    spans = [(match.start, match.end) for match in kept]
    added = [place for place in places if place.rows and not _overlaps(place, spans)]
    counts["defined_short_forms"] += len(added)
    return sorted([*kept, *added])


def _overlaps(place: Match, spans: list[tuple[int, int]]) -> bool:
    """Whether a place overlaps one of these sorted places."""
    behind = bisect_left(spans, (place.end,))
    return behind > 0 and spans[behind - 1][1] > place.start


def loaded_dictionary(
    paths: Sequence[PathLike], types: Sequence[str] = (), without: Sequence[str] = ()
) -> tuple[Dictionary, dict[str, int]]:
    """The dictionary of files of terms, and the names and terms that its rules left out, by rule.

    paths: in their order of precedence. types: semantic types whose concepts count, in any case; () for all. without:
    rules of annotation that do not apply. InputError: a fault of a file, an unknown rule, no term with a name or type.
    """
    for name in without:
        if name not in RULES:
            raise unknown_name("rule of annotation", name, RULES, "--without")
    counts = Counter[str]()
    read = list(concepts(terms(paths, counts), counts))
    wanted = {kind.lower() for kind in types}
    chosen = [each for each in read if not wanted or (each.types and each.types[0].lower() in wanted)]
    if not chosen:
        seen = Counter(kind for concept in read for kind in concept.types).most_common(10)
        remedy = f"types of these terms: {', '.join(kind for kind, _ in seen) or 'none'}"
        raise InputError(f"no term has the type {' or '.join(types)}", "--type", remedy)
    dictionary = Dictionary(chosen, [name for name in RULES if name not in without])
    if dictionary.general:
        counts["general_names"] = dictionary.general
    return dictionary, dict(sorted(counts.items()))


def annotated(
    documents: Iterable[Document], dictionary: Dictionary, counts: Counter[str], *, workers: int | None = 1
) -> Iterator[Document]:
    """The documents with the dictionary's mentions in place of their own.

    counts: as of `annotator.mentions`, mentions_replaced, relations_left_out (they name replaced mentions) and
    documents_without_mentions. workers: processes (default: one a processor, and this one alone for one batch); they
    change nothing in the result. This process writes the dictionary to a temporary file, which the workers open.
    """
    rest = iter(documents)
    begun = list(islice(rest, BATCH + 1))
    if workers is None and len(begun) <= BATCH:
        workers = 1
    rest = chain(begun, rest)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    make_pool = parallel.local(workers)
    with TemporaryDirectory(prefix="anagnosis-") as scratch:
        given = dictionary
        if (workers or parallel.available_workers()) > 1:
            given = Path(scratch) / "dictionary"
            given.write_bytes(pickle.dumps(dictionary))
        for done, counted in parallel.map(partial(_annotated, given), batches, make_pool):
            counts.update(counted)
            yield from done


@lru_cache(maxsize=1)
def _opened(path: Path) -> Dictionary:
    """The dictionary in a file; a worker reads it once."""
    return pickle.loads(path.read_bytes())


def _annotated(given: Dictionary | Path, batch: list[Document]) -> tuple[list[Document], Counter[str]]:
    counts = Counter[str]()
    dictionary = _opened(given) if isinstance(given, Path) else given
    done: list[Document] = []
    for document in batch:
        counts["mentions_replaced"] += len(document.mentions)
        counts["relations_left_out"] += len(document.relations)
        matched = tuple(mentions(document.text, dictionary, counts))
        counts["documents_without_mentions"] += not matched
        done.append(msgspec.structs.replace(document, mentions=matched, relations=()))
    return done, counts
