"""Words as the published programs read them, and the vocabulary.

A splitter (a key of SPLITTERS) takes lower-case text apart. "blanks" splits at white space alone, as BioRead does, so
punctuation stays with its word. "biomrc" is the expression of BioMRC's published programs: it deletes `" / \\ '` and
the characters of the class `[.,?;*!%^&_+():-\\[\\]{}]`, and splits the rest at blanks. `:-\\[` in that class is a
range, from the colon to the bracket: it deletes `: ; < = > ? @ [`, but not the hyphen.

A mention that is `@entity…` in the view is one token; in the names view it is the words of its surface, all of which
belong to the candidate; the plain view has no mentions. The placeholder is a separate token.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from anagnosis.datasets.kinds.cloze_instance import ENTITY, PSEUDO
from anagnosis.datasets.kinds.cloze_views import MentionPlace, Viewed
from anagnosis.io import files
from anagnosis.io.decoding import read_json

Digits = Literal["keep", "D"]
Splitter = Literal["biomrc", "blanks"]

PADDING, UNKNOWN_WORD, UNKNOWN_ENTITY, PLACEHOLDER = range(4)
SPECIAL = 4
HIDDEN = "XXXX"  # upper case, as no cleaned word is
FILE = "vocabulary.json"

_DELETED = str.maketrans("", "", "\"/\\'" + ".,?;*!%^&_+()" + "".join(map(chr, range(0x3A, 0x5C))) + "]{}")
_DIGIT = re.compile(r"\d")


def _biomrc(text: str) -> list[str]:
    return text.translate(_DELETED).split()


SPLITTERS: dict[Splitter, Callable[[str], list[str]]] = {"biomrc": _biomrc, "blanks": str.split}


class Words(NamedTuple):
    """How text becomes words. digits: "D" replaces every digit by D, as BioRead does (type-3 → type-D)."""

    digits: Digits = "keep"
    splitter: Splitter = "biomrc"

    def of(self, text: str) -> list[str]:
        """The words of a text."""
        words = SPLITTERS[self.splitter](text.lower())
        return [_DIGIT.sub("D", word) for word in words] if self.digits == "D" else words


BIOMRC = Words()


def passage_tokens(viewed: Viewed, words: Words = BIOMRC) -> tuple[list[str], list[tuple[int, int]]]:
    """The passage's tokens, and (token, candidate) for each token that belongs to a mention.

    In the plain view a token belongs to every candidate of which it is a word.
    """
    if viewed.plain:
        tokens = words.of(viewed.passage)
        return tokens, _occurrences(tokens, viewed.candidates, words)
    return _tokens(viewed.passage, viewed.mentions, words)


def question_tokens(viewed: Viewed, words: Words = BIOMRC) -> tuple[list[str], int]:
    """The question's tokens, and the index of the placeholder."""
    start, end = viewed.placeholder
    others = () if viewed.plain else viewed.question_mentions
    mentions = sorted((*others, (start, end, -1)))
    tokens, places = _tokens(viewed.question, mentions, words)
    return tokens, next(token for token, candidate in places if candidate < 0)


def _occurrences(tokens: Sequence[str], candidates: Sequence[str], words: Words) -> list[tuple[int, int]]:
    of_word: dict[str, list[int]] = {}
    for candidate, name in enumerate(candidates):
        for word in dict.fromkeys(words.of(name)):
            of_word.setdefault(word, []).append(candidate)
    return [(place, candidate) for place, token in enumerate(tokens) for candidate in of_word.get(token, ())]


def _tokens(
    text: str, mentions: Sequence[MentionPlace], words: Words
) -> tuple[list[str], list[tuple[int, int]]]:
    tokens: list[str] = []
    places: list[tuple[int, int]] = []
    done = 0
    for start, end, candidate in mentions:
        tokens += _between(text[done:start], words)
        surface = text[start:end]
        if candidate < 0:
            mention = [HIDDEN]
        elif surface.startswith(ENTITY):
            mention = [surface]
        else:
            # A surface of deleted characters only is still a mention.
            mention = words.of(surface) or [surface.lower()]
        places += [(len(tokens) + k, candidate) for k in range(len(mention))]
        tokens += mention
        done = end
    tokens += _between(text[done:], words)
    return tokens, places


def _between(text: str, words: Words) -> list[str]:
    """The tokens of text between mentions; in the authors' files it may contain entities that are no candidates."""
    if ENTITY not in text:
        return words.of(text)
    tokens: list[str] = []
    done = 0
    for match in PSEUDO.finditer(text):
        tokens += [*words.of(text[done : match.start()]), match[0]]
        done = match.end()
    return tokens + words.of(text[done:])


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    digits: Digits
    words: list[str]
    splitter: Splitter


class Vocabulary:
    """Ids: 0 padding, 1 an unknown word, 2 an unknown entity, 3 the placeholder, then words and entities by falling
    frequency, then by the alphabet.
    """

    def __init__(self, words: Iterable[str], split: Words = BIOMRC) -> None:
        self.words = list(words)
        self.split = split
        self._ids = {word: place for place, word in enumerate(self.words, SPECIAL)}
        self._ids[HIDDEN] = PLACEHOLDER

    def __len__(self) -> int:
        """The number of rows of the embedding table."""
        return SPECIAL + len(self.words)

    def ids(self, tokens: Iterable[str]) -> list[int]:
        known = self._ids
        return [
            known.get(token, UNKNOWN_ENTITY if token.startswith(ENTITY) else UNKNOWN_WORD) for token in tokens
        ]

    def save(self, folder: Path) -> None:
        digits, splitter = self.split
        saved = _Saved(digits, self.words, splitter)
        files.write_bytes(folder / FILE, msgspec.json.encode(saved))

    @classmethod
    def restore(cls, folder: Path) -> Vocabulary:
        """What `save` wrote. Refused (InputError): no such file, or one that is damaged."""
        saved = read_json(folder / FILE, _Saved, "train the reader again", "not a vocabulary")
        return cls(saved.words, Words(saved.digits, saved.splitter))


def count_words(
    training: Iterable[Viewed], *, split: Words = BIOMRC, threshold: int = 1, most: int = 0
) -> Vocabulary:
    """The vocabulary of passages and questions.

    threshold: rarer words are unknown. most: size of the vocabulary, 0 for no limit. Entities count like words, as in
    the published dictionaries.
    """
    counts: Counter[str] = Counter()
    for viewed in training:
        counts.update(passage_tokens(viewed, split)[0])
        counts.update(question_tokens(viewed, split)[0])
    del counts[HIDDEN]
    known = [(word, count) for word, count in counts.items() if count >= threshold]
    known.sort(key=lambda item: (-item[1], item[0]))
    return Vocabulary([word for word, _ in known[: most or None]], split)
