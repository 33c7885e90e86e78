"""Word vectors from files of word2vec, text or binary, for the words of a vocabulary only.

    3 2                 words and width
    protein 0.1 -0.2    text: a word and its numbers, a blank between
    protein ········    binary: a word, a blank, its numbers as little-endian float32, perhaps a line end

Which of the two it is shows after the first word. Files compressed by gzip or zstandard are read as they are.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from anagnosis import files
from anagnosis.errors import InputError
from anagnosis.readers.recurrent.words import SPECIAL, Vocabulary

LONGEST_WORD = 4096  # bytes; a longer one means that the file is something else
REMEDY = "give a file that word2vec wrote (text or binary), or leave vectors out"


def read_vectors(path: str, vocabulary: Vocabulary, width: int) -> dict[int, Tensor]:
    """id → float32 [width] of the words that the file has; the first of a word that stands twice.

    Refused (InputError): a file that is not word2vec's, is cut short, or has another width.
    """
    ids = {word.encode(): place for place, word in enumerate(vocabulary.words, SPECIAL)}
    found: dict[int, Tensor] = {}
    name = files.display_name(path)
    with files.open_input(path) as stream:
        count, given = _header(stream, name)
        if given != width:
            raise InputError(
                f"its vectors have {given} numbers, the recipe's embedding {width}",
                name,
                f"set embedding = {given}",
            )
        for word, numbers in _rows(stream, count, width, name):
            place = ids.get(word)
            if place is not None and place not in found:
                found[place] = torch.from_numpy(_numbers(numbers, width, name, word))
    if not found:
        raise InputError("no word of the training data is in it", name, "give another file of word vectors")
    return found


def _header(stream: io.BufferedReader, name: str) -> tuple[int, int]:
    fields = stream.readline(100).split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields) or not int(fields[1]):
        raise InputError("does not begin with a count of words and a width", name, REMEDY)
    return int(fields[0]), int(fields[1])


def _rows(
    stream: io.BufferedReader, count: int, width: int, name: str
) -> Iterator[tuple[bytes, bytes | list[bytes]]]:
    """(word, numbers): the bytes of float32, or the written numbers."""
    if not count:
        return
    if _is_text(stream):
        for row in range(count):
            line = stream.readline()
            if not line.endswith(b"\n") and (row < count - 1 or not line):
                raise _short(name, row, count)
            word, _, written = line.rstrip().partition(b" ")
            yield word, written.split()
        return
    for row in range(count):
        word = _word(stream, name, row, count)
        numbers = stream.read(4 * width)
        if len(numbers) < 4 * width:
            raise _short(name, row, count)
        yield word, numbers


def _is_text(stream: io.BufferedReader) -> bool:
    """Whether written numbers follow the first word."""
    line, end, _ = stream.peek(files.CHUNK).partition(b"\n")
    fields = line.split()[1:] if end else line.split()[1:-1]
    try:
        return bool([float(field) for field in fields])
    except ValueError:
        return False


def _word(stream: io.BufferedReader, name: str, row: int, count: int) -> bytes:
    letters = bytearray()
    while (letter := stream.read(1)) != b" ":
        if not letter:
            raise _short(name, row, count)
        if letter != b"\n" or letters:
            letters += letter
        if len(letters) > LONGEST_WORD:
            raise InputError(f"row {row + 1} has no word", name, REMEDY)
    return bytes(letters)


def _numbers(numbers: bytes | list[bytes], width: int, name: str, word: bytes) -> npt.NDArray[np.float32]:
    try:
        values = (
            np.frombuffer(numbers, "<f4").copy()
            if isinstance(numbers, bytes)
            else np.array([float(number) for number in numbers], np.float32)
        )
    except ValueError:
        values = np.empty(0, np.float32)
    if len(values) != width or not np.isfinite(values).all():
        what = f"the vector of {word.decode(errors='replace')!r} is no {width} finite numbers"
        raise InputError(what, name, REMEDY)
    return values


def _short(name: str, row: int, count: int) -> InputError:
    return InputError(f"ends after {row} of {count} words", name, "fetch it again")
