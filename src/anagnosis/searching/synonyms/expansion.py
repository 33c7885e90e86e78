"""Expand a question: names that mean the same as some of its words join them, as one group that counts as one word.

In a group the user's words count wherever they stand, APART of what they count alone. Each name of the group, the
user's words side by side among them, counts as much as all of the user's words together. Two spellings of a word are a
group too, as common as the commoner one. APART is chosen on SciFact's training queries (design/search.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.searching.queries.tree import Phrase, Ranked, Synonyms, Word
from anagnosis.searching.records.expansion import ExpandedWords
from anagnosis.searching.synonyms.equivalents import Equivalent
from anagnosis.searching.synonyms.groups import Group, NameSource, Words, groups, spelled_words
from anagnosis.searching.synonyms.names import key
from anagnosis.searching.synonyms.rules import COMMON, MOST_ADDED
from anagnosis.searching.words import question_words, words_of

APART = 0.8


class Expansion(NamedTuple):
    """An expanded question. ranked: its words and groups, as parts of a query; shown: what was added."""

    ranked: tuple[Ranked, ...] = ()
    shown: tuple[ExpandedWords, ...] = ()
    equivalents: tuple[Equivalent, ...] = ()


class Expander(NamedTuple):
    """What expands the questions of an index.

    frequency: for each word the number of passages that have it, of `passages`. without: names that it does not add,
    and words that it does not expand.
    """

    sources: Sequence[NameSource]
    frequency: Callable[[Sequence[str]], Sequence[int]]
    passages: int
    without: frozenset[str] = frozenset()

    def expand(self, text: str) -> Expansion:
        """The words of a text, each once, expanded."""
        named = list(groups(text, self.sources, self.without))
        spelled = list(spelled_words(text, self.without))
        every = {word: None for group in (*named, *spelled) for words in _all_words(group) for word in words}
        counts = dict(zip(every, self.frequency([*every]), strict=True)) if every else {}
        limit = COMMON * self.passages
        named = [kept for group in named if (kept := _in_index(group, counts, limit)).names]
        spelled = [kept for group in spelled if (kept := _in_index(group, counts)).names]
        words = question_words(text)
        shown = [each for group in (*named, *spelled) if (each := _shown(group)).added]
        return Expansion(
            _ranked(words, named, {group.words[0]: group for group in spelled}),
            tuple(dict.fromkeys(shown)),
            tuple(_equivalent(words, group) for group in (*named, *spelled)),
        )


def _all_words(group: Group) -> list[Words]:
    return [group.words, *(words for _, words in group.names)]


def _in_index(group: Group, counts: Mapping[str, int], limit: float = float("inf")) -> Group:
    """The group with the commonest names that the index may have; without names if one of them is too common.

    A name is taken to be as common as its rarest word. limit: passages.
    """

    def common(words: Words) -> int:
        return min(counts[word] for word in words)

    names = sorted(
        (each for each in group.names if common(each[1])), key=lambda each: (-common(each[1]), each[1])
    )[:MOST_ADDED]
    too_common = any(common(words) > limit for words in (group.words, *(words for _, words in names)))
    return group._replace(names=() if too_common else tuple(names))


def _ranked(words: Sequence[str], named: Sequence[Group], spelled: Mapping[str, Group]) -> tuple[Ranked, ...]:
    """The parts of a query: each word, or at the place of a group's first word the group."""
    parts: list[Ranked] = []
    typed = [(group, frozenset(words_of(group.typed))) for group in named]
    done = set[str]()
    for word in words:
        for group, own in typed:
            if word in own and group.typed not in done:
                done.add(group.typed)
                members = sorted(_all_words(group))
                apart = tuple(_word(each, spelled, APART) for each in words if each in own)
                parts.append(Synonyms(tuple(_member(each) for each in members), apart))
        if not any(word in own for _, own in typed):
            parts.append(_word(word, spelled))
    return tuple(parts)


def _word(word: str, spelled: Mapping[str, Group], weight: float = 1.0) -> Word | Synonyms:
    """A word, or the group of its spellings."""
    if word not in spelled:
        return Word(word, weight)
    return Synonyms(tuple(Word(each, weight) for (each,) in sorted(_all_words(spelled[word]))))


def _member(words: Words) -> Word | Phrase:
    return Word(words[0]) if len(words) == 1 else Phrase(words)


def _shown(group: Group) -> ExpandedWords:
    """What was added to a group's words, other spellings of the same name left out."""
    own, names = key(group.typed), {one.text: one for one, _ in group.names}
    spelled = [one for one in names.values() if one.source == "spelling" or key(one.text) != own]
    return ExpandedWords(group.typed, tuple(spelled))


def _equivalent(words: Sequence[str], group: Group) -> Equivalent:
    own = set(words_of(group.typed))
    return Equivalent(
        frozenset(word for word in words if word in own), tuple(words for _, words in group.names)
    )
