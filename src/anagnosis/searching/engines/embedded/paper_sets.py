"""Which papers do not meet a query's conditions, where no passage alone decides that (queries/paper_conditions.py).

A query of the library sees one passage at a time. So we take the passages of each part (paper_numbers.py), and combine
the sets of their papers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from anagnosis.searching.queries.paper_conditions import (
    decided_by_passages,
    holds_in_one_passage,
    required_parts,
    varies,
)
from anagnosis.searching.queries.tree import AllOf, AnyOf, Not, Part, any_of
from anagnosis.searching.queries.tree import Query as Tree

if TYPE_CHECKING:
    from tantivy import Query

    from anagnosis.array_types import Bools
    from anagnosis.searching.engines.embedded.paper_numbers import PaperNumbers


def left_out(numbers: PaperNumbers, query: Tree) -> Bools:
    """The entries of papers that `Queries.matches` may bring and that do not meet the conditions."""
    papers = _Papers(numbers)
    required = required_parts(query)
    dropped = np.zeros(numbers.count, np.bool_)
    for part in query.excluded:
        if varies(part):
            dropped |= papers.of(part)
    if not decided_by_passages(required):
        dropped |= ~papers.of_all(required)
    return dropped[numbers.of_entries]


class _Papers:
    """Sets of papers."""

    def __init__(self, numbers: PaperNumbers) -> None:
        self._numbers, self._queries = numbers, numbers.queries

    def of(self, part: Part) -> Bools:
        """The papers that have a part."""
        if holds_in_one_passage(part):
            return self._with(self._queries.condition(part))
        match part:
            case AnyOf(parts=parts):
                simple = any_of(one for one in parts if holds_in_one_passage(one))
                others = [self.of(one) for one in parts if not holds_in_one_passage(one)]
                return np.logical_or.reduce([*others, *([] if simple is None else [self.of(simple)])])
            case AllOf(parts=parts):
                return self.of_all(parts)
            case Not(part=inside):
                return ~self.of(inside)
            case _:
                raise AssertionError(f"{part} holds in one passage")

    def of_all(self, parts: Sequence[Part]) -> Bools:
        """The papers that have all of these parts."""
        fixed = [one for one in parts if not varies(one)]
        moving = [one for one in parts if varies(one)]
        every = self._with(self._queries.of_all(fixed)) if fixed else np.ones(self._numbers.count, np.bool_)
        return np.logical_and.reduce([every, *map(self.of, moving)])

    def _with(self, query: Query) -> Bools:
        return self._numbers.with_entries(self._numbers.entries(query))
