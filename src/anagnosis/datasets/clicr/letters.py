"""Marks at character offsets, letter by letter, as the published program sets them.

In a passage the program loses letters where entities nest or touch; in the side of a query it marks every start and
every end. `marked` then parts marks from words and applies the boundary heuristics.

Source: mark_entities and build_query of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from anagnosis.datasets.clicr.boundaries import without_function_word, without_parenthesis
from anagnosis.datasets.clicr.marks import BEGIN, END, words_and_entities


def passage_letters(text: str, starts: Collection[int], ends: Collection[int]) -> str:
    """The text with marks at these offsets.

    A letter where an entity begins inside another is lost, and so is one where an entity ends and none is open. An
    entity that ends where the text ends stays open.
    """
    written: list[str] = []
    last, is_open = 0, False
    for at in sorted({at for at in (*starts, *ends) if 0 <= at < len(text)}):
        written.append(text[last:at])
        begins = at in starts
        if begins is is_open:
            last = at + 1
        else:
            written.append(BEGIN if begins else END)
            is_open, last = begins, at
    return "".join((*written, text[last:]))


def side_letters(text: str, first: int, starts: Collection[int], ends: Collection[int]) -> str:
    """One side of a hidden entity with marks. first: the offset of the side's first letter in the report.

    Every start and every end gets its mark, but no end at the first letter. A start goes before an end.
    """
    written: list[str] = []
    last = 0
    for at in sorted({at - first for at in (*starts, *ends) if 0 <= at - first < len(text)}):
        if at + first in starts:
            mark = BEGIN
        elif at:
            mark = END
        else:
            continue
        written += (text[last:at], mark)
        last = at
    return "".join((*written, text[last:]))


def bounded(text: str) -> str:
    """The text with the boundary heuristics applied to its marked entities.

    InconsistentMarksError: an entity ends that never began.
    """
    text = _joined(words_and_entities(text), without_function_word)
    return _joined(words_and_entities(text), without_parenthesis)


def _joined(lines: Iterable[list[str]], rule: Callable[[str], str]) -> str:
    return "\n".join(" ".join([rule(item) if BEGIN in item else item for item in line]) for line in lines)
