"""Find the kind that a dataset's recipe names. A recipe without `kind` is that of a cloze dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from anagnosis import registry
from anagnosis.datasets.kinds import KINDS
from anagnosis.datasets.kinds.kind import Kind, View
from anagnosis.errors import InputError, unknown_name

CLOZE = "cloze"
DECISION = "decision"
QUESTION = "question"
EVIDENCE = "evidence"


def named(name: str) -> Kind:
    """The kind of a name. InputError: there is no such kind."""
    return registry.find(KINDS, name, "kind of instances")


def each_kind() -> Iterator[Kind]:
    """Every kind."""
    return map(named, KINDS)


def every_view() -> list[str]:
    """The views of all kinds, in the order of the kinds."""
    return list(dict.fromkeys(view for kind in each_kind() for view in kind.views))


def kind_of(recipe: Mapping[str, Any]) -> Kind:
    """The kind that a dataset's recipe names."""
    return named(str(recipe.get("kind", CLOZE)))


def demand(
    kind: Kind, wanted: str, where: str, what: str = "", remedy: str = "choose another dataset"
) -> None:
    """Refuse another kind than the wanted one. what: the error's text (default: which kinds the dataset is of)."""
    if kind.name != wanted:
        what = what or f"holds {kind.holds}, and {named(wanted).holds} are needed here"
        raise InputError(what, where, remedy)


def demand_record(kind: Kind, record: type[Any], where: str) -> None:
    """Refuse a kind whose instances are of another class than `record`."""
    if kind.record is not record:
        demand(kind, next(each.name for each in each_kind() if each.record is record), where)


def lacking(kind: Kind, what: str, where: str) -> InputError:
    """The error for a kind that does not define what is asked for."""
    return InputError(f"holds {kind.holds}, which have no {what}", where, "choose another dataset")


def view_of(kind: Kind, name: str) -> View:
    """The kind's view of a name. InputError: it has no such view."""
    if view := kind.views.get(name) or kind.views_of_others.get(name):
        return view
    raise unknown_name("view", name, kind.views)


def demand_view(kind: Kind, view: str, where: str) -> None:
    """Refuse a dataset whose kind does not have a reader's view."""
    if view not in kind.views and view not in kind.views_of_others:
        wanted = [each.holds for each in each_kind() if view in each.views]
        what = f"holds {kind.holds}, and {' or '.join(wanted)} are needed here"
        raise InputError(what, where, "choose another dataset")
