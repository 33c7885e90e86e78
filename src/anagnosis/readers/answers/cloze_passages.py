"""A snippet and a question with a gap as one cloze question whose candidates are the snippet's words.

snippet     Gefitinib blocks EGFR.          candidates: Gefitinib, blocks, EGFR, .
question    What blocks EGFR? XXXX          (gap = "end")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.datasets.kinds.cloze_views import Viewed

Gap = Literal["end", "start"]


def cloze_passage(id: str, snippet: str, words: Sequence[tuple[int, int]], question: str, gap: Gap) -> Viewed:
    """The cloze question of a snippet, each of whose words is a candidate with one mention.

    words: (begin, end) in the snippet, ascending.
    """
    if gap == "start":
        asked, begin = f"{PLACEHOLDER} {question.lstrip()}", 0
    else:
        begin = len(question.rstrip()) + 1
        asked = f"{question.rstrip()} {PLACEHOLDER}"
    candidates = tuple(snippet[start:end] for start, end in words)
    return Viewed(
        id=id,
        passage=snippet,
        question=asked,
        candidates=candidates,
        answer=None,
        names=tuple((name,) for name in candidates),
        mentions=tuple((start, end, number) for number, (start, end) in enumerate(words)),
        question_mentions=(),
        placeholder=(begin, begin + len(PLACEHOLDER)),
    )
