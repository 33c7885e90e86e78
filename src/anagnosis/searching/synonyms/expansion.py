"""Expand a question: names that mean the same as some of its words join them, as one group.

In a group the user's words count wherever they stand, APART of what they count alone. The best of the names of the
group, the user's words side by side among them, counts besides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

from anagnosis.searching.queries.meaning import word_or_name
from anagnosis.searching.queries.tree import Phrase, Ranked, Synonyms, Word
from anagnosis.searching.records.hits import Equivalent, ExpandedWords
from anagnosis.searching.synonyms.groups import Group, Lookup, Words, groups
from anagnosis.searching.synonyms.names import COMMON, LEAST_COMMON, MOST_ADDED
from anagnosis.searching.words import question_words, small_names, words_of


class Expansion:
    """An expanded text, with the groups of its names that the index has."""

    def __init__(self, text: str, named: Sequence[Group]) -> None:
        self._named = named
        self._words = question_words(text)
        self._names = small_names(text)

    @cached_property
    def ranked(self) -> tuple[Ranked, ...]:
        """The words of the text, each once, and its groups, as parts of a query that count where they stand."""
        typed = [(group, frozenset(words_of(group.typed))) for group in self._named]
        parts = dict[str, Ranked]()  # by what was typed
        for word in self._words:
            within = [(group, own) for group, own in typed if word in own]
            for group, own in within:
                members = tuple(map(_member, sorted(group.all_words)))
                words = tuple(Word(each) for each in self._words if each in own)
                parts.setdefault(group.typed, Synonyms(members, words))
            if not within:
                parts[f" {word}"] = word_or_name(word, self._names)
        return tuple(parts.values())

    @property
    def shown(self) -> tuple[ExpandedWords, ...]:
        """What was added to the text, but for names of the same letters: IL 6 for IL-6."""
        added = [
            (group.typed, [name for name, _ in group.names if _letters(name) != _letters(group.typed)])
            for group in self._named
        ]
        return tuple(ExpandedWords(typed, tuple(dict.fromkeys(names))) for typed, names in added if names)

    @property
    def equivalents(self) -> tuple[Equivalent, ...]:
        """The names that count as words of the text."""
        return tuple(
            Equivalent(
                frozenset(words_of(group.typed)).intersection(self._words),
                tuple(words for _, words in group.names),
            )
            for group in self._named
        )


def expand(
    texts: Iterable[str],
    vocabulary: Lookup,
    frequency: Callable[[Sequence[str]], Sequence[float]],
    passages: int,
    without: Collection[str] = (),
) -> dict[str, Expansion]:
    """Each text with what an index has of other names for its words, of which it counts all at once.

    frequency: for each word the number of passages that have it, of `passages`. without: names that it does not add,
    and words that it does not expand.
    """
    named = {text: [*groups(text, vocabulary, without)] for text in texts}
    names = (words for some in named.values() for group in some for words in group.all_words)
    every = list(dict.fromkeys(word for words in names for word in words))
    counts = dict(zip(every, frequency(every), strict=True)) if every else {}
    limit = max(LEAST_COMMON, COMMON * passages)
    return {
        text: Expansion(text, [kept for group in some if (kept := _in_index(group, counts, limit)).names])
        for text, some in named.items()
    }


def _in_index(group: Group, counts: Mapping[str, float], limit: float) -> Group:
    """The group with the commonest names that the index may have; without names if one of them is too common.

    A name is taken to be as common as its rarest word. limit: passages.
    """

    def common(words: Words) -> float:
        return min(counts[word] for word in words)

    names = [each for each in group.names if common(each[1])]
    names.sort(key=lambda each: (-common(each[1]), each[1]))
    kept = group._replace(names=tuple(names[:MOST_ADDED]))
    return kept._replace(names=()) if any(common(words) > limit for words in kept.all_words) else kept


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _member(words: Words) -> Word | Phrase:
    return Word(words[0]) if len(words) == 1 else Phrase(words)
