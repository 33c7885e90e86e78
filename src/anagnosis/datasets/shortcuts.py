"""The structural shortcut card: what lets a system answer without reading, counted for any cloze dataset.

Questions that are asked of each instance by itself, or in the light of those before it. They need no reader;
what simple readers make of a dataset stands in the report's part on shortcuts. An instance that a question
cannot be asked of (it has no answer, its candidates have no identifiers, nobody recorded the section of its question)
is counted on neither side.

In the 80 published BioMRC instances that could be seen the answer is visible in 5 questions, 36 abstracts
hold 50 adjacent repeats such as `@entity571 ( @entity571 )`, in 11 that of the answer, and no answer is alone
at the top.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from zlib import crc32

from anagnosis.datasets.kinds.cloze_instance import PSEUDO, SECTION, ClozeInstance
from anagnosis.datasets.splits import SPLITS
from anagnosis.datasets.synonyms import Synonyms
from anagnosis.word_vectors.namespaces import candidate_key, concept

KEPT_IDS = 5
# Labels of sections: of those that the reader of JATS and CORD-19 gives.
CAPTIONS = ("figure", "table", "table_cells", "supplementary")
BACK_MATTER = ("back", "references")
LONG = 40  # bytes of a sentence that two passages share only if they share text

_CLOSING = re.compile(r"\s*\)")


@dataclass(frozen=True, slots=True)
class ShortcutCount:
    """instances: those that have a shortcut; of: those where it can be judged."""

    instances: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One line of the card.

    instances: those that have it; of: those where it can be judged; by_split: split → the same two.
    places: how often it stands there (an abstract may hold several adjacent repeats). ids: the first few.
    """

    name: str
    meaning: str
    instances: int
    of: int
    places: int
    by_split: dict[str, ShortcutCount]
    ids: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """0 to 1; None where it can be judged of no instance."""
        return self.instances / self.of if self.of else None


def card(
    splits: Mapping[str, Iterable[ClozeInstance]], synonyms: Synonyms | None = None
) -> tuple[Shortcut, ...]:
    """The card of a dataset, in the order of `SHORTCUTS`. Each split is read once, train, dev, test."""
    counts = CardCounts(synonyms)
    for split in sorted(splits, key=SPLITS.index):
        for instance in splits[split]:
            counts.add(split, instance)
    return counts.shortcuts()


class CardCounts:
    """The card while it grows; it needs the splits one after the other, train, dev, test.

    synonyms: names of the dataset's concepts; without them nothing is counted of synonyms. Memory: up to three 64-bit
    hashes an instance.
    """

    def __init__(self, synonyms: Synonyms | None = None) -> None:
        self._instances = Counter[tuple[str, str]]()  # (shortcut, split) → those that have it
        self._judged = Counter[tuple[str, str]]()
        self._places = Counter[str]()
        self._ids: dict[str, list[str]] = {name: [] for name in SHORTCUTS}
        self._repeats = _Repeats()
        self._synonyms = synonyms

    def add(self, split: str, instance: ClozeInstance) -> None:
        """One more instance of a split."""
        found = {name: ask(instance) for name, ask in QUESTIONS.items()}
        found |= names_in_question(instance, self._synonyms) | self._repeats.ask(instance, split)
        for name, places in found.items():
            if places is None:
                continue
            self._judged[name, split] += 1
            if places:
                self._instances[name, split] += 1
                self._places[name] += places
                if len(self._ids[name]) < KEPT_IDS:
                    self._ids[name].append(instance.id)

    def passing(self, split: str, instances: Iterable[ClozeInstance]) -> Iterator[ClozeInstance]:
        """The instances unchanged, each added as it passes."""
        for instance in instances:
            self.add(split, instance)
            yield instance

    def shortcuts(self) -> tuple[Shortcut, ...]:
        """The lines of the card."""
        return tuple(self._shortcut(name, meaning) for name, meaning in SHORTCUTS.items())

    def _shortcut(self, name: str, meaning: str) -> Shortcut:
        by_split = {
            split: ShortcutCount(self._instances[name, split], judged)
            for (own, split), judged in self._judged.items()
            if own == name
        }
        instances = sum(count.instances for count in by_split.values())
        of = sum(count.of for count in by_split.values())
        return Shortcut(name, meaning, instances, of, self._places[name], by_split, tuple(self._ids[name]))


def answer_visible_in_question(instance: ClozeInstance) -> int | None:
    """How many other mentions of the answer's entity the question shows."""
    if instance.answer is None:
        return None
    return sum(mention.candidate == instance.answer for mention in instance.question_mentions)


def answer_most_frequent(instance: ClozeInstance) -> int | None:
    """1 if no other entity of the passage is mentioned as often as the answer, or more often."""
    if instance.answer is None:
        return None
    counts = Counter([mention.candidate for mention in instance.mentions])
    own = counts.pop(instance.answer, 0)
    return int(own > max(counts.values(), default=0))


def adjacent_repeats(instance: ClozeInstance) -> int:
    """How often an entity is followed by itself in brackets in the passage (an abbreviation)."""
    return len(_repeated_candidates(instance))


def answer_in_adjacent_repeat(instance: ClozeInstance) -> int | None:
    """How many of the adjacent repeats are the answer's."""
    if instance.answer is None:
        return None
    return _repeated_candidates(instance).count(instance.answer)


def one_concept_two_spellings(instance: ClozeInstance) -> int | None:
    """How many candidates repeat another: their identifiers differ in the source's prefix or in the type only."""
    concepts = {
        _concept(candidate.key, candidate.type, candidate.number) for candidate in instance.candidates
    }
    return None if None in concepts else len(instance.candidates) - len(concepts)


def names_in_question(instance: ClozeInstance, synonyms: Synonyms | None) -> dict[str, int | None]:
    """Name of the shortcut → how many names of the answer the question's words hold, marked as a mention or not: names
    that the instance has, and further ones of the answer's concept.
    """
    if instance.answer is None:
        return {}
    answer = instance.candidates[instance.answer]
    names = {name.lower() for name in (*instance.answers, *answer.names) if name}
    question = instance.question.lower()
    printed = sum(_holds(question, name) for name in names) if names else None
    found = {"answer_name_in_question": printed}
    if synonyms is not None:
        others = synonyms.of(answer.key, answer.type)
        further = sum(name not in names and _holds(question, name) for name in others)
        found["answer_synonym_in_question"] = further
    return found


def question_from_caption(instance: ClozeInstance) -> int | None:
    """1 if the question is from a figure, a table or a supplementary file."""
    return _from(instance, CAPTIONS)


def question_from_back_matter(instance: ClozeInstance) -> int | None:
    """1 if the question is from the back matter or the references."""
    return _from(instance, BACK_MATTER)


def answer_no_candidate(instance: ClozeInstance) -> int | None:
    """1 if no candidate is the answer, so that every reader is wrong; the other instances are the ceiling."""
    if instance.answer is None:
        return 1 if instance.answers else None
    return 0


# The lines of the card, in their order, and what they mean.
SHORTCUTS = {
    "answer_visible_in_question": "the answer's entity stands in the question",
    "answer_most_frequent": "the answer is the only most frequent entity",
    "adjacent_repeats": "an entity and itself in brackets: @entity5 ( @entity5 )",
    "answer_in_adjacent_repeat": "… that entity being the answer",
    "one_concept_two_spellings": "two candidates are one concept, spelled twice",
    "repeated_instance": "passage and question stand earlier in the dataset",
    "passage_in_earlier_split": "the passage stands in an earlier split",
    "overlap_with_earlier_split": "estimated: an earlier split has its sentence of least hash; misses few common ones",
    "answer_name_in_question": "a name of the answer stands in the question, marked or not",
    "answer_synonym_in_question": "another name of the answer's concept stands in the question",
    "question_from_caption": "the question is from a caption, a table or a supplementary file",
    "question_from_back_matter": "the question is from the back matter or the references",
    "answer_no_candidate": "no candidate is the answer: accuracy ends at the share of the others",
}

# Those asked of an instance by itself: how often it has the shortcut, None where it cannot be asked.
QUESTIONS: dict[str, Callable[[ClozeInstance], int | None]] = {
    "answer_visible_in_question": answer_visible_in_question,
    "answer_most_frequent": answer_most_frequent,
    "adjacent_repeats": adjacent_repeats,
    "answer_in_adjacent_repeat": answer_in_adjacent_repeat,
    "one_concept_two_spellings": one_concept_two_spellings,
    "question_from_caption": question_from_caption,
    "question_from_back_matter": question_from_back_matter,
    "answer_no_candidate": answer_no_candidate,
}


class _Repeats:
    """Which instances, passages and sentences were seen, and the passages and sentences in which split first.

    Of each passage one sentence is kept, the one of least hash (MinHash; Broder 1997, On the resemblance and
    containment of documents): two passages have it in common with the probability of the share of sentences in common.
    """

    def __init__(self) -> None:
        self._instances: set[int] = set()
        self._passages: dict[int, str] = {}
        self._sentences: dict[int, str] = {}
        self._last = ("", 0, 0)

    def ask(self, instance: ClozeInstance, split: str) -> dict[str, int | None]:
        """Name of the shortcut → whether the instance has it."""
        text, passage, sentence = self._last
        if instance.passage != text:  # an article's questions share their passage
            passage, sentence = _hash(instance.passage.encode()), _least_sentence(instance.passage)
            self._last = (instance.passage, passage, sentence)
        whole = _hash(f"{passage} {instance.question}".encode())
        repeated = whole in self._instances
        self._instances.add(whole)
        overlaps = self._sentences.setdefault(sentence, split) != split if sentence else None
        return {
            "repeated_instance": int(repeated),
            "passage_in_earlier_split": int(self._passages.setdefault(passage, split) != split),
            "overlap_with_earlier_split": None if overlaps is None else int(overlaps),
        }


def _from(instance: ClozeInstance, labels: Sequence[str]) -> int | None:
    for label in instance.labels:
        if label.startswith(SECTION):
            return int(label.removeprefix(SECTION) in labels)
    return None


def _least_sentence(passage: str) -> int:
    """The 64-bit hash of the long sentence whose 32-bit hash is least; 0 where no sentence is long.

    Numbers of @entityN do not count, since local ones of one sentence differ between passages.
    """
    plain = PSEUDO.sub("@entity", passage) if "@entity" in passage else passage
    sentences = plain.encode().replace(b"\n", b". ").split(b". ")
    hashed = [(crc32(each), each) for each in sentences if len(each) >= LONG]
    return _hash(min(hashed)[1]) if hashed else 0


@lru_cache(maxsize=1 << 16)
def _concept(key: str, type: str, number: int) -> str | None:
    """The concept of a candidate; None where its key is no identifier."""
    head = candidate_key(type, "")
    return concept(type, key[len(head) :].removesuffix(f"#{number}")) if key.startswith(head) else None


def _holds(text: str, name: str) -> bool:
    """Whether the text holds the name as whole words."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        inside = (start > 0 and text[start - 1].isalnum()) or (end < len(text) and text[end].isalnum())
        if not inside:
            return True
        start = text.find(name, start + 1)
    return False


def _hash(text: bytes) -> int:
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def _repeated_candidates(instance: ClozeInstance) -> list[int]:
    """The candidate of each place where a mention in brackets follows one of the same candidate."""
    passage = instance.passage
    return [
        second.candidate
        for first, second in pairwise(instance.mentions)
        if first.candidate == second.candidate
        and passage[first.spans[-1][1] : second.spans[0][0]].strip() == "("
        and _CLOSING.match(passage, second.spans[-1][1])
    ]
