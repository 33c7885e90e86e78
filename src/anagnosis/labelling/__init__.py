"""What people answer or label on pages in their browsers.

A kind of sheets is a module:

    GROWS                                 whether a draw may get further people
    draw(dataset, how)                    the questions of a `Draw`, as `Drawn`; refused (InputError): there are fewer
    studies(dataset, drawn, sheets)       the study of a draw again, as each person has it, in their order
    read(study, out, replace=)            the record of what people saved; out: the dataset to write of it
    summary(record)                       the lines in which the command prints that record
"""

from __future__ import annotations

from typing import Any

from anagnosis import registry

SHEET_KINDS = {
    "answers": "anagnosis.labelling.answers",
    "decisions": "anagnosis.labelling.decisions",
    "skills": "anagnosis.labelling.skills",
}


def find(name: str) -> Any:
    """The kind of that name."""
    return registry.find(SHEET_KINDS, name, "kind of sheets")
