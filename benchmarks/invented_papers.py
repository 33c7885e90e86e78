"""Synthetic documents: any number of titles and abstracts in invented words, with a regularity to learn.

They are for benchmarks and tests of learning only; call every figure measured on them synthetic. Words, names and
identifiers (`SYN:D000123`) are invented and mean nothing. Lengths and counts resemble Table 2 of the BioMRC
paper, and nearly every document passes the rules of its section 2.

The regularity: each entity of a document has two words there, a cue and a decoy. In the abstract each of them stands
beside a mention of the entity with probability 0.9, in front or behind. In the title an entity has its cue and the
decoy of another entity. So counting the words that title and abstract share leads to the right entity about as often
as to a wrong one; a reader has to learn the 24 cues, which are the same for all seeds. Order and frequency in the
abstract hardly help, since no entity of the title is the only most frequent one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import fsum
from random import Random
from typing import NamedTuple, TypeVar

from anagnosis.documents.document import Document, Mention, Section

CUES = 24
DECOYS = 200
OCTAVES = 14
ENTITIES = (1 << OCTAVES) - 1
BESIDE = 0.9
CANDIDATES = (3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10, 12, 14)
SENTENCES = (11, 11, 11, 12, 12, 13, 14)
IN_TITLE = (1, 1, 2, 2, 3)
WORDS_OF_A_SENTENCE = (10, 22)

# Type, letter of the identifier, endings of the entity's two names.
_TYPES = (
    ("Disease", "D", ("opathoma", "opathomic")),
    ("Chemical", "C", ("oxyline", "oxylate")),
    ("Species", "S", ("ibacteron", "ibacteral")),
    ("Gene", "G", ("orin", "orinal")),
)
# fmt: off
_ONSETS = (
    "b", "br", "d", "dr", "f", "fl", "g", "gl", "k", "l", "m", "n", "p", "pl", "r", "s", "t", "tr", "v", "z",
)
# fmt: on
_VOWELS = ("a", "e", "i", "o", "u")
_SYLLABLES = tuple(onset + vowel for onset in _ONSETS for vowel in _VOWELS)
_RUNNING_WORDS = 4000
_TABLE = 1 << 15

_T = TypeVar("_T")


class _Words(NamedTuple):
    """cues, decoys: each different from all other words. running: a table that repeats frequent words."""

    cues: tuple[str, ...]
    decoys: tuple[str, ...]
    running: tuple[str, ...]


class _Entity(NamedTuple):
    """An entity of one document, with its cue and decoy there."""

    names: tuple[str, ...]
    type: str
    identifier: str
    cue: str
    decoy: str


def documents(count: int, seed: int) -> Iterator[Document]:
    """The first `count` documents of a seed. Document i is the same for every count."""
    words = _words()
    for number in range(1, count + 1):
        # We use only random(), whose sequence for a seed Python promises to keep.
        yield _document(number, Random(f"anagnosis synthetic {seed} {number}").random, words)


def _document(number: int, random: Callable[[], float], words: _Words) -> Document:
    entities = _entities(random, words)
    mentioned = [at for at in range(len(entities)) for _ in range(_mention_count(random))]
    while len(mentioned) < 6:
        mentioned.append(_below(random, len(entities)))
    _shuffle(mentioned, random)
    title, in_title = _title(entities, _title_entities(mentioned, random), random, words.running)
    abstract, in_abstract = _abstract(entities, mentioned, len(title) + 1, random, words.running)
    sections = (Section("title", title), Section("abstract", abstract))
    return Document(f"synthetic-{number:07d}", sections, (*in_title, *in_abstract))


def _entities(random: Callable[[], float], words: _Words) -> list[_Entity]:
    count = CANDIDATES[_below(random, len(CANDIDATES))]
    numbers = _distinct(count, lambda: _entity_number(random))
    cues = _distinct(count, lambda: _below(random, CUES))
    decoys = _distinct(count, lambda: _below(random, DECOYS))
    return [_entity(n, words.cues[c], words.decoys[d]) for n, c, d in zip(numbers, cues, decoys)]


def _entity_number(random: Callable[[], float]) -> int:
    """A random entity; few are frequent and many rare, since each octave of the numbers is equally likely."""
    octave = 1 << _below(random, OCTAVES)
    return octave + _below(random, octave) - 1


def _entity(number: int, cue: str, decoy: str) -> _Entity:
    kind, letter, endings = _TYPES[number % len(_TYPES)]
    # A unique stem for each number: its digits in the base of the syllables.
    base = len(_SYLLABLES)
    high, low = divmod(number * 37 % ENTITIES, base)
    stem = f"{_SYLLABLES[high % base]}{_SYLLABLES[low]}{_ONSETS[high // base]}"
    return _Entity((stem + endings[0], stem + endings[1]), kind, f"SYN:{letter}{number:06d}", cue, decoy)


def _mention_count(random: Callable[[], float]) -> int:
    """The number of an entity's mentions: geometric, about 2.5 on average, 8 at most."""
    count = 1
    while count < 8 and random() < 0.6:
        count += 1
    return count


def _title_entities(mentioned: list[int], random: Callable[[], float]) -> list[int]:
    """Entities for the title: any except the single most frequent one of the abstract."""
    frequency = [mentioned.count(at) for at in range(max(mentioned) + 1)]
    top = max(frequency)
    alone = frequency.count(top) == 1
    free = [at for at, times in enumerate(frequency) if not (alone and times == top)]
    _shuffle(free, random)
    return free[: IN_TITLE[_below(random, len(IN_TITLE))]]


def _title(
    entities: list[_Entity], chosen: list[int], random: Callable[[], float], running: tuple[str, ...]
) -> tuple[str, list[Mention]]:
    text = _Text(0)
    others = [at for at in range(len(entities)) if at not in chosen] or chosen[::-1]
    text.words(_running(2 + _below(random, 4), random, running), capital=True)
    for at in chosen:
        wrong = others[_below(random, len(others))]
        beside = [entities[at].cue, entities[wrong].decoy] if wrong != at else [entities[at].cue]
        text.entity(entities[at], beside, random)
        text.words(_running(2 + _below(random, 3), random, running))
    return text.finished(), text.mentions


def _abstract(
    entities: list[_Entity],
    mentioned: list[int],
    start: int,
    random: Callable[[], float],
    running: tuple[str, ...],
) -> tuple[str, list[Mention]]:
    text = _Text(start)
    sentences = SENTENCES[_below(random, len(SENTENCES))]
    shortest, longest = WORDS_OF_A_SENTENCE
    places: list[list[int]] = [[] for _ in range(sentences)]
    for at in mentioned:
        places[_below(random, sentences)].append(at)
    for place in places:
        words = _running(shortest + _below(random, longest - shortest + 1), random, running)
        # A chunk of the words before each mention and one after the last, without the remainder.
        size = max(1, len(words) // (len(place) + 1))
        text.words(words[:size], capital=True)
        for nth, at in enumerate(place, 1):
            beside = [word for word in (entities[at].cue, entities[at].decoy) if random() < BESIDE]
            text.entity(entities[at], beside, random)
            text.words(words[nth * size : (nth + 1) * size] or words[-1:])
        text.stop()
    return text.finished(), text.mentions


class _Text:
    """A text that grows word by word and records its mentions. start: the offset of its first character."""

    def __init__(self, start: int) -> None:
        self.mentions: list[Mention] = []
        self._parts: list[str] = []
        self._at = start

    def words(self, words: list[str], *, capital: bool = False) -> None:
        run = " ".join(words)
        self._add(run[0].upper() + run[1:] if capital else run)

    def entity(self, entity: _Entity, beside: list[str], random: Callable[[], float]) -> None:
        """Add a mention with the given words beside it: one in front and one behind, or sometimes all in front."""
        where = _below(random, 4)
        if where & 1:
            beside = beside[::-1]
        before = beside[:1] if where < 3 else beside
        for word in before:
            self._add(word)
        name = entity.names[0] if random() < 0.7 else entity.names[1]
        self.mentions.append(
            Mention(((self._at, self._at + len(name)),), name, entity.type, entity.identifier)
        )
        self._add(name)
        for word in beside[len(before) :]:
            self._add(word)

    def stop(self) -> None:
        self._parts[-1] += "."
        self._at += 1

    def finished(self) -> str:
        return " ".join(self._parts)

    def _add(self, part: str) -> None:
        self._parts.append(part)
        self._at += len(part) + 1


@cache
def _words() -> _Words:
    """The vocabulary of all seeds. Words have three syllables, since words of two are often real."""
    random = Random("anagnosis synthetic words").random
    seen: set[str] = set()
    while len(seen) < CUES + DECOYS + _RUNNING_WORDS:
        syllables = [_SYLLABLES[_below(random, len(_SYLLABLES))] for _ in range(3)]
        seen.add("".join(syllables) + ("n", "s", "r", "l")[_below(random, 4)])
    words = sorted(seen)
    _shuffle(words, random)
    special, running = words[: CUES + DECOYS], words[CUES + DECOYS :]
    # Zipf's law: the table repeats the word of rank r in proportion to 1 / (r + 5).
    weights = [1 / (rank + 5) for rank in range(1, len(running) + 1)]
    # The last digit of sum differs between versions of Python.
    share = _TABLE / fsum(weights)
    table = [word for word, weight in zip(running, weights) for _ in range(max(1, round(weight * share)))]
    return _Words(tuple(special[:CUES]), tuple(special[CUES:]), tuple(table))


def _running(count: int, random: Callable[[], float], table: tuple[str, ...]) -> list[str]:
    size = len(table)
    return [table[int(random() * size)] for _ in range(count)]


def _below(random: Callable[[], float], limit: int) -> int:
    return int(random() * limit)


def _distinct(count: int, draw: Callable[[], int]) -> list[int]:
    drawn: dict[int, None] = {}
    while len(drawn) < count:
        drawn[draw()] = None
    return list(drawn)


def _shuffle(items: list[_T], random: Callable[[], float]) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = int(random() * (last + 1))
        items[last], items[other] = items[other], items[last]
