"""Names and words of an index that begin as typed, or are near to what is typed, as papers print them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from anagnosis.searching.engines import Engine
from anagnosis.searching.engines.entries import names_of
from anagnosis.searching.engines.stored_papers import shown_paper
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import folded, type_keys
from anagnosis.searching.words import printed_words, words_of

_COMPARED = 20_000  # names or words, those of most papers first
_KEYS_OF_NAME = 4  # of an author, that begin alike: vandenberg, van den berg, each with initials too
_COMPARED_LETTERS = 100  # of a name
_LEAST_ALIKE = 80  # of 100
_SHORTEST, _SHORT, _LONGEST = (
    4,
    5,
    40,
)  # letters of a word that may be misspelt; of one with at most one error
_NEAREST = 50  # words near a misspelt one, of which the commonest are wanted
_DIGITS = re.compile(r"\d+")


def beginning_with(engine: Engine, field: str, letters: str, limit: int) -> list[str]:
    """Names of a field of tree.NAME_FIELDS, or words of titles, that begin so; those of most papers first."""
    if field == tree.TITLE:
        words = printed_words(letters)
        return engine.names(field, words[0], limit) if len(words) == 1 else []
    beginning = folded(letters)
    names = engine.names(field, beginning, _KEYS_OF_NAME * limit) if beginning else []
    return as_printed(engine, field, names, limit)


def near_names(engine: Engine, field: str, name: str, limit: int) -> list[str]:
    """The names of a field that are most like a name; signs are as blanks."""
    from rapidfuzz.fuzz import token_ratio
    from rapidfuzz.process import extract
    from rapidfuzz.utils import default_process

    compared = {one: one[:_COMPARED_LETTERS] for one in engine.names(field, "", _COMPARED)}
    wanted = folded(name)[:_COMPARED_LETTERS]
    near = extract(
        wanted,
        compared,
        scorer=token_ratio,
        processor=default_process,
        limit=limit,
        score_cutoff=_LEAST_ALIKE,
    )
    return as_printed(engine, field, (one for *_, one in near), limit)


def near_words(engine: Engine, word: str, limit: int) -> list[tuple[str, int]]:
    """(word of titles, number of papers that have it in any form), for those that differ in one or two letters.

    The nearest come first, of these the commonest. An error is a letter left out, added, replaced, or exchanged with
    the next; no letter is part of two errors (optimal string alignment). The first letter is right, and so are digits.
    """
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    typed = printed_words(word)
    if len(typed) != 1 or not _SHORTEST <= len(typed[0]) <= _LONGEST:
        return []
    (letters,), errors = typed, 1 if len(typed[0]) <= _SHORT else 2
    words = [
        one for one in engine.names(tree.TITLE, letters[0], _COMPARED) if _numbers(one) == _numbers(letters)
    ]
    near = extract(letters, words, scorer=OSA.distance, score_cutoff=errors, limit=_NEAREST)
    stems = {text: stem for text, distance, _ in near if distance for stem in words_of(text)[:1]}
    counts = engine.rarity([*stems.values()])
    best: dict[str, tuple[float, int, str]] = {}
    for text, distance, _ in near:
        if (stem := stems.get(text)) is not None:
            rank = distance, -counts.papers_with(stem), text
            best[stem] = min(best.get(stem, rank), rank)
    return [(text, -count) for _, count, text in sorted(best.values())[:limit]]


def as_printed(engine: Engine, field: str, names: Iterable[str], limit: int) -> list[str]:
    """The first of folded names, as the latest paper with it prints each."""
    printed = dict.fromkeys(engine.printed(field, [*names]))
    printed.pop("", None)
    return [*printed][:limit]


def printed_in(stored: StoredPaper, field: str, name: str) -> str:
    """A folded name as a paper prints it; "" where it does not."""
    names = names_of(shown_paper(stored))
    every = type_keys(name) if field == tree.TYPE else [name]
    return next((names[field, one] for one in every if (field, one) in names), "")


def _numbers(word: str) -> list[str]:
    """A number is never a misspelt one, as of IL-2 and IL-6."""
    return _DIGITS.findall(word)
