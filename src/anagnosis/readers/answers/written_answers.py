"""Answers in the texts that a model wrote: one line, split at the delimiter, each with a score.

The score of an answer is the mean of the logits at its word pieces, from a second pass over input and text (the thesis,
section 4.4, "custom scoring"). The piece that ends the text belongs to no answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from anagnosis.encoders.text_models import Writing
from anagnosis.predictions import Answer
from anagnosis.readers.answers.occurrences import occurrences

# A text and the numbers of its word pieces, end exclusive.
Part = tuple[str, int, int]


def parts(pieces: Sequence[int], writing: Writing, delimiter: str) -> list[Part]:
    """The answers of a written text with their pieces, in its order; an answer that comes twice is given once.

    A line break ends the text: models that were not trained go on with further questions. delimiter: a blank alone
    splits nothing.
    """
    text = writing.text(list(pieces))
    ends = [len(writing.text(list(pieces[: number + 1]))) for number in range(len(pieces))]
    given: dict[str, Part] = {}
    for begin, end in _between(text, delimiter):
        answer = text[begin:end]
        stripped = answer.strip().removesuffix(".").rstrip()
        if not stripped:
            continue
        begin += len(answer) - len(answer.lstrip())
        first = bisect_right(ends, begin)
        last = bisect_right(ends, begin + len(stripped) - 1)
        given.setdefault(stripped.casefold(), (stripped, first, min(last + 1, len(pieces))))
    return list(given.values())


def _between(text: str, delimiter: str) -> Iterator[tuple[int, int]]:
    """(begin, end) of the stretches between delimiters in the first line that has text."""
    start = len(text) - len(text.lstrip())
    line = text[start:].split("\n", 1)[0]
    sign = delimiter.strip()
    at = 0
    for stretch in line.split(sign) if sign else [line]:
        yield start + at, start + at + len(stretch)
        at += len(stretch) + len(sign)


def answer(text: str, score: float | None, place: int, snippets: Sequence[str]) -> Answer:
    """An answer, and where it occurs. place: the index of its snippet, -1 if the model read all of them."""
    for number in range(len(snippets)) if place < 0 else (place,):
        if spans := occurrences(snippets[number], [text]):
            return Answer(text, score, number, *spans[0])
    return Answer(text, score) if place < 0 else Answer(text, score, place)
