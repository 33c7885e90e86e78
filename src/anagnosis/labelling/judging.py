"""What judges say of things (entities, statements, answers), on sheets in CSV or on pages, read alike.

A thing is a row of texts whose first is its id: the row of a sheet without the judgements. The record of a draw holds
the digest of the rows, so that a file that was saved about other things is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from anagnosis.datasets.sheets import SheetRow, rows
from anagnosis.errors import InputError
from anagnosis.evaluation.kappa import NO_ANSWER, Kappa, mean_kappa
from anagnosis.labelling import OF_QUESTIONS, Draw
from anagnosis.labelling.drawn import RECORD, Drawn, read_drawn
from anagnosis.labelling.new_sheets import write_study
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.people import check_people
from anagnosis.labelling.returned import returned
from anagnosis.labelling.study import Study

Row = tuple[str, ...]


def refuse_options(kind: str, how: Draw, *others: str) -> None:
    """Refuse (InputError) options that judging does not have. others: of the kind."""
    how.refuse(kind, *others, *OF_QUESTIONS)
    if not how.people:
        how.refuse(kind, "--idle")
    check_people(how.people)


def record_of(kind: str, drawn: Sequence[Row], how: Draw) -> Drawn:
    """The record of a draw for people. drawn: the things, in its order."""
    return Drawn(
        kind=kind,
        dataset=_digest(drawn),
        split=how.split or "",
        view="",
        only="",
        seed=how.seed,
        ids=tuple(row[0] for row in drawn),
        people=how.people,
        idle=how.idle,
    )


def write_pages(sheets: Path, drawn: Drawn, study: Study) -> None:
    """Write the record and each person's page. InputError: another draw is there."""
    write_study(sheets, drawn, dict.fromkeys(drawn.people, study), may_grow=True)


def refuse_other_things(found: Sequence[Row], drawn: Drawn, source: object) -> None:
    """Refuse (InputError) a source that does not hold the drawn things as they were. found: those that it holds."""
    if _digest(found) != drawn.dataset:
        where = str(source) if isinstance(source, str | Path) else ""
        raise InputError(
            "the sheets were drawn from another source", where, "name the one that they were drawn from"
        )


def judgements(
    kind: str, source: Any, sheets: Path, names: Sequence[str], columns: Sequence[str]
) -> dict[str, dict[str, SheetRow]]:
    """judge → id → what the judge wrote or chose in these columns, "" for nothing yet.

    A judge is a sheet, or a person with a page. names: of the sheets. InputError: a fault of a sheet or of a file.
    """
    if not (sheets / RECORD).exists():
        return {name: rows(sheets / name, columns) for name in names}
    read_drawn(kind, sheets)
    study = open_study(source, sheets)
    given = {each.of.person: each for each in returned(study).files}
    found: dict[str, dict[str, SheetRow]] = {}
    for person in study.people:
        file = given.get(person)
        lines = {} if file is None else file.saved.last
        name = "" if file is None else file.path.name
        found[person.name] = {
            ident: SheetRow(
                f"{name}: {ident}",
                {column: str(lines.get(ident, {}).get(column) or "") for column in columns},
            )
            for ident in study.drawn.ids
        }
    return found


def kappa_of(judges: Sequence[Mapping[str, str]], labels: Sequence[str]) -> Kappa | None:
    """Cohen's kappa over the things that both of a pair judged, the mean over the pairs; None where there is no pair.

    judges: of each, id → one of the labels, "" for none; all have the same ids.
    """
    if len(judges) < 2:
        return None
    places = {label: place for place, label in enumerate(labels)}
    found = [
        np.array([places.get(given[ident], NO_ANSWER) for ident in judges[0]], np.int64) for given in judges
    ]
    return mean_kappa(found, "left out", seed=0)


def kappa_line(kappa: Kappa, what: str = "") -> str:
    """A kappa in words. what: of which judgement."""
    low, high = kappa.analytic.low, kappa.analytic.high
    both = round(kappa.instances)
    of = f" of {what}" if what else ""
    if kappa.pairs == 1:
        return f"Cohen's kappa{of} {kappa.value:.3f}  [{low:.3f}, {high:.3f}], {both:,} judged by both"
    return (
        f"Cohen's kappa{of} {kappa.value:.3f}  [{low:.3f}, {high:.3f}], the mean over {kappa.pairs:,} pairs of judges, "
        f"{both:,} judged by both of a pair"
    )


def left_of(judges: Mapping[str, int], drawn: int) -> dict[str, Mapping[str, int]]:
    """What a summary counts of things that a judge has not judged. judges: name → how many are judged."""
    left = {name: drawn - judged for name, judged in judges.items() if judged < drawn}
    return {"not judged": left} if left else {}


def _digest(drawn: Sequence[Row]) -> str:
    return hashlib.sha256(msgspec.json.encode(sorted(drawn))).hexdigest()
