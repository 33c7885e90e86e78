"""The answers that are right by similarity alone: how many of each class, then each with its gold answer.

As in the thesis, Table 4.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from anagnosis.evaluation.phase_b.similar_answers import CLASSES, SimilarAnswer
from anagnosis.reports.report import Block, Column, Heading, Table, Text, table
from anagnosis.wording import shortened

_LONGEST = 300  # characters of a text on the page
_ALL = "all, each answer once"


def similar_blocks(answers: Sequence[SimilarAnswer], systems: Sequence[str]) -> Iterator[Block]:
    """One table of counts, one table a class. systems: all names, in the order of the rows."""
    yield Heading("Right by similarity alone")
    if not answers:
        yield Text("Every answer that fuzzy-90 accepts is one that thesis accepts.", "note")
        return
    yield _counts(answers, systems)
    for name, what in CLASSES.items():
        rows = [each for each in answers if each.class_by_rule == name]
        if rows:
            yield _listed(name, what, rows, several=len(systems) > 1)


def _counts(answers: Sequence[SimilarAnswer], systems: Sequence[str]) -> Table:
    of = {name: Counter(each.class_by_rule for each in answers if name in each.systems) for name in systems}
    if len(systems) > 1:
        of[_ALL] = Counter(each.class_by_rule for each in answers)
    rows = tuple((name, own.total(), *(own[each] for each in CLASSES)) for name, own in of.items())
    columns = (Column("system"), Column("answers", "count"), *(Column(name, "count") for name in CLASSES))
    notes = (
        "Answers to factoid and list questions that fuzzy-90 accepts and thesis does not, each text once a question "
        "and gold synonym. A rule gives the class; people correct it: anagnosis label read FILE.json --kind "
        "similar-answers.",
    )
    zones = (len(systems),) if len(systems) > 1 else ()
    return Table("Answers that only fuzzy-90 accepts, by class", columns, rows, notes, zones=zones)


def _listed(name: str, what: str, answers: Sequence[SimilarAnswer], *, several: bool) -> Table:
    return table(
        f"{name.capitalize()}: {len(answers):,}",
        [
            ("question", "text", lambda each: _shown(each.question)),
            ("prediction", "text", lambda each: _shown(each.prediction)),
            ("gold answer", "text", lambda each: _shown(each.gold)),
            ("similarity", "count", lambda each: each.similarity),
            *([("systems", "text", lambda each: ", ".join(each.systems))] if several else []),
        ],
        answers,
        notes=(f"{what[0].upper()}{what[1:]}.",),
    )


def _shown(text: str) -> str:
    return shortened(" ".join(text.split()), _LONGEST)
