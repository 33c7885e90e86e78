"""Answers in the texts that a model wrote: one line, split at the delimiter, each with a score.

The score of an answer is the mean of the logits at its word pieces (the thesis, section 4.4, "custom scoring"). The
piece that ends the text belongs to no answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from anagnosis.encoders.text_models import Writing

# An answer, and the code point at which it begins in the written text.
Part = tuple[str, int]


def parts(text: str, delimiter: str) -> list[Part]:
    """The answers of a written text, in its order; an answer that comes twice is given once.

    A line break ends the text: models that were not trained go on with further questions. delimiter: a blank alone
    splits nothing.
    """
    given: dict[str, Part] = {}
    for begin, end in _between(text, delimiter):
        answer = text[begin:end]
        stripped = answer.strip().removesuffix(".").rstrip()
        if not stripped:
            continue
        begin += len(answer) - len(answer.lstrip())
        given.setdefault(stripped.casefold(), (stripped, begin))
    return list(given.values())


def pieces_of(answers: Sequence[Part], pieces: Sequence[int], writing: Writing) -> list[slice]:
    """The word pieces of each answer. pieces: of the written text."""
    ends = [len(writing.text(list(pieces[: number + 1]))) for number in range(len(pieces))]
    return [
        slice(bisect_right(ends, begin), bisect_right(ends, begin + len(text) - 1) + 1)
        for text, begin in answers
    ]


def _between(text: str, delimiter: str) -> Iterator[tuple[int, int]]:
    """(begin, end) of the stretches between delimiters in the first line that has text."""
    start = len(text) - len(text.lstrip())
    line = text[start:].split("\n", 1)[0]
    sign = delimiter.strip()
    at = 0
    for stretch in line.split(sign) if sign else [line]:
        yield start + at, start + at + len(stretch)
        at += len(stretch) + len(sign)
