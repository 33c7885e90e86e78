"""What a public copy shows of the answers that it withholds, counted so that nobody has to believe that it hides all.

    id_names_paper                  the id names the paper, and anybody may read it
    hidden_text_in_other_question   another question of the paper is the same text with a gap elsewhere
    hidden_text_in_other_passage    a passage of another question of the paper has them
    same_question_in_other_split    a split with answers asks the same question

A kind names what counts for it (`Kind.shown_elsewhere`); the last is counted for every kind. Only what is in the copy
is read, never an answer: these are the instances that a reader of the copy could look up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER
from anagnosis.datasets.question_keys import keys_of
from anagnosis.registry import referenced

VISIBLE = {
    "id_names_paper": "questions whose id or document is that of the paper, where the answer can be read",
    "hidden_text_in_other_question": "questions whose hidden text another question of the same paper shows",
    "hidden_text_in_other_passage": "questions whose hidden text a passage of another question of the paper shows",
    "same_question_in_other_split": "questions that a split with answers asks, too",
}
IMPORTED = "text:"  # begins the document of a question whose file names none: a digest of the passage
FRAME = 40  # characters on each side of the gap that must stand around the hidden text in a passage
LEAST = 10  # characters that must agree: titles have fifteen or more (BIOMRC, section 2)
LONGEST = 200  # characters of a hidden text


def visible(dataset: Dataset, split: str) -> dict[str, int]:
    """Name of VISIBLE → instances of the split."""
    found = dict.fromkeys(VISIBLE, 0)
    if dataset.kind.shown_elsewhere:
        found |= referenced(dataset.kind.shown_elsewhere)(dataset, split)
    elsewhere = [keys_of(dataset, other) for other in dataset.rows if other != split]
    if elsewhere:
        same = np.isin(keys_of(dataset, split), np.concatenate(elsewhere))
        found["same_question_in_other_split"] = int(same.sum())
    return {name: count for name, count in found.items() if count}


def ids_of_papers(dataset: Dataset, split: str) -> dict[str, int]:
    """Of kinds whose ids are those of papers."""
    return {"id_names_paper": dataset.size(split)}


def hidden_mentions(dataset: Dataset, split: str) -> dict[str, int]:
    """Of cloze questions: the text that the gap hides, in other questions and passages of the same document.

    BioMRC asks a question for each mention of a title, so that the title of one shows what another hides.
    """
    questions: defaultdict[str, set[str]] = defaultdict(set)
    passages: defaultdict[str, set[str]] = defaultdict(set)
    asked = {document for document, _, _ in _texts(dataset, split)}
    for document, question, passage in _texts(dataset, store.ALL):
        if document in asked:
            questions[document].add(question)
            passages[document].add(passage)
    counts = dict.fromkeys(("id_names_paper", *VISIBLE), 0)
    for document, question, passage in _texts(dataset, split):
        before, gap, after = question.partition(PLACEHOLDER)
        counts["id_names_paper"] += not document.startswith(IMPORTED)
        if not gap:
            continue
        if any(fills(other, question) for other in questions[document]):
            counts["hidden_text_in_other_question"] += 1
        elif any(surrounds(other, before, after) for other in passages[document] if other != passage):
            counts["hidden_text_in_other_passage"] += 1
    return {name: count for name, count in counts.items() if count}


def fills(other: str, question: str) -> bool:
    """Whether another question is the same text with a gap elsewhere, so that it shows what this one hides.

    `XXXX or aspirin in asthma` and `Heparin or XXXX in asthma`: behind this gap stands ` or `, then what the other one
    hides. Two questions are taken for one text if half of what stands in this one, and LEAST characters, agree.
    """
    before, _, after = question.partition(PLACEHOLDER)
    before_other, gap, after_other = other.partition(PLACEHOLDER)
    if not gap or other == question:
        return False
    if len(before) <= len(before_other):
        first, last = before_other.removeprefix(before), after.removesuffix(after_other)
        agreeing = before_other.startswith(before) and after.endswith(after_other)
    else:  # the other gap stands before this one
        first, last = before.removeprefix(before_other), after_other.removesuffix(after)
        agreeing = before.startswith(before_other) and after_other.endswith(after)
    if not agreeing:
        return False
    between = _overlap(first, last)
    hidden_by_other = len(last) - between if len(before) <= len(before_other) else len(first) - between
    fixed = len(before) + len(after)
    matched = fixed - hidden_by_other
    return matched >= LEAST and 2 * matched >= fixed


def _overlap(first: str, last: str) -> int:
    """The length of the longest end of one text that begins the other, without all of either."""
    longest = min(len(first), len(last)) - 1
    return next((size for size in range(longest, 0, -1) if first.endswith(last[:size])), 0)


def surrounds(passage: str, before: str, after: str) -> bool:
    """Whether the words next to the gap stand in a passage around something short."""
    first, last = before[-FRAME:], after[:FRAME]
    if len(first.strip()) + len(last.strip()) < LEAST or not (first.strip() and last.strip()):
        return False
    place = passage.find(first)
    while place >= 0:
        begin = place + len(first)
        end = passage.find(last, begin, begin + LONGEST + len(last))
        if end > begin:
            return True
        place = passage.find(first, place + 1)
    return False


def _texts(dataset: Dataset, split: str) -> Iterator[tuple[str, str, str]]:
    """(document, question, passage) of each cloze question."""
    columns: Sequence[str] = ("document", "question", "passage")
    for part in dataset.parts(split):
        for batch in store.batches(part, 2048, [*columns]):
            yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
