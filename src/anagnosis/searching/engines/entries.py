"""The entry of a paper, the same for every engine: the texts and names by which it is found, and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from anagnosis.documents.bibliography import is_group, split_values
from anagnosis.searching.filters import NAME_FILTERS, Filters, date_number
from anagnosis.searching.papers.bm25 import letters_of
from anagnosis.searching.papers.joined import ShownPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.fields import HAS_ABSTRACT
from anagnosis.searching.queries.names import author_keys, folded, language_key, type_keys
from anagnosis.searching.records.passage import Paper, Passage

FULL_TEXT = "full text"  # the `kind` of papers with more than an abstract
# field → the names in a paper and its first passage, as printed
_PRINTED: dict[str, Callable[[Passage, Paper], Sequence[str]]] = {
    **{one.field: lambda passage, _, one=one: one.printed(passage.facts) for one in NAME_FILTERS},
    tree.AUTHOR: lambda passage, paper: paper.authors,
    tree.FIRST_AUTHOR: lambda passage, paper: _people(paper)[:1],
    tree.LAST_AUTHOR: lambda passage, paper: _people(paper)[-1:],
    tree.LANGUAGE: lambda passage, _: [*map(language_key, split_values(passage.facts.get("language", "")))],
    tree.MESH: lambda passage, paper: paper.mesh,
    tree.KEYWORD: lambda passage, paper: paper.keywords,
}
_NAMES = 1 << 16  # size of the caches

_folded = lru_cache(maxsize=_NAMES)(folded)
_author_keys = lru_cache(maxsize=_NAMES)(author_keys)
_KEYS: dict[str, Callable[[str], Sequence[str]]] = dict.fromkeys(tree.AUTHOR_FIELDS, _author_keys)


class Entry(NamedTuple):
    """What an engine indexes of a paper.

    texts: field of words → texts, each by itself: no phrase reaches from one into the next. `content` is title,
    headings and texts; of a paper with a full text and an abstract `abstract` is what is not of the full text. terms:
    field → values as they are. names: (field, folded name) → the name as printed. numbers: field → number, 0 for none;
    letters are those of all passages together, the title with each.
    """

    texts: dict[str, list[str]]
    terms: dict[str, Sequence[str]]
    names: dict[tuple[str, str], str]
    numbers: dict[str, int]


def entry_of(name: str, paper: ShownPaper) -> Entry:
    """The entry of a paper, which has at least one passage."""
    passages = paper.passages
    first = passages[0]
    texts = {"content": [first.title], "title": [first.title], "abstract": [first.title]}
    heading = ""
    for passage in passages:
        if passage.section == "title":
            continue
        parts = [passage.text]
        if passage.heading != heading:  # once for the parts of a long section
            heading = passage.heading
            parts = [heading, passage.text]
        texts["content"] += parts
        if not passage.full_text:
            texts["abstract"] += parts
    terms: dict[str, Sequence[str]] = {
        "name": [name],
        "key": paper.keys,
        "section": [*dict.fromkeys(one.section for one in passages)],
        "kind": [FULL_TEXT],
    }
    is_full = any(one.full_text for one in passages)
    if not is_full:
        del terms["kind"]
    if not is_full or len(texts["abstract"]) == 1:
        del texts["abstract"]
    numbers = {
        "date": date_number(first.date),
        "added": date_number(first.facts.get("added", "")),
        "passages": len(passages),
        "letters": sum(map(letters_of, passages)),
    }
    return Entry(texts, terms, names_of(paper), numbers)


def names_of(paper: ShownPaper) -> dict[tuple[str, str], str]:
    """(field, folded name) → the name as printed, of all names of a paper, and of the filters that it meets."""
    names, first, about = dict[tuple[str, str], str](), paper.passages[0], paper.paper
    for field, printed in _PRINTED.items():
        keys = _KEYS.get(field)
        for one in printed(first, about):
            for name in keys(one) if keys else (_folded(one),):
                if name:
                    names.setdefault((field, name), one)
    if any(one.section != "title" and not one.full_text for one in paper.passages):
        names[tree.FILTER, HAS_ABSTRACT] = ""
    return names


def filtered_terms(filters: Filters) -> list[tuple[str, list[str]]]:
    """(field, terms of which a paper must have one), for the filters that are given, without dates."""
    terms = {"section": [*filters.sections], "name": [*filters.documents]}
    for one in NAME_FILTERS:
        names = map(one.unify, getattr(filters, one.names))
        terms[one.field] = [key for name in names for key in name_keys(one.field, name)]
    return [(field, values) for field, values in terms.items() if values]


def name_keys(field: str, name: str) -> Sequence[str]:
    """The folded forms of a name in a field; of a publication type, those of its older names too."""
    keys = type_keys if field == tree.TYPE else _KEYS.get(field)
    return keys(name) if keys else (folded(name),)


def _people(paper: Paper) -> Sequence[str]:
    """The authors who are persons, if any is."""
    return [one for one in paper.authors if not is_group(one)] or paper.authors
