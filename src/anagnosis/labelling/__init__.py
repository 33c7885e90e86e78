"""What people answer or label on pages in their browsers.

A kind of sheets is a module:

    GROWS                                 whether a draw may get further people
    COLLECTED                             what reads the collected lines: a command with {source}, {out} and {sheets}
    draw(dataset, how)                    the questions of a `Draw`, as `Drawn`; refused (InputError): there are fewer
    studies(dataset, drawn, sheets)       the study of a draw again, as each person has it, in their order
    read(study, out, replace=)            the record of what people saved; out: the dataset to write of it
    summary(record, source, sheets, out)  the words for that record
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anagnosis import registry

SHEET_KINDS = {
    "answers": "anagnosis.labelling.answers",
    "decisions": "anagnosis.labelling.decisions",
    "skills": "anagnosis.labelling.skills",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """What the command prints. lines: first; counts: heading → name → number; then: what to do next."""

    lines: tuple[str, ...]
    counts: dict[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    then: tuple[str, ...] = ()


def find(name: str) -> Any:
    """The kind of that name."""
    return registry.find(SHEET_KINDS, name, "kind of sheets")
