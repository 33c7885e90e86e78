"""What holds for every instance of the authors' files, checked one by one, each under a name.

They are what held for each of the 140 published instances that could be seen. A broken invariant is counted,
once an instance, under the name of the fault, and its place is kept. The instance stays, unless it has one of
the faults in `REFUSING`: then it cannot be stored, shown in the local view, and written again as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from anagnosis.datasets.biomrc.authors_spelling import (
    Item,
    read_answer_number,
    read_hidden,
    read_item,
    write_answer,
)
from anagnosis.datasets.biomrc.rows import Row
from anagnosis.datasets.export import layouts
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, PSEUDO

# The fault's name → the invariant that it breaks.
INVARIANTS = {
    "candidate_unreadable": "every candidate is spelled as its setting spells it",
    "candidate_twice": "no pseudo-identifier stands twice in the list",
    "title_without_one_placeholder": "the title holds XXXX once",
    "abstract_entity_no_candidate": "every @entityN of the abstract is in the list",
    "title_entity_no_candidate": "every @entityN of the title is in the list",
    "answer_no_candidate": "the answer is in the list",
    "answer_unreadable": "the answer has its candidate's identifier and type, and one surface",
    "candidate_not_in_abstract": "every candidate (so the answer too) stands in the abstract",
    "placeholder_in_abstract": "the abstract does not hold XXXX",
    "answer_alone_at_the_top": "the answer is not the only most frequent entity of the abstract",
    "too_few_or_many_candidates": "the list has 2 to 20 candidates",
    "token_glued": "a blank or the text's start before each @entityN and XXXX, a blank behind it",
    "newline_missing_or_inside": "abstract and title, and the answer of Setting A, end in their only newline",
    "other_repr": "identifiers and surfaces are spelled as the repr of this Python spells them",
    "key_twice": "no two candidates share namespace and identifier (the number tells them apart)",
    "number_of_two_entities": "Setting A: a number has the same identifier and type everywhere",
    "entity_with_two_numbers": "Setting A: an identifier with its type has the same number everywhere",
    "local_numbers_with_gaps": "Setting B: the numbers are 0 to n-1",
    "other_json": "the file is as long as Python's json.dumps would make it",
}
REFUSING = tuple(INVARIANTS)[:7]


class Reading(NamedTuple):
    """A row with its candidates read (None: unreadable) and its @entityN found.

    answer: index into the candidates. hidden: its surface, None in Setting B or where unreadable.
    """

    row: Row
    setting: str
    items: list[Item | None]
    abstract: list[re.Match[str]]
    title: list[re.Match[str]]
    answer: int | None
    hidden: str | None


class BiomrcFaults(layouts.LayoutFaults):
    """refused: by the first fault of `REFUSING` that an instance has, whose place is noted with its others."""

    def __init__(self) -> None:
        super().__init__()
        self._entities: dict[int, tuple[str, str]] = {}
        self._numbers: dict[tuple[str, str], int] = {}

    def check(self, reading: Reading, where: str) -> bool:
        """Ask one instance everything; False if it has to be refused."""
        self.instances += 1
        names: list[str] = []
        for name, what in broken(reading):
            names.append(name)
            self.note(where, name, what)
        refusing = next((name for name in names if name in REFUSING), None)
        if refusing is not None:
            self.refused[refusing] += 1
            return False
        if reading.setting == "A":
            self._check_entities(reading, where)
        return True

    def _check_entities(self, reading: Reading, where: str) -> None:
        for item in reading.items:
            assert item is not None
            entity = (item.identifier, item.type)
            known = self._entities.setdefault(item.number, entity)
            if known != entity:
                self.note(where, "number_of_two_entities", f"@entity{item.number} is {known} and {entity}")
            number = self._numbers.setdefault(entity, item.number)
            if number != item.number:
                self.note(
                    where, "entity_with_two_numbers", f"{entity} has the numbers {number} and {item.number}"
                )


def read(row: Row, setting: str) -> Reading:
    """A row of a file in its parts."""
    items = [read_item(text, setting) for text in row.entities]
    number = read_answer_number(row.answer)
    answer = next((i for i, item in enumerate(items) if item is not None and item.number == number), None)
    hidden = None
    if setting == "A" and answer is not None and (item := items[answer]) is not None:
        hidden = read_hidden(row.answer.removesuffix("\n"), item)
    abstract = list(PSEUDO.finditer(row.abstract))
    return Reading(row, setting, items, abstract, list(PSEUDO.finditer(row.title)), answer, hidden)


def broken(reading: Reading) -> Iterator[tuple[str, str]]:
    """Every invariant that the instance breaks within itself, with what breaks it."""
    row = reading.row
    unreadable = [text for text, item in zip(row.entities, reading.items) if item is None]
    if unreadable:
        yield "candidate_unreadable", repr(unreadable[0])
        return
    items = [item for item in reading.items if item is not None]
    listed = {f"@entity{item.number}" for item in items}
    if len(listed) < len(items):
        yield "candidate_twice", f"{len(items)} candidates, {len(listed)} numbers"
    yield from _broken_by_text(reading, listed)
    yield from _broken_by_answer(reading)
    if not 2 <= len(items) <= 20:
        yield "too_few_or_many_candidates", f"{len(items)} candidates"
    inexact = [text for text, item in zip(row.entities, items) if not item.exact]
    if not inexact and reading.hidden is not None and items and reading.answer is not None:
        again = write_answer(items[reading.answer], reading.hidden)
        inexact = [row.answer] if again.removesuffix("\n") != row.answer.removesuffix("\n") else []
    if inexact:
        yield "other_repr", inexact[0]
    if reading.setting == "B" and len(listed) != 1 + max((item.number for item in items), default=-1):
        yield "local_numbers_with_gaps", ", ".join(row.entities)


def _broken_by_text(reading: Reading, listed: set[str]) -> Iterator[tuple[str, str]]:
    row = reading.row
    if row.title.count(PLACEHOLDER) != 1:
        yield "title_without_one_placeholder", repr(row.title)
    if PLACEHOLDER in row.abstract:
        yield "placeholder_in_abstract", f"character {row.abstract.index(PLACEHOLDER)}"
    standing = {found[0] for found in reading.abstract}
    if not standing <= listed:
        yield "abstract_entity_no_candidate", ", ".join(sorted(standing - listed))
    if not listed <= standing:
        yield "candidate_not_in_abstract", ", ".join(sorted(listed - standing))
    asked = {found[0] for found in reading.title}
    if not asked <= listed:
        yield "title_entity_no_candidate", ", ".join(sorted(asked - listed))
    placeholders = re.finditer(PLACEHOLDER, row.title)
    for text, tokens in ((row.abstract, reading.abstract), (row.title, (*reading.title, *placeholders))):
        glued = next((found for found in tokens if _is_glued(found, text)), None)
        if glued is not None:
            yield "token_glued", repr(text[max(0, glued.start() - 5) : glued.end() + 5])
            break
    texts = {"abstract": row.abstract, "title": row.title}
    if reading.setting == "A":
        texts["answer"] = row.answer
    wrong = [name for name, text in texts.items() if not text or text.find("\n") != len(text) - 1]
    if wrong:
        yield "newline_missing_or_inside", ", ".join(wrong)


def _is_glued(token: re.Match[str], text: str) -> bool:
    start, end = token.span()
    return (start > 0 and text[start - 1] != " ") or text[end : end + 1] != " "


def _broken_by_answer(reading: Reading) -> Iterator[tuple[str, str]]:
    row, answer = reading.row, reading.answer
    if answer is None:
        yield "answer_no_candidate", repr(row.answer)
        return
    item = reading.items[answer]
    if reading.hidden is None if reading.setting == "A" else row.answer != row.entities[answer]:
        yield "answer_unreadable", repr(row.answer)
    assert item is not None
    counts = Counter([found[0] for found in reading.abstract])
    own = counts.pop(f"@entity{item.number}", 0)
    if own > max(counts.values(), default=0):
        yield "answer_alone_at_the_top", f"{own} mentions of @entity{item.number}"
