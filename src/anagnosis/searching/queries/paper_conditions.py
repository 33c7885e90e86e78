"""Which conditions of a query only a whole paper can decide, and which of the paper's passages are then results.

Required and excluded parts are judged over a paper: a paper with tea in its title or one passage and milk in another
one meets `tea AND milk`, and `-milk` leaves out a paper if any passage has milk. Of a paper that meets all of them
the results are the passages with at least one required part that varies within the paper.

A condition on one word, or on any of several, gives the same passages if each passage is judged alone. Engines then
need not look at papers.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.queries.tree import (
    ALIAS,
    NAME_FIELDS,
    TITLE,
    AllOf,
    AnyOf,
    Dates,
    InField,
    Not,
    Part,
    Query,
    Together,
    all_of,
    any_of,
)

_OF_A_PAPER = frozenset((TITLE, *NAME_FIELDS)) - {ALIAS}  # an alias stands with the first passage


def required_parts(query: Query) -> tuple[Part, ...]:
    """What a query requires: with nothing else required, any of its ranked parts."""
    return query.required or ((AnyOf(query.ranked),) if query.ranked else ())


def varies(part: Part) -> bool:
    """Whether passages of one paper may differ in a part."""
    match part:
        case InField(field=field):
            return field not in _OF_A_PAPER
        case Dates():
            return False
        case AnyOf(parts=parts) | AllOf(parts=parts) | Together(parts=parts):
            return any(map(varies, parts))
        case Not(part=inside):
            return varies(inside)
        case _:
            return True


def holds_in_one_passage(part: Part) -> bool:
    """Whether a paper has a part exactly if one of its passages has it."""
    match part:
        case Not(part=inside):
            return not varies(inside)
        case AnyOf(parts=parts):
            return all(map(holds_in_one_passage, parts))
        case AllOf(parts=parts):
            return all(map(holds_in_one_passage, parts)) and sum(map(varies, parts)) <= 1
        case _:
            return True


def grows(part: Part) -> bool:
    """Whether a paper has a part if one of its passages has it."""
    match part:
        case Not(part=inside):
            return not varies(inside)
        case AnyOf(parts=parts) | AllOf(parts=parts):
            return all(map(grows, parts))
        case _:
            return True


def decided_by_passages(required: Sequence[Part]) -> bool:
    """Whether the passages with all of these parts are those that are results."""
    return sum(map(varies, required)) <= 1 and all(map(holds_in_one_passage, required))


def needs_papers(query: Query) -> bool:
    """Whether papers decide what matches a query, and not each passage alone."""
    return any(map(varies, query.excluded)) or not decided_by_passages(required_parts(query))


def shown_with(required: Sequence[Part]) -> Part | None:
    """What a passage must have to be a result, of a paper with all required parts; None: all its passages are."""
    return _any([_shown_with(part) for part in required if varies(part)])


def _shown_with(part: Part) -> Part | None:
    """A part that each passage has by which its paper has this part; None for every passage."""
    if not varies(part):
        return part
    match part:
        case Not():
            return None
        case AnyOf(parts=parts):
            return _any([_shown_with(one) for one in parts])
        case AllOf(parts=parts):
            fixed = [one for one in parts if not varies(one)]
            moving = _any([_shown_with(one) for one in parts if varies(one) and not isinstance(one, Not)])
            return all_of([*fixed, *([] if moving is None else [moving])])
        case _:
            return part


def _any(parts: Sequence[Part | None]) -> Part | None:
    """Any of some parts, of which None is every passage."""
    some = [part for part in parts if part is not None]
    return any_of(some) if len(some) == len(parts) else None
