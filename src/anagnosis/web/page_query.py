"""The parameters of a page, and the addresses of other pages like it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from anagnosis.api.options import REQUIRED, Parameter
from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.queries.names import folded
from anagnosis.web.parameters import FILTER_NAMES, is_list, read

# Parameter → the words before its date.
_DATES = {"since": "from", "until": "until", "added_since": "added since"}
_NAMES = {one.field: one for one in NAME_FILTERS}


class PageQuery(dict[str, Any]):
    """Name in an address → value, defaults included; a template reads it as `query.since`.

    arguments: what was given, by the names of the verb's parameters, but for the number of the page.
    """

    def __init__(self, takes: Mapping[str, Parameter], given: Mapping[str, Any]) -> None:
        self.arguments = {name: value for name, value in given.items() if name != "page"}
        self._defaults = {name: _as_written(each, each.default) for name, each in takes.items()}
        for name, each in takes.items():
            of_filters = getattr(given.get("filters"), each.name, each.default)
            self[name] = _as_written(each, given.get(each.name, of_filters))
            if kind := _NAMES.get(name):
                self[name] = [*map(kind.unify, self[name])]

    def words(self) -> dict[str, Any]:
        """The question and what joins its words, for the address of another page."""
        return {name: value for name, value in self.all().items() if name in ("q", "synonyms", "without")}

    def all(self, **other: Any) -> dict[str, Any]:
        """The parameters for another page of this kind, with others in their place."""
        given = {
            name: "false" if value is False else value
            for name, value in self.items()
            if name != "page" and value != self._defaults[name]
        }
        return given | other

    def unfiltered(self) -> dict[str, Any]:
        """The parameters without filters."""
        return self.all(**dict.fromkeys(FILTER_NAMES, ""))

    def toggled(self, name: str, value: str) -> tuple[bool, dict[str, Any]]:
        """(whether a filter has this value, as the engine compares names; the parameters without it, else with it).

        name: of a parameter, or `year` for both dates.
        """
        if name == "year":
            chosen = self["since"] == self["until"] == value
            return chosen, self.all(**dict.fromkeys(("since", "until"), "" if chosen else value))
        others = [one for one in self[name] if folded(one) != folded(value)]
        chosen = len(others) < len(self[name])
        return chosen, self.all(**{name: others if chosen else [*self[name], value]})

    def chosen(self) -> list[tuple[str, dict[str, Any]]]:
        """(a filter that is set, in words; the parameters without it)."""
        made = list[tuple[str, dict[str, Any]]]()
        for name in (*_DATES, *(one for one in FILTER_NAMES if one not in _DATES)):
            kind = _NAMES.get(name)
            before = _DATES.get(name, kind.noun if kind and kind.of_library else "")
            values = self[name] if isinstance(self[name], list) else [self[name]] * bool(self[name])
            for value in values:
                others = [one for one in values if one != value]
                made.append((f"{before} {value}".strip(), self.all(**{name: others})))
        return made


def page_query(takes: Mapping[str, Parameter], request: Request) -> PageQuery:
    """The parameters of a request; unknown ones, which other sites may add, are ignored. ArgumentError: a wrong one."""
    return PageQuery(takes, read(takes, request.query_params, strict=False))


def _as_written(parameter: Parameter, value: Any) -> Any:
    """A value as an address has it: `synonyms` for `no_synonyms`, "" for nothing; a list for several."""
    if parameter.name.startswith("no_"):
        return not value
    if is_list(parameter):
        return [*value]
    return "" if value in (None, REQUIRED) else value
