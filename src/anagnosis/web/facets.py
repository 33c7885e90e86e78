"""The facets beside a list: what each further value of a filter would bring, as shops and libraries count them.

Values of one filter are alternatives. So each filter's values are counted with the other filters alone: a list of
one journal offers other journals, and a list of some years has bars for the years around them.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from anagnosis.searching.filters import Filters
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.matches import Facet, Facets


def facets_to_choose(count: Callable[[Filters], Facets | None], filters: Filters) -> Facets | None:
    """The facets of a list, with values that the filters leave out; chosen values come first.

    count: the facets of the list with such filters; None where they cannot be counted, or that would take long.
    """
    counted = count(filters)
    if counted is None:
        return None
    if filters.since or filters.until:
        others = count(replace(filters, since="", until=""))
        counted = replace(counted, years=others.years if others else counted.years)
    for name in ("sections", "journals", "types"):  # of the fields of both records
        chosen = {folded(value) for value in getattr(filters, name)}
        others = count(replace(filters, **{name: ()})) if chosen else None
        if others is not None:
            here: tuple[Facet, ...] = getattr(counted, name)
            first = tuple(one for one in here if folded(one.name) in chosen)
            rest = tuple(one for one in getattr(others, name) if folded(one.name) not in chosen)
            counted = replace(counted, **{name: first + rest})
    return counted
