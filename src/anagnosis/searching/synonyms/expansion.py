"""Expand a question: names that mean the same as some of its words join them, as one group.

In a group the user's words count wherever they stand, APART of what they count alone. Each name of the group, the
user's words side by side among them, counts as much as all of the user's words together. Two spellings of a word are a
group too, as common as the commoner one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.searching.analysis import meaningful
from anagnosis.searching.queries.meaning import required_words
from anagnosis.searching.queries.tree import AnyOf, Part, Phrase, Ranked, Synonyms, Together, Word
from anagnosis.searching.records.expansion import Equivalent, ExpandedWords
from anagnosis.searching.synonyms.groups import Group, NameSource, Words, groups, spelled_words
from anagnosis.searching.synonyms.names import COMMON, LEAST_COMMON, MOST_ADDED, key
from anagnosis.searching.words import question_words, words_of

_SIGNS = "\"'.,;:!?()[]“”‘’"  # around a word


class Expansion(NamedTuple):
    """An expanded text. named: its names, spelled: its words with other spellings; with what the index has of them.

    rarity: the IDF of the words of these groups that a passage has.
    """

    text: str
    named: tuple[Group, ...]
    spelled: tuple[Group, ...]
    rarity: Mapping[str, float] = {}

    @property
    def ranked(self) -> tuple[Ranked, ...]:
        """The words of the text, each once, and its groups, as parts of a query that count where they stand."""
        parts: list[Ranked] = []
        words, typed = (
            question_words(self.text),
            [(group, frozenset(words_of(group.typed))) for group in self.named],
        )
        done = set[str]()
        for word in words:
            for group, own in typed:
                if word in own and group.typed not in done:
                    done.add(group.typed)
                    parts.append(self._group(group, [each for each in words if each in own]))
            if not any(word in own for _, own in typed):
                parts.append(self._word(word))
        return tuple(parts)

    def _group(self, group: Group, typed: Sequence[str]) -> Synonyms:
        """A group, as rare as its typed words together; as its commonest name, where no passage has any of them."""
        members = sorted(_all_words(group))
        together = sum(self._rarity_of_word(word) for word in typed)
        if not together:
            rarest = [[self.rarity.get(word, 0.0) for word in words] for words in members]
            together = min(max(each) for each in rarest if all(each))
        return self._weighted(members, together, tuple(map(self._word, typed)))

    def _word(self, word: str) -> Word | Synonyms:
        """A word, or the group of its spellings."""
        if word not in (spelled := self._spelled):
            return Word(word)
        return self._weighted(sorted(_all_words(spelled[word])), self._rarity_of_word(word))

    def _weighted(
        self, members: Sequence[Words], together: float, typed: tuple[Word | Synonyms, ...] = ()
    ) -> Synonyms:
        """Members, each with the weight that makes it as rare as `together`.

        Engines score a phrase by the sum of the rarities of its words.
        """
        own = [sum(self.rarity.get(word, 0.0) for word in words) for words in members]
        weights = tuple(together / each if each else 1.0 for each in own)
        return Synonyms(tuple(map(_member, members)), typed, weights)

    def _rarity_of_word(self, word: str) -> float:
        """The IDF of a word, in the commonest of its spellings; 0 where no passage has it."""
        words = [each for (each,) in _all_words(self._spelled[word])] if word in self._spelled else [word]
        return min((self.rarity[each] for each in words if each in self.rarity), default=0.0)

    @property
    def _spelled(self) -> dict[str, Group]:
        return {group.words[0]: group for group in self.spelled}

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
    frequency: Callable[[Sequence[str]], Sequence[float]]
    passages: int
    without: frozenset[str] = frozenset()

    def expand(self, text: str) -> Expansion:
        """A text with what the index has of other names for its words."""
        named = list(groups(text, self.sources, self.without))
        spelled = list(spelled_words(text, self.without))
        both = *named, *spelled
        every = {word: None for group in both for words in _all_words(group) for word in words}
        every |= {word: None for group in named for word in words_of(group.typed)}
        counts = dict(zip(every, self.frequency([*every]), strict=True)) if every else {}
        limit = max(LEAST_COMMON, COMMON * self.passages)
        return Expansion(
            text,
            tuple(kept for group in named if (kept := _in_index(group, counts, limit)).names),
            tuple(kept for group in spelled if (kept := _in_index(group, counts)).names),
            {word: self._rarity(count) for word, count in counts.items() if count},
        )

    def _rarity(self, count: float) -> float:
        """The IDF of a word that this number of passages have, as BM25 has it."""
        return math.log(1 + (self.passages - count + 0.5) / (count + 0.5))


def _all_words(group: Group) -> list[Words]:
    return [group.words, *(words for _, words in group.names)]


def _in_index(group: Group, counts: Mapping[str, float], limit: float = float("inf")) -> Group:
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
