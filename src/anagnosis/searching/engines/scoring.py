"""What engines with BM25 share: the weight of titles, and the scores of synonyms from frequencies of their words."""

from __future__ import annotations

import math
from collections.abc import Callable

from anagnosis.searching.queries import tree

TITLE_WEIGHT = 0.2  # chosen on SciFact's training queries (design/search.md)


class Frequencies:
    """Frequencies of words in one commit. entries: number of passages. count: of those with a word in a field."""

    def __init__(self, entries: int, count: Callable[[str, str], int]) -> None:
        self._entries, self._count = entries, count

    def factors(self, field: str, part: tree.Synonyms) -> list[tuple[tree.Word | tree.Phrase, float]]:
        """(member, factor of its score) that makes each as rare as the group; absent members are left out.

        Engines score a phrase by the sum of the rarities of its words.
        """
        rarity = self._of_group(field, part)
        members = [(one, *self._own(field, one)) for one in part.members]
        return [(one, one.weight * rarity / own) for one, passages, own in members if passages]

    def passages(self, field: str, part: tree.Ranked) -> int:
        """The passages that have a part, of a phrase those of its rarest word, of synonyms those of the commonest."""
        if isinstance(part, tree.Synonyms):
            return max(self.passages(field, one) for one in (*part.members, *part.typed))
        return self._own(field, part)[0]

    def _of_group(self, field: str, part: tree.Synonyms) -> float:
        """The rarity of the typed words together; of its commonest member, where no passage has any of them."""
        together = sum(
            self._of_group(field, one) if isinstance(one, tree.Synonyms) else self._own(field, one)[1]
            for one in part.typed
        )
        if together:
            return together
        return self._rarity(max(self._own(field, one)[0] for one in part.members))

    def _own(self, field: str, part: tree.Word | tree.Phrase) -> tuple[int, float]:
        """The passages that have a word or phrase in a field, of a phrase those of its rarest word; and its rarity."""
        words = (part.text,) if isinstance(part, tree.Word) else part.words
        counts = [self._count(field, word) for word in words]
        return (min(counts), sum(map(self._rarity, counts))) if all(counts) else (0, 0.0)

    def _rarity(self, count: int) -> float:
        """The IDF of a word that this number of passages have."""
        return math.log(1 + (self._entries - count + 0.5) / (count + 0.5))
