"""Expand a question: names that mean the same as some of its words join them, as one group that counts as one word.

In a group the user's words count wherever they stand, APART of what they count alone. Each name of the group, the
user's words side by side among them, counts as much as all of the user's words together. Two spellings of a word are a
group too, as common as the commoner one. APART is chosen on SciFact's training queries (design/search.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.searching.analysis import meaningful
from anagnosis.searching.queries.meaning import required_words
from anagnosis.searching.queries.tree import AnyOf, Part, Phrase, Ranked, Synonyms, Together, Word
from anagnosis.searching.records.expansion import Equivalent, ExpandedWords
from anagnosis.searching.synonyms.groups import Group, NameSource, Words, groups, spelled_words
from anagnosis.searching.synonyms.names import COMMON, LEAST_COMMON, MOST_ADDED, key
from anagnosis.searching.words import question_words, words_of

APART = 0.8
_SIGNS = "\"'.,;:!?()[]“”‘’"  # around a word


class Expansion(NamedTuple):
    """An expanded text. named: its names, spelled: its words with other spellings; with what the index has of them."""

    text: str
    named: tuple[Group, ...]
    spelled: tuple[Group, ...]

    @property
    def ranked(self) -> tuple[Ranked, ...]:
        """The words of the text, each once, and its groups, as parts of a query that count where they stand."""
        return _ranked(
            question_words(self.text), self.named, {group.words[0]: group for group in self.spelled}
        )

    @property
    def required(self) -> tuple[Part, ...]:
        """These words as parts of which each must hold."""
        parts: list[Part] = []
        at = 0
        for group in self.named:
            parts += self._words(self.text[at : group.begin])
            typed = self._words(group.typed)
            whole = Together(tuple(typed)) if len(typed) > 1 else typed[0]
            parts.append(AnyOf((whole, *(_member(words) for _, words in group.names))))
            at = group.begin + len(group.typed)
        return tuple(dict.fromkeys((*parts, *self._words(self.text[at:]))))

    @property
    def shown(self) -> tuple[ExpandedWords, ...]:
        """What was added to the text."""
        shown = (_shown(group) for group in (*self.named, *self.spelled))
        return tuple(dict.fromkeys(each for each in shown if each.added))

    @property
    def equivalents(self) -> tuple[Equivalent, ...]:
        """The names that count as words of the text."""
        words = question_words(self.text)
        return tuple(_equivalent(words, group) for group in (*self.named, *self.spelled))

    def _words(self, text: str) -> list[Part]:
        """The words of a part of the text as required ones, each in any of its spellings."""
        spelled = {group.typed: group for group in self.spelled}
        parts: list[Part] = []
        for typed in meaningful(text).split():
            for part in required_words(typed):
                group = spelled.get(typed.strip(_SIGNS))
                others = [_member(words) for _, words in group.names] if group else []
                parts.append(AnyOf((part, *others)) if others else part)
        return parts


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
        """A text with what the index has of other names for its words."""
        named = list(groups(text, self.sources, self.without))
        spelled = list(spelled_words(text, self.without))
        every = {word: None for group in (*named, *spelled) for words in _all_words(group) for word in words}
        counts = dict(zip(every, self.frequency([*every]), strict=True)) if every else {}
        limit = max(LEAST_COMMON, COMMON * self.passages)
        return Expansion(
            text,
            tuple(kept for group in named if (kept := _in_index(group, counts, limit)).names),
            tuple(kept for group in spelled if (kept := _in_index(group, counts)).names),
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
                one_by_one = tuple(_word(each, spelled, APART) for each in words if each in own)
                parts.append(Synonyms(tuple(_member(each) for each in members), one_by_one))
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
