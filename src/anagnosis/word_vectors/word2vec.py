"""Files of word vectors in word2vec's two formats.

    3 2                 words and width
    protein 0.1 -0.2    text: a word and its numbers, a blank between
    protein ········    binary: a word, a blank, its numbers as little-endian float32, perhaps a line end

We detect the format behind the first word, and read compressed files too. When writing, the name's ending decides: .bin
is binary, .txt and .vec are text; .gz and .zst may follow.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np

from anagnosis.array_types import Floats, Floats32
from anagnosis.errors import InputError
from anagnosis.io import compression, files
from anagnosis.io.paths import PathLike

LONGEST_WORD = 4096  # bytes; a longer one means that the file has another format
LARGEST_WIDTH = 65_536
LONGEST_NUMBER = 64  # bytes as text, the blank before it included
REMEDY = "give a file that word2vec wrote (text or binary), or leave vectors out"
ENDINGS = (".bin", ".txt", ".vec")

Vector = Floats32


def read(path: PathLike, wanted: Collection[str], width: int | None = None) -> dict[str, Vector]:
    """word → float32 [width] for the wanted words in the file; of repeated words the first counts.

    width: that the file must have (None: any). Memory grows with the wanted words, not with the file. InputError: the
    file is not word2vec's, is truncated, does not hold what its header says, or has another width.
    """
    encoded = {word.encode("utf-8", "replace"): word for word in wanted}
    vectors: dict[str, Vector] = {}
    name = files.display_name(path)
    with files.open_input(path) as stream:
        count, given = header(stream, name)
        if width not in (None, given):
            what = f"its vectors have {given} numbers, the recipe's embedding {width}"
            raise InputError(what, name, f"set embedding = {given}")
        rows = _text(stream, count, given, name) if _is_text(stream) else _binary(stream, count, given, name)
        for spelt, numbers in rows:
            word = encoded.get(spelt)
            if word is not None and word not in vectors:
                vectors[word] = _numbers(numbers, given, name, word).astype(np.float32)
    return vectors


def read_published(path: PathLike, wanted: Collection[str]) -> tuple[dict[str, Floats], Floats]:
    """(word → float64 [width], what another word gets) as in CliCR's published program (embedding_eval.py).

    It reads text alone. Of a word that stands twice the last counts; a word that the file lacks gets the first row,
    usually that of `</s>`. InputError: as of `read`.
    """
    name, found, first = files.display_name(path), dict[str, Floats](), np.zeros(0)
    with files.open_input(path) as stream:
        count, width = header(stream, name)
        for row, (spelt, numbers) in enumerate(_text(stream, count, width, name)):
            word = spelt.decode("utf-8", "replace")
            if not row or word in wanted:
                values = _numbers(numbers, width, name, word)
                first = first if row else values
                if word in wanted:
                    found[word] = values
    return found, first


def no_word_error(path: PathLike) -> InputError:
    """The error for a file that has none of a reader's words."""
    what, remedy = "no word of the data is in it", "give another file of word vectors"
    return InputError(what, files.display_name(path), remedy)


def form(path: PathLike) -> str:
    """ "binary" or "text", from the ending of an output's name; other endings are refused."""
    ending = Path(str(path).removesuffix(".gz").removesuffix(".zst")).suffix
    if ending in ENDINGS:
        return "binary" if ending == ".bin" else "text"
    what = "the name's ending does not show the format of word vectors"
    raise InputError(what, str(path), "end it in .bin, .txt or .vec")


def write(path: PathLike, words: Sequence[str], vectors: Vector) -> None:
    """Write words and their vectors, float32 [words, width], atomically; text keeps every bit of the numbers."""
    binary = form(path) == "binary"
    with files.open_output(path) as stream:
        stream.write(f"{len(words)} {vectors.shape[1]}\n".encode())
        for word, vector in zip(words, vectors, strict=True):
            if binary:
                stream.write(word.encode() + b" " + vector.astype("<f4").tobytes() + b"\n")
            else:
                stream.write(f"{word} {' '.join(map(str, vector))}\n".encode())


def header(stream: io.BufferedReader, name: str) -> tuple[int, int]:
    """The number of words and the width of vectors, in the first line."""
    fields = stream.readline(100).split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields) or not int(fields[1]):
        raise InputError("does not begin with a count of words and a width", name, REMEDY)
    count, width = map(int, fields)
    if width > LARGEST_WIDTH:
        raise InputError(f"says that a vector has {width} numbers", name, REMEDY)
    return count, width


def _is_text(stream: io.BufferedReader) -> bool:
    """Whether numbers as text follow the first word."""
    line, end, _ = stream.peek(compression.CHUNK).partition(b"\n")
    fields = line.split()[1:] if end else line.split()[1:-1]
    try:
        return bool([float(field) for field in fields])
    except ValueError:
        return False


def _text(
    stream: io.BufferedReader, count: int, width: int, name: str
) -> Iterator[tuple[bytes, list[bytes]]]:
    """(word, numbers as text) of each row."""
    longest = LONGEST_WORD + LONGEST_NUMBER * width
    for row in range(count):
        line = stream.readline(longest)
        if len(line) == longest:
            raise InputError(f"row {row + 1} is no word with {width} numbers", name, REMEDY)
        if not line.endswith(b"\n") and (row < count - 1 or not line):
            raise _short(name, row, count)
        word, _, written = line.rstrip().partition(b" ")
        numbers = written.split()
        if len(numbers) < width:
            shown = repr(word[:40].decode(errors="replace"))
            what = f"row {row + 1} ({shown}) has {len(numbers)} of {width} numbers"
            raise InputError(what, f"{name}:{row + 2}", REMEDY)
        yield word, numbers
    _refuse_rest(stream.readline(longest), name, count)


def _binary(stream: io.BufferedReader, count: int, width: int, name: str) -> Iterator[tuple[bytes, bytes]]:
    """(word, bytes of float32) of each row."""
    size = 4 * width
    ready, at = b"", 0
    for row in range(count):
        while True:
            blank = ready.find(b" ", at)
            if (len(ready) if blank < 0 else blank) - at > LONGEST_WORD:
                raise InputError(f"row {row + 1} has no word", name, REMEDY)
            if blank >= 0 and len(ready) > blank + size:
                break
            more = stream.read(compression.CHUNK)
            if not more:
                raise _short(name, row, count)
            ready, at = ready[at:] + more, 0
        word = ready[at:blank].removeprefix(b"\n")
        at = blank + 1 + size
        yield word, ready[blank + 1 : at]
    _refuse_rest(ready[at:] + stream.read(compression.CHUNK), name, count)


def _refuse_rest(rest: bytes, name: str, count: int) -> None:
    if rest.strip():
        raise InputError(f"goes on behind the {count} words of its first line", name, REMEDY)


def _numbers(numbers: bytes | list[bytes], width: int, name: str, word: str) -> Floats:
    try:
        values = np.frombuffer(numbers, "<f4") if isinstance(numbers, bytes) else [*map(float, numbers)]
        values = np.array(values, np.float64)
    except ValueError:
        values = np.empty(0)
    if len(values) != width or not np.isfinite(values).all():
        raise InputError(f"the vector of {word!r} is no {width} finite numbers", name, REMEDY)
    return values


def _short(name: str, row: int, count: int) -> InputError:
    return InputError(f"ends after {row} of {count} words", name, "fetch it again")
