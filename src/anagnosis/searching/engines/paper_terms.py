"""The names of a paper, the same for every engine: as printed, and folded as an engine has them.

And back: names near another one, and which words may be misspelt ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest

from anagnosis.documents.bibliography import split_values
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.papers.joined import ShownPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import author_keys, folded, language_key, type_keys
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage

KEYS_OF_NAME = 4  # of an author, that begin alike: vandenberg, van den berg, each with initials too
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
_SHORTEST, _SHORT = 4, 5  # letters of a word that may be misspelt, and of one with at most one error
_LONGEST = 40
_DIGITS = re.compile(r"\d+")
_NAMES = 1 << 16  # size of the caches
_WORD_OF_NAME = re.compile(r"[^\W_]{3,}")
_COMPARED_LETTERS = 100  # of a name
_CLOSELY_COMPARED = 200  # names compared letter by letter, those that share most words
_LEAST_RATIO = 0.6

_folded = lru_cache(maxsize=_NAMES)(folded)
_author_keys = lru_cache(maxsize=_NAMES)(author_keys)
_KEYS: dict[str, Callable[[str], Sequence[str]]] = dict.fromkeys(tree.AUTHOR_FIELDS, _author_keys)


def _people(paper: Paper) -> Sequence[str]:
    """The authors who are persons, if any is."""
    return [one for one in paper.authors if ", " in one] or paper.authors


def printed_names(field: str, paper: ShownPaper) -> Sequence[str]:
    """The names of a paper in a field, as printed."""
    return _PRINTED[field](paper.passages[0], paper.paper)


def names_of(paper: ShownPaper) -> dict[tuple[str, str], str]:
    """(field, folded name) → the name as printed, of all names of a paper."""
    names, first, about = dict[tuple[str, str], str](), paper.passages[0], paper.paper
    for field, printed in _PRINTED.items():
        keys = _KEYS.get(field)
        for one in printed(first, about):
            for name in keys(one) if keys else (_folded(one),):
                if name:
                    names.setdefault((field, name), one)
    return names


def filtered_terms(filters: Filters) -> list[tuple[str, list[str]]]:
    """(field, terms of which a paper must have one), for the filters that are given, without dates."""
    every = (
        ("section", filters.sections),
        *(
            (
                one.field,
                [
                    key
                    for name in getattr(filters, one.names)
                    for key in name_keys(one.field, one.unify(name))
                ],
            )
            for one in NAME_FILTERS
        ),
        ("name", filters.documents),
    )
    return [(field, [*values]) for field, values in every if values]


def name_keys(field: str, name: str) -> Sequence[str]:
    """The folded forms of a name in a field; of a publication type, those of its older names too."""
    keys = type_keys if field == tree.TYPE else _KEYS.get(field)
    return keys(name) if keys else (folded(name),)


def most_errors(word: str) -> int:
    """The number of errors that a word may have, as printed in lower case; 0 for one too short or too long."""
    if not _SHORTEST <= len(word) <= _LONGEST:
        return 0
    return 1 if len(word) <= _SHORT else 2


def same_digits(word: str, other: str) -> bool:
    """Whether two words have the same numbers: a number is never a misspelt one, as of IL-2 and IL-6."""
    return _DIGITS.findall(word) == _DIGITS.findall(other)


def nearest(name: str, names: Iterable[str], limit: int) -> list[str]:
    """The names that share words with `name` or differ in few letters, the most similar first."""
    if limit < 1:
        return []
    name = name[:_COMPARED_LETTERS]
    words = set(_WORD_OF_NAME.findall(name))
    shared = {one: len(words.intersection(_WORD_OF_NAME.findall(one))) for one in names}
    compared = nlargest(
        _CLOSELY_COMPARED, shared, key=lambda one: (shared[one], -abs(len(one) - len(name)), one)
    )
    scores = {one: _alike(name, one) + shared[one] / max(1, len(words)) for one in compared}
    near = [one for one in compared if scores[one] >= _LEAST_RATIO]
    return nlargest(limit, near, key=lambda one: (scores[one], one))


def _alike(name: str, other: str) -> float:
    return SequenceMatcher(None, name, other[:_COMPARED_LETTERS], autojunk=False).ratio()
