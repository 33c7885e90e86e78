"""The structural shortcut card: what lets a system answer without reading, counted for any cloze dataset.

What simple readers make of a dataset stands in the report's part on shortcuts. An instance of which a shortcut cannot
be judged (it has no answer, or no names of it) is counted on neither side.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.splits import SPLITS

KEPT_IDS = 5


@dataclass(frozen=True, slots=True)
class ShortcutCount:
    """instances: those that have a shortcut; of: those where it can be judged."""

    instances: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One line of the card.

    instances: those that have it; of: those where it can be judged; by_split: split → the same two. ids: the first few.
    """

    name: str
    meaning: str
    instances: int
    of: int
    by_split: dict[str, ShortcutCount]
    ids: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """0 to 1; None where it can be judged of no instance."""
        return self.instances / self.of if self.of else None


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
        self._instances = Counter[tuple[str, str]]()  # (shortcut, split) → those that have it
        self._judged = Counter[tuple[str, str]]()
        self._ids: dict[str, list[str]] = {name: [] for name in SHORTCUTS}
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
                self._judged[name, split] += 1
                self._instances[name, split] += has
                if has and len(self._ids[name]) < KEPT_IDS:
                    self._ids[name].append(instance.id)
            yield instance

    def shortcuts(self) -> tuple[Shortcut, ...]:
        """The lines of the card."""
        lines: list[Shortcut] = []
        for name, meaning in SHORTCUTS.items():
            judged = {split: of for (own, split), of in self._judged.items() if own == name}
            by_split = {
                split: ShortcutCount(self._instances[name, split], of) for split, of in judged.items()
            }
            instances = sum(count.instances for count in by_split.values())
            ids = tuple(self._ids[name])
            lines.append(Shortcut(name, meaning, instances, sum(judged.values()), by_split, ids))
        return tuple(lines)


def _by_itself(instance: ClozeInstance) -> dict[str, bool]:
    """Whether an instance has each shortcut that can be judged of it alone."""
    if instance.answer is None:
        return {"answer_no_candidate": True} if instance.answers else {}
    counts = Counter([mention.candidate for mention in instance.mentions])
    own = counts.pop(instance.answer, 0)
    found = {
        "answer_visible_in_question": any(
            mention.candidate == instance.answer for mention in instance.question_mentions
        ),
        "answer_most_frequent": own > max(counts.values(), default=0),
        "answer_no_candidate": False,
    }
    names = {*instance.answers, *instance.candidates[instance.answer].names} - {""}
    if names:
        question = instance.question.lower()
        found["answer_name_in_question"] = any(_holds(question, name.lower()) for name in names)
    return found


# The lines of the card, in their order, and what they mean.
SHORTCUTS = {
    "answer_visible_in_question": "the answer's entity stands in the question",
    "answer_most_frequent": "the answer is the only most frequent entity",
    "repeated_instance": "passage and question stand earlier in the dataset",
    "passage_in_earlier_split": "the passage stands in an earlier split",
    "answer_name_in_question": "a name of the answer stands in the question, marked or not",
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


def _holds(text: str, name: str) -> bool:
    """Whether the text holds the name as whole words."""
    whole = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"
    return name in text and re.search(whole, text) is not None


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
