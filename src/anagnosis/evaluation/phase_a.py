"""Measures of BioASQ's phase A as the organisers' program computes them for edition 9.

Average precision is divided by the number of gold items, at most 10; questions without gold items are left out.

Documents are compared as they are: two spellings of an address are two documents. A repeated item
counts once, at its first place. No list is cut at ten, so average precision exceeds 1 where more hits are ranked than
it is divided by. Where there is nothing to divide by, a value is 0.

Snippets are compared by characters:

1. In both lists, snippets of one document and section that overlap are joined; the joined one stands at the place of
   the first. Two overlap unless one begins after the end of the other: 0-10 and 10-20 do.
2. precision = characters that an answer shares with a gold snippet / characters of the answers; recall = the same /
   characters of the gold snippets. A snippet has end - begin + 1 characters, as if `end` were its last one, though most
   gold offsets are exclusive. Sums run over all pairs of one document (by the last part of its address) and section.
3. Average precision: an answer is relevant where a gold snippet is in the same document, by its whole address, whether
   or not they overlap (a stray semicolon makes the program's test of overlap void). Each relevant one adds the
   precision by characters of the answers up to its rank.

A section counts from behind its first full stop. An answer in section 0 fits a gold abstract, not the reverse. Where
end < begin, sizes and overlaps are negative and are added as such. A snippet without offsets has no characters (ours:
the program always has them). Source: BioASQ/Evaluation-Measures 8c8e689 (design/bioasq.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import RelevantItems, Snippet, document_id
from anagnosis.errors import InputError
from anagnosis.evaluation.systems import kept_with_run
from anagnosis.predictions import Matched
from anagnosis.wording import shortened

_RANKS = 10  # how many items of a list a participant may submit


_NOTHING = RelevantItems()

# Snippets of one section that are joined one by one at most, in time that grows with their square.
MOST_IN_ORDER = 1000
_ABSTRACT, _FIRST_SECTION = "abstract", "0"


@kept_with_run
def scores_of_questions(gold: Gold, run: Matched, kind: str) -> list[tuple[int, ItemScores]]:
    """(row, scores) of each question that counts. kind: of items, a field of `RelevantItems`.

    A question without a line or without gold items is left out. InputError: the dataset has no relevant items, or the
    run was matched with one that has none; lines that hold answers alone; snippets that cannot be joined.
    """
    if gold.relevant is None:
        raise InputError(f"no gold {kind}", f"{gold.dataset} {gold.split}", "choose another measure")
    answers_alone = (run.typed or run.free) and not any(items is not None for items in run.retrieved or ())
    if run.retrieved is None or answers_alone:
        raise InputError(
            f"no {kind} on its lines", run.name, "choose another measure, or name other predictions"
        )
    found: list[tuple[int, ItemScores]] = []
    for row, (relevant, retrieved) in enumerate(zip(gold.relevant(), run.retrieved, strict=True)):
        if run.has_line[row] and getattr(relevant, kind):
            given = retrieved or _NOTHING
            if kind == "snippets":
                found.append((row, _snippet_scores(given.snippets, relevant.snippets)))
            else:
                found.append((row, item_scores(given.documents, relevant.documents)))
    return found


@dataclass(frozen=True, slots=True)
class ItemScores:
    """Of one question and one kind of items. average_precision: NaN where the organisers' program divides 0 by 0."""

    precision: float
    recall: float
    f1: float
    average_precision: float


def item_scores(retrieved: Iterable[Hashable], gold: Iterable[Hashable]) -> ItemScores:
    """retrieved: best first."""
    ranked, right = [*dict.fromkeys(retrieved)], {*gold}
    hits, total = 0, 0.0
    for rank, item in enumerate(ranked, 1):
        if item in right:
            hits += 1
            total += hits / rank
    precision, recall = _share(hits, len(ranked)), _share(hits, len(right))
    average = _share(total, min(_RANKS, len(right)))
    return ItemScores(precision, recall, _harmonic_mean(precision, recall), average)


def _share(part: float, whole: float) -> float:
    """0 where there is nothing to divide by."""
    return part / whole if whole else 0.0


def _harmonic_mean(precision: float, recall: float) -> float:
    """F1; 0 where both are 0."""
    return _share(2 * precision * recall, precision + recall)


class Span(NamedTuple):
    """A snippet as it is compared. end: the last character's place."""

    document: str
    section: str
    begin: int
    end: int

    @property
    def characters(self) -> int:
        return self.end - self.begin + 1


def _snippet_scores(retrieved: Sequence[Snippet], gold: Sequence[Snippet]) -> ItemScores:
    """retrieved: best first; gold: some. Average precision is NaN where answers have 0 characters.

    InputError: as for `joined`.
    """
    answers, right = joined([*map(_span, retrieved)]), joined([*map(_span, gold)])
    by_id = _by_section(right, document_id)
    shared = sum(_shared(answer, document_id(answer.document), by_id) for answer in answers)
    precision = _share(shared, sum(span.characters for span in answers))
    recall = _share(shared, sum(span.characters for span in right))
    average = _average_precision(answers, right)
    return ItemScores(precision, recall, _harmonic_mean(precision, recall), average)


def joined(spans: Sequence[Span]) -> list[Span]:
    """The spans, those that overlap as one.

    InputError: a section has more than MOST_IN_ORDER, one of them without characters.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for place, span in enumerate(spans):
        places.setdefault((span.document, span.section), []).append(place)
    found: dict[int, Span] = {}
    for own in places.values():
        found |= _joined([(place, spans[place]) for place in own])
    return [found[place] for place in sorted(found)]


def _joined(spans: Sequence[tuple[int, Span]]) -> dict[int, Span]:
    """Place of the first of them → the span, of those of one section. spans: (place, span)."""
    if any(span.characters <= 0 for _, span in spans):
        return _joined_in_order(spans)
    found: dict[int, Span] = {}
    place, whole = -1, Span("", "", 0, -1)
    for other, span in sorted(spans, key=lambda each: each[1].begin):
        if found and span.begin <= whole.end:
            del found[place]
            place, whole = min(place, other), whole._replace(end=max(whole.end, span.end))
        else:
            place, whole = other, span
        found[place] = whole
    return found


def _joined_in_order(spans: Sequence[tuple[int, Span]]) -> dict[int, Span]:
    """Spans joined one by one, as the program does: without characters, or with negative ones, the order decides."""
    if len(spans) > MOST_IN_ORDER:
        what = f"{len(spans):,} snippets of one section, some without characters, more than {MOST_IN_ORDER:,}"
        raise InputError(what, shortened(spans[0][1].document), "correct their offsets, or leave some out")
    found: dict[int, Span] = {}
    for place, span in spans:
        touched = [other for other, part in found.items() if _overlap(span, part)]
        parts = [span, *(found.pop(other) for other in touched)]
        whole = span._replace(begin=min(part.begin for part in parts), end=max(part.end for part in parts))
        found[min(place, *touched) if touched else place] = whole
    return found


def _average_precision(answers: Sequence[Span], gold: Sequence[Span]) -> float:
    documents, by_address = {span.document for span in gold}, _by_section(gold, str)
    shared, characters, total = 0, 0, 0.0
    for answer in answers:
        shared += _shared(answer, answer.document, by_address)
        characters += answer.characters
        if not characters:
            return math.nan
        if answer.document in documents:
            total += shared / characters
    return total / min(_RANKS, len(gold))


def _span(snippet: Snippet) -> Span:
    section = snippet.begin_section.partition(".")[2] or snippet.begin_section
    if snippet.begin is None or snippet.end is None:
        return Span(snippet.document, section, 0, -1)
    return Span(snippet.document, section, snippet.begin, snippet.end)


def _overlap(one: Span, other: Span) -> bool:
    return one.begin <= other.end and other.begin <= one.end


def _by_section(spans: Sequence[Span], document: Callable[[str], str]) -> dict[tuple[str, str], list[Span]]:
    """(document, section) → its spans. document: what is compared of an address."""
    found: dict[tuple[str, str], list[Span]] = {}
    for span in spans:
        found.setdefault((document(span.document), span.section), []).append(span)
    return found


def _shared(answer: Span, document: str, gold: Mapping[tuple[str, str], Sequence[Span]]) -> int:
    """Characters of an answer and of gold spans, over all pairs that fit. document: of the answer, as gold has it."""
    sections = (_FIRST_SECTION, _ABSTRACT) if answer.section == _FIRST_SECTION else (answer.section,)
    return sum(
        min(answer.end, other.end) - max(answer.begin, other.begin) + 1
        for section in sections
        for other in gold.get((document, section), ())
        if _overlap(answer, other)
    )
