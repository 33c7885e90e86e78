"""The concepts of a vocabulary: its terms with their parts joined and the names that the rules leave.

A term is what a file has of a concept: its identifier, its preferred name, its synonyms and its semantic types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from anagnosis.errors import InputError

# Rules that leave out names of terms, the first that applies. A vocabulary records which it was made without, and how
# many names each left out. Narrower names and permuted forms ("Abdomen, Acute") are names that people also write.
NAME_RULES = ("obsolete_term", "other_language", "suppressed_name", "broad_scope", "related_scope")


class Synonym(msgspec.Struct, frozen=True, gc=False):
    """Another name of a term. rules: of NAME_RULES those that leave it out."""

    text: str
    rules: tuple[str, ...] = ()


class Term(msgspec.Struct, frozen=True, gc=False):
    """A concept. One file may hold a term in several parts with the same identifier; `concepts` joins them.

    name: the preferred name, "" in a part that has none. types: semantic types in the file's words. mapped_to:
    identifiers of terms whose types count where a term has none. alternatives: other identifiers of the same concept,
    such as those of terms merged into it. references: the concept's identifiers in other vocabularies. obsolete: no
    longer in use. tree_numbers: of a MeSH heading, C14.907.
    """

    identifier: str
    name: str = ""
    synonyms: tuple[Synonym, ...] = ()
    types: tuple[str, ...] = ()
    mapped_to: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    obsolete: bool = False
    tree_numbers: tuple[str, ...] = ()


class Concept(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A concept of a vocabulary. names: all of them, the preferred one first, each once; types: semantic types.

    alternatives: other identifiers of the concept. tree_numbers: of a MeSH heading.
    """

    identifier: str
    name: str
    names: tuple[str, ...]
    types: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    tree_numbers: tuple[str, ...] = ()


def concepts(terms: Iterable[Term], counts: Counter[str], without: Sequence[str] = ()) -> Iterator[Concept]:
    """The concepts of terms, in the order of their identifiers' first appearance.

    without: names of NAME_RULES that do not apply. Counted: names that each rule leaves out, by its name; without_name:
    terms left out because no part has a name or a synonym. Where no part has a preferred name, the first synonym is the
    name. InputError: no term has a name.
    A term that refers to exactly one identifier of an earlier term (DOID:1324 to MESH:D008175) adds its names to that
    concept (joined_by_reference), so the order of the files matters. A term without types has those of the terms that
    it is mapped to.
    """
    chosen = {*NAME_RULES} - {*without}
    is_empty = True
    parts: dict[str, list[Term]] = {}
    for term in terms:
        parts.setdefault(_same_concept(term, parts, counts), []).append(term)
    types = {identifier: _each(t for term in parts[identifier] for t in term.types) for identifier in parts}
    for identifier, same in parts.items():
        names: dict[str, None] = {}
        preferred, dropped = "", False
        for term in same:
            of_all = ("obsolete_term",) if term.obsolete else ()
            for synonym in (Synonym(term.name), *term.synonyms):
                if not synonym.text:
                    continue
                if rule := next((rule for rule in (*of_all, *synonym.rules) if rule in chosen), ""):
                    counts[rule] += 1
                    dropped = True
                else:
                    names[synonym.text] = None
            preferred = preferred or (term.name if term.name in names else "")
        if not names:
            if not dropped:
                counts["without_name"] += 1
            continue
        is_empty = False
        preferred = preferred or next(iter(names))
        mapped = (t for term in same for other in term.mapped_to for t in types.get(other, ()))
        yield Concept(
            identifier,
            preferred,
            (preferred, *(name for name in names if name != preferred)),
            types[identifier] or _each(mapped),
            _each(other for term in same for other in term.alternatives if other != identifier),
            _each(number for term in same for number in term.tree_numbers),
        )
    if is_empty:
        why = ", ".join(f"{name}: {n:,}" for name, n in counts.items() if n)
        raise InputError(f"no term with a name{f' ({why})' if why else ''}", "", "check the files of terms")


def _same_concept(term: Term, parts: Mapping[str, list[Term]], counts: Counter[str]) -> str:
    """The identifier of the concept that a term belongs to: the term's, or the one earlier term that it refers to."""
    if term.identifier in parts:
        return term.identifier
    referred = {bare for reference in term.references if (bare := reference.partition(":")[2]) in parts}
    referred |= {reference for reference in term.references if reference in parts}
    if len(referred) != 1:
        return term.identifier
    counts["joined_by_reference"] += 1
    return referred.pop()


def _each(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
