"""The queries of one report, as they are stored.

    passage   "Fever after surgery
Case report
A man had fever ."     title, line end, one line each
    query     "XXXX needs cultures ."                                    its hidden text "Fever"

Texts have no marks; entities are (start, end) in characters of their text.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from anagnosis.datasets.build.screening import Screening
from anagnosis.datasets.clicr.recipe import CliCRRecipe
from anagnosis.datasets.kinds.cloze_columns import ClozeColumns
from anagnosis.datasets.kinds.cloze_instance import outside

HIDDEN = "dataset"
"""The origin of an answer that is the hidden text."""


class Marked(msgspec.Struct, frozen=True, gc=False):
    """A text and its entities, in order and apart. types: of each: problem, treatment, test, or "" where unknown."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    types: Sequence[str]

    def surfaces(self) -> list[str]:
        """The text of each entity."""
        text = self.text
        return [text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]


class Query(msgspec.Struct, frozen=True, gc=False):
    """number: of the query in its report, from 1. question: with XXXX in place of the hidden entity.

    answer: the hidden text. identifier, type: of the hidden entity, "" where it has none.
    """

    number: int
    question: Marked
    answer: str
    identifier: str
    type: str


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A name of a concept. origin: "UMLS", or the name of another vocabulary."""

    name: str
    origin: str


Names = Callable[[str], Sequence[Answer]]
"""All names of an identifier, each once, sorted."""


def answers(query: Query, names: Names) -> list[Answer]:
    """The hidden text, then all other names of its identifier."""
    listed = names(query.identifier) if query.identifier else ()
    return [Answer(query.answer, HIDDEN), *(each for each in listed if each.name != query.answer)]


def add_instances(
    ident: str,
    date: str,
    passage: Marked,
    queries: Iterable[Query],
    names: Names,
    screening: Screening[ClozeColumns],
    recipe: CliCRRecipe,
) -> dict[int, int]:
    """Store the queries of a report; {number of each entity: instances of which it is a candidate}, in their order.

    Dropped and counted: too_few_candidates.
    """
    surfaces = passage.surfaces()
    keys = list(map(entity_key, surfaces))
    places = {each: place for place, each in enumerate(dict.fromkeys(keys))}
    candidates = array("i", [places[each] for each in keys])
    starts, ends = array("i", passage.starts), array("i", passage.ends)
    listed_keys = list(places)
    written: list[list[str]] = [[] for _ in places]
    for place, surface in dict.fromkeys(zip(candidates, surfaces, strict=True)):
        written[place].append(surface)
    of_keys = dict(zip(reversed(keys), reversed(passage.types), strict=True))  # the first one counts
    types = [of_keys[each] for each in listed_keys]
    surface_counts = array("i", map(len, written))
    surfaces = [surface for group in written for surface in group]
    numbers: array[int] | None = None
    stored = 0
    further: dict[int, int] = {}  # entities of queries alone
    columns = screening.columns
    for query in queries:
        if len(places) < recipe.minimum_candidates:
            screening.drop_instance(f"{ident}.{query.number}", "too_few_candidates", query.question.text)
            continue
        if numbers is None:
            numbers = array("i", [screening.number(each, types[place], "") for each, place in places.items()])
        stored += 1
        given = answers(query, names)
        texts = [each.name for each in given]
        columns.add_row(
            f"{ident}.{query.number}",
            ident,
            date,
            passage.text,
            query.question.text,
            right_candidate(texts, places),
            texts,
            of_answers=(
                [query.identifier] * len(given),
                [query.type] * len(given),
                [each.origin for each in given],
            ),
        )
        columns.mentions.add(starts, ends, candidates)
        columns.question_mentions.add(
            query.question.starts,
            query.question.ends,
            _of_question(query.question, places, screening, further),
        )
        columns.candidates.add_flat(listed_keys, types, numbers, surface_counts, surfaces)
    return {**dict.fromkeys(numbers or (), stored), **further}


def _of_question(
    question: Marked, places: dict[str, int], screening: Screening[ClozeColumns], further: dict[int, int]
) -> list[int]:
    """Of each entity of a query the candidate, or, `outside`, the dataset's entity that is none."""
    of_each: list[int] = []
    for surface, semantic_type in zip(question.surfaces(), question.types, strict=True):
        name = entity_key(surface)
        place = places.get(name)
        if place is None:
            number = screening.number(name, semantic_type, "")
            further[number] = 0
            place = outside(number)
        of_each.append(place)
    return of_each


@lru_cache(maxsize=1 << 16)
def entity_key(surface: str) -> str:
    """The key that surfaces of one candidate share: in lower case, the words joined by single blanks."""
    return " ".join(surface.lower().split())


def right_candidate(answers: Sequence[str], place: Mapping[str, int]) -> int | None:
    """The place of the candidate that equals the hidden text, else of the last of the other names that is one.

    That is the candidate of CliCR's training filter.

    answers: the hidden text, then the other names of its identifier. place: candidate key → index. None: no answer is
    a candidate.
    """
    if not answers:
        return None
    hidden, *others = map(entity_key, answers)
    if hidden in place:
        return place[hidden]
    return next((place[key] for key in reversed(others) if key in place), None)
