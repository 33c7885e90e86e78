"""Names that count as words of a question where they stand in a text: "myocardial infarction" as "heart attack"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anagnosis.searching.records.expansion import Equivalent


def with_equivalents(words: Sequence[str], equivalents: Iterable[Equivalent]) -> Sequence[str]:
    """The words of a text in their order, followed by the question's words whose names stand in it."""
    present, implied = frozenset(words), set[str]()
    for each in equivalents:
        if not each.words <= present and any(_stands(name, words, present) for name in each.names):
            implied |= each.words
    return [*words, *sorted(implied)] if implied else words


def standing(names: Iterable[tuple[str, ...]], words: Sequence[str]) -> list[tuple[str, ...]]:
    """The names whose words stand side by side among the words of a text."""
    present = frozenset(words)
    return [name for name in names if _stands(name, words, present)]


def _stands(name: tuple[str, ...], words: Sequence[str], present: frozenset[str]) -> bool:
    """Whether the words of a name stand side by side. present: all of the words."""
    if not present.issuperset(name):
        return False
    size = len(name)
    return size == 1 or any(
        tuple(words[at : at + size]) == name for at, word in enumerate(words) if word == name[0]
    )
