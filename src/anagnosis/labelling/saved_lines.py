"""Which lines the page of a person may save.

    {"id": "12345:0", "answer": "gene/57", "dataset": "3f0c…", "annotator": "ann", "group": "experts",
     "knowledge": "context", "seconds": 61.2, "place": 3}

A page edited by hand, or that of another study or person, saves others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from anagnosis.labelling.drawn import order
from anagnosis.labelling.people import Person
from anagnosis.labelling.study import Field, Question, Study, values
from anagnosis.wording import shortened

LONGEST_SECONDS = 86_400  # a day, of one question


@dataclass(frozen=True, slots=True)
class PersonQuestions:
    """The questions of a study as one person has them. places: id → the place in the person's order, from 1, and the
    question."""

    study: Study
    person: Person
    places: Mapping[str, tuple[int, Question]]

    @property
    def constants(self) -> dict[str, str]:
        """The fields that each line of the person has."""
        return {**self.study.constants, "annotator": self.person.name, "group": self.person.group}


def questions_of(study: Study, person: Person, seed: int) -> PersonQuestions:
    """The questions of a person, in the order that seed and name give."""
    ordered = [
        study.questions[place] for place in order([each.id for each in study.questions], person.name, seed)
    ]
    return PersonQuestions(study, person, {each.id: (place, each) for place, each in enumerate(ordered, 1)})


def fault_of(line: Mapping[str, Any], of: PersonQuestions) -> str:
    """What is wrong with a line, decoded from JSON, of a file that the person's page saved; "" for nothing."""
    expected = of.study.line_fields
    if odd := next((name for name in (*line, *expected) if (name in line) != (name in expected)), None):
        return f"it should have the fields {', '.join(expected)} ({shortened(odd)})"
    for name, value in of.constants.items():
        if line[name] != value:
            return f"its {name} is {_shown(line[name])}, not {_shown(value)}"
    ident, seconds = line["id"], line["seconds"]
    if not isinstance(ident, str) or ident not in of.places:
        return f"{_shown(ident)} is no question of these sheets"
    place, question = of.places[ident]
    if type(line["place"]) is not int or line["place"] != place:  # neither 1.0 nor true
        return f"its place is {_shown(line['place'])}, and the page of {of.person.name} has it at {place}"
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return "its seconds are no number"
    if not 0 <= seconds <= LONGEST_SECONDS:  # nor NaN
        return f"its seconds are {_shown(seconds)}, and a question has {LONGEST_SECONDS:,} at most"
    wrong = next((each for each in of.study.fields if not _fits(each, line, question, of.study)), None)
    return "" if wrong is None else f"{wrong.name} cannot be {_shown(line[wrong.name])}"


def _fits(field: Field, line: Mapping[str, Any], question: Question, study: Study) -> bool:
    """Whether a line may hold what it has in a field."""
    value = line[field.name]
    emptied = any(
        choice.empties == field.name and line[other.name] == choice.value
        for other in study.fields
        for choice in other.choices
    )
    allowed = [*values(field, question)]
    if value is None:
        return emptied or None in allowed
    if emptied:
        return False
    if field.several:
        return (
            isinstance(value, list)
            and bool(value)
            and all(isinstance(each, str) and each in allowed for each in cast("list[Any]", value))
            and len(set(cast("list[str]", value))) == len(cast("list[str]", value))
            and not any(choice.alone and choice.value in value and len(value) > 1 for choice in field.choices)
        )
    if not isinstance(value, str):
        return False
    written = 0 < len(value) <= field.text and value == value.strip() and "\n" not in value
    return written or value in allowed


def _shown(value: object) -> str:
    return shortened(repr(value))
