"""Word vectors as CliCR's published program reads them, with its faults (github.com/clips/clicr, embedding_eval.py).

It reads word2vec's text format. It skips a line that has another number of numbers than the first line says, but leaves
that line's row empty while the words move up: every later word gets the row of the line before its own. Of a word that
stands twice the last counts. A word that the file lacks gets row 0, usually that of `</s>`.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.errors import InputError
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.word_vectors.word2vec import LONGEST_NUMBER, LONGEST_WORD, header

LOOKED_AT = 4096  # bytes behind the first line, which show whether a file is text
_REMEDY = "take the usual protocol, which reads any word2vec file"


@dataclass(frozen=True, slots=True, eq=False)
class PublishedVectors:
    """first: float64 [width], row 0, of all other words. of_words: word → float64 [width]."""

    first: Floats
    of_words: dict[str, Floats]

    def of(self, word: str) -> Floats:
        """The row that the program takes for a word."""
        return self.of_words.get(word, self.first)


def read(path: PathLike, wanted: Collection[str] | None = None) -> PublishedVectors:
    """The rows of the wanted words (None: of all). InputError: the program stops at the file."""
    name = display_name(path)
    with open_input(path) as stream:
        count, width = header(stream, name, _REMEDY)
        if not _is_utf8(stream.peek(LOOKED_AT)[:LOOKED_AT]):
            what = "is binary, and the published program reads word2vec's text format alone"
            raise InputError(what, name, "write the vectors as .txt or .vec, or take the usual protocol")
        longest = LONGEST_WORD + LONGEST_NUMBER * width
        empty = np.zeros(width)
        first = empty
        of_words: dict[str, Floats] = {}
        skipped = 0
        # The rows of the latest lines, as many as a word lies behind its own line, and one.
        latest: deque[list[bytes] | None] = deque()
        for number, line in enumerate(iter(lambda: stream.readline(longest), b"")):
            if len(line) == longest:
                raise InputError(f"no word with {width} numbers", f"{name}:{number + 2}", _REMEDY)
            word, *numbers = line.strip().split(b" ")
            if number == count:
                what = f"goes on behind the {count} words of its first line, and the program stops there"
                raise InputError(what, f"{name}:{number + 2}", _REMEDY)
            whole = len(numbers) == width
            latest.append(numbers if whole else None)
            if number == 0 and whole:
                first = _row(numbers, name, 2)
            if not whole:
                skipped += 1
                continue
            spelled = word.decode("utf-8", "replace")
            if wanted is None or spelled in wanted:
                row = latest[-1 - skipped]
                of_words[spelled] = empty if row is None else _row(row, name, number + 2 - skipped)
            while len(latest) > skipped + 1:
                latest.popleft()
    return PublishedVectors(first, of_words)


def _is_utf8(beginning: bytes) -> bool:
    """Whether these bytes are text, or text that is cut inside a character."""
    try:
        getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return False
    return True


def _row(numbers: list[bytes], name: str, line: int) -> Floats:
    what = "not word2vec's text format, which alone the program reads"
    try:
        row = np.array([float(number) for number in numbers])
    except ValueError as fault:
        raise InputError(what, f"{name}:{line}", _REMEDY) from fault
    if not np.isfinite(row).all():
        raise InputError(f"{what}: a number is not finite", f"{name}:{line}", _REMEDY)
    return row
