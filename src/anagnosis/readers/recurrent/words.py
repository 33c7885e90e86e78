"""Words as BioMRC's programs read them, and the vocabulary.

Cleaning is the expression that stands in BioMRC's published programs: `" / \\ '` are deleted, the text is put in
lower case, the characters of the class `[.,?;*!%^&_+():-\\[\\]{}]` are deleted, and what is left is split at
blanks. `:-\\[` in that class is a range, from the colon to the bracket: `: ; < = > ? @ [` go, the hyphen stays.

A mention that is `@entityN` in the view is one token; in the names view it is the words of its surface, all of
them the candidate's. The placeholder is a token of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from anagnosis import files
from anagnosis.datasets.kinds.cloze_views import PSEUDO, Place, Viewed
from anagnosis.decoding import read_json
from anagnosis.errors import InputError

Digits = Literal["keep", "D"]

PADDING, UNKNOWN_WORD, UNKNOWN_ENTITY, PLACEHOLDER = range(4)
SPECIAL = 4
HIDDEN = "XXXX"  # upper case, as no cleaned word is
ENTITY = "@entity"
FILE = "vocabulary.json"

_DELETED = str.maketrans("", "", "\"/\\'" + ".,?;*!%^&_+()" + "".join(map(chr, range(0x3A, 0x5C))) + "]{}")
_DIGIT = re.compile(r"\d")


def clean(text: str, digits: Digits = "keep") -> list[str]:
    """The words of a text. digits: "D" writes every digit so, as BioRead does (type-3 → type-D)."""
    words = text.lower().translate(_DELETED).split()
    return [_DIGIT.sub("D", word) for word in words] if digits == "D" else words


def passage_tokens(viewed: Viewed, digits: Digits) -> tuple[list[str], list[tuple[int, int]]]:
    """The passage's tokens, and (token, candidate) for each token that belongs to a mention."""
    return _tokens(viewed.passage, viewed.mentions, digits)


def question_tokens(viewed: Viewed, digits: Digits) -> tuple[list[str], int]:
    """The question's tokens, and where among them the placeholder stands."""
    start, end = viewed.placeholder
    marks = sorted((*viewed.question_mentions, (start, end, -1)))
    tokens, places = _tokens(viewed.question, marks, digits)
    return tokens, next(token for token, candidate in places if candidate < 0)


def _tokens(text: str, marks: Sequence[Place], digits: Digits) -> tuple[list[str], list[tuple[int, int]]]:
    tokens: list[str] = []
    places: list[tuple[int, int]] = []
    done = 0
    for start, end, candidate in marks:
        tokens += _between(text[done:start], digits)
        surface = text[start:end]
        if candidate < 0:
            words = [HIDDEN]
        elif surface.startswith(ENTITY):
            words = [surface]
        else:
            # A surface of nothing but deleted characters is still a mention.
            words = clean(surface, digits) or [surface.lower()]
        places += [(len(tokens) + k, candidate) for k in range(len(words))]
        tokens += words
        done = end
    tokens += _between(text[done:], digits)
    return tokens, places


def _between(text: str, digits: Digits) -> list[str]:
    """The tokens of a stretch without mentions: in files of the authors an entity can be no candidate."""
    if ENTITY not in text:
        return clean(text, digits)
    tokens: list[str] = []
    done = 0
    for found in PSEUDO.finditer(text):
        tokens += [*clean(text[done : found.start()], digits), found[0]]
        done = found.end()
    return tokens + clean(text[done:], digits)


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    digits: Digits
    words: list[str]


class Vocabulary:
    """Ids: 0 padding, 1 an unknown word, 2 an unknown entity, 3 the placeholder, then the words (and entities),
    the most frequent first, equally frequent ones in alphabetical order.
    """

    def __init__(self, words: Iterable[str], digits: Digits = "keep") -> None:
        self.words = list(words)
        self.digits: Digits = digits
        self._ids = {word: place for place, word in enumerate(self.words, SPECIAL)}
        self._ids[HIDDEN] = PLACEHOLDER

    def __len__(self) -> int:
        """Rows of the embedding table."""
        return SPECIAL + len(self.words)

    @property
    def entities(self) -> int:
        """Rows of known entities."""
        return sum(word.startswith(ENTITY) for word in self.words)

    def ids(self, tokens: Iterable[str]) -> list[int]:
        known = self._ids
        return [
            known.get(token, UNKNOWN_ENTITY if token.startswith(ENTITY) else UNKNOWN_WORD) for token in tokens
        ]

    def save(self, folder: Path) -> None:
        files.write_bytes(folder / FILE, msgspec.json.encode(_Saved(self.digits, self.words)))

    @classmethod
    def restore(cls, folder: Path) -> Vocabulary:
        """What `save` wrote. Refused (InputError): no such file, or one that is damaged."""
        path = folder / FILE
        saved = read_json(path, _Saved, "train the reader again", "not a vocabulary")
        if len(set(saved.words)) != len(saved.words) or HIDDEN in saved.words or "" in saved.words:
            raise InputError(
                "a word stands twice in the vocabulary, or is none", str(path), "train the reader again"
            )
        return cls(saved.words, saved.digits)


def count_words(
    training: Iterable[Viewed], *, digits: Digits = "keep", threshold: int = 1, most: int = 0
) -> Vocabulary:
    """The vocabulary of passages and questions.

    threshold: words that occur less often are unknown. most: so many of the most frequent ones at most, 0 for
    all. Entities are counted like words (as in the published dictionaries).
    """
    counts: Counter[str] = Counter()
    for viewed in training:
        counts.update(passage_tokens(viewed, digits)[0])
        counts.update(question_tokens(viewed, digits)[0])
    del counts[HIDDEN]
    known = [(word, count) for word, count in counts.items() if count >= threshold]
    known.sort(key=lambda item: (-item[1], item[0]))
    return Vocabulary([word for word, _ in known[: most or None]], digits)
