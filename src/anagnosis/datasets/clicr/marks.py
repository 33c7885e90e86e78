"""Entities marked inside a text, as CliCR's files mark them.

    He had BEG__chest pain__END and BEG__fever__END .

A mark stands at the front of the first word and at the end of the last one, without a blank. Words are parted by
white space, and a line of text holds whole entities.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER as XXXX
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention, placeholder_start

BEGIN = "BEG__"
END = "__END"
PLACEHOLDER = "@placeholder"

_ENTITY = re.compile(rf"(?<!\S){BEGIN}((?!\s)(?:(?!{BEGIN}|{END})[^\n])+(?<!\s)){END}(?!\S)")
Span = tuple[int, int]  # characters, end exclusive


def marked_passage(instance: ClozeInstance, notes: Counter[str]) -> str:
    """The passage with its entities marked.

    A mention that touches a letter or a sign is set apart by a blank, without which no reader of marks finds it. A
    mention of several spans reaches from the start of the first to the end of the last. notes: counts texts in which an
    entity had to be set apart, or which hold the letters of a mark.
    """
    return _marked(instance.passage, _spans(instance.mentions), notes)


def marked_query(instance: ClozeInstance, notes: Counter[str]) -> str:
    """The question with its entities marked and `@placeholder` for XXXX. notes: as of `marked_passage`."""
    start = placeholder_start(instance)
    text = f"{instance.question[:start]}{PLACEHOLDER}{instance.question[start + len(XXXX) :]}"
    longer = len(PLACEHOLDER) - len(XXXX)
    spans = [
        (first, last) if last <= start else (first + longer, last + longer)
        for first, last in _spans(instance.question_mentions)
    ]
    return _marked(text, spans, notes)


def _spans(mentions: Iterable[PassageMention]) -> list[Span]:
    return [(mention.spans[0][0], mention.spans[-1][1]) for mention in mentions]


def _marked(text: str, spans: Sequence[Span], notes: Counter[str]) -> str:
    pieces: list[str] = []
    done, is_set_apart = 0, False
    for start, end in spans:
        gap = "" if not start or text[start - 1].isspace() else " "
        gap_behind = "" if end == len(text) or text[end].isspace() else " "
        pieces += (text[done:start], gap, BEGIN, text[start:end], END, gap_behind)
        done, is_set_apart = end, is_set_apart or bool(gap or gap_behind)
    notes["entity_set_apart"] += is_set_apart
    notes["text_holds_mark"] += BEGIN in text or END in text
    return "".join((*pieces, text[done:]))


def without_marks(text: str) -> tuple[str, list[Span]]:
    """The text without the marks of its entities, and where they lie in it, end exclusive.

    What is no entity of at least one letter in one line stays in the text as it is, with its marks: with marks at these
    places the text is the same again.
    """
    parts: list[str] = []
    spans: list[Span] = []
    last = length = 0
    for match in _ENTITY.finditer(text):
        parts += (text[last : match.start()], match[1])
        start = length + match.start() - last
        length = start + len(match[1])
        spans.append((start, length))
        last = match.end()
    parts.append(text[last:])
    return "".join(parts), spans
