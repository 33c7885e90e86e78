"""Instances for tests, written as the authors' files are.

With tokens @entityN and XXXX, or with the marks of CliCR's files: BEG__acute fever__END, @placeholder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    Candidate,
    ClozeInstance,
    PassageMention,
    outside,
)

ENTITY = re.compile(r"BEG__(.*?)__END", re.DOTALL)
NUMBERED = re.compile(r"@entity(\d+)")


def replaced(
    passage: str,
    question: str,
    answer: str | None = None,
    candidates: Sequence[str] | None = None,
    id: str = "1:0",
) -> ClozeInstance:
    """An instance with replaced text. candidates: in their order (default: as the passage mentions them)."""
    keys = list(candidates or dict.fromkeys(match.group() for match in NUMBERED.finditer(passage)))

    def mentions(text: str) -> tuple[PassageMention, ...]:
        return tuple(PassageMention((m.span(),), keys.index(m.group())) for m in NUMBERED.finditer(text))

    return ClozeInstance(
        id=id,
        document=id.partition(":")[0],
        date="",
        passage=passage,
        question=question,
        mentions=mentions(passage),
        question_mentions=mentions(question),
        candidates=tuple(Candidate(key, "", int(key.removeprefix("@entity")), ()) for key in keys),
        answer=None if answer is None else keys.index(answer),
        answers=(),
    )


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


def published_questions(path: Path) -> list[ClozeInstance]:
    """The questions of a file of CliCR's authors."""
    return [
        marked_instance(
            f"{report['document']['title']}\n{report['document']['context']}", asked["query"], id=asked["id"]
        )
        for report in json.loads(path.read_text())["data"]
        for asked in report["document"]["qas"]
    ]
