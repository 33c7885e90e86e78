"""Question and snippet as sequences of word pieces, with the places where answers begin and end.

    [CLS] the question 's pieces [SEP] a window of the snippet 's pieces [SEP]

A snippet that does not fit is read in windows that overlap, so that every answer of at most `longest` pieces lies whole
in one of them. Nothing of a snippet is cut; a question over three fourths of the limit is, and is counted.
"""

from __future__ import annotations

import hashlib
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from anagnosis.datasets.kinds.question import EXACT_TYPES, SnippetQuestion, distinct
from anagnosis.encoders.load import Pieces
from anagnosis.progress import TextCounts
from anagnosis.readers.answers.ranking import occurrences
from anagnosis.readers.trained_encoder import question_prefix

WINDOWED = "snippets over the encoder's limit were read in several windows"

Span = tuple[int, int]


class Window(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A sequence over a window of a snippet.

    snippet: its index. pieces: of the whole sequence. first: the place of the window's first piece in it. offsets: of
    each piece of the window, (begin, end) in code points of the snippet. begins, ends: the places in the sequence where
    an answer may begin and end (its last piece). targets: first and last place of each right answer. trains: whether
    the training uses the window.
    """

    snippet: int
    pieces: tuple[int, ...]
    first: int
    offsets: tuple[Span, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    targets: tuple[Span, ...]
    trains: bool


class EncodedSnippets(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A question with its windows; without any if it is no factoid or list question. target: 0, -1 for no training."""

    id: str
    type: str
    target: int
    snippets: tuple[str, ...]
    windows: tuple[Window, ...]

    @property
    def size(self) -> int:
        """The number of pieces, at least one."""
        return max(1, sum(len(window.pieces) for window in self.windows))


@dataclass(frozen=True, slots=True)
class Windowing:
    """A maker of windows.

    window: most pieces of a sequence, at most the encoder's limit. longest: most pieces of an answer; two windows of a
    snippet share as many, at most half a window. negatives: most windows without an answer that a question trains with,
    drawn by seed.
    """

    pieces: Pieces
    window: int
    longest: int
    negatives: int
    seed: int
    counts: TextCounts

    def __call__(self, asked: SnippetQuestion) -> EncodedSnippets:
        """The windows over all snippets of a question, in their order."""
        if asked.type not in EXACT_TYPES:
            return EncodedSnippets(asked.id, asked.type, -1, asked.snippets, ())
        read = distinct(asked.snippets)
        question, *encodings = self.pieces.split([asked.question, *(text for _, text in read)])
        prefix = question_prefix(self.pieces, question.ids, self.counts, self.window)
        room = min(self.window, self.pieces.limit) - 1 - len(prefix)
        synonyms = [text for entry in asked.exact or () for text in entry]
        windows: list[Window] = []
        for (number, text), encoding in zip(read, encodings, strict=True):
            windows += self._windows(number, text, encoding, prefix, room, synonyms)
        trains = asked.target >= 0 and any(window.targets for window in windows)
        drawn = self._drawn(asked.id, windows) if trains else frozenset[int]()
        return EncodedSnippets(
            asked.id,
            asked.type,
            0 if trains else -1,
            asked.snippets,
            tuple(msgspec.structs.replace(window, trains=i in drawn) for i, window in enumerate(windows)),
        )

    def _windows(
        self, number: int, text: str, encoding: Any, prefix: Sequence[int], room: int, synonyms: Sequence[str]
    ) -> Iterator[Window]:
        ids: list[int] = encoding.ids
        offsets: list[Span] = encoding.offsets
        wholes = [_whole(text, *offset) for offset in offsets]
        overlap = min(self.longest, room // 2)
        starts = range(0, max(1, len(ids) - overlap), room - overlap)
        self.counts[WINDOWED] += len(starts) > 1
        places = occurrences(text, synonyms) if offsets else []
        answers = [_pieces_of(offsets, *place) for place in places]
        possible = [
            a for a in answers if 0 <= a[1] - a[0] < self.longest and wholes[a[0]][0] and wholes[a[1]][1]
        ]
        for left in starts:
            right = min(left + room, len(ids))
            here = [answer for answer in possible if left <= answer[0] and answer[1] < right]
            shift = len(prefix) - left
            yield Window(
                number,
                (*prefix, *ids[left:right], self.pieces.separator),
                len(prefix),
                tuple(offsets[left:right]),
                tuple(place + shift for place in range(left, right) if wholes[place][0]),
                tuple(place + shift for place in range(left, right) if wholes[place][1]),
                tuple(dict.fromkeys((begin + shift, end + shift) for begin, end in here)),
                False,
            )

    def _drawn(self, ident: str, windows: Sequence[Window]) -> frozenset[int]:
        """The windows to train with: those that hold an answer, and some others."""
        holding = [number for number, window in enumerate(windows) if window.targets]
        others = [number for number, window in enumerate(windows) if not window.targets]
        digest = hashlib.sha256(f"{self.seed} {ident}".encode()).digest()
        chosen = random.Random(int.from_bytes(digest[:8], "big")).sample(
            others, min(self.negatives, len(others))
        )
        return frozenset((*holding, *chosen))


def _pieces_of(offsets: Sequence[Span], begin: int, end: int) -> Span:
    """The first and the last piece of the text from `begin` to before `end`."""
    first = bisect_right(offsets, begin, key=lambda offset: offset[1])
    last = bisect_left(offsets, end, key=lambda offset: offset[0]) - 1
    return min(first, len(offsets) - 1), max(0, last)


def _whole(text: str, begin: int, end: int) -> tuple[bool, bool]:
    """Whether a word may begin with the piece, and whether one may end with it; a piece without text is in no word."""
    if begin == end:
        return False, False
    begins = begin == 0 or not (_in_word(text[begin - 1]) and _in_word(text[begin]))
    return begins, end == len(text) or not (_in_word(text[end - 1]) and _in_word(text[end]))


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
