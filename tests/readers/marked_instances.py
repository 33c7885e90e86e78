"""CliCR-like instances for tests, written with the marks of its files: BEG__acute fever__END, @placeholder."""

from __future__ import annotations

import re

from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    Candidate,
    ClozeInstance,
    PassageMention,
    outside,
)

ENTITY = re.compile(r"BEG__(.*?)__END", re.DOTALL)


def marked_instance(
    passage: str, question: str = "@placeholder", answer: str = "", id: str = "report.1"
) -> ClozeInstance:
    """An instance of a passage (title, then one sentence a line) and a question, both with marks."""
    numbers: dict[str, int] = {}
    text, surfaces, spans = _unmarked(passage)
    names: dict[str, dict[str, None]] = {}
    for surface in surfaces:
        numbers.setdefault(surface.lower(), len(numbers))
        names.setdefault(surface.lower(), {})[surface] = None
    keys = [*numbers]
    asked, asked_surfaces, asked_spans = _unmarked(question.replace("@placeholder", PLACEHOLDER, 1))
    for surface in asked_surfaces:
        numbers.setdefault(surface.lower(), len(numbers))
    return ClozeInstance(
        id=id,
        document=id.rpartition(".")[0],
        date="",
        passage=text,
        question=asked,
        mentions=_mentions(surfaces, spans, keys, numbers),
        question_mentions=_mentions(asked_surfaces, asked_spans, keys, numbers),
        candidates=tuple(Candidate(key, "", numbers[key], tuple(names[key])) for key in keys),
        answer=keys.index(answer.lower()) if answer.lower() in keys else None,
        answers=(answer,) if answer else (),
    )


def _mentions(
    surfaces: list[str], spans: list[tuple[int, int]], keys: list[str], numbers: dict[str, int]
) -> tuple[PassageMention, ...]:
    lowered = [surface.lower() for surface in surfaces]
    of = [keys.index(key) if key in keys else outside(numbers[key]) for key in lowered]
    return tuple(PassageMention((span,), each) for span, each in zip(spans, of, strict=True))


def _unmarked(text: str) -> tuple[str, list[str], list[tuple[int, int]]]:
    """The text without marks, its entities, and their places."""
    pieces, surfaces, spans, length, done = [], [], [], 0, 0
    for match in ENTITY.finditer(text):
        pieces += (text[done : match.start()], match[1])
        length += match.start() - done
        surfaces.append(match[1])
        spans.append((length, length + len(match[1])))
        length += len(match[1])
        done = match.end()
    return "".join((*pieces, text[done:])), surfaces, spans
