"""The structural shortcut card: what lets a system answer without reading, counted for any cloze dataset.

What simple readers make of a dataset stands in the report's part on shortcuts. An instance of which a shortcut cannot
be judged, since it has no answer, is counted on neither side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.splits import SPLITS


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One line of the card. by_split: split → instances that have it, and those where it can be judged."""

    name: str
    meaning: str
    by_split: dict[str, tuple[int, int]]

    @property
    def instances(self) -> int:
        """Those that have it."""
        return sum(has for has, _ in self.by_split.values())

    @property
    def of(self) -> int:
        """Those where it can be judged."""
        return sum(judged for _, judged in self.by_split.values())


def card(splits: Mapping[str, Iterable[ClozeInstance]]) -> tuple[Shortcut, ...]:
    """The card of a dataset, in the order of `SHORTCUTS`. Each split is read once, train, dev, test."""
    counts = CardCounts()
    for split in sorted(splits, key=SPLITS.index):
        for _ in counts.passing(split, splits[split]):
            pass
    return counts.shortcuts()


class CardCounts:
    """The card while it grows; it needs the splits one after the other, train, dev, test.

    Memory: up to two 64-bit hashes an instance.
    """

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, tuple[int, int]]] = {name: {} for name in SHORTCUTS}
        self._seen: set[int] = set()  # instances
        self._passages: dict[int, str] = {}  # → the split of the first

    def passing(self, split: str, instances: Iterable[ClozeInstance]) -> Iterator[ClozeInstance]:
        """The instances of a split unchanged, each counted as it passes."""
        for instance in instances:
            passage = _hash(instance.passage)
            whole = _hash(f"{passage} {instance.question}")
            found = _by_itself(instance)
            found["repeated_instance"] = whole in self._seen
            found["passage_in_earlier_split"] = self._passages.setdefault(passage, split) != split
            self._seen.add(whole)
            for name, has in found.items():
                before, judged = self._counts[name].get(split, (0, 0))
                self._counts[name][split] = before + has, judged + 1
            yield instance

    def shortcuts(self) -> tuple[Shortcut, ...]:
        """The lines of the card."""
        return tuple(Shortcut(name, meaning, self._counts[name]) for name, meaning in SHORTCUTS.items())


def _by_itself(instance: ClozeInstance) -> dict[str, bool]:
    """Whether an instance has each shortcut that can be judged of it alone."""
    if instance.answer is None:
        return {"answer_no_candidate": True} if instance.answers else {}
    counts = Counter([mention.candidate for mention in instance.mentions])
    own = counts.pop(instance.answer, 0)
    return {
        "answer_visible_in_question": instance.answer
        in [each.candidate for each in instance.question_mentions],
        "answer_most_frequent": own > max(counts.values(), default=0),
        "answer_no_candidate": False,
    }


# The lines of the card, in their order, and what they mean.
SHORTCUTS = {
    "answer_visible_in_question": "the answer's entity stands in the question",
    "answer_most_frequent": "the answer is the only most frequent entity",
    "repeated_instance": "passage and question stand earlier in the dataset",
    "passage_in_earlier_split": "the passage stands in an earlier split",
    "answer_no_candidate": "no candidate is the answer: accuracy ends at the share of the others",
}


# kind of instances → readers that do not read → what they look at
SHORTCUT_READERS = {
    "cloze": {
        "first-entity": "the order of the passage",
        "last-entity": "the order of the passage",
        "most-frequent-entity": "how often the passage mentions an entity",
        "most-frequent-unless-alone": "how often the passage mentions an entity",
        "neighbour-overlap": "words next to an entity and to the placeholder",
        "question-words": "the question alone, after counting in train",
        "entity-prior": "no text: how often an entity is the answer in train",
        "best-position": "no text: the answers' most common rank in train",
    },
    "decision": {"majority": "no text: the most common label in train"},
    "question": {"question-type-rules": "words that questions of a type begin with"},
    "evidence": {"sentence-overlap": "words of the question in a sentence"},
}


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
