"""An instance's passage and question as CliCR's files have them: entities between marks, `@placeholder` for the answer.

A mention that touches a letter or a sign is set apart by a blank, without which no reader of marks finds it. A mention
of several spans reaches from the start of the first to the end of the last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from anagnosis.datasets.clicr.marks import BEGIN, END
from anagnosis.datasets.clicr.marks import PLACEHOLDER as HIDDEN
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    ClozeInstance,
    PassageMention,
    placeholder_start,
)

Span = tuple[int, int]  # characters, end exclusive


def marked_passage(instance: ClozeInstance, notes: Counter[str]) -> str:
    """The passage with its entities marked.

    notes: counts texts in which an entity had to be set apart, or which hold the letters of a mark.
    """
    return _marked(instance.passage, _spans(instance.mentions), notes)


def marked_query(instance: ClozeInstance, notes: Counter[str]) -> str:
    """The question with its entities marked. notes: as of `marked_passage`."""
    start = placeholder_start(instance)
    end = start + len(PLACEHOLDER)
    spans = _spans(instance.question_mentions)
    before = [span for span in spans if span[0] < start]
    behind = [(first - end, last - end) for first, last in spans if first >= end]
    left, right = (
        _marked(instance.question[:start], before, notes),
        _marked(instance.question[end:], behind, notes),
    )
    touches_left, touches_right = bool(before) and before[-1][1] == start, bool(behind) and behind[0][0] == 0
    notes["entity_set_apart"] += touches_left or touches_right
    return f"{left}{' ' * touches_left}{HIDDEN}{' ' * touches_right}{right}"


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
